/** What a cut text ends in. `bytes` is its whole size in UTF-8. */
export function cutMark(bytes: number): string {
  return `… [cut: ${bytes} bytes in all]`;
}

/**
 * The text if it takes at most `bytesMax` as a JSON string without its quotes, else as many whole characters as fit in front of
 * a mark that says what the size was. A character outside of the basic plane is never halved.
 */
export function cutText(text: string, bytesMax: number): string {
  // A code unit takes six bytes at most, as an escape.
  if (text.length * 6 <= bytesMax) return text;
  const mark = cutMark(Buffer.byteLength(text));
  const forText = Math.max(bytesMax - Buffer.byteLength(mark), 0);
  let bytes = 0;
  let end = 0;
  for (const character of text) {
    bytes += jsonBytes(character);
    if (bytes > bytesMax) return text.slice(0, end) + mark;
    if (bytes <= forText) end += character.length;
  }
  return text;
}

/** Bytes of one character inside a JSON string. */
function jsonBytes(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return '\b\t\n\f\r'.includes(character) ? 2 : 6;
  if (code < 0x80) return code === 0x22 || code === 0x5c ? 2 : 1;
  if (code < 0x800) return 2;
  return code < 0x10000 ? 3 : 4;
}
