/**
 * The JSON value of received bytes, or undefined if they are none. The caller tells of it in its own terms; the text
 * itself may hold anything and is not kept.
 */
export function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}
