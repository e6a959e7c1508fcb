import { seededRandom } from '../../../src/simulator/seededRandom.ts';

/** Lines of one watch body, as an API server writes them, with the objects that they are about. */
export interface EventLines {
  /** All lines with their LF, as one text of bytes. */
  readonly body: Buffer;
  /** Views of the same, without the LF. */
  readonly lines: readonly Buffer[];
  readonly pods: readonly GeneratedPod[];
}

export interface GeneratedPod {
  readonly uid: string;
  readonly namespace: string;
  readonly name: string;
  readonly deployment: string;
}

export interface EventLinesSettings {
  readonly count: number;
  readonly pods: number;
  readonly type: 'ADDED' | 'DELETED';
}

const reasons = [
  ['Scheduled', 'default-scheduler', 'Successfully assigned NS/POD to node-17'],
  ['Pulled', 'kubelet', 'Container image "registry.example/team/service:v1.27.3" already present on machine'],
  ['Created', 'kubelet', 'Created container: main'],
  ['Started', 'kubelet', 'Started container main'],
  [
    'Unhealthy',
    'kubelet',
    'Readiness probe failed: Get "http://10.42.17.9:8080/healthz": dial tcp 10.42.17.9:8080: connect: connection refused',
  ],
  ['BackOff', 'kubelet', 'Back-off restarting failed container main in pod POD_NS(0f4c1d2e-8f5b-4a62-9d0e-5a7c3b1d9e8f)'],
] as const;

/** Distinct core/v1 Events about pods, each about 1.2 kB, versions rising from 1,000,000. */
export function eventLines({ count, pods: podCount, type }: EventLinesSettings): EventLines {
  const random = seededRandom(7);
  const pods = Array.from({ length: podCount }, (_, at) => generatedPod(at, random));
  const texts = Array.from({ length: count }, (_, at) => {
    const pod = pods[Math.floor(random() * podCount)]!;
    return `${JSON.stringify({ type, object: eventObject(at, pod, random) })}\n`;
  });
  const body = Buffer.from(texts.join(''));
  let start = 0;
  const lines = texts.map((text) => {
    const line = body.subarray(start, start + Buffer.byteLength(text) - 1);
    start += line.length + 1;
    return line;
  });
  return { body, lines, pods };
}

export function generatedPod(at: number, random: () => number): GeneratedPod {
  const deployment = `service-${at % Math.max(1, 4_000)}`;
  return {
    uid: uuid(random),
    namespace: `team-${at % 50}`,
    name: `${deployment}-7c9d8f6b5-${at.toString(36).padStart(5, '0')}`,
    deployment,
  };
}

function eventObject(at: number, { uid, namespace, name }: GeneratedPod, random: () => number): unknown {
  const [reason, component, message] = reasons[at % reasons.length]!;
  const time = new Date(Date.UTC(2026, 4, 4, 10, 0, 0) + at * 10).toISOString().replace(/\.\d+/, '');
  return {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: {
      name: `${name}.${(0x18ecde87d830 + at).toString(16)}`,
      namespace,
      uid: uuid(random),
      resourceVersion: String(1_000_000 + at),
      creationTimestamp: time,
      managedFields: [{ manager: 'kubelet', operation: 'Update', apiVersion: 'v1', time, fieldsType: 'FieldsV1', fieldsV1: managed }],
    },
    involvedObject: { kind: 'Pod', namespace, name, uid, apiVersion: 'v1', resourceVersion: '99312', fieldPath: 'spec.containers{main}' },
    reason,
    message: message.replace('NS', namespace).replace('POD', name),
    source: { component, host: 'node-17' },
    firstTimestamp: time,
    lastTimestamp: time,
    count: 1 + (at % 3),
    type: reason === 'Unhealthy' || reason === 'BackOff' ? 'Warning' : 'Normal',
    eventTime: null,
    reportingComponent: component,
    reportingInstance: 'node-17',
  };
}

const managed = {
  'f:count': {},
  'f:firstTimestamp': {},
  'f:involvedObject': {},
  'f:lastTimestamp': {},
  'f:message': {},
  'f:reason': {},
  'f:reportingComponent': {},
  'f:reportingInstance': {},
  'f:source': { 'f:component': {}, 'f:host': {} },
  'f:type': {},
};

function uuid(random: () => number): string {
  const digits = Array.from({ length: 4 }, () =>
    Math.floor(random() * 0x1_0000_0000)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return [digits.slice(0, 8), digits.slice(8, 12), `4${digits.slice(13, 16)}`, `8${digits.slice(17, 20)}`, digits.slice(20)].join('-');
}
