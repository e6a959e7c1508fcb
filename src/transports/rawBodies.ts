import type { FileFault, NumberedLine } from './numberedLines.ts';
import { numberedLines } from './numberedLines.ts';
import type { Recording } from './recordedFrames.ts';
import type { Recorded, RecordedFrame } from './recording.ts';

/** Bodies of watches as an API server sent them, one JSON object a line. */
export interface RawBodies {
  /** File with the body of an event watch: JSON lines. */
  readonly events: string;
  /** The same for pods. Absent: there are none. */
  readonly pods?: string;
}

interface Body {
  readonly stream: 'events' | 'pods';
  readonly file: string | undefined;
  readonly path: string;
}

/**
 * Opens raw watch bodies as a recording of a 1.36 server. They have no times: everything happens at the
 * first event's creation, pods to their end and then events. A body with an initial-events-end bookmark
 * answers a streaming list; one without it is a watch after an empty list. `read` is told how many bytes were read so far.
 */
export async function rawBodies(
  { events, pods }: RawBodies,
  tell: (fault: FileFault) => void,
  read: (bytes: number) => void = () => undefined,
): Promise<Recording> {
  const bodies: readonly Body[] = [
    { stream: 'pods', file: pods, path: '/api/v1/pods' },
    { stream: 'events', file: events, path: '/api/v1/events' },
  ];
  const startsAt = await firstCreation(events);
  return {
    header: {
      format: 'kube-sluice recording',
      version: 1,
      startedAt: new Date(startsAt).toISOString(),
      recordedBy: 'raw watch bodies',
      server: { major: '1', minor: '36', gitVersion: 'v1.36.0' },
      asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
    },
    startsAt,
    frames: framesOf(bodies, startsAt, tell, read),
  };
}

async function* framesOf(
  bodies: readonly Body[],
  at: number,
  tell: (fault: FileFault) => void,
  read: (bytes: number) => void,
): AsyncGenerator<Recorded> {
  let before = 0;
  let bytes = 0;
  const readOne = (now: number): void => {
    bytes = now;
    read(before + bytes);
  };
  for (const [request, { stream, file, path }] of bodies.entries()) {
    const isBracket = file !== undefined && (await hasBracket(file));
    const frames: readonly RecordedFrame[] = [
      { kind: 'request', how: 'stream', path, query: { watch: 'true', ...(isBracket ? { sendInitialEvents: 'true' } : {}) } },
      { kind: 'opened', status: 200 },
    ];
    for (const frame of frames) yield { at, stream, request, frame };
    if (file !== undefined) for await (const frame of linesOf(file, tell, readOne)) yield { at, stream, request, frame };
    before += bytes;
    bytes = 0;
  }
}

async function* linesOf(file: string, tell: (fault: FileFault) => void, read: (bytes: number) => void): AsyncGenerator<RecordedFrame> {
  for await (const line of numberedLines(file, tell, read)) {
    const isEvent = parsed(line) !== undefined;
    if (!isEvent) tell({ file, line: line.number, reason: line.ended ? 'not a JSON object' : 'cut last line', bad: true });
    yield isEvent || line.ended ? { kind: 'line', body: line.bytes } : { kind: 'torn', bytes: line.bytes.length };
  }
}

/** Only additions may come before the end of a bracket, so the first other line decides. */
async function hasBracket(file: string): Promise<boolean> {
  for await (const line of numberedLines(file, () => undefined)) {
    const { type, object } = parsed(line) ?? {};
    if (type === 'BOOKMARK') return object?.metadata?.annotations?.['k8s.io/initial-events-end'] === 'true';
    if (type === 'MODIFIED' || type === 'DELETED' || type === 'ERROR') return false;
  }
  return false;
}

async function firstCreation(file: string): Promise<number> {
  for await (const line of numberedLines(file, () => undefined)) {
    const at = Date.parse(parsed(line)?.object?.metadata?.creationTimestamp ?? '');
    if (!Number.isNaN(at)) return at;
  }
  return 0;
}

interface WatchEvent {
  readonly type?: string;
  readonly object?: {
    readonly metadata?: { readonly creationTimestamp?: string | null; readonly annotations?: Readonly<Record<string, string>> };
  };
}

function parsed(line: NumberedLine): WatchEvent | undefined {
  try {
    const value: unknown = JSON.parse(line.bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // Told with its line number by the caller.
  }
}
