import { eventTable } from './eventTable.ts';
import { livePage } from './livePage.ts';
import { marbleLane } from './marbleLane.ts';
import { plots } from './plots.ts';
import { shardCard } from './shardCard.ts';
import { makerOf, textsOf } from './tools.ts';

/**
 * The page's script: the text of its functions. Each of them sees nothing but what it is given, so they are the same from
 * the sources, from the package and from a bundle that has renamed everything, and there is no file to carry along.
 */
export function liveScript(): string {
  const parts = Object.entries({ makerOf, textsOf, marbleLane, plots, shardCard, eventTable });
  const given = parts.map(([name, part]) => `${name}: ${part.toString()}`).join(',\n');
  return `'use strict';\n(${livePage.toString()})(globalThis, {\n${given}\n});\n`;
}
