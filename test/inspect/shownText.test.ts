import { describe, expect, it } from 'vitest';
import { cutText, shownLine, shownText } from '../../src/inspect/shownText.ts';

describe('shownText', () => {
  it.each([
    ['plain <b> & "quotes" é 名前 🙂', 'plain <b> & "quotes" é 名前 🙂'],
    ['two\nlines\tand a tab', 'two\nlines\tand a tab'],
    ['bell \u0007, escape \u001b[31m, delete \u007f', 'bell ␇, escape ␛[31m, delete ␡'],
    ['exe\u202ecod.txt\u202c', 'exe⟨U+202E⟩cod.txt⟨U+202C⟩'],
    ['half \ud83d of one', 'half ⟨U+D83D⟩ of one'],
    ['next line \u0085, separator \u2028, mark \ufeff', 'next line ⟨U+0085⟩, separator ⟨U+2028⟩, mark ⟨U+FEFF⟩'],
  ])('%j is shown as %j', (text, shown) => {
    expect(shownText(text)).toBe(shown);
  });
});

it('shownLine has one line', () => {
  expect(shownLine('a\r\nb\tc')).toBe('a␍␊b␉c');
});

describe('cutText', () => {
  it('cuts with a mark, and no character in two', () => {
    expect(cutText('abcdef', 6)).toBe('abcdef');
    expect(cutText('abcdef', 3)).toBe('abc…');
    expect(cutText('ab🙂cd', 3)).toBe('ab…');
  });
});
