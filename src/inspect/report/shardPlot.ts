import type { PlotOptions } from '@observablehq/plot';
import type { ShardFunction } from '../../model/shard.ts';
import { type Split, skew } from '../shardSplit.ts';
import { type Html, html } from './html.ts';
import type { Canvas, Plotter } from './plots.ts';

interface Share {
  readonly total: number;
  readonly index: number;
  /** Against an even share, which is 1. */
  readonly share: number;
}

/** One figure for each function: every shard of every number of shards, against an even share. */
export function shardPlots(splits: readonly Split[], plotter: Plotter): readonly Html[] {
  const functions: readonly ShardFunction[] = ['fnv1a32-mod', 'fnv1a64-range'];
  const shares = (name: ShardFunction): readonly Share[] =>
    splits.filter((split) => split.function === name).flatMap(({ total, events }) => sharesOf(total, events));
  // One scale for both, so that they can be compared.
  const most = Math.max(2, ...functions.flatMap(shares).map(({ share }) => share));
  return functions.map((name) => {
    const own = splits.filter((split) => split.function === name);
    const worst = own.reduce((a, b) => (skew(b.events) > skew(a.events) ? b : a));
    const label = `${name}: the busiest shard takes at most ${skew(worst.events).toFixed(2)} times an even share, with ${worst.total} shards`;
    return html`<div><h3><code>${name}</code></h3>${plotter.figure({ label, width: 480, draw: (canvas) => drawn(shares(name), most, canvas) })}</div>`;
  });
}

function sharesOf(total: number, events: readonly number[]): readonly Share[] {
  const sum = events.reduce((all, count) => all + count, 0);
  return events.map((count, index) => ({ total, index, share: sum === 0 ? 0 : (count * total) / sum }));
}

function drawn(shares: readonly Share[], most: number, { plot, isNarrow }: Canvas): PlotOptions {
  const totals = [...new Set(shares.map(({ total }) => total))];
  return {
    marginLeft: isNarrow ? 44 : 56,
    marginRight: 16,
    marginTop: 28,
    marginBottom: 48,
    height: isNarrow ? 230 : 260,
    x: { type: 'point', domain: totals, label: 'Number of shards', padding: 0.6 },
    y: { label: 'Events against an even share (times)', domain: [0, most], nice: true, grid: true, ticks: 4 },
    marks: [
      plot.axisX({
        tickSize: 4,
        tickFormat: (total: number) => (total % 2 === 1 && total > 1 ? '' : String(total)),
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 40,
      }),
      plot.ruleY([1], { className: 'even', strokeDasharray: '4 3' }),
      plot.dot(shares, {
        x: 'total',
        y: 'share',
        r: isNarrow ? 2.5 : 3,
        className: 'share',
        title: ({ total, index, share }: Share) => `shard ${index} of ${total}: ${share.toFixed(2)} of an even share`,
      }),
      plot.ruleY([0]),
    ],
  };
}
