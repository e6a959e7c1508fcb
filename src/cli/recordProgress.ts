import type { Settings } from '../config/options.ts';
import type { Runtime } from '../runtime.ts';
import type { RecordingWriter } from '../transports/recordingWriter.ts';
import type { CommandContext } from './command.ts';

/** Counts what is recorded, and tells about it: in one line that changes on a terminal, and once at the end everywhere. */
export interface RecordProgress {
  /** Writes a line of the recording. */
  write(line: string): void;
  /** Draws the line, on a terminal. */
  tick(): void;
  /** Takes it away, for something else to be printed. */
  clear(): void;
  end(): void;
}

const isWatchLine = /^\{"at":\d+,"stream":"events","request":\d+,"kind":"line"/;
const clearLine = '\r\u001b[K';

export function recordProgress(
  { output }: Settings,
  { stderr }: CommandContext,
  writer: Pick<RecordingWriter, 'write' | 'written'>,
  { scheduler }: Pick<Runtime, 'scheduler'>,
): RecordProgress {
  const startedAt = scheduler.now();
  const isTerminal = stderr.isTTY === true;
  let [lines, watched] = [0, 0];
  let last = { at: startedAt, watched: 0 };
  const total = (): string => {
    const seconds = Math.round((scheduler.now() - startedAt) / 1_000);
    return `recorded ${lines} lines, ${(writer.written() / 1e6).toFixed(1)} MB in ${seconds} s into ${output}`;
  };
  const clear = (): void => {
    if (isTerminal) stderr.write(clearLine);
  };
  return {
    write(line) {
      lines++;
      if (isWatchLine.test(line)) watched++;
      writer.write(line);
    },
    tick() {
      if (!isTerminal) return;
      const now = { at: scheduler.now(), watched };
      const rate = Math.round(((now.watched - last.watched) / Math.max(now.at - last.at, 1)) * 1_000);
      last = now;
      stderr.write(`${clearLine}${total()}, ${rate} events/s now`);
    },
    clear,
    end() {
      clear();
      stderr.write(`${total()}\n`);
    },
  };
}
