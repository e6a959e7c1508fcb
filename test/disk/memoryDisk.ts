import { defer, EMPTY, NEVER, type Observable, of, throwError } from 'rxjs';
import { PipelineError } from '../../src/errors.ts';
import type { Disk, OpenFile } from '../../src/transports/disk.ts';

/** A disk in memory. Everything happens at once, so that it works in virtual time and thousands of times a second. */
export interface MemoryDisk extends Disk {
  /** What a file holds for a process that reads it; empty if there is none. */
  bytes(path: string): Buffer;
  /** What of it survives a power cut for certain. */
  durable(path: string): Buffer;
  /** Puts a file there, durably. */
  put(path: string, bytes: Uint8Array): void;
  /** The process is killed: its locks go, what it wrote stays. */
  kill(): void;
  readonly locks: ReadonlySet<string>;
  /** What goes wrong. */
  readonly troubles: Troubles;
}

export interface Troubles {
  /** Room for so many more bytes; what does not fit is written as far as it does, and is then an error ENOSPC. */
  room: number;
  truncate: boolean;
  sync: boolean;
  replace: boolean;
  /** After so many more changes and syncs the process is no more: nothing ends, and nothing happens. */
  stepsLeft: number;
}

/** The first `length` bytes of a buffer. Bytes are only ever added behind them, so views of them stay as they are. */
interface Content {
  readonly data: Buffer;
  readonly length: number;
}

interface Stored {
  cached: Content;
  durable: Content;
}

const nothing: Content = { data: Buffer.alloc(0), length: 0 };

export function memoryDisk(): MemoryDisk {
  const files = new Map<string, Stored>();
  const locks = new Set<string>();
  const troubles: Troubles = {
    room: Number.POSITIVE_INFINITY,
    truncate: false,
    sync: false,
    replace: false,
    stepsLeft: Number.POSITIVE_INFINITY,
  };
  /** Does something and names the error code, if there is one. */
  const step = (work: () => string | undefined): Observable<never> =>
    defer(() => {
      if (troubles.stepsLeft <= 0) return NEVER;
      troubles.stepsLeft -= 1;
      const code = work();
      return code === undefined ? EMPTY : throwError(() => Object.assign(new Error(`${code}: no luck`), { code }));
    });

  const openFile = (stored: Stored): OpenFile => ({
    size: () => defer(() => of(stored.cached.length)),
    read: (from, bytes) => defer(() => of(viewOf(stored.cached).subarray(from, from + bytes))),
    append: (bytes) =>
      step(() => {
        const fitting = Math.min(bytes.length, troubles.room);
        troubles.room -= fitting;
        stored.cached = longer(stored.cached, bytes.subarray(0, fitting));
        return fitting < bytes.length ? 'ENOSPC' : undefined;
      }),
    truncate: (size) =>
      step(() => {
        if (troubles.truncate) return 'EIO';
        stored.cached = contentOf(viewOf(stored.cached).subarray(0, size));
        return undefined;
      }),
    sync: () =>
      step(() => {
        if (troubles.sync) return 'EIO';
        stored.durable = stored.cached;
        return undefined;
      }),
    close: () => EMPTY,
  });

  return {
    locks,
    troubles,
    bytes: (path) => viewOf(files.get(path)?.cached ?? nothing),
    durable: (path) => viewOf(files.get(path)?.durable ?? nothing),
    put: (path, bytes) => {
      const whole = contentOf(bytes);
      files.set(path, { cached: whole, durable: whole });
    },
    kill: () => locks.clear(),
    lock: (path) => {
      if (locks.has(path)) throw new PipelineError('SHARD_HELD', `${path} is in use`);
      locks.add(path);
      return {
        confirm: () => {
          if (!locks.has(path)) throw new PipelineError('SHARD_HELD', `${path} is not ours any more`);
        },
        release: () => void locks.delete(path),
      };
    },
    open: (path) =>
      defer(() => {
        const stored = files.get(path) ?? { cached: nothing, durable: nothing };
        files.set(path, stored);
        return of(openFile(stored));
      }),
    read: (path) =>
      defer(() => {
        const stored = files.get(path);
        return of(stored === undefined ? undefined : viewOf(stored.cached));
      }),
    replace: (path, bytes) =>
      step(() => {
        if (troubles.replace) return 'ENOSPC';
        const whole = contentOf(bytes);
        files.set(path, { cached: whole, durable: whole });
        return undefined;
      }),
  };
}

function viewOf({ data, length }: Content): Buffer {
  return data.subarray(0, length);
}

function contentOf(bytes: Uint8Array): Content {
  const data = Buffer.alloc(bytes.length + 16_384);
  data.set(bytes);
  return { data, length: bytes.length };
}

function longer({ data, length }: Content, bytes: Uint8Array): Content {
  const roomy = length + bytes.length <= data.length ? data : Buffer.alloc(2 * (length + bytes.length));
  if (roomy !== data) roomy.set(data.subarray(0, length));
  roomy.set(bytes, length);
  return { data: roomy, length: length + bytes.length };
}
