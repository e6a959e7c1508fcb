import { googleError } from './googleError.ts';
import { logLimits } from './logEntryFault.ts';
import { type LoggingAnswer, type LoggingFault, type LoggingFaults, loggingFaults } from './loggingFaults.ts';
import { type LogStore, type LogStoreSettings, logStore, wholeEntries } from './logStore.ts';
import { type LogWrite, readLogWrite } from './logWrite.ts';

/** What the service is like. */
export interface CloudLoggingSettings extends LogStoreSettings {
  /** Which bearer tokens come in. Absent: everybody does, with or without one. */
  readonly accepts?: (token: string) => boolean;
}

/** One request as it came in, and what became of it. Never a token. */
export interface SeenLogRequest {
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: number;
  /** Absent: it was no write that can be read. */
  readonly write?: LogWrite;
  readonly outcome: number | 'refused' | 'lost' | 'hung';
  /** How many entries were stored. */
  readonly stored: number;
}

/** One request to the service. */
export interface LogRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

/** `refused`: nothing was done. `lost`: it was done, and the connection broke before the answer. */
export type LogReply = { readonly type: 'refused' | 'lost' | 'hung' } | LogAnswer;

/** An answer of the service. */
export interface LogAnswer {
  readonly type: 'answer';
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** How long the answer is held back, in milliseconds. */
  readonly afterMs: number;
}

/** Cloud Logging, as far as writing entries goes. It has no sockets and no timers, so that it works in virtual time, too. */
export interface CloudLoggingModel extends Pick<LogStore, 'stored' | 'query'> {
  readonly requests: readonly SeenLogRequest[];
  /** What goes wrong, and when. */
  readonly faults: LoggingFaults;
  /** From now on only these tokens come in; undefined lets everybody in. */
  accept(tokens: CloudLoggingSettings['accepts']): void;
  handle(request: LogRequest): LogReply;
}

interface Done {
  readonly reply: LogReply;
  readonly stored: number;
}

/** Checks, stores and answers as the service does, unless a fault is due. `now` is in milliseconds since 1970. */
export function cloudLoggingModel(settings: CloudLoggingSettings, now: () => number): CloudLoggingModel {
  const store = logStore(settings, now);
  const faults = loggingFaults();
  const requests: SeenLogRequest[] = [];
  let accepts = settings.accepts;

  const work = (request: LogRequest, read: ReturnType<typeof readLogWrite>): Done => {
    const write = 'fault' in read ? undefined : read;
    const fault = faults.take(write?.entries ?? []);
    if (fault?.type === 'hang') return undone({ type: 'hung' });
    if (fault?.type === 'reset' && fault.store !== true) return undone({ type: 'refused' });
    const barred = barredBy(request, accepts);
    if (barred !== undefined) return undone(barred);
    if (fault?.type === 'answer') return scripted(fault, write ?? {}, store);
    return after(fault, 'fault' in read ? undone(failed(400, read.fault)) : usual(read, store));
  };

  return {
    stored: store.stored,
    query: store.query,
    requests,
    faults,
    accept(tokens) {
      accepts = tokens;
    },
    handle(request) {
      const { method, path, headers, body } = request;
      const read = readLogWrite(body);
      const { reply, stored } = work(request, read);
      requests.push({
        atMs: now(),
        method,
        path,
        headers: withoutToken(headers),
        bytes: body.length,
        ...('fault' in read ? {} : { write: read }),
        outcome: reply.type === 'answer' ? reply.status : reply.type,
        stored,
      });
      return reply;
    },
  };
}

/** What is wrong with a request before its entries are looked at. */
function barredBy({ method, path, headers, body }: LogRequest, accepts: CloudLoggingSettings['accepts']): LogAnswer | undefined {
  const [, token = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
  if (accepts !== undefined && !accepts(token)) return failed(401, 'the request has no valid credentials');
  if (path !== '/v2/entries:write' || method !== 'POST') return failed(404, 'there is no such method');
  return body.length > logLimits.requestBytesMax
    ? failed(400, `the request is too large (at most ${logLimits.requestBytesMax} bytes)`)
    : undefined;
}

function usual(write: LogWrite, store: LogStore): Done {
  const { stored, taken, errors } = store.write(write);
  const faulty = Object.values(errors);
  if (faulty.length === 0) return { reply: answered(200, {}), stored };
  // Which entry it was is told only where others were written.
  if (!taken) return undone(failed(400, faulty[0]?.message ?? ''));
  return { reply: answered(400, googleError(400, 'some entries were not written', errors)), stored };
}

function scripted(answer: LoggingAnswer, write: LogWrite, store: LogStore): Done {
  const { status, errors, headers, store: stores = status < 300 || errors !== undefined } = answer;
  const entries = wholeEntries(write).filter((_, index) => errors?.[index] === undefined);
  const body = answer.body ?? (status < 300 ? {} : googleError(status, `scripted ${status}`, errors));
  return { reply: answered(status, body, headers), stored: stores ? store.keep(entries) : 0 };
}

/** What still happens to a request that was worked off. */
function after(fault: Exclude<LoggingFault, LoggingAnswer> | undefined, { reply, stored }: Done): Done {
  if (fault?.type === 'reset') return { reply: { type: 'lost' }, stored };
  return { reply: fault?.type === 'slow' && reply.type === 'answer' ? { ...reply, afterMs: fault.afterMs } : reply, stored };
}

function undone(reply: LogReply): Done {
  return { reply, stored: 0 };
}

function failed(status: number, message: string): LogAnswer {
  return answered(status, googleError(status, message));
}

function answered(status: number, body: unknown, headers: LoggingAnswer['headers'] = {}): LogAnswer {
  const [type, text] = typeof body === 'string' ? ['text/html', body] : ['application/json', JSON.stringify(body)];
  return { type: 'answer', status, headers: { 'content-type': `${type}; charset=UTF-8`, ...headers }, body: text, afterMs: 0 };
}

function withoutToken(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { authorization } = headers;
  return authorization === undefined ? headers : { ...headers, authorization: authorization.replace(/^(\S+) .*$/, '$1 ***') };
}
