/** Steps over JSON in bytes. Each takes the place of a first byte and gives the place behind, or `failed`. */
export const failed = -1;

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const backslash = 0x5c;
/** The bit in which `[` and `{` differ, and `]` and `}`. */
const bracketBit = 0x20;

/** From behind the opening quote to the closing one, if all between is printable ASCII without an escape. */
export function plainTextEnd(bytes: Uint8Array, at: number): number {
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end] as number;
    if (byte === quote) return end;
    if (byte === backslash || byte < 0x20 || byte > 0x7e) return failed;
  }
  return failed;
}

/**
 * Over any value, to the comma or bracket that ends its member. Right for all that is JSON; what is none is not told
 * here, but every step goes forward and ends.
 */
export function valueEnd(bytes: Uint8Array, at: number): number {
  let depth = 0;
  let next = at;
  while (next < bytes.length) {
    const byte = bytes[next] as number;
    if (byte === quote) {
      next = textEnd(bytes, next + 1);
      if (next === failed) return failed;
    } else if ((byte | bracketBit) === openBrace) {
      depth += 1;
    } else if ((byte | bracketBit) === closeBrace) {
      if (depth === 0) return next;
      depth -= 1;
    } else if (byte === comma && depth === 0) {
      return next;
    }
    next += 1;
  }
  return failed;
}

/** From behind the opening quote to the closing one, over escapes. */
function textEnd(bytes: Uint8Array, at: number): number {
  for (let end = at; end < bytes.length; end++) {
    const byte = bytes[end];
    if (byte === quote) return end;
    if (byte === backslash) end += 1;
  }
  return failed;
}
