/** Every way in which kube-sluice fails, with what it means. `docs/errors.md` is generated from this table. */
export const errorCodes = {
  CONFIG_INVALID: 'A setting breaks its rule. All such faults are shown at once, before the first request.',
  CREDENTIALS_INVALID: 'The kubeconfig or the in-cluster credentials cannot be read or used.',
  LISTEN_FAILED: 'The address for metrics and probes, or for the live page, cannot be opened.',
  FIXTURE_INVALID: 'A recording or a raw watch body is damaged or is none. (One that is not there is a fault of the settings.)',
  OUTPUT_CLOSED: 'The reader of standard output has gone away.',
  SINK_FAILED: 'The sink broke in a way that no retry mends.',
  CHECKPOINT_INVALID: 'The stored checkpoint has another format or another meaning.',
  LEASES_FORBIDDEN: 'The service account may not use leases in its namespace.',
  LEASE_REFUSED: 'The API server does not accept the lease of the shard.',
  SHARD_HELD: 'Another process delivers for this shard.',
  CONNECTION_FAILED: 'A request found no server, or its connection broke.',
  UNDECODABLE: 'An object cannot be decoded.',
  NOT_ACKNOWLEDGED: 'The end came before the sink had confirmed everything.',
} as const;

/** What callers branch on; the text of a message may change. */
export type ErrorCode = keyof typeof errorCodes;

/** The one error class. Branch on `code`, never on the text. */
export class PipelineError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string, options?: { readonly cause?: unknown }) {
    super(message, options?.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'PipelineError';
    this.code = code;
  }
}

/** The text of anything that was thrown, for one log line. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
