import type { KubeConfig } from '@kubernetes/client-node';
import type { Dispatcher } from 'undici';
import { type ErrorCode, messageOf, PipelineError } from '../errors.ts';
import type { KubeRequest, KubeWrite } from '../ports.ts';
import type { KubeConfigSource } from './kubeConfigFile.ts';
import { type KubeTarget, kubeTarget } from './kubeTarget.ts';
import { limitExec } from './limitExec.ts';
import { mendOidc } from './mendOidc.ts';

export interface KubeSessionsSettings {
  /** Sent as user-agent. */
  readonly userAgent: string;
  /** How long a server may take until the head of its answer, in milliseconds. */
  readonly headersTimeoutMs: number;
  /** How long an exec plugin may take to bring a credential, in milliseconds. */
  readonly execTimeoutMs: number;
}

/** An exec plugin's complaint can be long. */
const reasonCharactersMax = 500;

/** A body that is not read yet, and its head. */
export type Response = Dispatcher.ResponseData;

/** One request's hold on the connections of its stream. */
export interface KubeSession {
  /** Host and port of the server, for messages; once the credentials were read. */
  host(): string;
  /** Sends the request; aborting the signal ends it at any time, the body included. */
  send(request: KubeRequest | KubeWrite, bodyTimeoutMs: number, signal: AbortSignal): Promise<Response>;
  /** Lets go. `retire`: the next request takes new connections and reads CA and certificates again. */
  end(retire: boolean): void;
}

/** The connections of one stream. They are ours alone, so destroying them hurts nobody else. */
interface Connections {
  readonly dispatcher: Dispatcher;
  users: number;
  retired: boolean;
}

/**
 * Keeps connections per stream name: pages, lookups and the watch that follows share them. They are
 * retired when a watch ends, when a connection fails and at a 401, so that each session reads CA and
 * certificates anew and finds its own server behind a load balancer; the last user destroys them.
 */
export function kubeSessions(source: KubeConfigSource, settings: KubeSessionsSettings): (stream: string) => KubeSession {
  const byStream = new Map<string, Connections>();
  const credentials = kubeCredentials(source, settings.execTimeoutMs);

  const leave = (connections: Connections): void => {
    connections.users--;
    if (connections.retired && connections.users === 0) void connections.dispatcher.destroy().catch(() => undefined);
  };

  const take = (stream: string, fresh: Dispatcher): Connections => {
    const connections = byStream.get(stream) ?? { dispatcher: fresh, users: 0, retired: false };
    byStream.set(stream, connections);
    connections.users++;
    return connections;
  };

  const retireIt = (stream: string, connections: Connections): void => {
    connections.retired = true;
    if (byStream.get(stream) === connections) byStream.delete(stream);
  };

  return (stream) => {
    let connections: Connections | undefined;
    let ended = false;
    let host = 'API server';
    return {
      host: () => host,
      async send(request, bodyTimeoutMs, signal) {
        const { target, headers, dispatcher } = await credentials.read();
        host = target.server.host;
        if (signal.aborted) throw new PipelineError('CONNECTION_FAILED', `${host}: given up`);
        connections = take(stream, dispatcher);
        const response = await connections.dispatcher.request({
          ...placeOf(target, request),
          ...contentOf(request),
          headers: { ...headers, ...typeOf(request), accept: request.accept, 'user-agent': settings.userAgent },
          headersTimeout: settings.headersTimeoutMs,
          bodyTimeout: bodyTimeoutMs,
          signal,
        });
        if (response.statusCode === 401) {
          credentials.forget();
          retireIt(stream, connections);
        }
        return response;
      },
      end(retire) {
        if (ended) return;
        ended = true;
        if (connections === undefined) return;
        if (retire) retireIt(stream, connections);
        leave(connections);
      },
    };
  };
}

function contentOf(request: KubeRequest | KubeWrite): { method: Dispatcher.HttpMethod; body?: string } {
  if (!('method' in request)) return { method: 'GET' };
  return { method: request.method, ...(request.body === undefined ? {} : { body: request.body }) };
}

function typeOf(request: KubeRequest | KubeWrite): Record<string, string> {
  return 'body' in request ? { 'content-type': 'application/json' } : {};
}

function placeOf({ server }: KubeTarget, request: KubeRequest): { origin: string; path: string } {
  const url = new URL(server);
  url.pathname = `${server.pathname.replace(/\/$/, '')}${request.path}`;
  url.search = new URLSearchParams(request.query).toString();
  return { origin: url.origin, path: `${url.pathname}${url.search}` };
}

/** What one request needs. The dispatcher has made no connection yet. */
interface Credentials {
  readonly target: KubeTarget;
  readonly headers: Record<string, string | string[]>;
  readonly dispatcher: Dispatcher;
}

interface KubeCredentials {
  /**
   * One at a time, so that an exec plugin is not started twice for one token. Before the first success a
   * fault is CREDENTIALS_INVALID; later it is CONNECTION_FAILED, for what has worked may work again.
   */
  read(): Promise<Credentials>;
  /** Drops tokens that were read: the next request reads the file or asks the plugin again. */
  forget(): void;
}

interface Loaded {
  readonly target: KubeTarget;
  readonly kubeConfig: KubeConfig;
}

function kubeCredentials(source: KubeConfigSource, execTimeoutMs: number): KubeCredentials {
  let loaded: Promise<Loaded> | undefined;
  let keepsTokens = false;
  let worked = false;
  let last: Promise<unknown> = Promise.resolve();

  const apply = async (): Promise<Credentials> => {
    loaded ??= load(source, execTimeoutMs);
    const { target, kubeConfig } = await loaded;
    keepsTokens = target.keepsTokens;
    const { Agent, HttpMethod, RequestContext } = await import('./kubeClient.ts');
    const context = new RequestContext(target.server.href, HttpMethod.GET);
    await kubeConfig.applySecurityAuthentication(context);
    const dispatcher = context.getDispatcher() ?? new Agent({ connect: { keepAlive: true, keepAliveInitialDelay: 30_000 } });
    worked = true;
    return { target, headers: headersOf(context.getHeaders(), target), dispatcher };
  };

  return {
    read() {
      const next = last.then(apply).catch((error: unknown) => {
        if (!keepsTokens) loaded = undefined;
        throw worked
          ? unusable('CONNECTION_FAILED', error)
          : error instanceof PipelineError
            ? error
            : unusable('CREDENTIALS_INVALID', error);
      });
      last = next.catch(() => undefined);
      return next;
    },
    forget() {
      if (!keepsTokens) loaded = undefined;
    },
  };
}

/** Never what an exec plugin printed where its JSON should be: that may be a token. */
function unusable(code: ErrorCode, error: unknown): PipelineError {
  const reason =
    error instanceof SyntaxError ? 'the exec plugin did not print JSON' : messageOf(error).trim().slice(0, reasonCharactersMax);
  return new PipelineError(code, `credentials: ${reason}`, error instanceof SyntaxError ? {} : { cause: error });
}

async function load(source: KubeConfigSource, execTimeoutMs: number): Promise<Loaded> {
  const target = kubeTarget(source);
  const { KubeConfig } = await import('./kubeClient.ts');
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromString(target.kubeConfigText);
  mendOidc(kubeConfig);
  limitExec(kubeConfig, execTimeoutMs);
  return { target, kubeConfig };
}

/** Trimmed, since token files end in a line feed, which a header must not hold. */
function headersOf(headers: Readonly<Record<string, string>>, target: KubeTarget): Record<string, string | string[]> {
  const trimmed = Object.entries({ ...headers, ...target.headers }).map(([name, value]) => [
    name.toLowerCase(),
    typeof value === 'string' ? value.trim() : value.map((each) => each.trim()),
  ]);
  return Object.fromEntries(trimmed);
}
