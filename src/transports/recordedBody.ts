import type { AnswerHead } from '../ports.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Only the head of an answer. */
export function headOf({ status, date, retryAfter }: AnswerHead): AnswerHead {
  return { status, ...(date === undefined ? {} : { date }), ...(retryAfter === undefined ? {} : { retryAfter }) };
}

/** The fields of a JSON object; none for anything else. */
export function fieldsOf(body: Uint8Array): Fields {
  try {
    return asFields(JSON.parse(bufferOf(body).toString('utf8')));
  } catch {
    return {}; // The reader of the line counts it.
  }
}

/** The version that a watch line or a list carries, or `otherwise`. */
export function versionOf(body: Uint8Array, otherwise: string): string {
  const fields = fieldsOf(body);
  const version = asFields(asFields(fields['object'] ?? fields)['metadata'])['resourceVersion'];
  return typeof version === 'string' && version !== '' ? version : otherwise;
}

/** True for the bookmark that ends a streaming list. */
export function endsBracket(body: Uint8Array): boolean {
  if (!bufferOf(body).includes('k8s.io/initial-events-end')) return false;
  const { type, object } = fieldsOf(body);
  return type === 'BOOKMARK' && asFields(asFields(asFields(object)['metadata'])['annotations'])['k8s.io/initial-events-end'] === 'true';
}

/** True for a watch line that says why the watch ends. */
export function isErrorLine(body: Uint8Array): boolean {
  return bufferOf(body).subarray(0, 40).includes('ERROR') && fieldsOf(body)['type'] === 'ERROR';
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function bufferOf(body: Uint8Array): Buffer {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
}
