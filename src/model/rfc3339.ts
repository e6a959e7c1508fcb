/** A time as text in UTC with its written precision, and as milliseconds since 1970 to compare it. */
export interface WrittenTime {
  readonly text: string;
  readonly ms: number;
}

/** Without captures, because each would be a new string: this runs several times per event. */
const shape = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,32})?(?:Z|[+-]\d\d:\d\d)$/;

/** Length of date and time up to the seconds. */
const secondsEnd = 19;
/** The dot and microseconds, which is what the API server writes; finer digits are cut. */
const fractionLength = 7;
/** The first moment whose year takes five digits. */
const year10000Ms = 253_402_300_800_000;

/**
 * Reads an RFC 3339 time. Undefined for whatever is none: other types, other forms, days that do not
 * exist, second 60 (as Go has it), and year 1, which is how Go writes an empty time. The fraction
 * stays as written, down to microseconds; an offset is worked into UTC.
 */
export function rfc3339(value: unknown): WrittenTime | undefined {
  if (typeof value !== 'string' || !shape.test(value)) return undefined;
  const localMs = localMsOf(value);
  if (localMs === undefined) return undefined;
  const isUtc = value.endsWith('Z');
  const fraction = value.slice(secondsEnd, value.length - (isUtc ? 1 : 6)).slice(0, fractionLength);
  const offsetMs = isUtc ? 0 : offsetMsOf(value);
  if (offsetMs === undefined || localMs - offsetMs >= year10000Ms) return undefined;
  const seconds = isUtc ? value.slice(0, secondsEnd) : new Date(localMs - offsetMs).toISOString().slice(0, secondsEnd);
  return { text: `${seconds}${fraction}Z`, ms: localMs - offsetMs + Number(`0${fraction}`) * 1000 };
}

/** Milliseconds since 1970 of the date and time before the fraction, as if they were UTC. */
function localMsOf(text: string): number | undefined {
  const year = numberAt(text, 0, 4);
  const month = numberAt(text, 5, 2);
  const day = numberAt(text, 8, 2);
  const hour = numberAt(text, 11, 2);
  const minute = numberAt(text, 14, 2);
  const second = numberAt(text, 17, 2);
  if (year < 2 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return undefined;
  if (hour > 23 || minute > 59 || second > 59) return undefined;
  // Date.UTC takes the years up to 99 for those of the last century: 400 years have the same calendar.
  const shiftedMs = Date.UTC(year + 400, month - 1, day, hour, minute, second);
  return shiftedMs - msOf400Years;
}

const msOf400Years = 146_097 * 86_400_000;

/** An offset such as +02:00 at the end, in milliseconds. */
function offsetMsOf(text: string): number | undefined {
  const hours = numberAt(text, text.length - 5, 2);
  const minutes = numberAt(text, text.length - 2, 2);
  if (hours > 23 || minutes > 59) return undefined;
  const ms = (hours * 60 + minutes) * 60_000;
  return text.charAt(text.length - 6) === '-' ? -ms : ms;
}

function numberAt(text: string, at: number, digits: number): number {
  let number = 0;
  for (let index = at; index < at + digits; index++) number = number * 10 + text.charCodeAt(index) - 48;
  return number;
}

function daysIn(year: number, month: number): number {
  if (month !== 2) return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
}
