import { createRequire } from 'node:module';
import { Entry as LibraryEntry, Logging, v2 } from '@google-cloud/logging';
import { firstValueFrom } from 'rxjs';
import type { Entry } from '../../../src/model/entry.ts';
import { liveRuntime } from '../../../src/runtime.ts';
import { cloudLogging } from '../../../src/sinks/cloudLogging.ts';
import { encodeLogEntry } from '../../../src/sinks/encodeLogEntry.ts';
import { cloudLoggingWriter } from '../../../src/transports/cloudLoggingWriter.ts';

export interface Ports {
  readonly web: number;
  readonly rpc: number;
}

/** Stores a batch, one way or another; rejects if it was not stored. */
export type Write = (batch: readonly Entry[]) => Promise<unknown>;

type Client = InstanceType<typeof v2.LoggingServiceV2Client>;

const cluster = { project: 'p', location: 'l', name: 'c' };
const logName = 'projects/p/logs/events';

/** The ways of writing that the library offers, and ours. All send the same entries, authorised by the same client. */
export function writers({ web, rpc }: Ports): Readonly<Record<string, Write>> {
  const fromLibrary = createRequire(import.meta.resolve('@google-cloud/logging'));
  const { googleAuthLibrary, grpc } = fromLibrary('google-gax') as {
    readonly googleAuthLibrary: { readonly OAuth2Client: new (options: object) => object };
    readonly grpc: { readonly credentials: { createInsecure(): unknown } };
  };
  const authClient = new googleAuthLibrary.OAuth2Client({
    credentials: { access_token: 'token', expiry_date: Number.MAX_SAFE_INTEGER, refresh_token: 'r' },
  });
  const options = { authClient, projectId: 'p', universeDomain: 'googleapis.com' } as ConstructorParameters<typeof Logging>[0];
  const { auth } = new Logging(options);
  const url = `http://127.0.0.1:${web}/v2/entries:write`;
  const credentials = { headers: async (to: URL) => Object.fromEntries(await auth.getRequestHeaders(to)), forget: () => undefined };
  const writer = cloudLoggingWriter({ endpoint: new URL(`http://127.0.0.1:${web}`), credentials, environment: {} });
  const sink = cloudLogging(
    { cluster },
    writer,
    liveRuntime(() => undefined),
  );
  const encode = encodeLogEntry({ cluster, entryBytesMax: 240_000 });
  const client = (settings: object): Client =>
    new v2.LoggingServiceV2Client({ ...options, apiEndpoint: '127.0.0.1', ...settings } as ConstructorParameters<
      typeof v2.LoggingServiceV2Client
    >[0]);
  const overGrpc = client({ port: rpc, sslCreds: grpc.credentials.createInsecure() });
  const overRest = client({ port: web, fallback: true, protocol: 'http' });
  const viaClient =
    (by: Client): Write =>
    (batch) =>
      by.writeLogEntries({ logName, partialSuccess: true, entries: batch.map(protobufOf) }, { retry: null, timeout: 30_000 } as object);
  return {
    'JSON by undici, token of the library': async (batch) => {
      const results = await firstValueFrom(sink.write(batch));
      if (results.some(({ type }) => type !== 'stored')) throw new Error('not stored');
    },
    "JSON by the library's HTTP client": (batch) => {
      const texts = batch.map((entry) => encode(entry)).map((encoded) => (encoded.type === 'encoded' ? encoded.text : ''));
      const data = `{"logName":"${logName}","partialSuccess":true,"entries":[${texts.join(',')}]}`;
      return auth.request({ url, method: 'POST', data, headers: { 'content-type': 'application/json' }, retry: false });
    },
    'generated client, REST': viaClient(overRest),
    'generated client, gRPC': viaClient(overGrpc),
  };
}

/** As the library itself makes them. */
function protobufOf({ insertId, timestamp, severity, resource, labels, payload }: Entry): object {
  const { type, labels: own } = resource;
  const all = { project_id: cluster.project, location: cluster.location, cluster_name: cluster.name, ...own };
  return new LibraryEntry({ insertId, timestamp, severity, labels, resource: { type, labels: all } }, payload).toJSON();
}
