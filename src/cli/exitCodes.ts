import type { ErrorCode } from '../errors.ts';

/** What the process ends with. `docs/errors.md` is generated from this table. */
export const exitCodes = {
  0: 'Done: everything that was read has been acknowledged.',
  1: 'Something was not acknowledged; after a restart it comes again. The last line says how many.',
  2: 'Settings, credentials or the address for metrics and probes cannot be used. Nothing was read.',
  3: 'The shard, or the file, is held by another pod or process.',
  4: 'Standard output was closed by its reader.',
  5: 'A verdict, a comparison or a fixture was bad.',
} as const;

export type ExitCode = keyof typeof exitCodes;

/** The exit code of each error that reaches the command line. */
export const exitCodeOf: Readonly<Record<ErrorCode, ExitCode>> = {
  CONFIG_INVALID: 2,
  CREDENTIALS_INVALID: 2,
  LISTEN_FAILED: 2,
  CHECKPOINT_INVALID: 2,
  LEASES_FORBIDDEN: 2,
  LEASE_REFUSED: 2,
  SHARD_HELD: 3,
  FIXTURE_INVALID: 5,
  OUTPUT_CLOSED: 4,
  SINK_FAILED: 1,
  CONNECTION_FAILED: 1,
  UNDECODABLE: 1,
  NOT_ACKNOWLEDGED: 1,
};
