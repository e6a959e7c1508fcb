import type * as PlotLibrary from '@observablehq/plot';
import { type Html, raw } from './html.ts';

type Plot = typeof PlotLibrary;

/** What the drawing of one figure is given. */
export interface Canvas {
  readonly plot: Plot;
  /** Pixels that the figure may take; it is drawn once for each. */
  readonly width: number;
  readonly isNarrow: boolean;
}

/** What every figure sets. */
export interface FigureOptions {
  /** The figure in words, for who does not see it. */
  readonly label: string;
  /** Of the figure on a wide page, in pixels. Default 1000, all of it. */
  readonly width?: number;
  readonly draw: (canvas: Canvas) => PlotLibrary.PlotOptions;
}

export interface Plotter {
  /** The figure as SVG in the text: twice, for a wide page and for a phone, of which the style shows one. */
  figure(options: FigureOptions): Html;
}

const wide = 1_000;
const narrow = 336;

/**
 * Loads the library that draws, and a document for it to draw into. Both are large, so nothing else loads them.
 * The result is text: no script draws in the page, and it looks the same without any.
 */
export async function plotter(): Promise<Plotter> {
  const [plot, { parseHTML }] = await Promise.all([import('@observablehq/plot'), import('linkedom')]);
  const { document } = parseHTML('<!doctype html><html><body></body></html>');
  const drawn = ({ label, draw }: FigureOptions, width: number): string => {
    const isNarrow = width === narrow;
    const options = draw({ plot, width, isNarrow });
    const svg = plot.plot({ ...options, document, width, style: {}, className: 'plot' } as PlotLibrary.PlotOptions) as unknown as Element;
    // The library's style would need a permission of its own in the page; the page has a style already.
    for (const style of svg.querySelectorAll('style')) style.remove();
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', label);
    svg.setAttribute('class', `plot ${isNarrow ? 'narrow' : 'wide'}`);
    svg.removeAttribute('font-size');
    svg.removeAttribute('font-family');
    return svg.outerHTML;
  };
  return { figure: (options) => raw(drawn(options, options.width ?? wide) + drawn(options, narrow)) };
}

/** The little of an SVG element that is used here. */
interface Element {
  readonly outerHTML: string;
  querySelectorAll(selector: string): Iterable<{ remove(): void }>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
}
