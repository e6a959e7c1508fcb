import { createWriteStream, openSync } from 'node:fs';
import type { Writable } from 'node:stream';
import { constants, createGzip, type Gzip, type ZlibOptions } from 'node:zlib';
import { BehaviorSubject, distinctUntilChanged, type Observable } from 'rxjs';
import { messageOf, PipelineError } from '../errors.ts';

/** A recording that is being written. */
export interface RecordingWriter {
  /** Writes a line, without its LF. It is on its way to the file at once. */
  write(line: string): void;
  /** Bytes of lines taken so far. */
  written(): number;
  /** True while the disk is behind, for readers to wait. */
  readonly paused: Observable<boolean>;
  /** Ends the file. */
  close(): void;
  /** Resolves when everything is in the file after `close`, rejects when it cannot be written. */
  readonly closed: Promise<void>;
}

/** Bytes that may wait for the disk before readers pause. */
const waitingBytesMax = 4 * 1024 * 1024;

/**
 * Makes a file for a recording; gzip if its name ends in .gz. Every line is flushed as it happens, those
 * that come while a flush is under way with the next one, so that a killed process leaves a readable file.
 * Throws CONFIG_INVALID if the file exists or cannot be made.
 */
export function recordingWriter(path: string): RecordingWriter {
  const file = createWriteStream(path, { fd: openNew(path), highWaterMark: waitingBytesMax });
  const head = path.endsWith('.gz') ? gzipInto(file) : file;
  const flush = head === file ? () => undefined : flusher(head as Gzip);
  const paused = new BehaviorSubject(false);
  let written = 0;
  head.on('drain', () => paused.next(false));
  return {
    write(line) {
      if (head.destroyed) return;
      written += Buffer.byteLength(line) + 1;
      const room = head.write(`${line}\n`);
      flush();
      if (!room) paused.next(true);
    },
    written: () => written,
    paused: paused.pipe(distinctUntilChanged()),
    close: () => void head.end(),
    closed: new Promise((resolve, reject) => {
      file.on('close', resolve);
      file.on('error', (error) =>
        reject(new PipelineError('SINK_FAILED', `${path} cannot be written: ${messageOf(error)}`, { cause: error })),
      );
    }),
  };
}

/** For its owner only: events may hold what others should not read. */
function openNew(path: string): number {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    const exists = (error as NodeJS.ErrnoException).code === 'EEXIST';
    const reason = exists ? 'the file exists already' : messageOf(error);
    throw new PipelineError('CONFIG_INVALID', `--output ${path} cannot be used: ${reason}`, { cause: error });
  }
}

function gzipInto(file: Writable): Gzip {
  const gzip = createGzip({ writableHighWaterMark: waitingBytesMax } as ZlibOptions);
  gzip.pipe(file);
  file.on('error', () => gzip.destroy());
  return gzip;
}

/** Flushes what was written; calls during a flush become one more flush after it. */
function flusher(gzip: Gzip): () => void {
  let flushing = false;
  let again = false;
  const flush = (): void => {
    again = flushing;
    if (flushing) return;
    flushing = true;
    gzip.flush(constants.Z_SYNC_FLUSH, () => {
      flushing = false;
      if (again) flush();
    });
  };
  return flush;
}
