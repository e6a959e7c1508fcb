import type { Findings } from '../findings.ts';
import type { Ranked, Ranking } from '../topCounts.ts';
import { countText, shareText } from '../units.ts';
import { eventText } from './eventText.ts';
import { type Html, html } from './html.ts';

/** Who and what the events are about, the most frequent first. */
export function rankings({ reasons, workloads, namespaces, objects, totals }: Findings): Html {
  const { revisions, withWorkload } = totals;
  return html`
<p>Each revision counts. Workloads are found by the pods that were read: ${shareText(withWorkload, revisions)} of the revisions have one. In a bar the thick part in front is warnings, the thin part the rest.</p>
<div class="pairs">
${table('Reasons', 'Reason', reasons, revisions)}
${table('Namespaces', 'Namespace', namespaces, revisions)}
${table('Workloads', 'Workload', workloads, revisions)}
${table('Objects', 'Object', objects, revisions)}
</div>`;
}

function table(caption: string, column: string, { rows, names, complete }: Ranking, whole: number): Html {
  if (rows.length === 0) return html`<div><h3>${caption}</h3><p class="empty">None.</p></div>`;
  const most = rows[0]?.count ?? 1;
  const shown = rows.length < names || !complete ? `the first ${rows.length} of ${complete ? '' : 'more than '}${countText(names)}` : '';
  return html`
<table class="ranking">
<caption>${caption} <small>${shown}</small></caption>
<thead><tr><th scope="col">${column}</th><th scope="col" class="number">Events</th><th scope="col" class="number">Warnings</th><th scope="col">Share</th></tr></thead>
<tbody>${rows.map((row) => rowOf(row, most, whole))}</tbody>
</table>`;
}

function rowOf({ name, count, warnings, missedMax }: Ranked, most: number, whole: number): Html {
  const counted = missedMax === 0 ? countText(count) : `${countText(count)} to ${countText(count + missedMax)}`;
  return html`
<tr><th scope="row">${eventText(name)}</th><td class="number">${counted}</td><td class="number">${countText(warnings)}</td>
<td><svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label="${shareText(count, whole)}"><title>${shareText(count, whole)} of all</title><rect class="warnings" width="${percent(warnings, most)}" height="10"/><rect class="others" x="${percent(warnings, most)}" y="2" width="${percent(count - warnings, most)}" height="6"/></svg></td></tr>`;
}

function percent(part: number, whole: number): string {
  return ((100 * part) / whole).toFixed(2);
}
