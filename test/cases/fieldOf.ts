import type { Entry } from '../../src/model/entry.ts';

const labelKeys: Readonly<Record<string, string>> = {
  'logging.gke.io/top_level_controller_type': 'type',
  'logging.gke.io/top_level_controller_name': 'name',
  'jobset.sigs.k8s.io/restart-attempt': 'restartAttempt',
  'jobset.sigs.k8s.io/jobset-uid': 'jobsetUid',
};

/** A field of a record by the words of the cases: `timestamp`, `payload.x.y`, `ownerLabels` ... Absent: undefined. */
export function fieldOf(entry: Entry, name: string): unknown {
  switch (name) {
    case 'uid':
    case 'timestamp':
    case 'severity':
    case 'insertId':
      return entry[name];
    case 'component':
      return fieldOf(entry, 'payload.source.component') ?? fieldOf(entry, 'payload.reportingComponent');
    case 'ownerLabels':
    case 'ownerLabelsOneOf':
      return ownerLabels(entry);
    default:
      if (!name.startsWith('payload.')) throw new Error(`a field that nobody understands: ${name}`);
      return name
        .split('.')
        .slice(1)
        .reduce((value: unknown, key) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[key], entry.payload);
  }
}

/** The owner by the cases' words, null for none. */
function ownerLabels({ labels }: Entry): Readonly<Record<string, string>> | null {
  const owner = Object.entries(labels).map(([key, value]) => [labelKeys[key] ?? key, value] as const);
  return owner.length === 0 ? null : Object.fromEntries(owner);
}
