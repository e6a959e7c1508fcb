import type { Findings } from '../findings.ts';
import { shownLine } from '../shownText.ts';
import { bytesText, countText, durationText, shareText, timeText } from '../units.ts';
import { eventTable } from './eventTable.ts';
import { type Html, html, raw } from './html.ts';
import { page } from './page.ts';
import { plotter } from './plots.ts';
import { rankings } from './rankings.ts';
import { shardSection } from './shardSection.ts';
import { delaySection, repeatSection, troubleSection } from './streamSections.ts';
import { reportStyle } from './style.ts';
import { timePlots } from './timePlots.ts';

/** What a report is about, in words. */
export interface ReportSubject {
  /** A file's name, or what was read live. */
  readonly name: string;
  /** The server's version as it tells it; empty if it does not. */
  readonly server: string;
  /** Of kube-sluice. */
  readonly version: string;
  /** When the report was made, milliseconds since 1970. */
  readonly madeMs: number;
  readonly hasReceiptTimes: boolean;
  /** Hash of a text as Content-Security-Policy names it: `sha256-...`. */
  readonly hashOf: (text: string) => string;
}

interface Section {
  readonly id: string;
  readonly title: string;
  readonly body: Html;
}

/** What every report begins with, so that one report may take the place of another. */
export const reportOpening = '<!doctype html>\n<!-- kube-sluice inspect -->\n';

/**
 * The report as one HTML document that asks for nothing else. The policy names its own style and script by their hashes
 * and forbids everything else, so that text of an event could do nothing even if it were not escaped.
 */
export async function report(findings: Findings, subject: ReportSubject): Promise<string> {
  const { hashOf, hasReceiptTimes } = subject;
  const script = `(${page.toString()})(document);`;
  const plots = await plotter();
  const { totals, timeline, troubles } = findings;
  const sections: readonly Section[] = [
    { id: 'time', title: 'Over time', body: timeSection(findings, timePlots(timeline, hasReceiptTimes ? troubles.rows : [], plots)) },
    { id: 'most', title: 'Most frequent', body: rankings(findings) },
    { id: 'repeats', title: 'Repeats', body: repeatSection(findings) },
    { id: 'delay', title: 'Delay', body: delaySection(findings, hasReceiptTimes, plots) },
    { id: 'shards', title: 'Shards', body: shardSection(findings, plots) },
    { id: 'troubles', title: 'Relists and gaps', body: troubleSection(findings) },
    { id: 'events', title: 'Events', body: eventTable(findings.sample, totals.revisions) },
  ];
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(script)}'`,
    `style-src '${hashOf(reportStyle)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  return html`${raw(reportOpening)}<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>Kubernetes Events: ${shownLine(subject.name)}</title>
<link rel="icon" href="data:,">
<style>${raw(reportStyle)}</style>
</head>
<body>
<a class="skip" href="#time">Skip to the report</a>
${heading(findings, subject)}
<nav aria-label="Sections"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>
<main>
${sections.map(({ id, title, body }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`)}
</main>
<footer><p>Made by kube-sluice ${subject.version} on ${timeText(subject.madeMs)} UTC. Everything is counted while it is read and in bounded memory; where a bound was met, the section says so. The page asks for nothing from a network.</p></footer>
<script>${raw(script)}</script>
</body>
</html>
`.html;
}

function heading({ totals, delays, troubles }: Findings, { name, server, hasReceiptTimes }: ReportSubject): Html {
  const { revisions, warnings, otherTypes, listed, bytes, pods, firstMs, lastMs } = totals;
  const span = firstMs === undefined || lastMs === undefined ? undefined : lastMs - firstMs;
  const figures: readonly (readonly [string, string, string])[] = [
    ['Revisions', countText(revisions), `${bytesText(bytes)}, ${countText(listed)} from lists`],
    [
      'Warnings',
      shareText(warnings, revisions),
      `${countText(warnings)}${otherTypes === 0 ? '' : `; ${countText(otherTypes)} of odd types`}`,
    ],
    [
      'Time',
      span === undefined ? 'none' : durationText(span),
      span === undefined || span === 0 ? '' : `${rate(revisions, span)} events per second`,
    ],
    [
      'Delay, 99 %',
      hasReceiptTimes && delays.p99Ms !== undefined ? durationText(delays.p99Ms) : 'unknown',
      hasReceiptTimes ? 'from event time to receipt' : 'raw bodies have no times',
    ],
    ['Gaps', countText(troubles.gaps), `relists: ${countText(troubles.relists)}`],
    ['Pods', countText(pods), 'seen, each once'],
  ];
  const between =
    firstMs === undefined || lastMs === undefined
      ? 'No events.'
      : html`Event times from <time>${timeText(firstMs)}</time> to <time>${timeText(lastMs)}</time> UTC.`;
  return html`<header>
<h1><bdi>${shownLine(name)}</bdi></h1>
<p class="lead">Kubernetes Events${server === '' ? '' : html` of a server <bdi>${shownLine(server)}</bdi>`}. ${between}</p>
<dl class="figures">${figures.map(([title, value, more]) => html`<div><dt>${title}</dt><dd>${value}<small>${more}</small></dd></div>`)}</dl>
</header>`;
}

function rate(revisions: number, spanMs: number): string {
  const perSecond = (revisions * 1_000) / spanMs;
  return perSecond < 10 ? perSecond.toPrecision(2) : countText(Math.round(perSecond));
}

function timeSection({ timeline, totals }: Findings, plots: readonly Html[]): Html {
  const outside = timeline.before + timeline.after;
  return html`
<p>By the time that each event carries. A time that cannot be true is replaced by the server's, as in the entries that a sink gets.${
    outside === 0 ? '' : ` ${countText(outside)} events lie so far outside that they are left out of the figures.`
  }${totals.withoutTime === 0 ? '' : ` ${countText(totals.withoutTime)} events carry no time.`}</p>
${timeline.buckets.length === 0 ? html`<p class="empty">No events were read.</p>` : plots}`;
}
