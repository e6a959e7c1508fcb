import type { FlagCommand, Option } from './optionKinds.ts';
import { fieldSelectorFault, labelSelectorFault, namespaceFault } from './selectors.ts';

const readers: readonly FlagCommand[] = ['run', 'record', 'inspect'];
const exporters: readonly FlagCommand[] = ['run', 'replay'];

/** Which cluster is read, and which of its events. */
export const readingOptions = {
  kubeconfig: {
    kind: 'text',
    group: 'Cluster',
    commands: readers,
    default: '',
    example: '/etc/kube-sluice/kubeconfig',
    description: 'Kubeconfig file. Empty: in-cluster credentials in a pod, otherwise what kubectl would use.',
  },
  context: {
    kind: 'text',
    group: 'Cluster',
    commands: readers,
    default: '',
    example: 'staging',
    description: 'Context of the kubeconfig. Empty: its current one.',
  },
  'cluster-name': {
    kind: 'text',
    group: 'Cluster',
    commands: exporters,
    default: '',
    example: 'prod-1',
    description: 'Name of the cluster in the resource of each entry. Empty: left out, or with cloud-logging what the metadata server says.',
  },
  'cluster-location': {
    kind: 'text',
    group: 'Cluster',
    commands: exporters,
    default: '',
    example: 'europe-west4',
    description:
      'Region or zone of the cluster in the resource of each entry. Empty: left out, or with cloud-logging what the metadata server says.',
  },
  project: {
    kind: 'text',
    group: 'Cluster',
    commands: exporters,
    default: '',
    example: 'acme-prod',
    description: 'Project in the resource of each entry. Empty: left out, or with cloud-logging that of the credentials.',
  },
  namespace: {
    kind: 'list',
    group: 'Selection',
    commands: readers,
    default: '',
    example: 'shop,checkout',
    rule: namespaceFault,
    description: 'Read only this namespace, with a Role instead of a ClusterRole. Repeatable. Empty: all.',
  },
  'event-label-selector': {
    kind: 'text',
    group: 'Selection',
    commands: readers,
    default: '',
    example: 'team in (web,shop)',
    rule: labelSelectorFault,
    description: 'Label selector on the events themselves, applied by the API server. Empty: all events.',
  },
  'event-field-selector': {
    kind: 'text',
    group: 'Selection',
    commands: readers,
    default: '',
    example: 'type=Warning',
    rule: fieldSelectorFault,
    description: 'Field selector on the events, applied by the API server. Empty: all events.',
  },
  'start-from': {
    kind: 'choice',
    group: 'Selection',
    commands: readers,
    choices: ['earliest', 'now'],
    default: 'earliest',
    example: 'now',
    description: 'Where to begin without a checkpoint: with what the server still holds, or with what comes now.',
  },
  'event-ttl': {
    kind: 'duration',
    group: 'Selection',
    commands: exporters,
    default: '1h',
    example: '30m',
    description: 'How long the API server keeps events, its own --event-ttl. Whoever did not read for longer writes a gap record.',
  },
  'lister-watcher-options-limit': {
    kind: 'count',
    group: 'Selection',
    commands: readers,
    min: 0,
    max: 100_000,
    default: '1000',
    example: '500',
    description: 'Items per page where a list goes by pages. More is faster and takes more memory; 0 is one page.',
  },
} as const satisfies Record<string, Option>;
