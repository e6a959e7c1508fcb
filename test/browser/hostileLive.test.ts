import { Writable } from 'node:stream';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openBrowser, openPage } from './browser.ts';
import { type LiveCluster, liveCluster } from './livePages.ts';

const script = '<script>alert(1);document.title="owned"</script>';
const image = '"><img src="http://127.0.0.1:9/x" onerror="alert(2)">';

/** A browser on a busy machine. */
const slow = { timeout: 30_000 };

let browser: Browser;
let cluster: LiveCluster;

beforeAll(async () => {
  browser = await openBrowser();
}, 60_000);

beforeEach(async () => {
  cluster = await liveCluster();
});

afterEach(() => cluster.close());

afterAll(() => browser.close());

function write(name: string, fields: Readonly<Record<string, unknown>>): void {
  cluster.server.create('Event', {
    metadata: { name, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: `web-${name}`, uid: `uid-${name}` },
    type: 'Normal',
    reason: 'Pulled',
    message: 'an image',
    lastTimestamp: '2026-11-30T10:00:00Z',
    ...fields,
  });
}

it('shows hostile events as text, and asks for nothing but its own stream', async () => {
  const url = await cluster.run(['--ui=127.0.0.1:0', '--owner-wait=10ms']);
  const { page, requests, said } = await openPage(browser, url);
  write('a', { message: script, reason: image, type: script });
  write('b', { message: 'right \u202eto left', reason: 'bell \u0007', type: 'Warning' });
  write('c', { message: 'x'.repeat(300_000), involvedObject: { kind: `Pod${script}`, namespace: 'shop', name: image, uid: 'u' } });
  const rows = page.locator('#event-body tr');
  await expect.poll(() => rows.count(), slow).toBe(3);
  await expect.poll(() => rows.locator('[data-column="Where"]').allTextContents(), slow).toEqual(Array(3).fill('✓ stored'));
  const column = (name: string): Promise<string[]> => rows.locator(`[data-column="${name}"] bdi`).allTextContents();
  expect(await column('Message')).toEqual([`${'x'.repeat(400)}…`, 'right ⟨U+202E⟩to left', script]);
  expect(await column('Reason')).toEqual(['Pulled', 'bell ␇', image]);
  expect((await column('Object'))[0]).toBe(`Pod${script} ${image}`);
  expect(await page.title()).not.toContain('owned');
  expect(await page.locator('script').count()).toBe(1);
  expect(await page.locator('img, iframe, object, embed, base, [onerror], [onload], [onclick]').count()).toBe(0);
  // Its own files, the stream, and nothing else.
  expect(new Set(requests)).toEqual(
    new Set(['page.css', 'page.js', 'icon.svg', 'news'].map((path) => `${url}${path}`).filter((each) => requests.includes(each))),
  );
  expect(requests).toContain(`${url}news`);
  expect(said).toEqual([]);
});

it('lets no markup be made of text even if the page tried', async () => {
  const url = await cluster.run(['--ui=127.0.0.1:0']);
  const { page } = await openPage(browser, url);
  const tried = `try { document.body.insertAdjacentHTML('beforeend', '<b id="owned"></b>'); 'made' } catch (error) { error.name }`;
  expect(await page.evaluate(tried)).toBe('TypeError');
  expect(await page.locator('#owned').count()).toBe(0);
});

it('says that it is paused, and where events wait, when nobody reads what the sink writes', async () => {
  const stdout = new Writable({ highWaterMark: 1, write: () => undefined }); // Never done.
  const url = await cluster.run(['--ui=127.0.0.1:0', '--max-in-flight=10', '--enable-pod-owner-label=false'], { stdout });
  const { page, said } = await openPage(browser, url);
  await expect.poll(() => page.locator('.state').textContent(), slow).toContain('watching');
  for (let at = 0; at < 30; at++) write(`e${at}`, {});
  await expect.poll(() => page.locator('.state').textContent(), slow).toContain('paused');
  expect(await page.locator('.doing').textContent()).toMatch(/the sink is behind: \d+ are unacknowledged/);
  const numbers = await page.locator('.stations li').allTextContents();
  expect(numbers.join(' | ')).toMatch(/Queue[1-9]\d*waits? \| Sink[1-9]\d*being stored/);
  // Read out to those who do not see it.
  await expect.poll(() => page.locator('#spoken').textContent(), slow).toContain('is paused');
  expect(said).toEqual([]);
});

it('says whom it waits for while another process holds the lease', async () => {
  const leases = ['--checkpoint=lease', '--lease-namespace=exporters'];
  await cluster.run(leases, { hostname: 'first' });
  await expect.poll(() => cluster.server.openStreams('events'), slow).toBe(1);
  const url = await cluster.run([...leases, '--ui=127.0.0.1:0'], { hostname: 'second' });
  const { page } = await openPage(browser, url);
  await expect.poll(() => page.locator('.state').textContent(), slow).toContain('waiting');
  expect(await page.locator('.doing').textContent()).toMatch(/first-\S+ holds kube-sluice-0-of-1; this one reads nothing until it ends/);
});

it('lets marbles stand at their station where reduced motion is asked for', async () => {
  const stdout = new Writable({ highWaterMark: 1, write: () => undefined });
  const url = await cluster.run(['--ui=127.0.0.1:0', '--enable-pod-owner-label=false'], { stdout });
  const { page } = await openPage(browser, url, { reducedMotion: 'reduce' });
  await expect.poll(() => page.locator('.state').textContent(), slow).toContain('watching');
  write('a', { type: 'Warning' });
  await expect.poll(() => page.locator('.track .marble.warning').count(), slow).toBe(1);
  const moving = `getComputedStyle(document.querySelector('.track .marble')).transitionDuration`;
  expect(await page.evaluate(moving)).toMatch(/^0s/);
});
