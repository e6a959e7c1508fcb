import type { IncomingMessage, ServerResponse } from 'node:http';
import { type HttpLoopback, type HttpLoopbackSettings, headersOf, httpLoopback, readBody } from './httpLoopback.ts';
import { type MetadataModel, type MetadataSettings, metadataModel } from './metadataModel.ts';

/** What the metadata server tells, and where it listens. */
export interface FakeMetadataSettings extends MetadataSettings, HttpLoopbackSettings {
  /** The server's clock, by which tokens expire. Default the real one. */
  readonly now?: () => number;
}

/** How it behaves: as it should, late, with an error, without an answer, or not like a metadata server at all. */
export type MetadataMode =
  | { readonly type: 'usual' }
  | { readonly type: 'slow'; readonly afterMs: number }
  | { readonly type: 'status'; readonly status: number }
  | { readonly type: 'hang' }
  | { readonly type: 'absent' };

/** The metadata server, and where it listens. */
export interface FakeMetadata extends Omit<MetadataModel, 'handle'>, HttpLoopback {
  /** Environment of a process that is to find it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Paths in the order in which they were asked for, whatever became of them. */
  readonly asked: readonly string[];
  behave(mode: MetadataMode): void;
}

/** A metadata server and a token endpoint (`/token`) on loopback. Resolves when it listens. */
export async function fakeMetadata(settings: FakeMetadataSettings = {}): Promise<FakeMetadata> {
  const { handle, ...model } = metadataModel(settings, settings.now ?? Date.now);
  const asked: string[] = [];
  let mode: MetadataMode = { type: 'usual' };
  const face = await httpLoopback((request, response) => {
    asked.push(new URL(request.url ?? '/', 'http://metadata').pathname);
    readBody(request, (body) => respond(handle, mode, request, response, body));
  }, settings);
  return {
    ...model,
    ...face,
    asked,
    environment: { GCE_METADATA_HOST: new URL(face.url).host },
    behave(next) {
      mode = next;
    },
  };
}

function respond(
  handle: MetadataModel['handle'],
  mode: MetadataMode,
  request: IncomingMessage,
  response: ServerResponse,
  body: Uint8Array,
): void {
  const { pathname } = new URL(request.url ?? '/', 'http://metadata');
  const asked = { method: request.method ?? 'GET', path: pathname, headers: headersOf(request) };
  const answer = (): void => {
    const { status, headers, body: text } = handle({ ...asked, body: new TextDecoder().decode(body) });
    response.writeHead(status, { ...headers }).end(text);
  };
  switch (mode.type) {
    case 'usual':
      answer();
      return;
    case 'slow': {
      const later = setTimeout(answer, mode.afterMs);
      response.on('close', () => clearTimeout(later));
      return;
    }
    case 'status':
      response.writeHead(mode.status, { 'metadata-flavor': 'Google' }).end();
      return;
    case 'hang':
      return;
    case 'absent':
      request.socket.destroy();
  }
}
