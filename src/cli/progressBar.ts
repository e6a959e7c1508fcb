import { SingleBar } from 'cli-progress';
import type { Observable } from 'rxjs';
import type { CommandContext } from './command.ts';

/** Progress on standard error, drawn only if that is a terminal. Lines may be written meanwhile. */
export interface ProgressBar {
  update(value: number): void;
  /** Writes text to standard error, above the bar. */
  print(text: string): void;
  /** Makes room for what `write` writes where it goes to the same terminal. */
  above(write: (text: string) => Observable<void>): (text: string) => Observable<void>;
  end(): void;
}

const clearLine = '\r\u001b[K';

export function progressBar({ stdout, stderr }: CommandContext, total: number): ProgressBar {
  const isDrawn = stderr.isTTY === true;
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    format: '{bar} {value}/{total} revisions, {eta_formatted} left',
    barCompleteChar: '=',
    barIncompleteChar: '-',
    barsize: 30,
    hideCursor: false,
    clearOnComplete: true,
    fps: 8,
  });
  if (isDrawn) bar.start(total, 0);
  return {
    update: (value) => {
      if (isDrawn) bar.update(Math.min(value, total));
    },
    print: (text) => void stderr.write(isDrawn ? clearLine + text : text),
    above: (write) => (isDrawn && stdout.isTTY === true ? (text) => write(clearLine + text) : write),
    end: () => {
      if (isDrawn) bar.stop();
    },
  };
}
