import { defer, endWith, ignoreElements, type Observable, of } from 'rxjs';
import type { Sink, SinkResult } from '../ports.ts';
import { type EntryLineSettings, entryLine } from './entryLine.ts';

/** How a line looks. */
export interface LocalSettings extends EntryLineSettings {
  /** `exported-event`: each line begins with EXPORTED_EVENT and a space. `json`: it does not, for log agents. Default exported-event. */
  readonly format?: 'exported-event' | 'json';
}

const prefix = 'EXPORTED_EVENT ';

/**
 * Writes one line per entry, a whole batch in one write, and answers when the text is flushed.
 *
 * State: none. Time: none. Order: kept. Errors: those of `write` are passed on (a closed output is
 * OUTPUT_CLOSED); after one, the lines of the batch may have been written or not. An entry that is no
 * JSON is refused.
 */
export function local(settings: LocalSettings, write: (text: string) => Observable<void>): Sink {
  const lineOf = entryLine(settings);
  const before = settings.format === 'json' ? '' : prefix;
  return {
    identity: 'local',
    write: (batch) =>
      defer(() => {
        const lines: string[] = [];
        const results = batch.map((entry): SinkResult => {
          try {
            lines.push(`${before}${lineOf(entry)}\n`);
            return { type: 'stored' };
          } catch {
            return { type: 'refused', reason: 'unencodable' };
          }
        });
        return lines.length === 0 ? of(results) : write(lines.join('')).pipe(ignoreElements(), endWith(results));
      }),
  };
}
