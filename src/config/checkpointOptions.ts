import { appFault } from '../model/shardLease.ts';
import type { Option } from './optionKinds.ts';
import { namespaceFault } from './selectors.ts';

/** Where the position is kept. */
export const checkpointOptions = {
  checkpoint: {
    kind: 'text',
    group: 'Checkpoint',
    commands: ['run'],
    default: '',
    example: 'file:/var/lib/kube-sluice/position.json',
    rule: checkpointFault,
    description:
      "Where the position is kept: lease, file:PATH or none. Empty: in the file of the file sink, else in a lease with a pod's service account, else nowhere.",
  },
  'checkpoint-reset': {
    kind: 'flag',
    group: 'Checkpoint',
    commands: ['run'],
    default: 'false',
    example: 'true',
    description: 'Give up the stored position and start as if for the first time.',
  },
  'lease-name': {
    kind: 'text',
    group: 'Checkpoint',
    commands: ['run'],
    default: 'kube-sluice',
    example: 'kube-sluice-audit',
    rule: leaseNameFault,
    description: 'First part of the names of the leases. Shards that work together have the same, others another.',
  },
  'lease-namespace': {
    kind: 'text',
    group: 'Checkpoint',
    commands: ['run'],
    default: '',
    example: 'kube-sluice',
    rule: optionalNamespaceFault,
    description: "Namespace of the leases. Empty: the pod's own.",
  },
} as const satisfies Record<string, Option>;

/** Names the three forms; what the path leads to is seen when it is opened. */
function checkpointFault(text: string): string | undefined {
  if (text === '' || text === 'lease' || text === 'none' || (text.startsWith('file:') && text.length > 5)) return undefined;
  return 'must be lease, none or file:PATH';
}

function optionalNamespaceFault(text: string): string | undefined {
  return text === '' ? undefined : namespaceFault(text);
}

function leaseNameFault(text: string): string | undefined {
  return appFault(text) === undefined ? undefined : 'must be at most 63 lower-case letters, digits and dashes, with no dash at the ends';
}
