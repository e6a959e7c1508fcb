import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import { BehaviorSubject, map, type Observable, share } from 'rxjs';
import type { Address } from '../config/optionKinds.ts';
import type { LiveFeed } from '../live/liveFeed.ts';
import { type LiveFile, liveFiles } from '../live/page/liveFiles.ts';
import { listening } from './listening.ts';

/** The page over HTTP. */
export interface LiveServer {
  /** Where it listens, with the port that was found. */
  readonly address: Address;
  /** How many look at it now; tells late subscribers again. */
  readonly viewers: Observable<number>;
  close(): void;
}

const requestMsMax = 10_000;
const viewersMax = 20;
/** Who has read nothing for so long has gone to sleep; the page comes back by itself when it wakes up. */
const behindMsMax = 60_000;
const loopback = '127.0.0.1';

/** Nothing but this server's own script, style and stream; no text ever becomes markup, not even by a mistake. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const headers = {
  'cache-control': 'no-store',
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/**
 * Serves the live page and its stream of news. Resolves when it listens; rejects with LISTEN_FAILED, naming the address,
 * when that cannot be had. Read-only: GET and HEAD. Without a host it listens on 127.0.0.1.
 *
 * Each viewer has one message under way; who is behind is left out, and told everything once it has caught up.
 */
export async function liveServer({ host = loopback, port }: Address, feed: LiveFeed): Promise<LiveServer> {
  const viewers = new BehaviorSubject(0);
  const files = liveFiles();
  const more = feed.more.pipe(map(message), share()); // Encoded once for all of them.
  const server = createServer({ requestTimeout: requestMsMax, headersTimeout: requestMsMax }, (request, response) => {
    const refusal = refusalOf(request, host);
    if (refusal !== undefined) return answer(response, refusal.status, text(refusal.why));
    const [path = '/'] = (request.url ?? '/').split('?');
    if (path === '/news' && request.method === 'GET') {
      if (viewers.value >= viewersMax) return answer(response, 503, text(`${viewersMax} look at this already`));
      return watch(response, () => message(feed.all()), more, viewers);
    }
    const file = files.get(path);
    if (file === undefined) answer(response, 404, text('there is /, and what it asks for'));
    else answer(response, 200, file);
  });
  const address = await listening(server, '--ui', { host, port });
  const plotting = feed.plotting.subscribe();
  return {
    address,
    viewers,
    close: () => {
      plotting.unsubscribe();
      server.close();
      server.closeAllConnections();
    },
  };
}

/** Why a request is not answered. A page of somebody else may have made it, under a name that leads here. */
function refusalOf(
  { method, headers: asked }: IncomingMessage,
  own: string,
): { readonly status: number; readonly why: string } | undefined {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, why: 'only GET and HEAD are answered' };
  if (!isOwnHost(asked.host ?? '', own)) return { status: 421, why: 'the host must be localhost, an address, or the one that --ui names' };
  const isForeign = asked['sec-fetch-site'] === 'cross-site' && asked['sec-fetch-mode'] !== 'navigate';
  return isForeign ? { status: 403, why: 'other sites may link here, and no more' } : undefined;
}

/**
 * Whatever the port, which a port-forward changes. A name that another's DNS answers for may be a trap, so that any name but
 * localhost and the own one is refused; an address is never looked up.
 */
function isOwnHost(host: string, own: string): boolean {
  const [, bracketed, plain] = /^(?:\[([0-9a-f:.]+)\]|([^:[\]]+))(?::\d+)?$/i.exec(host) ?? [];
  const name = (bracketed ?? plain ?? '').toLowerCase();
  return name === 'localhost' || name === own.toLowerCase() || isIP(name) !== 0;
}

function text(line: string): LiveFile {
  return { type: 'text/plain; charset=utf-8', body: `${line}\n` };
}

function answer(response: ServerResponse, status: number, { type, body }: LiveFile): void {
  response.writeHead(status, { ...headers, 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}

/** News as the stream carries them. */
function message(news: string): Buffer {
  return Buffer.from(`data: ${news}\n\n`);
}

/** One viewer. Never more than one message waits for it, whatever it reads. */
function watch(response: ServerResponse, all: () => Buffer, more: Observable<Buffer>, viewers: BehaviorSubject<number>): void {
  let behindSince: number | undefined;
  let hasMissed = false;
  const send = (news: Buffer): void => {
    if (!response.write(news)) behindSince = Date.now();
  };
  response.writeHead(200, { ...headers, 'content-type': 'text/event-stream' });
  viewers.next(viewers.value + 1);
  send(all());
  const hearing = more.subscribe((news) => {
    if (behindSince === undefined) return send(news);
    hasMissed = true;
    if (Date.now() - behindSince > behindMsMax) response.destroy();
  });
  response.on('drain', () => {
    behindSince = undefined;
    if (hasMissed) send(all());
    hasMissed = false;
  });
  response.on('close', () => {
    hearing.unsubscribe();
    viewers.next(viewers.value - 1);
  });
}
