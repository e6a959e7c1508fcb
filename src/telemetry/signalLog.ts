import { type LogLevel, type LogRow, logTable } from './logTable.ts';
import type { Signal } from './signals.ts';

/** Where log lines go: pino as it is, or any logger behind four functions. */
export interface LogTarget {
  debug(fields: object, text: string): void;
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
  /** What is not enabled is not counted either. Absent: every level is. */
  isLevelEnabled?(level: string): boolean;
}

/** Turns signals into log lines. */
export interface SignalLog {
  /** Logs a signal, or counts it if it repeats one of the last minute. `nowMs`: milliseconds since 1970. */
  observe(signal: Signal, nowMs: number): void;
  /** Logs the repeats that were only counted so far. */
  flush(nowMs: number): void;
}

/** Repeats of one cause are logged at most this often. */
const repeatMs = 60_000;

/** More causes than this are forgotten and start over; the causes are few, this only bounds the table. */
const causesMax = 1_000;

interface Cause {
  loggedAt: number;
  /** Since then. */
  repeats: number;
  last: Signal;
}

/**
 * Logs each signal as one line of fixed text with the signal's fields. The first of a cause is
 * logged at once; its repeats are counted and logged as one line with `repeats` after a minute.
 *
 * State: a count per cause, at most 1,000. Time: comes in with each call, milliseconds since 1970; no timers, a later
 * signal brings out what is due. Never logs event text: signals hold none.
 */
export function signalLog(target: LogTarget): SignalLog {
  const causes = new Map<string, Cause>();
  let dueAt = Number.POSITIVE_INFINITY;

  const print = (signal: Signal, repeats?: number): void => {
    const row = rowOf(signal);
    if (row === undefined) return;
    const fields = typeof row.text === 'string' ? signal : { ...signal, text: undefined, message: undefined };
    const counted = repeats === undefined ? {} : { repeats };
    target[levelOf(row, signal)]({ ...fields, type: undefined, signal: signal.type, ...counted }, textOf(row, signal));
  };
  const printDue = (atMs: number, all: boolean): void => {
    dueAt = Number.POSITIVE_INFINITY;
    for (const [key, cause] of causes) {
      const causeDueAt = cause.loggedAt + repeatMs;
      if (!all && causeDueAt > atMs) dueAt = Math.min(dueAt, causeDueAt);
      else {
        causes.delete(key);
        if (cause.repeats > 0) {
          print(cause.last, cause.repeats);
          if (!all) remember(key, cause.last, atMs);
        }
      }
    }
  };
  const remember = (key: string, last: Signal, atMs: number): void => {
    if (causes.size >= causesMax) printDue(atMs, true);
    causes.set(key, { loggedAt: atMs, repeats: 0, last });
    dueAt = Math.min(dueAt, atMs + repeatMs);
  };

  return {
    observe(signal, atMs) {
      if (atMs >= dueAt) printDue(atMs, false);
      const row = rowOf(signal);
      if (row === undefined || target.isLevelEnabled?.(levelOf(row, signal)) === false) return;
      if (row.repeats === undefined) return print(signal);
      const key = `${signal.type} ${levelOf(row, signal)} ${row.repeats(signal)}`;
      const cause = causes.get(key);
      if (cause !== undefined) {
        cause.repeats += 1;
        cause.last = signal;
        return;
      }
      print(signal);
      remember(key, signal, atMs);
    },
    flush: (atMs) => printDue(atMs, true),
  };
}

function rowOf(signal: Signal): LogRow<Signal> | undefined {
  return logTable[signal.type] as LogRow<Signal> | undefined;
}

function levelOf({ level }: LogRow<Signal>, signal: Signal): LogLevel {
  return typeof level === 'string' ? level : level(signal);
}

function textOf({ text }: LogRow<Signal>, signal: Signal): string {
  return typeof text === 'string' ? text : text(signal);
}
