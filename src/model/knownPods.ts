import type { Involved } from './occurrence.ts';
import type { OwnerChange, SlimPod } from './owner.ts';
import { type PodIndexSettings, podIndex } from './podIndex.ts';

/** Which pods are known, and how long a removed one is remembered. */
export interface KnownPodsSettings extends PodIndexSettings {
  /** Namespaces that the pod readers read, the empty name for all: pods are synced when each has been listed once. */
  readonly scopes: readonly string[];
}

/** What is worth telling about the pods kept. */
export type PodsFact =
  | { readonly type: 'podsSynced'; readonly pods: number }
  | { readonly type: 'podCache'; readonly operation: 'add' | 'evict' | 'queryhit' | 'querymiss' }
  | { readonly type: 'podCacheSize'; readonly pods: number; readonly owners: number };

/** The pods as the owner changes tell them. */
export interface KnownPods {
  apply(change: OwnerChange): void;
  /** True once every scope has been listed. */
  areSynced(): boolean;
  find(involved: Involved): SlimPod | undefined;
  /** The same, told as a hit or a miss. */
  query(involved: Involved): SlimPod | undefined;
}

/** Keeps an index of pods up to date and tells what changes in it; `now` is in milliseconds. */
export function knownPods(settings: KnownPodsSettings, now: () => number, tell: (fact: PodsFact) => void): KnownPods {
  const index = podIndex(settings);
  const unsynced = new Set(settings.scopes);
  const listing = new Set<string>();
  let told = { pods: 0, owners: 0 };

  /** A list is told once, at its end. */
  const tellSize = (): void => {
    const size = { pods: index.pods(), owners: index.owners() };
    if (listing.size > 0 || (size.pods === told.pods && size.owners === told.owners)) return;
    told = size;
    tell({ type: 'podCacheSize', ...size });
  };
  const evict = (): void => {
    const left = index.evict(now());
    for (let count = 0; count < left; count++) tell({ type: 'podCache', operation: 'evict' });
    if (left > 0) tellSize();
  };
  const finishList = (scope: string): void => {
    listing.delete(scope);
    index.relistDone(scope, now());
    if (unsynced.delete(scope) && unsynced.size === 0) tell({ type: 'podsSynced', pods: index.pods() });
  };
  const find = (involved: Involved): SlimPod | undefined => {
    evict();
    return index.find(involved);
  };

  return {
    areSynced: () => unsynced.size === 0,
    find,
    query(involved) {
      const pod = find(involved);
      tell({ type: 'podCache', operation: pod === undefined ? 'querymiss' : 'queryhit' });
      return pod;
    },
    apply(change) {
      switch (change.type) {
        case 'relistStarted':
          listing.add(change.scope);
          index.relistStarted(change.scope);
          break;
        case 'relistDone':
          finishList(change.scope);
          break;
        case 'pod':
          if (index.put(change.pod)) tell({ type: 'podCache', operation: 'add' });
          break;
        case 'podRemoved':
          index.remove(change.uid, now());
          break;
      }
      evict();
      tellSize();
    },
  };
}
