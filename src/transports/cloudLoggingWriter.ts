import { Observable } from 'rxjs';
import type { Dispatcher } from 'undici';
import { messageOf, PipelineError } from '../errors.ts';
import type { Answer, LogWriter } from '../ports.ts';
import { connectionFailed } from './connectionFailed.ts';
import type { GoogleCredentials } from './googleCredentials.ts';
import { httpRoutes } from './httpRoutes.ts';

/** Where the service is, and as whom it is spoken to. */
export interface CloudLoggingWriterSettings {
  /** `https://logging.googleapis.com`, or a server that speaks for it; http is possible. A path in it is kept in front. */
  readonly endpoint: URL;
  /** Absent: requests carry no token. */
  readonly credentials?: GoogleCredentials;
  /** For proxies, see httpRoutes. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Sent as user-agent. Default `kube-sluice`. */
  readonly userAgent?: string;
  /** How long the service may take to answer, in milliseconds. Default 30,000. */
  readonly answerTimeoutMs?: number;
}

/** Longer answers are cut: they are errors, and nobody reads them to the end. */
const answerBytesMax = 1024 * 1024;

/**
 * Sends requests to Cloud Logging as JSON over HTTP, with the tokens of the credentials.
 *
 * State: connections, and the token that the credentials keep. Errors: CONNECTION_FAILED names the host and the reason,
 * CREDENTIALS_INVALID says why there is no token. After a 401 the next request reads its credentials again.
 * Time: only the limit of the settings, kept by undici. Unsubscribing aborts the request.
 */
export function cloudLoggingWriter(settings: CloudLoggingWriterSettings): LogWriter {
  const { endpoint, credentials, environment, answerTimeoutMs = 30_000, userAgent = 'kube-sluice' } = settings;
  const url = new URL(`${endpoint.pathname.replace(/\/$/, '')}/v2/entries:write`, endpoint);
  let routes: ReturnType<typeof httpRoutes> | undefined;

  const send = async (body: Uint8Array, signal: AbortSignal): Promise<Answer> => {
    routes ??= httpRoutes(environment);
    const route = (await routes)(url);
    const token = await tokenHeaders(credentials, url);
    signal.throwIfAborted();
    const headers = { 'content-type': 'application/json', 'user-agent': userAgent, ...token };
    const limits = { headersTimeout: answerTimeoutMs, bodyTimeout: answerTimeoutMs };
    const response = await route.request({ origin: url.origin, path: url.pathname, method: 'POST', headers, body, signal, ...limits });
    const answer = await answerOf(response);
    if (answer.status === 401) credentials?.forget();
    return answer;
  };

  return {
    write: (body) =>
      new Observable((subscriber) => {
        const aborter = new AbortController();
        send(body, aborter.signal).then(
          (answer) => {
            subscriber.next(answer);
            subscriber.complete();
          },
          (error: unknown) => subscriber.error(connectionFailed(url.host, error)),
        );
        return () => aborter.abort();
      }),
  };
}

async function tokenHeaders(credentials: GoogleCredentials | undefined, url: URL): Promise<Readonly<Record<string, string>>> {
  try {
    return (await credentials?.headers(url)) ?? {};
  } catch (error) {
    throw new PipelineError('CREDENTIALS_INVALID', `no token: ${messageOf(error)}`, { cause: error });
  }
}

async function answerOf({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<Answer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes > answerBytesMax) break;
  }
  const retryAfter = headers['retry-after'];
  return {
    type: 'answer',
    status: statusCode,
    ...(typeof retryAfter === 'string' ? { retryAfter } : {}),
    body: Buffer.concat(chunks),
  };
}
