import { appendFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fnv1a32 } from '../model/shard.ts';
import { numberedLines } from '../transports/numberedLines.ts';

export type Side = 'a' | 'b';

/** An entry of one side, with the line it stands in. */
export interface SidedLine {
  readonly line: number;
  readonly key: string;
  readonly json: string;
}

/** Entries of two files, sorted into buckets by their keys, so that one bucket at a time has to be in memory. */
export interface DiffBuckets {
  readonly count: number;
  add(side: Side, line: SidedLine): void;
  linesOf(side: Side, bucket: number): AsyncIterable<SidedLine>;
  /** Removes what is on disk. */
  close(): void;
}

/** Plain bytes of both files that one bucket is to have. */
const bucketBytes = 32 * 1024 * 1024;
const bucketsMax = 4_096;
/** Bytes that wait to be written. */
const pendingMax = 8 * 1024 * 1024;

/** Buckets for about so many bytes: one in memory if they are few, else files in a folder of their own for temporary ones. */
export function diffBuckets(bytes: number): DiffBuckets {
  const count = Math.min(Math.max(Math.ceil(bytes / bucketBytes), 1), bucketsMax);
  return count === 1 ? inMemory() : onDisk(count);
}

function inMemory(): DiffBuckets {
  const lines: Record<Side, SidedLine[]> = { a: [], b: [] };
  return {
    count: 1,
    add: (side, line) => void lines[side].push(line),
    async *linesOf(side) {
      yield* lines[side];
    },
    close: () => undefined,
  };
}

function onDisk(count: number): DiffBuckets {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-diff-')); // For its owner only.
  const pending = new Map<string, string[]>();
  let pendingBytes = 0;
  const flush = (): void => {
    for (const [path, texts] of pending) appendFileSync(path, texts.join(''));
    pending.clear();
    pendingBytes = 0;
  };
  const pathOf = (side: Side, bucket: number): string => join(folder, `${side}-${bucket}`);
  return {
    count,
    add(side, { line, key, json }) {
      const path = pathOf(side, fnv1a32(key) % count);
      // JSON in one line has no tab outside its texts, and as text it is written with an escape.
      const text = `${line}\t${JSON.stringify(key)}\t${json}\n`;
      const texts = pending.get(path) ?? [];
      texts.push(text);
      pending.set(path, texts);
      pendingBytes += text.length;
      if (pendingBytes > pendingMax) flush();
    },
    async *linesOf(side, bucket) {
      flush();
      const path = pathOf(side, bucket);
      if (!existsSync(path)) return;
      for await (const { bytes } of numberedLines(path, () => undefined)) {
        const text = bytes.toString('utf8');
        const afterLine = text.indexOf('\t');
        const afterKey = text.indexOf('\t', afterLine + 1);
        yield {
          line: Number(text.slice(0, afterLine)),
          key: JSON.parse(text.slice(afterLine + 1, afterKey)) as string,
          json: text.slice(afterKey + 1),
        };
      }
    },
    close: () => rmSync(folder, { recursive: true, force: true }),
  };
}
