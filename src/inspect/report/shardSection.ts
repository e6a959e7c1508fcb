import type { Findings } from '../findings.ts';
import { type Split, skew } from '../shardSplit.ts';
import { countText, shareText } from '../units.ts';
import { eventText } from './eventText.ts';
import { type Html, html } from './html.ts';
import type { Plotter } from './plots.ts';
import { shardPlots } from './shardPlot.ts';

/** How this stream would be divided among shards. */
export function shardSection({ splits, totals, objects }: Findings, plotter: Plotter): Html {
  if (totals.revisions === 0) return html`<p class="empty">No events were read.</p>`;
  const loudest = objects.rows[0];
  const most = Math.max(...splits.map(({ total }) => total));
  return html`
<p>An object's events all belong to one shard, so a busy object makes a busy shard.${
    loudest === undefined
      ? ''
      : html` The loudest one here, ${eventText(loudest.name)}, has ${shareText(loudest.count, totals.revisions)} of all events: no number of shards brings the busiest shard below that.`
  }</p>
<p class="note">Each dot is a shard. 1 is what every shard would have if all had the same. Skew, below, is the busiest shard against that.</p>
<div class="pairs">${shardPlots(splits, plotter)}</div>
${skewTable(splits, totals)}
<details><summary>Every shard of every number of shards</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Events and pods of every shard">${everyShard(splits)}</div></details>
<p class="note">Pods are those that were read, each once${totals.arePodsLimited ? ' (only the first of them; there were too many to tell apart)' : ''}, without those of the system's namespaces, which no shard keeps. From 1 to ${most} shards.</p>`;
}

function skewTable(splits: readonly Split[], { revisions }: Findings['totals']): Html {
  const rows = pairsOf(splits).map(([mod, range]) => {
    const cells = [mod, range].map((split) => {
      const busiest = Math.max(...split.events);
      return html`<td class="number">${shareText(busiest, revisions)}</td><td class="number">${skew(split.events).toFixed(2)}</td><td class="number">${countText(Math.max(...split.pods))}</td>`;
    });
    return html`<tr><th scope="row" class="number">${mod.total}</th>${cells}</tr>`;
  });
  const heads = html`<th scope="col" class="number">Busiest shard</th><th scope="col" class="number">Skew</th><th scope="col" class="number">Most pods</th>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Skew by number of shards"><table>
<caption>By number of shards</caption>
<thead><tr><td></td><th scope="colgroup" colspan="3" class="number"><code>fnv1a32-mod</code></th><th scope="colgroup" colspan="3" class="number"><code>fnv1a64-range</code></th></tr>
<tr><th scope="col" class="number">Shards</th>${heads}${heads}</tr></thead>
<tbody>${rows}</tbody></table></div>`;
}

function everyShard(splits: readonly Split[]): Html {
  const rows = pairsOf(splits).flatMap(([mod, range]) =>
    mod.events.map((count, index) => {
      const counts = [count, mod.pods[index], range.events[index], range.pods[index]];
      return html`<tr><th scope="row">${index} of ${mod.total}</th>${counts.map((each) => html`<td class="number">${countText(each ?? 0)}</td>`)}</tr>`;
    }),
  );
  return html`<table>
<thead><tr><td></td><th scope="colgroup" colspan="2" class="number"><code>fnv1a32-mod</code></th><th scope="colgroup" colspan="2" class="number"><code>fnv1a64-range</code></th></tr>
<tr><th scope="col">Shard</th><th scope="col" class="number">Events</th><th scope="col" class="number">Pods</th><th scope="col" class="number">Events</th><th scope="col" class="number">Pods</th></tr></thead>
<tbody>${rows}</tbody></table>`;
}

/** The same number of shards by both functions. */
function pairsOf(splits: readonly Split[]): readonly (readonly [Split, Split])[] {
  const by = (name: Split['function']): readonly Split[] => splits.filter((split) => split.function === name);
  const ranges = by('fnv1a64-range');
  return by('fnv1a32-mod').flatMap((mod) => {
    const range = ranges.find(({ total }) => total === mod.total);
    return range === undefined ? [] : [[mod, range] as const];
  });
}
