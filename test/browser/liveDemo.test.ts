import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { demoCommand } from '../../src/cli/demo.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { fakeProcess } from '../unit/cliContext.ts';
import { openBrowser, openPage, type PageSettings } from './browser.ts';

const lookMs = 250;
const happened =
  '[...document.querySelectorAll(".shard")].flatMap((s, i) => [...s.querySelectorAll("bdi")].map((e) => i + " " + e.textContent))';
const drawn = '[...document.querySelectorAll(".track .marble")].map((e) => e.className.split(" ")[1] + e.textContent)';

test('demo --ui shows three shards, the 410, the restart and the hand-over on one page', { timeout: 120_000 }, async () => {
  const browser = await openBrowser();
  const { context, errors, stops } = fakeProcess();
  onTestFinished(() => browser.close());
  const ending = runCommandLine(['demo', '--ui', '127.0.0.1:0'], [demoCommand], context);
  while (!/live page at http:\S+/.test(errors())) await sleep(lookMs);
  const [, url = ''] = /live page at (http:\S+)/.exec(errors()) ?? [];
  const { page, requests, said } = await openPage(browser, url);

  const [told, marbles] = [new Set<string>(), new Set<string>()];
  while (![...told].some((line) => line.includes('the demo is over'))) {
    for (const line of (await page.evaluate(happened)) as readonly string[]) told.add(line);
    for (const marble of (await page.evaluate(drawn)) as readonly string[]) marbles.add(marble);
    await sleep(lookMs);
  }
  const all = [...told].join('\n');
  for (const shard of [0, 1, 2]) {
    expect(all).toMatch(new RegExp(`^${shard} events: the watch ended \\(expired, HTTP 410\\)$`, 'm'));
  }
  // A shard of which nothing can be missing declares none, and which those are is a matter of time.
  expect(all).toMatch(/^\d gap: revisions after \d+ up to \d+ may be missing \(expired\)$/m);
  expect(all).toMatch(/^1 the demo: shard 1 is stopped; a second later it starts again from its checkpoint$/m);
  expect(all).toMatch(/^2 waits for the shard: demo-2-a holds \S+$/m);
  expect(all).toMatch(/^2 holds the shard \(\S+\)(, taken over)? after \S+ s$/m);
  expect(all).toMatch(/the verdict holds$/m);
  expect([...marbles].sort()).toEqual(expect.arrayContaining(['faller', 'normalN', 'warningW']));

  for (const [settings, paper] of [
    [{ colorScheme: 'light' }, 'rgb(252, 252, 250)'],
    [{ colorScheme: 'dark' }, 'rgb(20, 23, 26)'],
    [{ colorScheme: 'dark', width: 360 }, 'rgb(20, 23, 26)'],
  ] as const satisfies readonly (readonly [PageSettings, string])[]) {
    const opened = await openPage(browser, url, settings);
    await opened.page.waitForFunction('document.querySelectorAll("#event-body tr").length === 200');
    expect(await opened.page.evaluate('[...document.querySelectorAll(".shard h2")].map((e) => e.textContent)')).toEqual([
      'Shard 0 of 3',
      'Shard 1 of 3',
      'Shard 2 of 3',
    ]);
    expect(await opened.page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(paper);
    expect(await opened.page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(opened.said).toEqual([]);
    await opened.page.context().close();
  }
  expect(requests.map((address) => address.replace(url, '')).sort()).toEqual(['icon.svg', 'news', 'page.css', 'page.js']);
  expect(said).toEqual([]);
  stops.next('drain');
  expect(await ending).toBe(0);
});
