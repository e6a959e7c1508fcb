import { type Observable, tap } from 'rxjs';
import type { StoredGap, StoredRevision } from '../simulator/verdict.ts';

/** What was really written to standard output, read back from the text itself. */
export interface DemoLines {
  readonly stored: readonly StoredRevision[];
  readonly gaps: readonly StoredGap[];
  /** The writer for one shard: hands the text on and takes note of it once it is flushed. */
  writer(shard: number, write: (text: string) => Observable<void>): (text: string) => Observable<void>;
}

interface Line {
  readonly action: string;
  readonly eventUID: string;
  readonly resourceVersion: string;
  readonly event: { readonly from?: string; readonly to?: string };
}

export function demoLines(): DemoLines {
  const stored: StoredRevision[] = [];
  const gaps: StoredGap[] = [];
  const note = (shard: number, text: string): void => {
    const { action, eventUID: uid, resourceVersion, event } = JSON.parse(text.slice(text.indexOf('{'))) as Line;
    if (action === 'GAP') gaps.push({ shard, from: event.from ?? '', to: event.to ?? '' });
    else stored.push({ shard, uid, resourceVersion });
  };
  return {
    stored,
    gaps,
    writer: (shard, write) => (text) =>
      write(text).pipe(
        tap({
          complete: () => {
            for (const line of text.split('\n')) if (line !== '') note(shard, line);
          },
        }),
      ),
  };
}
