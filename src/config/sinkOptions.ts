import { endpointFault, universeFault } from './endpoints.ts';
import type { Option } from './optionKinds.ts';

const row = { group: 'Sink', commands: ['run', 'replay'] } as const;

/** What may stand inside --sink-opts: the names, defaults and meanings of the Go exporter. */
export const sinkOptions = {
  'flush-delay': {
    ...row,
    kind: 'duration',
    default: '5s',
    example: '1s',
    sinks: ['cloud-logging'],
    description: 'Longest wait of an entry for its batch to fill.',
  },
  'max-buffer-size': {
    ...row,
    kind: 'count',
    min: 1,
    max: 100_000,
    default: '100',
    example: '500',
    sinks: ['cloud-logging'],
    description: 'Most entries in one batch.',
  },
  'max-concurrency': {
    ...row,
    kind: 'count',
    min: 1,
    max: 1_000,
    default: '10',
    example: '4',
    sinks: ['cloud-logging'],
    description: 'Most requests under way at once.',
  },
  'stackdriver-resource-model': {
    ...row,
    kind: 'text',
    default: 'new',
    eventExporter: '',
    example: 'new',
    description: 'new or k8s: k8s_pod, k8s_node and k8s_cluster resources. Anything else: gke_cluster always.',
  },
  endpoint: {
    ...row,
    kind: 'text',
    default: '',
    example: 'https://logging.example.com',
    sinks: ['cloud-logging'],
    rule: endpointFault,
    description: 'Address of the service to send to. Empty: that of the universe domain. http:// is possible, for a proxy beside it.',
  },
  universeDomain: {
    ...row,
    kind: 'text',
    default: 'googleapis.com',
    example: 'googleapis.com',
    sinks: ['cloud-logging'],
    rule: universeFault,
    description: 'Universe domain of the service to send to.',
  },
} as const satisfies Record<string, Option>;
