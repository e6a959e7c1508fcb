import type { PodIndex } from '../../../src/model/podIndex.ts';
import { podIndex } from '../../../src/model/podIndex.ts';
import { slimPod } from '../../../src/model/slimPod.ts';
import { seededRandom } from '../../../src/simulator/seededRandom.ts';
import { type GeneratedPod, generatedPod } from './eventLines.ts';
import { podObject } from './memoryTransport.ts';

/** What the cache of so many pods takes, in bytes. */
export interface PodMemory {
  readonly perPod: number;
  /** Greatest heap over that of the full cache while all pods are listed again, page by page. */
  readonly relistPeak: number;
}

const pageItems = 1_000;

/**
 * Fills the cache as a list by pages does, each page parsed from its text and let go, and lists all of it again while it serves.
 * Needs `--expose-gc`: only what survives a collection is kept.
 */
export function podMemory(count: number): PodMemory {
  const collect = globalThis.gc;
  if (collect === undefined) throw new Error('run with --expose-gc');
  const index = podIndex();
  listAll(index, 10, () => undefined); // Whatever is made once.
  const empty = used(collect);
  listAll(index, count, () => undefined);
  const full = used(collect);
  let peak = full;
  listAll(index, count, () => {
    peak = Math.max(peak, used(collect));
  });
  if (index.pods() < count) throw new Error(`the cache holds ${index.pods()} of ${count} pods`);
  return { perPod: (full - empty) / count, relistPeak: peak - full };
}

function used(collect: NodeJS.GCFunction): number {
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The same pods at each call. */
function listAll(index: PodIndex, count: number, afterPages: () => void): void {
  const random = seededRandom(3);
  index.relistStarted('');
  for (let at = 0; at < count; at += pageItems) {
    const pods = Array.from({ length: Math.min(pageItems, count - at) }, (_, item): GeneratedPod => generatedPod(at + item, random));
    const page = JSON.parse(JSON.stringify({ items: pods.map(podObject) })) as { readonly items: readonly unknown[] };
    for (const item of page.items) index.put(slimPod(item));
    if ((at / pageItems) % 50 === 49) afterPages();
  }
  index.relistDone('', 0);
}
