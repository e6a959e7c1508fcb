import { concat, concatMap, EMPTY, map, type Observable, of } from 'rxjs';
import { type Checkpoint, type CheckpointMeaning, checkMeaning } from '../model/checkpoint.ts';
import { type Coverage, coverage } from '../model/coverage.ts';
import type { Runtime } from '../runtime.ts';
import type { OpenFile } from '../transports/disk.ts';
import { type WholeAppends, wholeAppends } from '../transports/wholeAppends.ts';
import { type FileTail, fileTail, type StoredEntry } from './fileTail.ts';

export interface ResumeFileSettings {
  readonly path: string;
  /** URL of the API server. */
  readonly server: string;
  /** True: the position is given up, and all entries of the file are known. */
  readonly reset: boolean;
  /** Entries that are remembered; of more the oldest are forgotten. */
  readonly knownMax: number;
}

/** A file of entries that is ready to be written on. */
export interface ResumedFile {
  /** What to resume from. Absent: nothing was ever delivered, or it is given up. */
  readonly stored?: Checkpoint;
  readonly end: WholeAppends;
  readonly covered: Coverage;
  /** Keys of entries that may come again; all of them stand before `knownEnd`. */
  readonly known: Set<string>;
  readonly knownEnd: number;
}

/** Reads what an earlier life has left in the file, and takes off what was cut short. */
export function resumeFile(
  file: OpenFile,
  meaning: CheckpointMeaning,
  settings: ResumeFileSettings,
  runtime: Runtime,
): Observable<ResumedFile> {
  const { path, reset, knownMax } = settings;
  const known = new Set<string>();
  const covered = coverage();
  let forgotten = 0;

  const remember = ({ from, insertId, namespace, resourceVersion, isGap }: StoredEntry): void => {
    covered.add(from, isGap ? undefined : namespace, resourceVersion);
    known.add(insertId);
    if (known.size <= knownMax) return;
    forgotten += 1;
    for (const oldest of known) return void known.delete(oldest);
  };
  return file.size().pipe(
    concatMap((size) =>
      fileTail(file, size, { path, whole: reset }, remember).pipe(
        concatMap((tail) => {
          const stored = storedIn(tail, meaning, settings, runtime);
          if (forgotten > 0) runtime.signal({ type: 'warning', text: forgottenText(settings, forgotten) });
          if (tail.length < size)
            runtime.signal({ type: 'notice', text: `${path}: ${size - tail.length} bytes that were cut short are taken off` });
          return concat(tail.length < size ? file.truncate(tail.length) : EMPTY, of(tail.length)).pipe(
            map((knownEnd) => ({
              ...(stored === undefined ? {} : { stored }),
              end: wholeAppends(file, path, knownEnd),
              covered,
              known,
              knownEnd,
            })),
          );
        }),
      ),
    ),
  );
}

function storedIn(
  { filed, length }: FileTail,
  meaning: CheckpointMeaning,
  settings: ResumeFileSettings,
  runtime: Runtime,
): Checkpoint | undefined {
  const { path, server, reset } = settings;
  if (reset && length > 0) runtime.signal({ type: 'warning', text: resetText(path) });
  if (filed === undefined) return undefined;
  checkMeaning(filed.checkpoint, meaning, { server: [filed.server, server] });
  return filed.checkpoint;
}

/** The setting stays when the process is started again. */
function resetText(path: string): string {
  return `--checkpoint-reset: the position in ${path} is given up, now and at every start with this flag; what stands in the file is not written again`;
}

function forgottenText({ path, knownMax }: ResumeFileSettings, forgotten: number): string {
  return `${path}: of the entries that may come again the last ${knownMax} are known; the ${forgotten} before them may be written twice`;
}
