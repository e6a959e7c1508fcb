/** How waits between tries grow. */
export interface BackoffSettings {
  /** Limit of the first wait, in milliseconds. */
  readonly firstMs: number;
  /** Limit of every wait, in milliseconds. */
  readonly maxMs: number;
}

/** More would only leave the exact range of a number. */
const doublingsMax = 40;

/**
 * Milliseconds to wait after failure number `attempt` (1-based): uniform between zero and a limit that
 * starts at `firstMs`, doubles with each failure and ends at `maxMs` ("full jitter").
 * Source: AWS Architecture Blog, "Exponential Backoff And Jitter", 2015.
 */
export function fullJitter(attempt: number, { firstMs, maxMs }: BackoffSettings, random: () => number): number {
  const limitMs = Math.min(maxMs, firstMs * 2 ** Math.min(attempt - 1, doublingsMax));
  return Math.round(random() * limitMs);
}
