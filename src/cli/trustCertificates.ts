import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { messageOf, PipelineError } from '../errors.ts';
import type { CommandContext } from './command.ts';

/**
 * Lets the whole process trust the authorities in SSL_CERT_FILE instead of Node's own, as Go and OpenSSL do. Those of
 * NODE_EXTRA_CA_CERTS stay. Throws CONFIG_INVALID if the file cannot be read or holds none.
 */
export function trustCertificates({ SSL_CERT_FILE: path }: CommandContext['environment']): void {
  if (path === undefined || path === '') return;
  try {
    const text = readFileSync(path, 'utf8');
    if (!text.includes('-----BEGIN CERTIFICATE-----')) throw new Error('it holds none');
    setDefaultCACertificates([text, ...getCACertificates('extra')]);
  } catch (error) {
    throw new PipelineError('CONFIG_INVALID', `SSL_CERT_FILE must name a file of certificates (got ${path}: ${messageOf(error)})`);
  }
}
