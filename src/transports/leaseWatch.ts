import type { SeenLease } from '../model/handover.ts';
import { type Looks, look, unchangedMs } from '../model/leaseSilence.ts';
import type { ShardLease } from '../model/shardLease.ts';
import type { Runtime } from '../runtime.ts';

export interface LeaseWatchSettings {
  readonly holder: string;
  readonly silentMs: number;
  readonly lookMs: number;
}

/** Looks at leases again and again, and tells which holders are alive. */
export interface LeaseWatch {
  see(leases: readonly ShardLease[]): readonly SeenLease[];
  /** The last look failed: what was seen before it counts no more. */
  missed(): void;
  /** When to look again, in milliseconds from now. */
  waitMs(): number;
}

/** Between two looks not much more than this many times `lookMs` counts as seen. */
const looksMax = 2;

/** State: when each lease was seen to change. Time: only read. */
export function leaseWatch({ holder, silentMs, lookMs }: LeaseWatchSettings, runtime: Runtime): LeaseWatch {
  let looks: Looks | undefined;
  return {
    see(leases) {
      const seen = look(looks, leases, runtime.scheduler.now(), looksMax * lookMs);
      looks = seen;
      return leases.map((lease) => {
        const by = lease.content.holder;
        if (by === '') return { lease, holder: 'nobody' };
        // What this pod holds is left over from a process of its own that has ended.
        return { lease, holder: by === holder || unchangedMs(seen, lease) >= silentMs ? 'silent' : 'alive' };
      });
    },
    missed() {
      looks = undefined;
    },
    waitMs: () => lookMs * (0.8 + 0.4 * runtime.random()),
  };
}
