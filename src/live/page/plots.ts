import type { Point } from '../news.ts';
import type { Make, PageElement, Texts } from './browser.ts';

/** Four small plots of the last minutes. */
export interface Plots {
  readonly element: PageElement;
  show(points: readonly Point[], untilMs: number, spanMs: number): void;
}

/** Draws each figure as lines over time, with its greatest value and the last in words. */
export function plots(make: Make, texts: Texts): Plots {
  const [width, height] = [300, 64];
  const seconds = (value: number): string => texts.duration(value * 1_000);
  // Columns of a point; the second line is dashed, so that no colour is needed.
  const figures = [
    { title: 'Events per second', names: ['read', 'stored'], columns: [1, 2], text: texts.rate, least: 1 },
    { title: 'In flight', names: ['in flight'], columns: [3], text: texts.count, least: 10 },
    { title: 'Checkpoint lag', names: ['lag'], columns: [4], text: seconds, least: 1 },
    { title: 'Memory of the process', names: ['resident'], columns: [5], text: texts.megabytes, least: 1 },
  ].map((figure) => {
    const lines = figure.names.map((_, at) => make.svg('path', { class: `line line-${at}`, fill: 'none' }));
    const drawing = make.svg('svg', { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: 'none', role: 'img' }, ...lines);
    const most = make('span', 'most', '');
    const last = make('span', 'last', '');
    const times = make('span', 'times', '');
    const element = make('figure', '', make('figcaption', '', make('b', '', figure.title), last), most, drawing, times);
    return { ...figure, lines, drawing, most, last, times, element };
  });

  return {
    element: make('div', 'plots', ...figures.map(({ element }) => element)),
    show(points, untilMs, spanMs) {
      const first = points[0]?.[0] ?? untilMs;
      // A process that is young fills the width with what there is.
      const fromMs = Math.max(untilMs - spanMs, Math.min(first, untilMs - 30_000));
      const ago = texts.duration(untilMs - fromMs);
      for (const { names, columns, text, least, lines, drawing, most, last, times, title } of figures) {
        const greatest = Math.max(least, ...points.flatMap((point) => columns.map((column) => point[column] ?? 0)));
        const x = (atMs: number): string => ((width * (atMs - fromMs)) / (untilMs - fromMs)).toFixed(1);
        const y = (value: number): string => (height - 2 - ((height - 4) * value) / greatest).toFixed(1);
        lines.forEach((line, at) => {
          const column = columns[at] ?? 0;
          line.setAttribute(
            'd',
            points.map((point, index) => `${index === 0 ? 'M' : 'L'}${x(point[0])} ${y(point[column] ?? 0)}`).join(''),
          );
        });
        const now = columns
          .map((column, at) => `${columns.length > 1 ? `${names[at]} ` : ''}${text(points.at(-1)?.[column] ?? 0)}`)
          .join(', ');
        most.textContent = text(greatest);
        last.textContent = now;
        times.textContent = `${ago} ago to now`;
        drawing.setAttribute('aria-label', `${title}: ${now} now, at most ${text(greatest)} in ${ago}`);
      }
    },
  };
}
