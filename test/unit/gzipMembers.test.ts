import { constants, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/testing.ts';
import { gzipMembers } from '../../src/transports/gzipMembers.ts';

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, size: number): Promise<{ readonly text: string; readonly broken: readonly string[] }> {
  const broken: string[] = [];
  const plain: Buffer[] = [];
  for await (const each of gzipMembers(inChunks(bytes, size), (reason, bad) => broken.push(bad ? `${reason}, bad` : reason)))
    plain.push(each);
  return { text: Buffer.concat(plain).toString('utf8'), broken };
}

/** Lines that compress badly, so that a member is long and holds what might look like a head. */
function lines(count: number, seed: number): string {
  const random = seededRandom(seed);
  return Array.from({ length: count }, () => `{"n":${random()}}\n`).join('');
}

/** What a killed writer leaves: flushed, without an end. */
function killed(text: string): Buffer {
  return gzipSync(text, { finishFlush: constants.Z_SYNC_FLUSH });
}

const sizes = [1, 3, 7, 64, 1_000_000];
const [first, second] = [lines(40, 1), lines(40, 2)];
const cutHere = 'the compressed file was cut here, another one follows';

describe('gzipMembers', () => {
  it.each(sizes)('reads members one after the other, in chunks of %i', async (size) => {
    const whole = Buffer.concat([gzipSync(first), gzipSync(second), gzipSync('')]);
    expect(await read(whole, size)).toEqual({ text: first + second, broken: [] });
  });

  it.each(sizes)('reads what follows a member that its writer did not end, in chunks of %i', async (size) => {
    expect(await read(Buffer.concat([killed(first), gzipSync(second)]), size)).toEqual({ text: first + second, broken: [cutHere] });
    expect(await read(Buffer.concat([killed(first), killed(second)]), size)).toEqual({ text: first + second, broken: [cutHere] });
  });

  it('reads what follows wherever the one before was cut, on a line of its own', async () => {
    const one = gzipSync(first);
    for (let cut = 20; cut < one.length; cut++) {
      const { text, broken } = await read(Buffer.concat([one.subarray(0, cut), gzipSync(second)]), 64);
      expect({ cut, broken }).toEqual({ cut, broken: [cutHere] });
      const before = text.slice(0, -second.length);
      expect(before + second).toBe(text);
      expect(before === '' || (before.endsWith('\n') && first.startsWith(before.slice(0, -1))), `cut at ${cut}`).toBe(true);
    }
  });

  it('reads what follows although the head of another writer has a time', async () => {
    const other = gzipSync(second);
    other.writeUInt32LE(1_700_000_000, 4);
    expect(await read(Buffer.concat([killed(first), other]), 64)).toEqual({ text: first + second, broken: [cutHere] });
  });

  it.each(sizes)('goes on with the next member after a damaged one, in chunks of %i', async (size) => {
    const damaged = gzipSync(first);
    damaged[10] = 0x07; // A block of a kind that there is not.
    expect(await read(Buffer.concat([damaged, gzipSync(second)]), size)).toEqual({
      text: second,
      broken: ['the file is broken here: invalid block type, bad'],
    });
  });

  it('takes no head for one inside a member', async () => {
    const text = `${Buffer.from(gzipSync('x')).toString('latin1')}\n`.repeat(50);
    expect(await read(gzipSync(text, { level: 0 }), 64)).toEqual({ text, broken: [] });
  });
});
