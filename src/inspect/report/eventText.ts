import { shownLine } from '../shownText.ts';
import { type Html, html } from './html.ts';

/** A name out of an event, isolated from the text around it; a dash where there is none. */
export function eventText(text: string): Html {
  return text === '' ? html`<span class="empty">none</span>` : html`<bdi>${shownLine(text)}</bdi>`;
}
