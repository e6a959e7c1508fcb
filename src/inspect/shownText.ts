/** Controls, marks that turn the direction of text, and halves of characters; line breaks and tabs are none of them. */
const unseen = /(?![\n\t])[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;
/** For a line: its breaks and tabs are to be seen as well. */
const unseenInLine = /[\p{Cc}\p{Cs}\p{Bidi_Control}\u2028\u2029\ufeff]/gu;

const firstPicture = 0x2400;
const deletePicture = '\u2421';

/** Text of an event, safe to show: what cannot be seen, or changes how the rest is seen, is made visible. */
export function shownText(text: string): string {
  return text.replaceAll(unseen, picture);
}

/** The same for a place that has one line, at most `lengthMax` characters long. */
export function shownLine(text: string, lengthMax = 200): string {
  return cutText(text, lengthMax).replaceAll(unseenInLine, picture);
}

/** At most `lengthMax` UTF-16 units and an ellipsis. A cut text keeps nothing of the whole one in memory. */
export function cutText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const isMiddle = /[\ud800-\udbff]/.test(text.charAt(lengthMax - 1));
  return JSON.parse(JSON.stringify(`${text.slice(0, isMiddle ? lengthMax - 1 : lengthMax)}\u2026`)) as string;
}

function picture(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return String.fromCharCode(firstPicture + code);
  return code === 0x7f ? deletePicture : `\u27e8U+${code.toString(16).toUpperCase().padStart(4, '0')}\u27e9`;
}
