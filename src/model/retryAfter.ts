/** A server may ask for this much patience and no more. */
const retryAfterMaxMs = 60_000;

/** A Retry-After header, in seconds or as a date, as milliseconds from now. Undefined for none, and for what is neither. */
export function retryAfterMs(header: string | undefined, nowMs: number): number | undefined {
  const text = header?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(ms, 0), retryAfterMaxMs);
}
