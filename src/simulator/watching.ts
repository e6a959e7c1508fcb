import { type ByteQueue, byteQueue } from './byteQueue.ts';
import { type Feed, nothing } from './feed.ts';
import { type Scope, walk } from './listing.ts';
import type { ListOptions } from './listOptions.ts';
import type { Ambient, PlainObject } from './object.ts';
import { bookmarkLine, jsonBytes, lineParts, objectBytes, partialOf, type Revision } from './revision.ts';
import { earliest, type Store } from './store.ts';

/** What happens to open watches when the store goes back in time. `keep`: they wait for versions that they know already. */
export type StreamsOnRestore = 'reset' | 'close' | 'keep';

export interface Watch extends Feed {
  /** Ends it from the server's side: cleanly after what was written before, or at once, even in the middle of a line. */
  end(how: 'close' | 'reset'): void;
}

const bookmarkEveryMs = 60_000;
const bookmarkJitterMs = 1_250;
const bookmarkBeforeEndMs = 2_000;
const timeoutMsMin = 1_800_000; // Chosen by the server between this and its double when the client names none.

/**
 * The body of a watch: the state first if asked for, then every write of its scope after its version.
 * It is a place in the shared history, so a reader that pauses costs nothing and loses nothing.
 * At its deadline it still gives what was written before, then ends cleanly.
 * Bookmarks of cached kinds come about once a minute and 2 s before the deadline. Source: k8s.io/apiserver, cacher.
 */
export function watching(store: Store, scope: Scope, options: ListOptions, ambient: Ambient, onRestore: () => StreamsOnRestore): Watch {
  const { kind, form } = scope;
  const startedAt = ambient.now();
  const timeoutMs = options.timeoutSeconds === undefined ? timeoutMsMin * (1 + ambient.random()) : options.timeoutSeconds * 1000;
  let deadline = startedAt + Math.floor(timeoutMs);
  const queue = byteQueue();
  const start = startOf(store, options);
  // Read at once: compaction must not reach into a state that is still being told.
  const state = start.tellsState ? [...walk(store, scope, start.version, '')] : [];
  let told = start.tellsState ? 0 : undefined;
  let from = start.version;
  let place: Revision = store.collection(kind.kind).after(from);
  let bookmarkAt = nextBookmark(startedAt);
  let ended: 'close' | 'reset' | undefined;
  let ready = (): void => {};

  function nextBookmark(now: number): number | undefined {
    const last = deadline - bookmarkBeforeEndMs;
    if (!kind.cached || !options.allowWatchBookmarks || now >= last) return undefined;
    return Math.min(now + bookmarkEveryMs + Math.floor(ambient.random() * bookmarkJitterMs), last);
  }
  const giveState = (bytesMax: number): void => {
    while (told !== undefined && queue.length() < bytesMax) {
      const revision = state[told];
      if (revision !== undefined) {
        told += 1;
        if (options.matches(revision.object)) queue.push(...lineParts('ADDED', objectBytes(revision, form)));
        continue;
      }
      told = undefined;
      // Only a streaming list tells where the state ends.
      if (options.sendInitialEvents === true && options.allowWatchBookmarks) queue.push(bookmarkLine(kind, form, start.version, true));
    }
  };
  const giveWrites = (bytesMax: number): void => {
    while (place.next !== undefined && queue.length() < bytesMax && place.next.at <= deadline) {
      place = place.next;
      if (place.version > from) give(queue, place, scope, options);
    }
  };
  const giveBookmark = (now: number): void => {
    if (bookmarkAt === undefined || now < bookmarkAt || told !== undefined || place.next !== undefined) return;
    bookmarkAt = nextBookmark(now);
    if (store.version() >= from) queue.push(bookmarkLine(kind, form, store.version(), false));
  };
  const stop = (how: 'close' | 'reset'): void => {
    ended ??= how;
    silence();
  };
  const silence = store.listen({
    kind: kind.kind,
    written: () => ready(),
    restored() {
      const how = onRestore();
      if (how !== 'keep') stop(how);
      if (place.version > from) from = place.version;
      place = store.collection(kind.kind).after(from);
      ready();
    },
  });

  return {
    take(bytesMax) {
      store.advance();
      if (ended !== undefined) return { type: 'end', how: ended };
      const now = ambient.now();
      giveState(bytesMax);
      giveWrites(bytesMax);
      giveBookmark(now);
      if (queue.length() > 0) return { type: 'bytes', bytes: queue.take(bytesMax) };
      if (now < deadline) return nothing;
      stop('close');
      return { type: 'end', how: 'close' };
    },
    dueAt: () => (ended === undefined ? earliest(bookmarkAt, deadline, store.dueAt()) : undefined),
    onReady(callback) {
      ready = callback;
    },
    cancel: silence,
    end(how) {
      if (how === 'reset') stop(how);
      // A clean end is an early deadline.
      deadline = Math.min(deadline, ambient.now());
      bookmarkAt = undefined;
      ready();
    },
  };
}

/** Where the writes begin, and whether the state comes first: always without a version or with 0, unless declined. */
function startOf(store: Store, { version, sendInitialEvents }: ListOptions): { version: bigint; tellsState: boolean } {
  const unset = version === undefined || version === 0n;
  const tellsState = sendInitialEvents ?? unset;
  return { version: tellsState || unset ? store.version() : version, tellsState };
}

/** With a selector, an object that begins to match is added and one that stops to match is deleted. */
function give(queue: ByteQueue, revision: Revision, { namespace, form }: Scope, options: ListOptions): void {
  if (namespace !== '' && revision.object.metadata.namespace !== namespace) return;
  if (!options.selects) {
    queue.push(...lineParts(revision.type, objectBytes(revision, form)));
    return;
  }
  const matched = revision.before !== undefined && options.matches(revision.before);
  const matches = revision.type !== 'DELETED' && options.matches(revision.object);
  if (matches) queue.push(...lineParts(matched ? 'MODIFIED' : 'ADDED', objectBytes(revision, form)));
  else if (matched && revision.before !== undefined) {
    const gone: PlainObject = {
      ...revision.before,
      metadata: { ...revision.before.metadata, resourceVersion: String(revision.version) },
    };
    queue.push(...lineParts('DELETED', jsonBytes(form === 'full' ? gone : partialOf(gone))));
  }
}
