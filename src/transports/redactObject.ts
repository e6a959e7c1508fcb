import type { Pseudonyms } from './pseudonyms.ts';

/** What becomes of a field, by its name. */
type Rule = (value: unknown, names: Pseudonyms) => unknown;

const word = /^[A-Za-z][A-Za-z0-9]{0,62}$/;
const time = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/;
const version = /^(?:0|[1-9]\d{0,19})$/;
const builtInGroup = /^(?:(?:[a-z]+|[a-z.]+\.k8s\.io)\/)?v\d[a-z0-9]{0,12}$/;
const smallNumber = /^\d{1,4}$/;

const textIf =
  (shape: RegExp): Rule =>
  (value, names) =>
    typeof value === 'string' && value !== '' && !shape.test(value)
      ? names.text(value)
      : typeof value === 'string'
        ? value
        : rest(value, names);

const keptNumber: Rule = (value, names) => (typeof value === 'number' ? value : rest(value, names));
const keptFlag: Rule = (value, names) => (typeof value === 'boolean' ? value : rest(value, names));
const name: Rule = (value, names) => (typeof value === 'string' ? names.name(value) : redactObject(value, names));
const text: Rule = (value, names) => (typeof value === 'string' ? names.text(value) : rest(value, names));
const inside: Rule = (value, names) => redactObject(value, names);

/** Fields that are known, and so keep their name. All others get another one, and so does everything inside them. */
const rules: Readonly<Record<string, Rule>> = {
  // Words of the API and of controllers, which say what happens and not to whom.
  kind: textIf(word),
  type: textIf(word),
  reason: textIf(word),
  action: textIf(word),
  status: textIf(word),
  state: textIf(word),
  operation: textIf(word),
  apiVersion: textIf(builtInGroup),
  resourceVersion: textIf(version),
  // Times and counts.
  creationTimestamp: textIf(time),
  deletionTimestamp: textIf(time),
  firstTimestamp: textIf(time),
  lastTimestamp: textIf(time),
  lastObservedTime: textIf(time),
  eventTime: textIf(time),
  time: textIf(time),
  count: keptNumber,
  code: keptNumber,
  generation: keptNumber,
  retryAfterSeconds: keptNumber,
  remainingItemCount: keptNumber,
  controller: keptFlag,
  blockOwnerDeletion: keptFlag,
  // Names, which stay equal where they were equal.
  name,
  namespace: name,
  generateName: text,
  uid: name,
  host: name,
  component: name,
  reportingComponent: name,
  reportingController: name,
  reportingInstance: name,
  message: text,
  continue: text,
  selfLink: text,
  fieldPath: (value, names) =>
    typeof value === 'string'
      ? /^spec\.(?:initContainers|containers|ephemeralContainers)\{[^{}]*\}$/.test(value)
        ? value.replace(/\{(.*)\}/, (_, container: string) => `{${names.name(container)}}`)
        : names.text(value)
      : rest(value, names),
  labels: (value, names) => mapOf(value, names),
  annotations: (value, names) => mapOf(value, names),
  managedFields: (value) => (Array.isArray(value) ? value.map(onlyTime) : []),
  // What holds others.
  metadata: inside,
  object: inside,
  items: inside,
  involvedObject: inside,
  related: inside,
  source: inside,
  series: inside,
  details: inside,
  ownerReferences: inside,
};

/** Labels and annotations that are known, as they decide what a pod belongs to. */
const mapRules: Readonly<Record<string, Rule>> = {
  'pod-template-hash': (value, names) => (typeof value === 'string' ? names.generated(value) : rest(value, names)),
  'kubernetes.io/config.mirror': name,
  'kubernetes.io/config.hash': name,
  'jobset.sigs.k8s.io/jobset-name': name,
  'jobset.sigs.k8s.io/jobset-uid': name,
  'jobset.sigs.k8s.io/restart-attempt': textIf(smallNumber),
  'k8s.io/initial-events-end': textIf(/^true$/),
};

/**
 * Redacts an object of the API, or what holds some: its structure, equal names, reasons, types, kinds, counts and times
 * stay; names, messages, labels, annotations and everything that is not known become pseudonyms.
 */
export function redactObject(value: unknown, names: Pseudonyms): unknown {
  return typeof value === 'object' && value !== null ? fieldsOf(value, names, rules) : rest(value, names);
}

function mapOf(value: unknown, names: Pseudonyms): unknown {
  return typeof value === 'object' && value !== null ? fieldsOf(value, names, mapRules) : rest(value, names);
}

function fieldsOf(value: object, names: Pseudonyms, known: Readonly<Record<string, Rule>>): unknown {
  if (Array.isArray(value)) return value.map((each) => redactObject(each, names));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const rule = Object.hasOwn(known, key) ? known[key] : undefined;
      return rule === undefined ? [names.text(key), rest(inner, names)] : [key, rule(inner, names)];
    }),
  );
}

/** What nobody knows: only whether it is text, a number, a list or an object is left of it. */
function rest(value: unknown, names: Pseudonyms): unknown {
  switch (typeof value) {
    case 'string':
      return names.name(value);
    case 'number':
      return 0;
    case 'object':
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((each) => rest(each, names));
      return Object.fromEntries(Object.entries(value).map(([key, inner]) => [names.text(key), rest(inner, names)]));
    default:
      return false;
  }
}

/** Who wrote when is how an event's time is judged; which fields names what nobody else need know. */
function onlyTime(entry: unknown): unknown {
  const written = (entry as { readonly time?: unknown } | null)?.time;
  return typeof written === 'string' && time.test(written) ? { time: written } : {};
}
