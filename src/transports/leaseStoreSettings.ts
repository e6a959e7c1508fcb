import type { LeaseRequestsSettings } from './leaseRequests.ts';
import type { OwnLeaseSettings } from './ownLease.ts';

/** Whose lease it is, and how patient its holder and those who wait for it are. */
export interface LeaseStoreSettings
  extends Partial<Omit<LeaseRequestsSettings, 'app' | 'namespace'>>,
    Partial<Omit<OwnLeaseSettings, 'app' | 'holder'>> {
  /** First part of the names of the leases; shards that work together have the same. */
  readonly app: string;
  /** Where the leases are. */
  readonly namespace: string;
  /** Who holds: the pod's uid. A process that may run beside another of the same shard needs a name of its own. */
  readonly holder: string;
  /** True: what is stored is given up, the shard starts as if for the first time. Default false. */
  readonly reset?: boolean;
  /** Time between two looks at leases of others while waiting, in milliseconds, give or take a fifth. Default 2000. */
  readonly lookMs?: number;
  /** How long `release` may take, in milliseconds. Default 3000. */
  readonly releaseMs?: number;
  /** Time between two looks for leases of earlier maps that nobody needs any more, in milliseconds. Default 30,000. */
  readonly tidyMs?: number;
}

/** The same with every default filled in. */
export type FullLeaseStoreSettings = Required<LeaseStoreSettings>;

export function withLeaseDefaults(settings: LeaseStoreSettings): FullLeaseStoreSettings {
  return {
    reset: false,
    requestMs: 3_000,
    renewMs: 5_000,
    silentMs: 15_000,
    retry: { firstMs: 500, maxMs: 3_000 },
    lookMs: 2_000,
    releaseMs: 3_000,
    tidyMs: 30_000,
    ...settings,
  };
}
