import { isUtf8 } from 'node:buffer';
import type { AnswerHead, KubeRequest } from '../ports.ts';

/** First line of a recording. */
export interface RecordingHeader {
  readonly format: 'kube-sluice recording';
  /** Of the format. A newer one is refused. */
  readonly version: 1;
  /** When recording began, RFC 3339. */
  readonly startedAt: string;
  /** The program that recorded. */
  readonly recordedBy: string;
  /** Present: names, messages and all that is not known were replaced. */
  readonly redacted?: true;
  /** What /version answered. */
  readonly server: { readonly major: string; readonly minor: string; readonly gitVersion: string };
  readonly asked: {
    /** The empty name is all namespaces in one stream. */
    readonly namespaces: readonly string[];
    readonly labelSelector: string;
    readonly fieldSelector: string;
  };
}

/** One thing that happened between a reader and the API server. */
export interface Recorded {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Which reader. */
  readonly stream: string;
  /** Number of the request that this belongs to; unique within a recording. */
  readonly request: number;
  readonly frame: RecordedFrame;
}

/** `left`: the reader gave the request up. */
export type RecordedFrame =
  | ({ readonly kind: 'request'; readonly how: 'get' | 'stream' } & Pick<KubeRequest, 'path' | 'query'>)
  | ({ readonly kind: 'opened' } & AnswerHead)
  | { readonly kind: 'line'; readonly body: Uint8Array }
  | { readonly kind: 'oversized' | 'torn'; readonly bytes: number }
  | ({ readonly kind: 'answer'; readonly body: Uint8Array } & AnswerHead)
  | { readonly kind: 'ended' | 'left' }
  | { readonly kind: 'failed'; readonly reason: string };

/** What a line of a recording turned out to be. */
export type RecordingLine =
  | { readonly type: 'header'; readonly header: RecordingHeader }
  | { readonly type: 'recorded'; readonly recorded: Recorded }
  | { readonly type: 'fault'; readonly reason: string };

const lineFeed = 10;
const carriageReturn = 13;
/** What stands before a body as we write it, so that the body's text can be taken out as it is. */
const beforeBody =
  /^\{"at":\d+,"stream":"[^"\\]*","request":\d+,"kind":"(?:line|answer)"(?:,"(?:status|date|retryAfter|lineFed)":(?:\d+|true|"[^"\\]*"))*,"body":/;

/** The line of a header, without its LF. */
export function headerLine(header: RecordingHeader): string {
  return JSON.stringify(header);
}

/**
 * The line of a frame, without its LF. A body that is JSON in one line stands there as it came, byte by
 * byte, as the last field `body`; other text is the text field `text`, anything else `base64`.
 * `lineFed`: one more LF, which servers put behind their answers.
 */
export function recordedLine({ at, stream, request, frame }: Recorded): string {
  if (!('body' in frame)) return JSON.stringify({ at, stream, request, ...frame });
  const { body, ...head } = frame;
  const all = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const lineFed = frame.kind === 'answer' && all.at(-1) === lineFeed;
  const bytes = lineFed ? all.subarray(0, -1) : all;
  const opening = JSON.stringify({ at, stream, request, ...head, ...(lineFed ? { lineFed } : {}) }).slice(0, -1);
  if (!isUtf8(bytes)) return `${opening},"base64":"${bytes.toString('base64')}"}`;
  const text = bytes.toString('utf8');
  const inOneLine = !bytes.includes(lineFeed) && !bytes.includes(carriageReturn);
  return inOneLine && parsed(text) !== undefined ? `${opening},"body":${text}}` : `${opening},"text":${JSON.stringify(text)}}`;
}

/** Reads a line back. What is no line of a recording is a fault, never an exception. */
export function recordingLine(text: string): RecordingLine {
  const fields = parsed(text)?.value;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return { type: 'fault', reason: 'not a JSON object' };
  const line = fields as Fields;
  if ('format' in line) return header(line);
  const { at, stream, request, kind } = line;
  if (typeof at !== 'number' || typeof stream !== 'string' || typeof kind !== 'string') {
    return { type: 'fault', reason: 'not a recorded frame: at, stream and kind are needed' };
  }
  const frame = frameOf(kind, line, text);
  if (frame === undefined) return { type: 'fault', reason: `not a recorded frame of kind ${kind.slice(0, 20)}` };
  return { type: 'recorded', recorded: { at, stream, request: typeof request === 'number' ? request : 0, frame } };
}

type Fields = Readonly<Record<string, unknown>>;

function header(line: Fields): RecordingLine {
  if (line['format'] !== 'kube-sluice recording') return { type: 'fault', reason: 'not a recording of kube-sluice' };
  if (line['version'] !== 1) return { type: 'fault', reason: 'a recording of a newer format: use a newer kube-sluice' };
  return { type: 'header', header: line as unknown as RecordingHeader };
}

function frameOf(kind: string, line: Fields, text: string): RecordedFrame | undefined {
  switch (kind) {
    case 'request': {
      const { how, path, query } = line;
      if ((how !== 'get' && how !== 'stream') || typeof path !== 'string' || typeof query !== 'object' || query === null) return undefined;
      return { kind, how, path, query: query as Readonly<Record<string, string>> };
    }
    case 'opened': {
      const head = headOf(line);
      return head && { kind, ...head };
    }
    case 'line': {
      const body = bodyOf(line, text);
      return body && { kind, body };
    }
    case 'answer': {
      const head = headOf(line);
      const body = bodyOf(line, text);
      return head && body && { kind, ...head, body };
    }
    case 'oversized':
    case 'torn':
      return typeof line['bytes'] === 'number' ? { kind, bytes: line['bytes'] } : undefined;
    case 'ended':
    case 'left':
      return { kind };
    case 'failed':
      return { kind, reason: String(line['reason']) };
    default:
      return undefined;
  }
}

function headOf({ status, date, retryAfter }: Fields): AnswerHead | undefined {
  if (typeof status !== 'number') return undefined;
  return { status, ...(typeof date === 'string' ? { date } : {}), ...(typeof retryAfter === 'string' ? { retryAfter } : {}) };
}

function bodyOf(line: Fields, text: string): Uint8Array | undefined {
  const body = bareBodyOf(line, text);
  return line['lineFed'] === true && body !== undefined ? Buffer.concat([body, Buffer.of(lineFeed)]) : body;
}

function bareBodyOf(line: Fields, text: string): Uint8Array | undefined {
  if (typeof line['base64'] === 'string') return Buffer.from(line['base64'], 'base64');
  if (typeof line['text'] === 'string') return Buffer.from(line['text']);
  if (!('body' in line)) return undefined;
  const [before] = beforeBody.exec(text) ?? [];
  // Other programs may have written the line anew; then the body is written anew as well.
  const asWritten = before !== undefined && text.endsWith('}') && Object.keys(line).at(-1) === 'body';
  return Buffer.from(asWritten ? text.slice(before.length, -1) : JSON.stringify(line['body']));
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined; // Told by the caller, in its own words.
  }
}
