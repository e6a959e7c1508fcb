import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { busyRecording } from '../inspect/busyRecording.ts';
import { openBrowser, openPage, type PageSettings, type WatchedPage } from './browser.ts';
import { type MadeReport, reportOf } from './reports.ts';

let browser: Browser;
let report: MadeReport;

beforeAll(async () => {
  [browser, report] = await Promise.all([openBrowser(), reportOf(busyRecording({ minutes: 12, pods: 30, stepsPerSecond: 0.5 }))]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  report.remove();
});

const open = (settings: PageSettings = {}): Promise<WatchedPage> => openPage(browser, report.url, settings);
const sections = ['Over time', 'Most frequent', 'Repeats', 'Delay', 'Shards', 'Relists and gaps', 'Events'];

describe('a report', () => {
  it('was made of a whole recording', () => {
    expect({ code: report.code, errors: report.errors }).toEqual({ code: 0, errors: '' });
    expect(report.output).toMatch(/^revisions +[1-9]/);
  });

  it.each<[string, PageSettings, string, number]>([
    ['light', { colorScheme: 'light' }, 'rgb(252, 252, 250)', 1_200],
    ['dark', { colorScheme: 'dark' }, 'rgb(20, 23, 26)', 1_200],
    ['on a phone', { colorScheme: 'light', width: 360 }, 'rgb(252, 252, 250)', 360],
  ])('is whole when opened from disk, %s, and asks for nothing', async (_name, settings, paper, width) => {
    const { page, requests, said } = await open(settings);
    expect(await page.locator('h2').allTextContents()).toEqual(sections);
    expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe(paper);
    // Nothing is wider than the window but what scrolls by itself.
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width);
    const figures = await page.locator('svg.plot:visible').all();
    expect(figures).toHaveLength(6);
    for (const figure of figures) {
      const size = (await figure.boundingBox())?.width ?? 0;
      expect(size).toBeGreaterThan(width / 3);
      expect(size).toBeLessThanOrEqual(width);
    }
    // What is drawn smaller than it was made for would be too small to read.
    const scale =
      'Math.min(...[...document.querySelectorAll("svg.plot")].filter((e) => e.clientWidth > 0).map((e) => e.clientWidth / e.viewBox.baseVal.width))';
    expect(await page.evaluate(scale)).toBeGreaterThan(0.95);
    expect({ requests, said }).toEqual({ requests: [], said: [] });
  });

  it('names the axes of its figures with their units, and tells each figure in words', async () => {
    const { page } = await open();
    const axes = await page.locator('svg.plot.wide [aria-label$="axis label"]').allTextContents();
    expect(axes).toEqual([
      '↑ Events',
      'Event time (UTC)',
      '↑ Events',
      'Event time (UTC)',
      'Time of receipt (UTC)',
      '↑ Events',
      'Delay from event time to receipt (powers of ten)',
      '↑ Events against an even share (times)',
      'Number of shards',
      '↑ Events against an even share (times)',
      'Number of shards',
    ]);
    for (const figure of await page.getByRole('img').all()) expect((await figure.getAttribute('aria-label'))?.length).toBeGreaterThan(3);
  });

  it('says without its script what is not the table', async () => {
    const { page, said } = await open({ javaScriptEnabled: false });
    expect(await page.locator('.figures dt').allTextContents()).toContain('Revisions');
    expect(await page.locator('table.ranking').count()).toBe(4);
    expect(await page.locator('#events-table tbody tr').count()).toBe(0);
    expect(said).toEqual([]);
  });

  it('can be reached by keyboard, what scrolls as well', async () => {
    const { page } = await open({ width: 360 });
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the report');
    const reached = new Set<string>();
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      reached.add(
        (await page.evaluate(
          'document.activeElement.id || document.activeElement.getAttribute("aria-label") || document.activeElement.textContent',
        )) as string,
      );
    }
    expect([...reached]).toEqual(expect.arrayContaining([...sections, 'Skew by number of shards', 'search', 'type', 'more']));
  });
});

describe('the table of events', () => {
  it('gives each field the whole width of a phone', async () => {
    const { page } = await open({ width: 360 });
    const widths =
      'new Set([...document.querySelectorAll("#event-body tr:first-child > :not(:has(bdi:empty))")].map((e) => e.clientWidth)).size';
    expect(await page.evaluate(widths)).toBe(1);
  });

  it('finds the rows that hold every word, whatever its case', async () => {
    const { page, requests, said } = await open();
    const rows = page.locator('#events-table tbody tr');
    expect(await rows.count()).toBe(100);
    await page.getByRole('searchbox').fill('killing SHOP');
    const texts = await rows.allTextContents();
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.filter((text) => !/killing/i.test(text) || !/shop/i.test(text))).toEqual([]);
    expect(await page.getByRole('status').textContent()).toMatch(new RegExp(`^${texts.length} of [\\d,]+ events$`));
    await page.getByRole('searchbox').fill('no such word');
    expect([await rows.count(), await page.getByRole('status').textContent()]).toEqual([0, expect.stringMatching(/^0 of [\d,]+ events$/)]);
    expect({ requests, said }).toEqual({ requests: [], said: [] });
  });

  it('narrows to warnings, and to the rest', async () => {
    const { page } = await open();
    const types = page.locator('#events-table tbody [data-column="Type"]');
    await page.getByLabel('Type').selectOption('Warning');
    expect(new Set(await types.allTextContents())).toEqual(new Set(['Warning']));
    await page.getByLabel('Type').selectOption('Other');
    expect(new Set(await types.allTextContents())).toEqual(new Set(['Normal']));
  });

  it('shows more on request, and reading goes on where the new rows begin', async () => {
    const { page } = await open();
    const rows = page.locator('#events-table tbody tr');
    const last = await rows.nth(99).textContent();
    await page.getByRole('button', { name: 'Show' }).press('Enter');
    expect(await rows.count()).toBe(200);
    expect(await rows.nth(99).textContent()).toBe(last);
    expect(await page.evaluate('[...document.querySelectorAll("#event-body tr")].indexOf(document.activeElement)')).toBe(100);
  });
});
