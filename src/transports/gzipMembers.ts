import { constants, createGunzip, type Gunzip } from 'node:zlib';
import { messageOf } from '../errors.ts';

/** A member of a gzip file that is being decompressed. */
interface Member {
  readonly gunzip: Gunzip;
  /** Bytes that came out so far, modulo 2^32, as the member's last field counts them. */
  plainBytes: number;
}

const magic = Buffer.from([0x1f, 0x8b, 0x08]);
/** Magic, flags, time, extra flags, system. */
const headBytes = 10;
const flagsMax = 0x1f;
const lineFeed = Buffer.from('\n');

/**
 * Decompresses a gzip file of any number of members. A member that is cut or damaged ends where it breaks, told as
 * `broken`, and reading goes on with the next one, on a line of its own. Damage is bad; after a cut the cut line tells itself. A cut at the end of the file is not told.
 *
 * State: what one chunk decompresses to.
 * A member begins where a gzip head stands and the one before is over: its length says so, or it is broken, or the
 * head is one of those without a time that our writer makes, which nothing else is likely to look like.
 */
export async function* gzipMembers(chunks: AsyncIterable<Buffer>, broken: (reason: string, bad: boolean) => void): AsyncGenerator<Buffer> {
  let member: Member | undefined;
  let held: Buffer = Buffer.alloc(0);
  let lastFour: Buffer = Buffer.alloc(0);
  let lineEnded = true;

  const startMember = (reason?: string): Buffer[] => {
    member?.gunzip.destroy();
    member = { gunzip: createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }), plainBytes: 0 };
    if (reason !== undefined) broken(reason, false);
    return reason === undefined || lineEnded ? [] : [lineFeed];
  };
  const feed = async (segment: Buffer): Promise<readonly Buffer[]> => {
    if (member === undefined || segment.length === 0) return [];
    const plain = await written(member.gunzip, segment);
    for (const each of plain) member.plainBytes = (member.plainBytes + each.length) >>> 0;
    lineEnded = (plain.at(-1)?.at(-1) ?? (lineEnded ? lineFeed[0] : 0)) === lineFeed[0];
    lastFour = Buffer.concat([lastFour, segment.subarray(-4)]).subarray(-4);
    return plain;
  };
  /** One segment, which begins with a head if `isHead`. */
  const take = async (segment: Buffer, isHead: boolean): Promise<readonly Buffer[]> => {
    const isOver = member === undefined || (lastFour.length === 4 && lastFour.readUInt32LE() === member.plainBytes);
    const before = !isHead ? [] : isOver ? startMember() : isOurs(segment) ? startMember(cutHere) : [];
    try {
      return [...before, ...(await feed(segment))];
    } catch (error) {
      const inherited = isHead && before.length === 0 && !isOver;
      member?.gunzip.destroy();
      member = undefined;
      if (inherited) return [...startMember(cutHere), ...(await take(segment, false))];
      broken(`the file is broken here: ${messageOf(error)}`, true);
      const rest = lineEnded ? [] : [lineFeed];
      lineEnded = true;
      return rest;
    }
  };

  for await (const chunk of chunks) {
    const bytes = Buffer.concat([held, chunk]);
    const whole = Math.max(bytes.length - headBytes + 1, 0);
    let [start, isHead] = [0, false];
    for (let at = headAt(bytes, 0); at !== -1 && at < whole; at = headAt(bytes, at + 1)) {
      yield* await take(bytes.subarray(start, at), isHead);
      [start, isHead] = [at, true];
    }
    // What may be the beginning of a head waits for its rest.
    const end = Math.max(whole, isHead ? start + headBytes : 0);
    yield* await take(bytes.subarray(start, end), isHead);
    held = bytes.subarray(end);
  }
  yield* await take(held, false);
  member?.gunzip.destroy();
}

const cutHere = 'the compressed file was cut here, another one follows';

function headAt(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(magic, from); at !== -1; at = bytes.indexOf(magic, at + 1)) {
    if ((bytes[at + magic.length] ?? 0) <= flagsMax) return at;
  }
  return -1;
}

/** Neither flags nor time. */
function isOurs(head: Buffer): boolean {
  return head.length >= headBytes && head.readUIntBE(magic.length, 5) === 0;
}

/** What a segment decompresses to; rejects when it cannot be. */
function written(gunzip: Gunzip, segment: Buffer): Promise<readonly Buffer[]> {
  return new Promise((resolve, reject) => {
    const plain: Buffer[] = [];
    const gather = (bytes: Buffer): void => void plain.push(bytes);
    const end = (): void => void gunzip.off('data', gather).off('error', fail);
    const fail = (error: Error): void => {
      end();
      gunzip.on('error', () => undefined);
      reject(error);
    };
    gunzip.on('data', gather).on('error', fail);
    gunzip.write(segment, (error) => {
      if (error !== null && error !== undefined) return; // Told by the event.
      while (gunzip.read() !== null); // Told as data.
      end();
      resolve(plain);
    });
  });
}
