import { defer, Observable, of } from 'rxjs';
import type { Answer, Exhausted, Frame, KubeRequest, KubeTransport } from '../ports.ts';
import { podsRead } from './podsRead.ts';
import type { Recorded, RecordingHeader } from './recording.ts';
import { answerOf, statusOf } from './replayAnswers.ts';
import { type ReplayLane, replayLane } from './replayLane.ts';
import type { ReplayReader } from './replayReader.ts';
import { type RequestShape, requestShape } from './requestShape.ts';

/** A recording that is played to any number of readers. Whoever feeds it decides how fast. */
export interface Replay {
  /** A transport that serves the whole recording. Each pipeline needs its own, before the first `feed`. */
  transport(): KubeTransport;
  /** Plays what was recorded next. */
  feed(recorded: Recorded): void;
  /** There is no more: readers that have had everything are told `exhausted`. */
  finish(): void;
  /** A reader is paused in front of lines: feeding on would pile them up. */
  held(): boolean;
  /** Bytes that were fed and not taken by a reader. */
  waitingBytes(): number;
}

export interface ReplaySettings {
  readonly header: Pick<RecordingHeader, 'server'>;
  /** Streams that readers will ask for; what was recorded of others is passed over. Absent: all. */
  readonly streams?: readonly string[];
}

/**
 * Serves a recording to readers as the API server served it: the same answers and lines for the same
 * kinds of requests, path by path, each when it is fed.
 *
 * State: what was fed and not taken, and the newest metadata of every pod. Time: none of its own.
 * Order: as recorded, per path. Errors: the recorded ones, as CONNECTION_FAILED.
 * Requests that differ from the recorded ones follow the rule in replayStep. /version is answered at
 * once by the header, single pods by what was read of them so far (also when it was removed), else 404.
 */
export function replay({ header, streams }: ReplaySettings): Replay {
  const pods = podsRead();
  const paths = new Map<number, { readonly path: string; readonly shape: RequestShape }>();
  const transports: LaneSet[] = [];
  let finished = false;

  const learnPods = ({ stream, frame }: Recorded): void => {
    if (stream !== 'pods') return;
    if (frame.kind === 'line') pods.line(frame.body);
    if (frame.kind === 'answer' && frame.status === 200) pods.page(frame.body);
  };

  return {
    transport() {
      const lanes = laneSet((path) =>
        replayLane({ kind: kindOf(path), present: () => (path.endsWith('/pods') ? pods.present(namespaceOf(path)) : []) }),
      );
      transports.push(lanes);
      if (finished) lanes.finish();
      return transportOf(lanes, header, (shape) => pods.byName(shape.namespace, shape.name));
    },
    feed(recorded) {
      const { stream, request, frame } = recorded;
      if (streams?.includes(stream) === false) return;
      if (frame.kind === 'request') paths.set(request, { path: frame.path, shape: requestShape(frame.how, frame) });
      const asked = paths.get(request);
      if (frame.kind === 'ended' || frame.kind === 'left' || frame.kind === 'failed' || frame.kind === 'answer') paths.delete(request);
      if (asked === undefined || asked.shape.type === 'version' || asked.shape.type === 'pod') return;
      learnPods(recorded);
      for (const lanes of transports) lanes.at(asked.path).feed(recorded);
    },
    finish() {
      finished = true;
      for (const lanes of transports) lanes.finish();
    },
    held: () => transports.some((lanes) => lanes.all().some((lane) => lane.held())),
    waitingBytes: () => Math.max(0, ...transports.map((lanes) => lanes.all().reduce((sum, lane) => sum + lane.waitingBytes(), 0))),
  };
}

/** The lanes of one transport, made when first needed. */
interface LaneSet {
  at(path: string): ReplayLane;
  all(): readonly ReplayLane[];
  finish(): void;
}

function laneSet(make: (path: string) => ReplayLane): LaneSet {
  const lanes = new Map<string, ReplayLane>();
  let finished = false;
  return {
    at(path) {
      const lane = lanes.get(path) ?? make(path);
      if (!lanes.has(path) && finished) lane.finish();
      lanes.set(path, lane);
      return lane;
    },
    all: () => [...lanes.values()],
    finish() {
      finished = true;
      for (const lane of lanes.values()) lane.finish();
    },
  };
}

type PodShape = RequestShape & { type: 'pod' };

function transportOf(lanes: LaneSet, { server }: Pick<RecordingHeader, 'server'>, pod: (shape: PodShape) => unknown): KubeTransport {
  const get = (request: KubeRequest): Observable<Answer | Exhausted> => {
    const shape = requestShape('get', request);
    if (shape.type === 'version') return of(answerOf(200, server));
    if (shape.type !== 'pod') return served<Answer | Exhausted>(lanes, request.path, shape, of(false));
    const found = pod(shape);
    return of(found === undefined ? statusOf(404, 'NotFound', 'the pod was not recorded') : answerOf(200, found));
  };
  return {
    get: (request) => defer(() => get(request)),
    stream: (request, paused) => served<Frame>(lanes, request.path, requestShape('stream', request), paused),
    send: () => of(statusOf(404, 'NotFound', 'a recording cannot be written to')),
  };
}

function served<T extends Frame>(lanes: LaneSet, path: string, shape: RequestShape, paused: Observable<boolean>): Observable<T> {
  return new Observable((subscriber) => {
    const lane = lanes.at(path);
    let still = false;
    const reader: ReplayReader = {
      shape,
      // A get is only ever served whole answers.
      frame: (frame) => subscriber.next(frame as T),
      end: () => subscriber.complete(),
      fail: (error) => subscriber.error(error),
      paused: () => still,
    };
    subscriber.add(
      paused.subscribe((value) => {
        still = value;
        if (!still) lane.goOn();
      }),
    );
    subscriber.add(lane.ask(reader));
  });
}

function kindOf(path: string): string {
  if (path.endsWith('/events')) return 'Event';
  return path.endsWith('/pods') ? 'PartialObjectMetadata' : '';
}

/** Empty for all namespaces. */
function namespaceOf(path: string): string {
  return decodeURIComponent(/\/namespaces\/([^/]+)\//.exec(path)?.[1] ?? '');
}
