import { Observable, type OperatorFunction } from 'rxjs';
import type { Frame } from '../ports.ts';
import { lineSplitter } from './lineSplitter.ts';

export interface WatchFramesSettings {
  /** Bytes before the LF, a CR included. A longer line is skipped. Default 8 MiB. */
  readonly lineBytesMax?: number;
}

const lineBytesMaxDefault = 8 * 1024 * 1024;

/**
 * Cuts a body into lines at its LF bytes, wherever the chunks were cut.
 *
 *     in   -a-b-c-|          a = '{"x"', b = ':1}\n{"y":2}\n', c = '{"z'
 *     out  ---(xy)(t|)       x and y are lines, t is torn: the half line was thrown away
 *
 * State: the bytes after the last LF, at most `lineBytesMax`, joined once when their line ends.
 * Time: none. Order: kept.
 * Errors: passed on; the half line before an error is not told, its reader resumes from the last whole one.
 * Blank lines are left out, a CR before the LF is stripped. A line over the limit is skipped to its LF
 * and then told as `oversized`; half a line at completion is told as `torn`.
 * The bytes of a line may be a view of the chunk: decode them at once, for a kept view keeps the whole chunk.
 */
export function watchFrames(settings: WatchFramesSettings = {}): OperatorFunction<Uint8Array, Frame> {
  return (source) =>
    new Observable((subscriber) => {
      const splitter = lineSplitter(settings.lineBytesMax ?? lineBytesMaxDefault);
      return source.subscribe({
        next: (chunk) =>
          splitter.push(chunk, (line, followed) => {
            if (line.type === 'line') subscriber.next({ type: 'line', bytes: line.bytes, followed: followed ? true : undefined });
            else if (line.type === 'oversized') subscriber.next(line);
            return !subscriber.closed;
          }),
        error: (error) => subscriber.error(error),
        complete: () => {
          const bytes = splitter.rest();
          if (bytes > 0) subscriber.next({ type: 'torn', bytes });
          subscriber.complete();
        },
      });
    });
}
