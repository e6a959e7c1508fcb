import { messageOf, PipelineError } from '../errors.ts';

/** The usual reasons in words; other errors speak for themselves. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  ETIMEDOUT: 'no answer from the network',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name cannot be looked up now',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'silence inside the answer',
  UND_ERR_SOCKET: 'connection broke',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'certificate is self-signed and not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'certificate authority is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'certificate authority is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'certificate authority is not trusted',
  CERT_HAS_EXPIRED: 'certificate has expired',
  ERR_TLS_CERT_ALTNAME_INVALID: 'certificate is for another host name',
};

/** Any fault below HTTP as CONNECTION_FAILED with host and reason. A PipelineError is passed through. */
export function connectionFailed(host: string, error: unknown): PipelineError {
  if (error instanceof PipelineError) return error;
  const code = codeOf(error);
  const reason = code === undefined ? messageOf(error) : (reasons[code] ?? messageOf(error));
  const shown = reason === '' ? 'connection failed' : reason;
  return new PipelineError('CONNECTION_FAILED', `${host}: ${shown}${code === undefined ? '' : ` (${code})`}`, { cause: error });
}

/** Several addresses tried in vain make one error without a message; the first of them speaks for all. */
function codeOf(error: unknown): string | undefined {
  const { code, errors } = error as { readonly code?: unknown; readonly errors?: readonly unknown[] };
  if (typeof code === 'string' && code !== '') return code;
  return errors?.[0] === undefined ? undefined : codeOf(errors[0]);
}
