import { liveMarkup } from './liveMarkup.ts';
import { liveScript } from './liveScript.ts';
import { liveStyle } from './liveStyle.ts';

/** Something that is served as it is. */
export interface LiveFile {
  readonly type: string;
  readonly body: string;
}

/** All that the page consists of, by path. */
export function liveFiles(): ReadonlyMap<string, LiveFile> {
  return new Map([
    ['/', { type: 'text/html; charset=utf-8', body: liveMarkup }],
    ['/page.js', { type: 'text/javascript; charset=utf-8', body: liveScript() }],
    ['/page.css', { type: 'text/css; charset=utf-8', body: liveStyle }],
    ['/icon.svg', { type: 'image/svg+xml', body: icon }],
  ]);
}

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><path d="M1 8h14" stroke="#57606a" stroke-width="2"/><circle cx="5" cy="8" r="3.5" fill="#33689e"/><circle cx="12" cy="8" r="2.5" fill="#b7410e"/></svg>`;
