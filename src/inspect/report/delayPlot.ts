import type { PlotOptions } from '@observablehq/plot';
import type { DelayBucket, Delays } from '../delays.ts';
import { countText, durationText } from '../units.ts';
import type { Html } from './html.ts';
import type { Canvas, Plotter } from './plots.ts';
import { countTick } from './timePlots.ts';

const ticksMs = [1, 10, 100, 1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000, 864_000_000];
/** Where a scale by powers begins instead of 0. */
const leastMs = 0.5;

/** How many events took how long from what they tell about to their receipt. */
export function delayPlot(delays: Delays, plotter: Plotter): Html {
  const { measured, p50Ms = 0, p99Ms = 0 } = delays;
  return plotter.figure({
    label: `Delays of ${countText(measured)} events: half of them up to ${durationText(p50Ms)}, 99 % up to ${durationText(p99Ms)}`,
    draw: (canvas) => drawn(delays, canvas),
  });
}

function drawn({ buckets, p50Ms = 0, p99Ms = 0 }: Delays, { plot, isNarrow }: Canvas): PlotOptions {
  const start = Math.max(leastMs, Math.min(buckets[0]?.fromMs ?? leastMs, 100));
  const end = Math.max(buckets.at(-1)?.toMs ?? 1, 1_000);
  const lines = [
    { at: p50Ms, name: '50 %' },
    { at: p99Ms, name: '99 %' },
  ];
  return {
    marginLeft: isNarrow ? 44 : 56,
    marginRight: 24,
    marginTop: 40,
    marginBottom: 48,
    height: isNarrow ? 210 : 240,
    x: { type: 'log', domain: [start, end], label: 'Delay from event time to receipt (powers of ten)' },
    y: {
      label: 'Events',
      domain: [0, Math.max(1, ...buckets.map(({ count }) => count))],
      nice: true,
      grid: true,
      ticks: 4,
      tickFormat: countTick,
    },
    marks: [
      plot.axisX({
        ticks: ticksMs.filter((ms, index) => ms >= start && ms <= end && (!isNarrow || index % 2 === 1)),
        tickFormat: durationText,
        tickSize: 4,
        labelAnchor: 'center',
        labelArrow: 'none',
        labelOffset: 40,
      }),
      plot.rectY(
        buckets.filter(({ count }) => count > 0),
        {
          x1: ({ fromMs }: DelayBucket) => Math.max(fromMs, start),
          x2: 'toMs',
          y: 'count',
          className: 'others',
          inset: 0.5,
          title: ({ fromMs, toMs, count }: DelayBucket) => `${durationText(fromMs)} to ${durationText(toMs)}: ${countText(count)}`,
        },
      ),
      plot.ruleX(lines, {
        x: ({ at }: { at: number }) => Math.max(at, start),
        className: 'quantile',
        strokeDasharray: '4 3',
        insetTop: -4,
      }),
      plot.text(lines, {
        x: ({ at }: { at: number }) => Math.max(at, start),
        text: 'name',
        frameAnchor: 'top',
        dy: -14,
        className: 'quantileName',
      }),
      plot.ruleY([0]),
    ],
  };
}
