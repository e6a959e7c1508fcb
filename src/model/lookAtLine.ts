import type { EventHeader } from './eventHeader.ts';
import { closeBrace, colon, comma, failed, openBrace, plainTextEnd, quote, valueEnd } from './jsonBytes.ts';

/** What a look at the bytes of a watch line has found. */
export interface LineLook {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resourceVersion: string;
  /** The Event's header. Undefined: the object has no involvedObject, so it is no Event, or a broken one. */
  header(): EventHeader | undefined;
}

/** A member that is looked for: text, or an object with such members inside. */
interface Wanted {
  readonly name: Uint8Array;
  /** Where its place is noted: the start at twice this number, the end behind it. */
  readonly slot: number;
  readonly inside?: readonly Wanted[];
}

const [metadata, uid, namespace, resourceVersion, involved, kind, involvedNamespace, name, involvedUid] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const slots = 9;

const wantedInObject: readonly Wanted[] = [
  {
    name: bytesOf('metadata'),
    slot: metadata,
    inside: [
      { name: bytesOf('uid'), slot: uid },
      { name: bytesOf('namespace'), slot: namespace },
      { name: bytesOf('resourceVersion'), slot: resourceVersion },
    ],
  },
  {
    name: bytesOf('involvedObject'),
    slot: involved,
    inside: [
      { name: bytesOf('kind'), slot: kind },
      { name: bytesOf('namespace'), slot: involvedNamespace },
      { name: bytesOf('name'), slot: name },
      { name: bytesOf('uid'), slot: involvedUid },
    ],
  },
];

const beginnings = (['ADDED', 'MODIFIED', 'DELETED'] as const).map((type) => ({ type, bytes: bytesOf(`{"type":"${type}","object":{`) }));

/**
 * Finds type, version and header in a watch line without building its object. Undefined for all that it cannot tell for
 * certain: white space between tokens, outer fields in another order or number, a field twice, an escape or anything beyond ASCII
 * in a name or text that it needs, a value of another type. Then a full parse decides.
 *
 * Exact for all that is JSON: the whole line is walked, so a look-alike in a message, an annotation or a deeper object is
 * never taken for the field. What is no JSON behind its header may be found as well; reading its body fails then.
 */
export function lookAtLine(line: Uint8Array): LineLook | undefined {
  const beginning = beginnings.find(({ bytes }) => isAt(line, 0, bytes));
  if (beginning === undefined) return undefined;
  const places: number[] = new Array<number>(2 * slots).fill(0);
  const end = membersEnd(line, beginning.bytes.length, wantedInObject, places);
  if (end === failed || end !== line.length - 1 || line[end] !== closeBrace) return undefined;
  const version = textAt(line, places, resourceVersion);
  if (version === '' || version === '0') return undefined; // Both mean "any" and are no versions.
  return { type: beginning.type, resourceVersion: version, header: () => headerAt(line, places) };
}

function headerAt(line: Uint8Array, places: readonly number[]): EventHeader | undefined {
  if (places[2 * involved] === 0) return undefined;
  return {
    uid: textAt(line, places, uid),
    namespace: textAt(line, places, namespace),
    involved: {
      kind: textAt(line, places, kind),
      namespace: textAt(line, places, involvedNamespace),
      name: textAt(line, places, name),
      uid: textAt(line, places, involvedUid),
    },
  };
}

/** Walks the members of an object, from behind its opening brace to behind its closing one, and notes the places of those wanted. */
function membersEnd(line: Uint8Array, start: number, wanted: readonly Wanted[], places: number[]): number {
  let at = start;
  if (line[at] === closeBrace) return at + 1;
  for (;;) {
    if (line[at] !== quote) return failed;
    const nameEnd = plainTextEnd(line, at + 1);
    if (nameEnd === failed || line[nameEnd + 1] !== colon) return failed;
    const member = wantedAt(line, at + 1, nameEnd, wanted);
    at = member === undefined ? valueEnd(line, nameEnd + 2) : memberEnd(line, nameEnd + 2, member, places);
    if (at === failed) return failed;
    const next = line[at++];
    if (next === closeBrace) return at;
    if (next !== comma) return failed;
  }
}

function wantedAt(line: Uint8Array, start: number, end: number, wanted: readonly Wanted[]): Wanted | undefined {
  for (const member of wanted) if (member.name.length === end - start && isAt(line, start, member.name)) return member;
  return undefined;
}

/** The end of the value of a member that is wanted: the first of its name, and of the type that it must have. */
function memberEnd(line: Uint8Array, start: number, { slot, inside }: Wanted, places: number[]): number {
  if (places[2 * slot] !== 0 || line[start] !== (inside === undefined ? quote : openBrace)) return failed;
  const end = inside === undefined ? plainTextEnd(line, start + 1) : membersEnd(line, start + 1, inside, places);
  if (end === failed) return failed;
  places[2 * slot] = start + 1;
  places[2 * slot + 1] = end;
  return inside === undefined ? end + 1 : end;
}

function textAt(line: Uint8Array, places: readonly number[], slot: number): string {
  const bytes = line instanceof Buffer ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  return bytes.toString('latin1', places[2 * slot], places[2 * slot + 1]);
}

function isAt(line: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (line[start + at] !== bytes[at]) return false;
  return true;
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
