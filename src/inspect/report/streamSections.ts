import type { Findings } from '../findings.ts';
import type { Trouble } from '../troubles.ts';
import { countText, durationText, shareText, timeText } from '../units.ts';
import { delayPlot } from './delayPlot.ts';
import { eventText } from './eventText.ts';
import { type Html, html } from './html.ts';
import type { Plotter } from './plots.ts';

/** Events that were written again, and how much of it no revision tells. */
export function repeatSection({ repeats, totals }: Findings): Html {
  const { rewrites, countMax, jumps, skipped, greatest, limited } = repeats;
  const rows = greatest.map(
    ({ atMs, reason, object, from, to }) =>
      html`<tr><th scope="row">${eventText(object)}</th><td>${eventText(reason)}</td><td class="number">${countText(from)} to ${countText(to)}</td><td class="number">${timeText(atMs)}</td></tr>`,
  );
  const counted =
    jumps === 0
      ? 'No count grew by more than one between two revisions that were read.'
      : `Counts grew by more than one between two revisions ${countText(jumps)} times, which leaves ${countText(skipped)} repetitions without a revision of their own. Clients count in memory and write at a limited rate, so that is usual for noisy Events; next to a gap or a relist it may be what was missed.`;
  const bound = limited ? ' There were more Events at once than could be remembered, so some jumps are not counted.' : '';
  return html`
<p>${shareText(rewrites, totals.revisions)} of the revisions write an Event again; the highest count is ${countText(countMax)}. ${counted}${bound}</p>
${
  rows.length === 0
    ? ''
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Count jumps"><table>
<caption>Greatest jumps</caption>
<thead><tr><th scope="col">Object</th><th scope="col">Reason</th><th scope="col" class="number">Count</th><th scope="col" class="number">Event time (UTC)</th></tr></thead>
<tbody>${rows}</tbody></table></div>`
}`;
}

/** How long events took to arrive. */
export function delaySection({ delays, totals }: Findings, hasReceiptTimes: boolean, plotter: Plotter): Html {
  if (!hasReceiptTimes)
    return html`<p class="empty">Raw bodies of watches do not say when a line came, so there is nothing to compare.</p>`;
  const { measured, ahead, p50Ms = 0, p90Ms = 0, p99Ms = 0, maxMs = 0 } = delays;
  if (measured === 0) return html`<p class="empty">No event came by watch, so there is nothing to compare.</p>`;
  return html`
<p>Half of the ${countText(measured)} events that came by watch were here ${durationText(p50Ms)} after the time they tell, 90 % after ${durationText(p90Ms)}, 99 % after ${durationText(p99Ms)}, the last after ${durationText(maxMs)}. Figures are right to a fifth. Many components write whole seconds, so up to a second of it may be rounding.${
    ahead === 0 ? '' : ` ${countText(ahead)} events (${shareText(ahead, totals.revisions)}) tell a time after their receipt: clocks differ.`
  }</p>
${delayPlot(delays, plotter)}`;
}

const words: Readonly<Record<Trouble['what'], string>> = {
  relist: 'Relist',
  gap: 'Gap',
  listFailed: 'List failed',
  watchBroken: 'Broken watch',
  lineSkipped: 'Line skipped',
  undecodable: 'Event not readable',
  restored: 'Store restored',
  podsLate: 'Pods late',
};

/** What the readers met: relists, gaps, broken watches. */
export function troubleSection({ troubles, totals }: Findings): Html {
  const { relists, gaps, watches, broken, listsFailed, skipped, rows, more } = troubles;
  const counted: readonly (readonly [string, number])[] = [
    ['Relists', relists],
    ['Gaps declared', gaps],
    ['Watches opened', watches],
    ['Watches broken', broken],
    ['Lists failed', listsFailed],
    ['Lines or events not readable', skipped],
    ['Told again by lists, left out', totals.repeated],
  ];
  return html`
<div class="scroll" tabindex="0" role="region" aria-label="What the readers met, counted"><table class="counted">
<tbody>${counted.map(([name, count]) => html`<tr><th scope="row">${name}</th><td class="number">${countText(count)}</td></tr>`)}</tbody></table></div>
${
  rows.length === 0
    ? html`<p class="empty">Nothing went wrong: one list of each kind, and watches from there on.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Relists, gaps and broken watches"><table class="plain">
<caption>In their order${more === 0 ? '' : html` <small>the first ${countText(rows.length)} of ${countText(rows.length + more)}</small>`}</caption>
<thead><tr><th scope="col">Received (UTC)</th><th scope="col">What</th><th scope="col">Reader</th><th scope="col">More</th></tr></thead>
<tbody>${rows.map(rowOf)}</tbody></table></div>`
}`;
}

function rowOf({ atMs, untilMs, times, source, what, detail }: Trouble): Html {
  const often = times === 1 ? '' : `${countText(times)} times until ${timeText(untilMs)}: `;
  return html`<tr><td>${timeText(atMs)}</td><th scope="row">${words[what]}</th><td>${source}</td><td>${often}${detail}</td></tr>`;
}
