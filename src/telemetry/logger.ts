import pino from 'pino';
import type { LogLevel } from './logTable.ts';
import { prettyLine } from './prettyLine.ts';
import { type SignalLog, signalLog } from './signalLog.ts';

export interface LoggerSettings {
  readonly level: LogLevel;
  /** For a person at a terminal; otherwise one JSON object per line. */
  readonly pretty: boolean;
}

/** The log of the program itself, by pino: see signalLog for what is logged when. */
export function logger({ level, pretty }: LoggerSettings, write: (line: string) => void): SignalLog {
  let writtenAt = 0;
  const log = signalLog(pinoLogger(level, pretty ? (line) => write(prettyLine(line)) : write, () => writtenAt));
  return {
    observe(signal, nowMs) {
      writtenAt = nowMs;
      log.observe(signal, nowMs);
    },
    flush(nowMs) {
      writtenAt = nowMs;
      log.flush(nowMs);
    },
  };
}

function pinoLogger(level: LogLevel, write: (line: string) => void, now: () => number): pino.Logger {
  return pino(
    {
      level,
      base: null,
      formatters: { level: (label) => ({ level: label }) },
      timestamp: () => `,"time":"${new Date(now()).toISOString()}"`,
    },
    { write },
  );
}
