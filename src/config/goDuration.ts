const unitMs: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // micro sign
  μs: 1e-3, // Greek letter mu
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
};

const shape = /^[-+]?(?:(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:ns|us|µs|μs|ms|s|m|h))+$/;
const part = /([0-9.]+)(ns|us|µs|μs|ms|s|m|h)/g;

/** Go keeps a duration as nanoseconds in 63 bits. */
const longestMs = 2 ** 63 / 1e6;

/**
 * Milliseconds of a duration in Go's grammar (`300ms`, `1.5h`, `1m30s`), undefined if it is none.
 * Only `0` may stand without a unit. Source: Go's time.ParseDuration.
 */
export function goDuration(text: string): number | undefined {
  if (/^[-+]?0$/.test(text)) return 0;
  if (!shape.test(text)) return undefined;
  let ms = 0;
  for (const [, number = '', unit = ''] of text.matchAll(part)) ms += Number(number) * (unitMs[unit] ?? Number.NaN);
  if (ms > longestMs) return undefined;
  return text.startsWith('-') ? -ms : ms;
}
