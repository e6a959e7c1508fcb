import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Where Debian's package puts it. No test downloads a browser. */
const executablePath = '/usr/bin/chromium';

export interface PageSettings {
  readonly colorScheme?: 'light' | 'dark';
  readonly reducedMotion?: 'reduce';
  /** Of the window, in pixels. Default 1200. */
  readonly width?: number;
  /** Default true. */
  readonly javaScriptEnabled?: boolean;
}

/** A page that is watched: whatever it asks for, says or lets happen is written down. */
export interface WatchedPage {
  readonly page: Page;
  /** Addresses asked for after the page itself. */
  readonly requests: readonly string[];
  /** Errors, dialogs and everything on the console, refusals of the page's own policy among them. */
  readonly said: readonly string[];
}

/** Starts Chromium; a test that runs as root has to do without its sandbox. Close it at the end. */
export function openBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
}

/** Opens an address in a window of its own. */
export async function openPage(browser: Browser, url: string, settings: PageSettings = {}): Promise<WatchedPage> {
  const { width = 1_200, ...options } = settings;
  const context = await browser.newContext({ viewport: { width, height: 900 }, ...options } satisfies BrowserContextOptions);
  const page = await context.newPage();
  const requests: string[] = [];
  const said: string[] = [];
  page.on('request', (request) => void (request.url() === url || requests.push(request.url())));
  page.on('console', (message) => void said.push(message.text()));
  page.on('pageerror', (error) => void said.push(error.message));
  page.on('dialog', (dialog) => {
    said.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, said };
}
