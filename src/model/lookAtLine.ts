import type { EventHeader, EventLook } from './eventHeader.ts';
import {
  bareTextEnd,
  closeBrace,
  colon,
  comma,
  failed,
  type JsonBytes,
  jsonBytes,
  openBrace,
  plainTextEnd,
  quote,
  valueEnd,
} from './jsonBytes.ts';
import { owns, ownsBytes, type Shard, shardKey } from './shard.ts';

/** What a look at the bytes of a watch line has found. */
export interface LineLook extends EventLook {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly resourceVersion: string;
}

/** A member that is looked for: text, or an object with such members inside. */
interface Wanted {
  readonly name: readonly number[];
  readonly length: number;
  /** Where its place is noted: the start at twice this number, the end behind it. */
  readonly slot: number;
  readonly inside: readonly Wanted[] | undefined;
}

const [metadata, uid, namespace, resourceVersion, involved, kind, involvedNamespace, name, involvedUid] = [0, 1, 2, 3, 4, 5, 6, 7, 8];

const wantedInObject: readonly Wanted[] = [
  wantedMember('metadata', metadata, [
    wantedMember('uid', uid),
    wantedMember('namespace', namespace),
    wantedMember('resourceVersion', resourceVersion),
  ]),
  wantedMember('involvedObject', involved, [
    wantedMember('kind', kind),
    wantedMember('namespace', involvedNamespace),
    wantedMember('name', name),
    wantedMember('uid', involvedUid),
  ]),
];

const beginnings = {
  ADDED: bytesOf('{"type":"ADDED","object":{'),
  MODIFIED: bytesOf('{"type":"MODIFIED","object":{'),
  DELETED: bytesOf('{"type":"DELETED","object":{'),
};

/**
 * Finds type, version and header in a watch line without building its object. Undefined for all that it cannot tell for
 * certain: white space between tokens, outer fields in another order or number, a field twice, an escape or anything beyond ASCII
 * in a name or text that it needs, a value of another type. Then a full parse decides.
 *
 * Exact for all that is JSON: the whole line is walked, so a look-alike in a message, an annotation or a deeper object is
 * never taken for the field. What is no JSON behind its header may be found as well; reading its body fails then.
 */
export function lookAtLine(line: Uint8Array): LineLook | undefined {
  const type = typeAt(line);
  if (type === undefined) return undefined;
  const json = jsonBytes(line);
  const places: number[] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]; // Two for each slot.
  const end = membersEnd(json, beginnings[type].length, wantedInObject, places);
  if (end === failed || end !== json.length - 1 || line[end] !== closeBrace) return undefined;
  const version = textAt(line, places, resourceVersion);
  if (version === '' || version === '0') return undefined; // Both mean "any" and are no versions.
  return {
    type,
    resourceVersion: version,
    header: () => headerAt(line, places),
    isForeignTo: (shard) => isForeignAt(line, places, shard),
  };
}

/** True if the line begins as one of a deleted object does. */
export function tellsDeleted(line: Uint8Array): boolean {
  return isAt(line, 0, beginnings.DELETED);
}

function typeAt(line: Uint8Array): LineLook['type'] | undefined {
  if (isAt(line, 0, beginnings.ADDED)) return 'ADDED';
  if (isAt(line, 0, beginnings.MODIFIED)) return 'MODIFIED';
  return isAt(line, 0, beginnings.DELETED) ? 'DELETED' : undefined;
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

/** By the bytes of the involved object's UID, its shard key, where it has one. */
function isForeignAt(line: Uint8Array, places: readonly number[], shard: Shard): boolean {
  const [start, end] = [places[2 * involvedUid] as number, places[2 * involvedUid + 1] as number];
  if (start < end) return !ownsBytes(shard, line, start, end);
  const header = headerAt(line, places);
  return header !== undefined && !owns(shard, shardKey(header));
}

/** Walks the members of an object, from behind its opening brace to behind its closing one, and notes the places of those wanted. */
function membersEnd(json: JsonBytes, start: number, wanted: readonly Wanted[], places: number[]): number {
  const { bytes, length } = json;
  let at = start;
  if (bytes[at] === closeBrace) return at + 1;
  while (at < length) {
    if (bytes[at] !== quote) return failed;
    const nameEnd = bareTextEnd(json, at + 1);
    if (nameEnd === failed || nameEnd + 2 >= length || bytes[nameEnd + 1] !== colon) return failed;
    const member = wantedAt(bytes, at + 1, nameEnd, wanted);
    at = member === undefined ? valueEnd(json, nameEnd + 2) : memberEnd(json, nameEnd + 2, member, places);
    if (at === failed || at >= length) return failed;
    const next = bytes[at++];
    if (next === closeBrace) return at;
    if (next !== comma) return failed;
  }
  return failed;
}

function wantedAt(line: Uint8Array, start: number, end: number, wanted: readonly Wanted[]): Wanted | undefined {
  const length = end - start;
  for (let at = 0; at < wanted.length; at++) {
    const member = wanted[at] as Wanted;
    if (member.length === length && isAt(line, start, member.name)) return member;
  }
  return undefined;
}

/** The end of the value of a member that is wanted: the first of its name, and of the type that it must have. */
function memberEnd(json: JsonBytes, start: number, { slot, inside }: Wanted, places: number[]): number {
  if (places[2 * slot] !== 0 || json.bytes[start] !== (inside === undefined ? quote : openBrace)) return failed;
  const end = inside === undefined ? plainTextEnd(json, start + 1) : membersEnd(json, start + 1, inside, places);
  if (end === failed) return failed;
  places[2 * slot] = start + 1;
  places[2 * slot + 1] = end;
  return inside === undefined ? end + 1 : end;
}

function textAt(line: Uint8Array, places: readonly number[], slot: number): string {
  const bytes = line instanceof Buffer ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength);
  return bytes.toString('latin1', places[2 * slot], places[2 * slot + 1]);
}

function isAt(line: Uint8Array, start: number, text: readonly number[]): boolean {
  for (let at = 0; at < text.length; at++) if (line[start + at] !== text[at]) return false;
  return true;
}

function wantedMember(text: string, slot: number, inside?: readonly Wanted[]): Wanted {
  return { name: bytesOf(text), length: text.length, slot, inside };
}

function bytesOf(text: string): readonly number[] {
  return Array.from(new TextEncoder().encode(text));
}
