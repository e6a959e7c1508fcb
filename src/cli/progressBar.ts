import { SingleBar } from 'cli-progress';
import type { Observable } from 'rxjs';
import type { CommandContext } from './command.ts';

/** Progress on standard error, drawn only if that is a terminal. Lines may be written meanwhile. */
export interface ProgressBar {
  /** `more` fills the other words in braces of the format. */
  update(value: number, more?: Readonly<Record<string, string>>): void;
  /** Writes text to standard error, above the bar. */
  print(text: string): void;
  /** Makes room for what `write` writes where it goes to the same terminal. */
  above(write: (text: string) => Observable<void>): (text: string) => Observable<void>;
  end(): void;
}

const clearLine = '\r\u001b[K';

const ofRevisions = '{bar} {value}/{total} revisions, {eta_formatted} left';

/** `format` is cli-progress's: what stands where in the line. `words` fill it until the first update. */
export function progressBar(
  { stdout, stderr }: CommandContext,
  total: number,
  format = ofRevisions,
  words: Readonly<Record<string, string>> = {},
): ProgressBar {
  const isDrawn = stderr.isTTY === true;
  const bar = new SingleBar({
    stream: stderr as NodeJS.WriteStream,
    format,
    barCompleteChar: '=',
    barIncompleteChar: '-',
    barsize: 30,
    hideCursor: false,
    clearOnComplete: true,
    fps: 8,
  });
  if (isDrawn) bar.start(total, 0, words);
  return {
    update: (value, more = {}) => {
      if (isDrawn) bar.update(Math.min(value, total), more);
    },
    print: (text) => void stderr.write(isDrawn ? clearLine + text : text),
    above: (write) => (isDrawn && stdout.isTTY === true ? (text) => write(clearLine + text) : write),
    end: () => {
      if (isDrawn) bar.stop();
    },
  };
}
