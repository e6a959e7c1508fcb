import { PipelineError } from '../errors.ts';
import type { PodMetadata } from '../model/kube.ts';
import type { Frame } from '../ports.ts';
import { fifo } from './fifo.ts';
import { endsBracket, headOf, isErrorLine, versionOf } from './recordedBody.ts';
import type { Recorded, RecordedFrame } from './recording.ts';
import { bracketLines, errorLine, listOf, statusOf } from './replayAnswers.ts';
import { type Asking, again, type Exchange, gather, isGet, type ReplayReader, restOf } from './replayReader.ts';
import { replayStep } from './replayStep.ts';
import { type RequestShape, requestShape } from './requestShape.ts';

export interface ReplayLaneSettings {
  /** Kind of a bookmark that the lane makes up. */
  readonly kind: string;
  /** What a made-up list holds. */
  readonly present: () => readonly PodMetadata[];
}

/** The recorded exchanges of one path, and the requests of one reader for it. */
export interface ReplayLane {
  /** Takes what was recorded next. */
  feed(recorded: Recorded): void;
  /** Nothing more comes: when all is served, requests are answered `exhausted`. */
  finish(): void;
  /** Serves a request as soon as it is known how; the function returned gives it up. */
  ask(reader: ReplayReader): () => void;
  /** Goes on after a reader is no longer paused. */
  goOn(): void;
  /** Something was fed that a paused reader has not taken. */
  held(): boolean;
  /** Bytes that wait for a reader. */
  waitingBytes(): number;
}

/** What an empty list carries before anything was served. */
const firstVersion = '1';

/** State: what was fed and not served, requests in hand. Time: none. See replayStep for the rule. */
export function replayLane(settings: ReplayLaneSettings): ReplayLane {
  const queue = fifo<Recorded>();
  const asking: Asking[] = [];
  let exchange: Exchange | undefined;
  let lastBody: Uint8Array | undefined;
  let bytes = 0;
  let finished = false;
  let running = false;

  const take = (): Recorded | undefined => {
    const recorded = queue.take();
    bytes -= sizeOf(recorded);
    return recorded;
  };
  const leave = (asked: Asking): void => {
    const at = asking.indexOf(asked);
    if (at !== -1) asking.splice(at, 1);
  };
  const answer = (asked: Asking, frame: Frame): true => {
    leave(asked);
    asked.reader.frame(frame);
    asked.reader.end();
    return true;
  };
  const refuse = (asked: Asking, code: number, reason: string, message: string): true => {
    const refusal = statusOf(code, reason, message);
    return answer(asked, asked.opened ? { type: 'line', bytes: errorLine(refusal) } : refusal);
  };
  const open = (asked: Asking, frame: Frame & { type: 'opened' }): void => {
    if (!asked.opened && asked.gathered === undefined) asked.reader.frame(frame);
    asked.opened = true;
  };

  const finishStream = (asked: Asking): void => {
    leave(asked);
    asked.reader.end();
  };

  const onLine = (asked: Asking, body: Uint8Array): void => {
    if (!isErrorLine(body)) lastBody = body;
    const closes = exchange?.inBracket === true && endsBracket(body);
    if (closes && exchange !== undefined) exchange.inBracket = false;
    if (asked.gathered === undefined) asked.reader.frame({ type: 'line', bytes: body });
    else if (closes) answer(asked, listOf(versionOf(body, firstVersion), asked.gathered));
    else gather(asked.gathered, body);
  };

  const serve = (asked: Asking, frame: RecordedFrame): void => {
    switch (frame.kind) {
      case 'opened':
        if (exchange !== undefined) exchange.opened = true;
        open(asked, { ...headOf(frame), type: 'opened' });
        break;
      case 'line':
        onLine(asked, frame.body);
        break;
      case 'oversized':
      case 'torn':
        if (asked.gathered === undefined) asked.reader.frame({ type: frame.kind, bytes: frame.bytes });
        break;
      case 'answer':
        exchange = undefined;
        if (frame.status === 200) lastBody = frame.body;
        answer(asked, { ...headOf(frame), type: 'answer', body: frame.body });
        break;
      case 'ended':
        exchange = undefined;
        if (isGet(asked)) again(asked);
        else finishStream(asked);
        break;
      case 'failed':
        exchange = undefined;
        leave(asked);
        asked.reader.fail(new PipelineError('CONNECTION_FAILED', frame.reason));
        break;
      case 'left':
      case 'request':
        exchange = undefined;
        again(asked);
        break;
    }
  };

  /** Hands on one recorded frame; false if there is none to hand on. */
  const serveNext = (asked: Asking): boolean => {
    const next = queue.peek();
    if (next === undefined) return finished && answer(asked, { type: 'exhausted' });
    if (next.frame.kind === 'request' || exchange === undefined) {
      exchange = undefined;
      again(asked);
      return true;
    }
    // A reader that stayed on from the exchange before has to ask again to be refused.
    if (next.frame.kind === 'answer' && asked.opened) finishStream(asked);
    else if (take()?.request === exchange.request) serve(asked, next.frame);
    return true;
  };

  /** Decides what a new request gets; false if nothing is known yet. */
  const match = (asked: Asking): boolean => {
    const next = queue.peek();
    if (next === undefined && finished) return answer(asked, { type: 'exhausted' });
    const stray = next !== undefined && next.frame.kind !== 'request' && next.request !== exchange?.request;
    if (stray) return take() !== undefined;
    if (exchange !== undefined && next !== undefined && endsExchange(next.frame)) {
      exchange = undefined;
      return true;
    }
    const shape = exchange === undefined ? shapeOf(next) : restOf(exchange);
    if (shape === undefined) return false;
    const version = lastBody === undefined ? firstVersion : versionOf(lastBody, firstVersion);
    const step = replayStep(asked.shape, shape);
    switch (step) {
      case 'serve':
      case 'gather':
        if (step === 'gather') asked.gathered = [];
        begin(asked, shape);
        return true;
      case 'skip':
        if (exchange === undefined) take();
        exchange = undefined;
        return true;
      case 'version':
        return answer(asked, listOf(version, []));
      case 'list':
        return answer(asked, listOf(version, settings.present()));
      case 'bracket':
        open(asked, { type: 'opened', status: 200 });
        for (const line of bracketLines(settings.kind, version, settings.present())) asked.reader.frame({ type: 'line', bytes: line });
        asked.shape = { type: 'watch' };
        return true;
      case 'expired':
        return refuse(asked, 410, 'Expired', 'the recording lists here');
      case 'pages':
        return refuse(asked, 400, 'BadRequest', 'the recording lists by pages here');
    }
  };

  const begin = (asked: Asking, shape: RequestShape): void => {
    asked.serving = true;
    if (exchange === undefined) {
      const request = take()?.request ?? 0;
      exchange = { request, shape, opened: false, inBracket: shape.type === 'bracket' };
    } else if (exchange.opened) {
      open(asked, { type: 'opened', status: 200 });
    }
  };

  const goOn = (): void => {
    // Handing a frame on makes readers ask again, which must not start a second round inside this one.
    if (running) return;
    running = true;
    for (let asked = asking[0]; asked !== undefined && !asked.reader.paused(); asked = asking[0]) {
      if (!(asked.serving ? serveNext(asked) : match(asked))) break;
    }
    running = false;
  };

  return {
    feed(recorded) {
      queue.put(recorded);
      bytes += sizeOf(recorded);
      goOn();
    },
    finish() {
      finished = true;
      goOn();
    },
    ask(reader) {
      const asked: Asking = { reader, shape: reader.shape, serving: false, opened: false };
      asking.push(asked);
      goOn();
      return () => leave(asked);
    },
    goOn,
    held: () => queue.size() > 0 && asking[0]?.reader.paused() === true,
    waitingBytes: () => bytes,
  };
}

function shapeOf(recorded: Recorded | undefined): RequestShape | undefined {
  return recorded?.frame.kind === 'request' ? requestShape(recorded.frame.how, recorded.frame) : undefined;
}

/** What may follow of an exchange whose reader has gone and that nobody needs to be told. */
function endsExchange(frame: RecordedFrame): boolean {
  return frame.kind === 'request' || frame.kind === 'ended' || frame.kind === 'left' || frame.kind === 'failed';
}

function sizeOf(recorded: Recorded | undefined): number {
  return recorded !== undefined && 'body' in recorded.frame ? recorded.frame.body.byteLength : 0;
}
