import { NEVER } from 'rxjs';
import { expect, onTestFinished, test } from 'vitest';
import { liveServer } from '../../src/cli/liveServer.ts';
import type { LiveFeed } from '../../src/live/liveFeed.ts';
import type { Marble, News, ShardNews } from '../../src/live/news.ts';
import { shardStatus } from '../../src/live/shardStatus.ts';
import { noCounts } from '../../src/telemetry/counts.ts';
import { openBrowser, openPage, type PageSettings, type WatchedPage } from './browser.ts';

/** A browser on a busy machine. */
const slow = { timeout: 30_000 };
const atMs = Date.parse('2026-11-30T10:00:00Z');

function marble(id: number, fields: Partial<Marble>): Marble {
  const text = { namespace: 'shop', object: `Pod web-${id}`, workload: 'Deployment web', message: 'x'.repeat(400) };
  const insertId = String(id).padStart(20, '0');
  const still = { place: 'stored', retries: 0, count: 1, timestamp: '2026-11-30T10:00:00Z', insertId } as const;
  return { id, atMs: atMs + id, type: 'Normal', reason: 'Pulled', ...text, ...still, ...fields };
}

function shardNews(index: number, marbles: readonly Marble[]): ShardNews {
  const status = shardStatus({ index, total: 2 }, atMs - 90_000);
  return { ...status.news(noCounts(), atMs), atJoin: 0, atSink: 0, marbles, happenings: [], points: [[atMs, 1, 1, 0, 0, 100]] };
}

/** One page of two shards that stand still: three events, one of them at the sink, one a warning of the other shard. */
async function openStill(settings: PageSettings = {}): Promise<WatchedPage> {
  const news: News = {
    type: 'all',
    atMs,
    version: '1.2.3',
    rssMb: 100,
    memoryLimitMb: null,
    pointMs: 5_000,
    pointsMax: 180,
    marblesMax: 200,
    shards: [
      shardNews(0, [marble(1, {}), marble(2, { place: 'sink' })]),
      shardNews(1, [marble(1, { type: 'Warning', reason: 'BackOff' })]),
    ],
  };
  const feed: LiveFeed = { all: () => JSON.stringify(news), more: NEVER, plotting: NEVER };
  const [server, browser] = await Promise.all([liveServer({ port: 0 }, feed), openBrowser()]);
  onTestFinished(async () => {
    await browser.close();
    server.close();
  });
  const opened = await openPage(browser, `http://127.0.0.1:${server.address.port}/`, settings);
  await expect.poll(() => opened.page.locator('#found').textContent(), slow).toBe('3 of 3 events');
  return opened;
}

test('everything that can be used is reached by keyboard, seen to be reached, and works', { timeout: 90_000 }, async () => {
  const { page, said } = await openStill();
  const press = async (...keys: readonly string[]): Promise<void> => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = (): Promise<unknown> =>
    page.evaluate(`((e = document.activeElement) =>
      [e.id || e.className, getComputedStyle(e).outlineStyle, parseFloat(getComputedStyle(e).outlineWidth) >= 2])()`);
  const found = (): Promise<string | null> => page.locator('#found').textContent();

  const reached: unknown[] = [];
  for (let at = 0; at < 7; at++) {
    await press('Tab');
    reached.push(await focused());
  }
  expect(reached).toEqual(['skip', 'hold', 'search', 'type', 'where', 'shard', 'scroll'].map((name) => [name, 'solid', true]));
  await press('Shift+Tab', 'Shift+Tab', 'Shift+Tab', 'Shift+Tab');
  expect((await focused()) as readonly string[]).toContain('search');

  await page.keyboard.type('backoff');
  await press('Enter'); // Nothing is sent anywhere.
  expect(await found()).toBe('1 of 3 events');
  await press('Control+a', 'Delete', 'Tab', 'ArrowDown', 'ArrowDown');
  expect([await page.locator('#type').inputValue(), await found()]).toEqual(['Warning', '1 of 3 events']);
  await press('Home', 'Tab', 'ArrowDown');
  expect([await page.locator('#where').inputValue(), await found()]).toEqual(['way', '1 of 3 events']);
  await press('Home', 'Tab', 'ArrowDown');
  expect([await page.locator('#shard').inputValue(), await found()]).toEqual(['0', '2 of 3 events']);
  await press('Enter', 'Escape');

  const hold = page.locator('#hold');
  await hold.focus();
  await press('Enter');
  expect([await hold.textContent(), await hold.getAttribute('aria-pressed')]).toEqual(['Go on', 'true']);
  expect(await page.locator('#connection').textContent()).toContain('Held still at 10:00:00 UTC');
  await press('Space');
  expect([await hold.textContent(), await hold.getAttribute('aria-pressed')]).toEqual(['Hold still', 'false']);
  await expect.poll(() => page.locator('#connection').textContent(), slow).toContain('Live');
  expect(said).toEqual([]);
});

test('on a phone nothing is cut off or overflows, and each field of an event has its name', { timeout: 90_000 }, async () => {
  const { page } = await openStill({ width: 360 });
  expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
  // What sticks out of its own box would be drawn over its neighbour, or not at all.
  const out = `[...document.querySelectorAll('main *, .top *')].filter((e) => {
    const { left, right, width } = e.getBoundingClientRect();
    return width > 1 && !e.closest('.track, thead') && (left < 0 || right > innerWidth + 0.5);
  }).map((e) => e.tagName + '.' + e.className)`;
  expect(await page.evaluate(out)).toEqual([]);
  const named = `[...document.querySelectorAll('#event-body tr:first-child > *')].map((e) => getComputedStyle(e, '::before').content)`;
  expect(await page.evaluate(named)).toEqual(
    ['Read (UTC)', 'Shard', 'Type', 'Reason', 'Where', 'Namespace', 'Object', 'Workload', 'Count', 'Message'].map((name) => `"${name}"`),
  );
});

test('a page whose process is gone says so and which moment it shows, and comes back by itself', { timeout: 90_000 }, async () => {
  const { page } = await openStill();
  await expect.poll(() => page.title(), slow).toBe('starting - kube-sluice');
  expect(await page.locator('.doing').first().textContent()).toBe('○ startingfor 1.5 min, since 09:58:30 UTC');
  await page.route('**/news', (route) => route.fulfill({ status: 503, body: '' }));
  await page.locator('#hold').click();
  await page.locator('#hold').click();
  await expect.poll(() => page.locator('#connection').textContent(), slow).toMatch(/^■ Not connected: .* The page shows 10:00:00 UTC\.$/);
  expect(await page.title()).toBe('not connected - kube-sluice');
  expect(await page.locator('#shards').getAttribute('class')).toBe('stale');
  await page.unroute('**/news');
  await expect.poll(() => page.locator('#connection').textContent(), slow).toContain('Live');
  expect(await page.locator('#shards').getAttribute('class')).toBe('');
  expect(await page.locator('#spoken').textContent()).toBe('Connected again');
});
