/** What a step over JSON gives that cannot go on: the place of no byte. */
export const failed = -1;

export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;

const backslash = 0x5c;
/** The bit in which `[` and `{` differ, and `]` and `}`. */
const bracketBit = 0x20;

/**
 * Bytes of JSON with the place of their last quote: who starts before it and looks for a quote finds one, and need not ask at each
 * byte whether there are more.
 */
export interface JsonBytes {
  readonly bytes: Uint8Array;
  readonly length: number;
  readonly lastQuote: number;
}

export function jsonBytes(bytes: Uint8Array): JsonBytes {
  const { length } = bytes;
  let lastQuote = length - 1;
  while (lastQuote >= 0 && bytes[lastQuote] !== quote) lastQuote -= 1;
  return { bytes, length, lastQuote };
}

/** From behind the opening quote to the closing one, if there is no escape in between. */
export function bareTextEnd({ bytes, lastQuote }: JsonBytes, at: number): number {
  if (at > lastQuote) return failed;
  for (let end = at; ; end++) {
    const byte = bytes[end];
    if (byte === quote) return end;
    if (byte === backslash) return failed;
  }
}

/** The same, if all in between is printable ASCII. */
export function plainTextEnd(json: JsonBytes, at: number): number {
  const end = bareTextEnd(json, at);
  for (let place = at; place < end; place++) {
    const byte = json.bytes[place] as number;
    if (byte < 0x20 || byte > 0x7e) return failed;
  }
  return end;
}

/**
 * Over any value, to the comma or bracket that ends its member. Right for all that is JSON; what is none is not told
 * here, but every step goes forward and ends.
 */
export function valueEnd({ bytes, length, lastQuote }: JsonBytes, at: number): number {
  let depth = 0;
  let next = at;
  while (next < length) {
    const byte = bytes[next++] as number;
    if (byte === quote) {
      do {
        if (next > lastQuote) return failed;
        while (bytes[next++] !== quote); // Most bytes of an object are those of texts: nothing else is asked of them.
      } while (bytes[next - 2] === backslash && isEscaped(bytes, next - 1));
    } else if ((byte | bracketBit) === openBrace) {
      depth += 1;
    } else if ((byte | bracketBit) === closeBrace) {
      if (depth === 0) return next - 1;
      depth -= 1;
    } else if (byte === comma && depth === 0) {
      return next - 1;
    }
  }
  return failed;
}

/** True if the number of backslashes before is odd: two of them are an escape of their own. */
function isEscaped(bytes: Uint8Array, at: number): boolean {
  let before = at - 1;
  while (bytes[before] === backslash) before -= 1;
  return (at - before) % 2 === 0;
}
