import { close, fdatasync, fstat, fsync, ftruncate, open, readFile, read as readInto, rename, type Stats, write, writeFile } from 'node:fs';
import { dirname } from 'node:path';
import { catchError, concat, concatMap, EMPTY, map, Observable, of, throwError } from 'rxjs';
import { type FileLock, fileLock } from './fileLock.ts';

/**
 * An open file. What was begun is done even if nobody waits for it any more: a disk cannot be told to stop.
 * Errors are the system's, with its `code`.
 */
export interface OpenFile {
  size(): Observable<number>;
  /** Bytes from a place on; fewer than asked for only at the end of the file. */
  read(from: number, bytes: number): Observable<Buffer>;
  /** Writes at the end. After an error some of the bytes may be there. */
  append(bytes: Uint8Array): Observable<never>;
  /** Cuts the file at this size. */
  truncate(size: number): Observable<never>;
  /** Completes when everything written so far survives a power cut. */
  sync(): Observable<never>;
  close(): Observable<never>;
}

/** What files are kept on. */
export interface Disk {
  /** Takes the file for this process alone, see fileLock. Throws at once. */
  lock(path: string): FileLock;
  /** Opens a file to read and append; makes it if there is none, for its owner only. */
  open(path: string): Observable<OpenFile>;
  /** A whole small file; undefined if there is none. */
  read(path: string): Observable<Buffer | undefined>;
  /** Puts a whole small file in the place of another: at any moment, and after a power cut, it is the old one or the new one. */
  replace(path: string, bytes: Uint8Array): Observable<never>;
}

/** Events may hold what others should not read. */
const mode = 0o600;

/** The file system of this machine. */
export function disk(): Disk {
  return {
    lock: (path) => fileLock(path),
    open: (path) => opened(path).pipe(concatMap((fd) => regular(fd, path))),
    read: (path) =>
      got<Buffer>((tell) => readFile(path, tell)).pipe(
        catchError((error: unknown) => (isCode(error, 'ENOENT') ? of(undefined) : fail(error))),
      ),
    replace: (path, bytes) => {
      const fresh = `${path}.new`;
      return concat(
        done((tell) => writeFile(fresh, bytes, { mode, flush: true }, tell)),
        done((tell) => rename(fresh, path, tell)),
        syncFolder(path),
      );
    },
  };
}

/** A name that was not there has to survive a power cut as the data does. */
function opened(path: string): Observable<number> {
  const existing = got<number>((tell) => open(path, 'a+', mode, tell));
  return got<number>((tell) => open(path, 'ax+', mode, tell)).pipe(
    concatMap((fd) => concat(syncFolder(path), of(fd))),
    catchError((error: unknown) => (isCode(error, 'EEXIST') ? existing : fail(error))),
  );
}

function regular(fd: number, path: string): Observable<OpenFile> {
  const file = openFile(fd);
  return got<Stats>((tell) => fstat(fd, tell)).pipe(
    concatMap((stats) => (stats.isFile() ? of(file) : concat(file.close(), fail(new Error(`${path} is not a regular file`))))),
  );
}

function openFile(fd: number): OpenFile {
  return {
    size: () => got<Stats>((tell) => fstat(fd, tell)).pipe(map(({ size }) => size)),
    read: (from, bytes) => readFully(fd, from, bytes),
    append: (bytes) => appendFully(fd, bytes),
    truncate: (size) => done((tell) => ftruncate(fd, size, tell)),
    sync: () => done((tell) => fdatasync(fd, tell)),
    close: () => done((tell) => close(fd, tell)),
  };
}

function readFully(fd: number, from: number, bytes: number): Observable<Buffer> {
  return new Observable((subscriber) => {
    const buffer = Buffer.allocUnsafe(bytes);
    const goOn = (filled: number): void =>
      readInto(fd, buffer, filled, bytes - filled, from + filled, (error, count) => {
        if (error !== null) return subscriber.error(error);
        if (count > 0 && filled + count < bytes) return goOn(filled + count);
        subscriber.next(buffer.subarray(0, filled + count));
        subscriber.complete();
      });
    goOn(0);
  });
}

/** The system may take less than it was given, also for the lack of room. */
function appendFully(fd: number, bytes: Uint8Array): Observable<never> {
  return new Observable((subscriber) => {
    const goOn = (from: number): void =>
      write(fd, bytes, from, bytes.length - from, null, (error, count) => {
        if (error !== null) subscriber.error(error);
        else if (from + count < bytes.length) goOn(from + count);
        else subscriber.complete();
      });
    goOn(0);
  });
}

function syncFolder(path: string): Observable<never> {
  return got<number>((tell) => open(dirname(path), 'r', tell)).pipe(
    concatMap((fd) =>
      concat(
        done((tell) => fsync(fd, tell)),
        done((tell) => close(fd, tell)),
      ),
    ),
    // Some file systems have no such thing for folders; there the file itself has to do.
    catchError((error: unknown) => (isCode(error, 'EINVAL', 'EISDIR', 'EPERM', 'ENOTSUP') ? EMPTY : fail(error))),
  );
}

type Tell = (error: Error | null) => void;

function done(call: (tell: Tell) => void): Observable<never> {
  return new Observable((subscriber) => call((error) => (error === null ? subscriber.complete() : subscriber.error(error))));
}

function got<T>(call: (tell: (error: Error | null, value: T) => void) => void): Observable<T> {
  return new Observable((subscriber) =>
    call((error, value) => {
      if (error !== null) return subscriber.error(error);
      subscriber.next(value);
      subscriber.complete();
    }),
  );
}

function fail(error: unknown): Observable<never> {
  return throwError(() => error);
}

function isCode(error: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(String((error as NodeJS.ErrnoException).code));
}
