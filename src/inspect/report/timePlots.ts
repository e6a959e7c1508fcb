import type { PlotOptions } from '@observablehq/plot';
import { type TimeBucket, type Timeline, widthText } from '../timeBuckets.ts';
import type { Trouble } from '../troubles.ts';
import { countText, timeText } from '../units.ts';
import { type Html, html } from './html.ts';
import type { Canvas, Plotter } from './plots.ts';

const day = 86_400_000;

/** Events over time: one figure for warnings, one for the rest, and one for what readers met, over the same time. */
export function timePlots({ buckets, widthMs }: Timeline, troubles: readonly Trouble[], plotter: Plotter): readonly Html[] {
  const [start, end] = [buckets[0]?.startMs ?? 0, (buckets.at(-1)?.startMs ?? 0) + widthMs];
  const inTime = troubles.filter(({ atMs, what }) => marks.has(what) && atMs >= start && atMs <= end);
  const counts = (what: 'warnings' | 'others', name: string): Html => {
    const total = buckets.reduce((sum, bucket) => sum + bucket[what], 0);
    const label = `${name} per ${widthText(widthMs)} between ${timeText(start)} and ${timeText(end)} UTC: ${countText(total)} in all`;
    return html`<h3>${name} per ${widthText(widthMs)}</h3>${plotter.figure({ label, draw: (canvas) => countPlot(buckets, what, widthMs, canvas) })}`;
  };
  return [
    counts('warnings', 'Warning events'),
    counts('others', 'Other events'),
    ...(inTime.length === 0
      ? []
      : [
          html`<h3>What the readers met meanwhile</h3>${plotter.figure({
            label: `${inTime.length} relists, gaps and broken watches, listed further down`,
            draw: (canvas) => troublePlot(inTime, [start, end], canvas),
          })}`,
        ]),
  ];
}

function countPlot(buckets: readonly TimeBucket[], what: 'warnings' | 'others', widthMs: number, canvas: Canvas): PlotOptions {
  const { plot, isNarrow } = canvas;
  const [start, end] = [buckets[0]?.startMs ?? 0, (buckets.at(-1)?.startMs ?? 0) + widthMs];
  const filled = buckets.filter((bucket) => bucket[what] > 0);
  const most = Math.max(1, ...filled.map((bucket) => bucket[what]));
  return {
    ...frame(isNarrow),
    height: isNarrow ? 190 : 210,
    x: { type: 'utc', domain: [new Date(start), new Date(end)], label: 'Event time (UTC)' },
    y: { label: 'Events', domain: [0, most], nice: true, grid: true, ticks: 4, tickFormat: countTick },
    marks: [
      timeAxis(canvas, start, end),
      plot.rectY(filled, {
        x1: ({ startMs }: TimeBucket) => new Date(startMs),
        x2: ({ startMs }: TimeBucket) => new Date(startMs + widthMs),
        y: (bucket: TimeBucket) => bucket[what],
        className: what,
        insetLeft: buckets.length > 100 ? 0 : 0.5,
        insetRight: buckets.length > 100 ? 0 : 0.5,
        title: (bucket: TimeBucket) => `${timeText(bucket.startMs)}: ${countText(bucket[what])}`,
      }),
      plot.ruleY([0]),
    ],
  };
}

/** What is marked, by a word and a shape of its own. */
const marks: ReadonlyMap<Trouble['what'], { readonly name: string; readonly symbol: 'triangle' | 'square' | 'times' }> = new Map([
  ['relist', { name: 'Relist', symbol: 'triangle' }],
  ['gap', { name: 'Gap', symbol: 'square' }],
  ['watchBroken', { name: 'Broken watch', symbol: 'times' }],
] as const);

function troublePlot(troubles: readonly Trouble[], [start, end]: readonly [number, number], canvas: Canvas): PlotOptions {
  const { plot, isNarrow } = canvas;
  const name = ({ what }: Trouble): string => marks.get(what)?.name ?? '';
  const names = [...marks.values()].map((mark) => mark.name).filter((each) => troubles.some((trouble) => name(trouble) === each));
  const ends = troubles.filter(({ atMs, untilMs }) => untilMs > atMs).map((trouble) => ({ ...trouble, atMs: trouble.untilMs }));
  return {
    ...frame(isNarrow),
    height: 70 + 40 * names.length,
    x: { type: 'utc', domain: [new Date(start), new Date(end)], label: 'Time of receipt (UTC)' },
    y: { type: 'band', domain: names, axis: null },
    symbol: { domain: names, range: [...marks.values()].filter((mark) => names.includes(mark.name)).map((mark) => mark.symbol) },
    marks: [
      timeAxis(canvas, start, end),
      plot.ruleY(names, { y: (each: string) => each, className: 'row', dy: 8 }),
      plot.text(names, { y: (each: string) => each, text: (each: string) => each, frameAnchor: 'left', textAnchor: 'start', dy: -8 }),
      plot.link(troubles, {
        x1: ({ atMs }: Trouble) => new Date(atMs),
        x2: ({ untilMs }: Trouble) => new Date(Math.min(untilMs, end)),
        y1: name,
        y2: name,
        dy: 8,
        className: 'trouble',
      }),
      plot.dot([...troubles, ...ends], {
        x: ({ atMs }: Trouble) => new Date(atMs),
        y: name,
        symbol: name,
        r: 5,
        dy: 8,
        className: 'trouble',
        title: ({ atMs, source, detail }: Trouble) => `${timeText(atMs)} ${source}: ${detail}`,
      }),
    ],
  };
}

function frame(isNarrow: boolean): PlotOptions {
  return { marginLeft: isNarrow ? 44 : 56, marginRight: 16, marginBottom: 48, marginTop: 28 };
}

/** Hours and minutes, and the date wherever a new one begins. */
function timeAxis({ plot, isNarrow }: Canvas, start: number, end: number) {
  let last = '';
  return plot.axisX({
    ticks: isNarrow ? 3 : 8,
    tickSize: 4,
    labelAnchor: 'center',
    labelArrow: 'none',
    labelOffset: 44,
    tickFormat: (time: Date) => {
      const text = time.toISOString();
      const date = text.slice(0, 10);
      if (end - start > 4 * day) return date.slice(5);
      const clock = text.slice(11, end - start < 600_000 ? 19 : 16);
      const isNew = date !== last;
      last = date;
      return isNew ? `${clock}\n${date}` : clock;
    },
  });
}

/** `20k`: short enough for the margin. */
export function countTick(value: number): string {
  if (!Number.isInteger(value)) return '';
  return value < 10_000 ? countText(value) : value < 1e6 ? `${Number((value / 1e3).toFixed(1))}k` : `${Number((value / 1e6).toFixed(1))}M`;
}
