import type { IncomingMessage, ServerResponse } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { type CloudLoggingModel, type CloudLoggingSettings, cloudLoggingModel } from './cloudLoggingModel.ts';
import { type HttpLoopback, type HttpLoopbackSettings, headersOf, httpLoopback, readBody } from './httpLoopback.ts';

/** What the service is like, and where it listens. */
export interface FakeCloudLoggingSettings extends CloudLoggingSettings, HttpLoopbackSettings {
  /** The service's clock. Default the real one. */
  readonly now?: () => number;
}

/** The service, and where it listens. */
export type FakeCloudLogging = CloudLoggingModel & HttpLoopback;

/** Cloud Logging behind a real socket on loopback, to be named as the sink's endpoint. Resolves when it listens. */
export async function fakeCloudLogging(settings: FakeCloudLoggingSettings = {}): Promise<FakeCloudLogging> {
  const model = cloudLoggingModel(settings, settings.now ?? Date.now);
  const face = await httpLoopback((request, response) => {
    readBody(request, (body) => respond(model, request, response, body));
  }, settings);
  return { ...model, ...face };
}

function respond(model: CloudLoggingModel, request: IncomingMessage, response: ServerResponse, sent: Uint8Array): void {
  const { pathname } = new URL(request.url ?? '/', 'http://service');
  const body = request.headers['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  const reply = model.handle({ method: request.method ?? 'GET', path: pathname, headers: headersOf(request), body });
  switch (reply.type) {
    case 'refused':
    case 'lost':
      request.socket.destroy();
      return;
    case 'hung':
      return;
    case 'answer':
      if (reply.afterMs === 0) response.writeHead(reply.status, { ...reply.headers }).end(reply.body);
      else {
        const later = setTimeout(() => response.writeHead(reply.status, { ...reply.headers }).end(reply.body), reply.afterMs);
        response.on('close', () => clearTimeout(later));
      }
  }
}
