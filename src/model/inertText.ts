/** Characters that act on a terminal or on their neighbours instead of being shown, halves of pairs among them. */
const acting = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const named: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Makes text from outside safe to show: what would move the cursor, clear the screen or turn the direction of
 * reading stands there as an escape. Text over `lengthMax` characters is cut, with an ellipsis at its end.
 */
export function inertText(text: string, lengthMax = Number.POSITIVE_INFINITY): string {
  return cut(text, lengthMax).replace(acting, (character) => named[character] ?? `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Never between the halves of a pair. */
function cut(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text;
  const characters = Array.from(text.slice(0, 2 * (lengthMax + 1)));
  return characters.length <= lengthMax ? characters.join('') : `${characters.slice(0, lengthMax - 1).join('')}\u2026`;
}

/** JSON with the same characters as escapes of its own, so that it says the same. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replace(acting, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  );
}
