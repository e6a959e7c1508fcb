import type { Pseudonyms } from './pseudonyms.ts';
import type { RecordedFrame, RecordingHeader } from './recording.ts';
import { redactObject } from './redactObject.ts';

/** Parts of a query that say how something is asked, not for whom. */
const keptQuery: ReadonlySet<string> = new Set([
  ...['watch', 'allowWatchBookmarks', 'timeoutSeconds', 'limit', 'sendInitialEvents', 'resourceVersion', 'resourceVersionMatch'],
  'shardSelector',
]);
/** Parts of a path that name no object. */
const keptPath: ReadonlySet<string> = new Set(['', 'api', 'apis', 'v1', 'version', 'namespaces', 'events', 'pods']);
const lineFeed = 10;

/** What stands for a body that is no JSON object. No reader can make anything of either. */
const unreadable = Buffer.from('"redacted"');

/** A frame as a recording may hold it that others are to see. */
export function redactFrame(frame: RecordedFrame, names: Pseudonyms): RecordedFrame {
  switch (frame.kind) {
    case 'request': {
      const path = frame.path
        .split('/')
        .map((part) => (keptPath.has(part) ? part : encodeURIComponent(names.name(decoded(part)))))
        .join('/');
      const query = Object.fromEntries(
        Object.entries(frame.query).map(([key, value]) => [key, keptQuery.has(key) ? value : names.text(value)]),
      );
      return { ...frame, path, query };
    }
    case 'line':
    case 'answer':
      return { ...frame, body: redactBody(frame.body, names) };
    case 'failed':
      // Errors name hosts; the system's word for it is enough.
      return { ...frame, reason: /\b(?:E[A-Z]{4,}|UND_ERR_[A-Z_]+)\b/.exec(frame.reason)?.[0] ?? 'redacted' };
    case 'opened':
    case 'oversized':
    case 'torn':
    case 'ended':
    case 'left':
      return frame;
  }
}

export function redactHeader(header: RecordingHeader, names: Pseudonyms): RecordingHeader {
  const { namespaces, labelSelector, fieldSelector } = header.asked;
  const asked = {
    namespaces: namespaces.map((each) => names.name(each)),
    labelSelector: names.text(labelSelector),
    fieldSelector: names.text(fieldSelector),
  };
  return { ...header, redacted: true, asked };
}

function redactBody(body: Uint8Array, names: Pseudonyms): Uint8Array {
  const value = parsed(body);
  const text = value === undefined ? unreadable : Buffer.from(JSON.stringify(redactObject(value, names)));
  return body.at(-1) === lineFeed ? Buffer.concat([text, Buffer.of(lineFeed)]) : text;
}

function parsed(body: Uint8Array): object | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body).toString('utf8'));
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined; // Readers count it, from what stands in its place.
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part; // A path that no reader of ours asks for.
  }
}
