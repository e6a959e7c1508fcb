import { describe, expect, it } from 'vitest';
import { html, jsonScript, raw } from '../../src/inspect/report/html.ts';

describe('html', () => {
  it('takes what is put in for text, wherever it stands', () => {
    const text = `<b title="it's">&amp;</b>`;
    expect(html`<p title="${text}">${text}</p>`.html).toBe(
      '<p title="&lt;b title=&quot;it&#39;s&quot;&gt;&amp;amp;&lt;/b&gt;">&lt;b title=&quot;it&#39;s&quot;&gt;&amp;amp;&lt;/b&gt;</p>',
    );
  });

  it('puts markup together', () => {
    expect(html`<ul>${['a', '<'].map((each) => html`<li>${each}</li>`)}</ul>${raw('<hr>')}${7}`.html).toBe(
      '<ul><li>a</li><li>&lt;</li></ul><hr>7',
    );
  });
});

it('jsonScript holds the value, and nothing that a page could take for markup', () => {
  const value = { text: '</script><!--<script>&amp;\u2028\u2029 é 🙂 "quoted" \\' };
  const { html: text } = jsonScript(value);
  expect(text).not.toMatch(/[<>&\u2028\u2029]/);
  expect(JSON.parse(text)).toEqual(value);
});
