import type { RpcFault } from './logEntryFault.ts';

const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  409: 'ABORTED',
  429: 'RESOURCE_EXHAUSTED',
  499: 'CANCELLED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** The JSON of a refusal: a google.rpc.Status, with what is wrong with which entry where that is known. */
export function googleError(status: number, message: string, errors: Readonly<Record<string, RpcFault>> = {}): object {
  const type = 'type.googleapis.com/google.logging.v2.WriteLogEntriesPartialErrors';
  const details = Object.keys(errors).length === 0 ? {} : { details: [{ '@type': type, logEntryErrors: errors }] };
  return { error: { code: status, message, status: statusNames[status] ?? 'UNKNOWN', ...details } };
}
