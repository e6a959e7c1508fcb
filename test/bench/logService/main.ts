import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';

/** A service that takes everything, in a process of its own: by HTTP (JSON and the client's REST) and by gRPC. Tells both ports on standard output. */
const fromLibrary = createRequire(import.meta.resolve('@google-cloud/logging'));
const { grpc } = fromLibrary('google-gax') as { readonly grpc: GrpcModule };

interface GrpcModule {
  readonly Server: new () => {
    addService(
      service: unknown,
      methods: Readonly<Record<string, (call: unknown, answer: (error: null, value: unknown) => void) => void>>,
    ): void;
    bindAsync(address: string, credentials: unknown, bound: (error: Error | null, port: number) => void): void;
  };
  readonly ServerCredentials: { createInsecure(): unknown };
}

const web = createServer((request, response) => {
  request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('{}'));
});
web.listen(0, '127.0.0.1', () => {
  const rpc = new grpc.Server();
  const bytes = (value: Buffer): Buffer => value;
  const empty = (): Buffer => Buffer.alloc(0);
  const method = {
    path: '/google.logging.v2.LoggingServiceV2/WriteLogEntries',
    requestStream: false,
    responseStream: false,
    requestSerialize: bytes,
    requestDeserialize: bytes,
    responseSerialize: empty,
    responseDeserialize: bytes,
  };
  rpc.addService({ writeLogEntries: method }, { writeLogEntries: (_, answer) => answer(null, {}) });
  rpc.bindAsync('127.0.0.1:0', grpc.ServerCredentials.createInsecure(), (_, port) => {
    process.stdout.write(`${JSON.stringify({ web: (web.address() as AddressInfo).port, rpc: port })}\n`);
  });
});
