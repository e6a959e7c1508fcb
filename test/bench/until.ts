import { setTimeout as sleep } from 'node:timers/promises';

const limitMs = 300_000;
const lookEveryMs = 20;

/** Resolves when something holds; rejects after five minutes, so that a bench ends in any case. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const startedAt = performance.now();
  while (!(await holds())) {
    if (performance.now() - startedAt > limitMs) throw new Error('waited for five minutes in vain');
    await sleep(lookEveryMs);
  }
}
