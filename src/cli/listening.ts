import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { addressText } from '../config/listenAddress.ts';
import type { Address } from '../config/optionKinds.ts';
import { PipelineError } from '../errors.ts';

/**
 * Lets a server listen where a flag says. Resolves to the address with the port that was found; rejects with LISTEN_FAILED,
 * naming both, when it cannot be had.
 */
export function listening(server: Server, flag: string, address: Address): Promise<Address> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: Error & { readonly code?: string }) => {
      const why = cause.code === 'EADDRINUSE' ? 'the port is taken' : cause.message;
      const text = `${flag} must be an address that can be listened on (got '${addressText(address)}': ${why})`;
      reject(new PipelineError('LISTEN_FAILED', text, { cause }));
    });
    const { host, port } = address;
    server.listen({ port, ...(host === undefined ? {} : { host }) }, () => {
      resolve({ ...address, port: (server.address() as AddressInfo).port });
    });
  });
}
