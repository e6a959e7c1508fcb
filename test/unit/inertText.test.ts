import { expect, test } from 'vitest';
import { inertText } from '../../src/model/inertText.ts';

test.each([
  ['plain text, ümläut, 日本, 🙂', 'plain text, ümläut, 日本, 🙂'],
  ['a\tb\r\nc', 'a\\tb\\r\\nc'],
  ['\u001b]0;title\u0007', '\\u{1b}]0;title\\u{7}'],
  ['\u009b2J\u007f', '\\u{9b}2J\\u{7f}'],
  ['\u202egnp\u2066\u200f\u200b', '\\u{202e}gnp\\u{2066}\\u{200f}\\u{200b}'],
  ['\u2028\u2029\ufeff', '\\u{2028}\\u{2029}\\u{feff}'],
  ['\ud83d half', '\\u{d83d} half'],
  ['\u{e0041}', '\\u{e0041}'],
])('%j is shown as %s', (text, shown) => {
  expect(inertText(text)).toBe(shown);
});

test('long text is cut between characters', () => {
  expect(inertText('abcdef', 6)).toBe('abcdef');
  expect(inertText('abcdefg', 6)).toBe('abcde…');
  expect(inertText('🙂'.repeat(6), 6)).toBe('🙂'.repeat(6));
  expect(inertText('🙂'.repeat(300_000), 6)).toBe(`${'🙂'.repeat(5)}…`);
  expect(inertText('\n'.repeat(9), 3)).toBe('\\n\\n…');
});
