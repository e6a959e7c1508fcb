import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { headerLine } from '../../src/transports/recording.ts';
import { openBrowser, openPage } from './browser.ts';
import { type MadeReport, reportOf } from './reports.ts';

const script = '<script>alert(1);document.title="owned"</script>';
const image = '"><img src="http://127.0.0.1:9/x" onerror="alert(2)">';
const long = 'x'.repeat(300_000);
const at = Date.parse('2026-11-30T10:00:00Z');

/** One Event per message, each field of which tries something. Lone surrogates stand as escapes, as a hostile client writes them. */
function recording(messages: readonly string[]): string {
  const event = (message: string, index: number) => ({
    type: 'ADDED',
    object: {
      kind: 'Event',
      metadata: {
        name: `e${index}`,
        namespace: `shop${image}`,
        uid: `u${index}`,
        resourceVersion: String(100 + index),
        creationTimestamp: '2026-11-30T10:00:00Z',
      },
      involvedObject: { kind: `Pod${script}`, namespace: 'a\u202eb', name: '</title></style></script><b>web</b>', uid: `p${index}` },
      type: index === 0 ? script : 'Warning',
      reason: `</script>${script}<!--`,
      message,
      lastTimestamp: '2026-11-30T10:00:00Z',
    },
  });
  const frames: readonly string[] = [
    '"kind":"request","how":"stream","path":"/api/v1/events","query":{"watch":"true"}',
    '"kind":"opened","status":200',
    ...messages.map((message, index) => `"kind":"line","body":${JSON.stringify(event(message, index))}`),
  ];
  const header = headerLine({
    format: 'kube-sluice recording',
    version: 1,
    startedAt: '2026-11-30T10:00:00Z',
    recordedBy: 'a test',
    server: { major: '1', minor: '36', gitVersion: `v1.36.2${script}` },
    asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
  });
  return `${[header, ...frames.map((frame) => `{"at":${at},"stream":"events","request":1,${frame}}`)].join('\n')}\n`;
}

const messages = [
  script,
  image,
  long,
  'right \u202eto left\u202c',
  'bell \u0007 escape \u001b[31m',
  'half \ud83d of one',
  'two\nlines',
  "'`$(alert(3))",
];

let browser: Browser;
let report: MadeReport;

beforeAll(async () => {
  [browser, report] = await Promise.all([openBrowser(), reportOf(recording(messages))]);
}, 60_000);

afterAll(async () => {
  await browser.close();
  report.remove();
});

it('shows hostile events as text, wherever they stand', async () => {
  const { page, requests, said } = await openPage(browser, report.url);
  expect(await page.title()).toBe('Kubernetes Events: incident.ndjson');
  expect(await page.locator('#events-table tbody [data-column="Message"]').allTextContents()).toEqual(
    [
      script,
      image,
      `${'x'.repeat(1_000)}…`,
      'right ⟨U+202E⟩to left⟨U+202C⟩',
      'bell ␇ escape ␛[31m',
      'half ⟨U+D83D⟩ of one',
      'two\nlines',
      "'`$(alert(3))",
    ].reverse(),
  );
  // What the page says without its script.
  const names = await page.locator('table.ranking tbody th').allTextContents();
  expect(new Set(names)).toEqual(
    new Set([`</script>${script}<!--`, `shop${image}`, `Pod${script} </title></style></script><b>web</b> in a⟨U+202E⟩b`]),
  );
  // All that there is of scripts: the page's own, and its data.
  expect(await page.locator('script').count()).toBe(2);
  expect(await page.locator('img, iframe, object, embed, base, link[rel=stylesheet], [onerror], [onload], [onclick], b').count()).toBe(0);
  expect({ requests, said }).toEqual({ requests: [], said: [] });
});

it('lets nothing run or leave even if markup got in', async () => {
  let arrived = 0;
  const server = createServer((_, response) => void response.end(String(arrived++)));
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { page, said } = await openPage(browser, report.url);
  const markup = `<img src="${address}" onerror="window.owned=1"><style>body{display:none}</style><form action="${address}"><button id="send">`;
  await page.evaluate(`document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(markup)})`);
  await page.evaluate(`document.body.append(Object.assign(document.createElement('script'), { textContent: 'window.owned=2' }))`);
  await page.evaluate(`fetch(${JSON.stringify(address)}).catch(() => undefined)`);
  await page.evaluate(`document.getElementById('send').click()`);
  await expect.poll(() => said.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(5);
  expect(await page.evaluate('[window.owned, getComputedStyle(document.body).display]')).toEqual([undefined, 'block']);
  server.close();
  expect(arrived).toBe(0);
});

it('keeps the report and the summary small and harmless as well', () => {
  expect(readFileSync(report.path).length).toBeLessThan(200_000);
  expect(report.output).not.toMatch(/(?!\n)[\p{Cc}\p{Bidi_Control}]/u);
  expect(report.output).toContain('</script><script>');
});
