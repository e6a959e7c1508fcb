import type { EventRow, EventSample } from '../eventSample.ts';
import { shownLine, shownText } from '../shownText.ts';
import { countText, timeText } from '../units.ts';
import { type Html, html, jsonScript } from './html.ts';

/** The table that the page's script fills and searches, and its rows as data. */
export function eventTable({ rows, rowsMaxEach }: EventSample, revisions: number): Html {
  return html`
<p>The last ${countText(rowsMaxEach)} warnings and the last ${countText(rowsMaxEach)} other events: ${countText(rows.length)} of ${countText(revisions)} revisions, newest first. Long messages are cut.</p>
<noscript><p>The table is filled by a script of this page; everything above does without.</p></noscript>
<form class="find" role="search" id="find">
<label>Search <input id="search" type="search" placeholder="BackOff web-0" autocomplete="off" spellcheck="false"></label>
<label>Type <select id="type"><option value="">All</option><option>Warning</option><option value="Other">Other than Warning</option></select></label>
<p id="found" role="status"></p>
</form>
<div class="scroll" tabindex="0" role="region" aria-label="Events">
<table id="events-table">
<thead><tr><th scope="col">Time (UTC)</th><th scope="col">Type</th><th scope="col">Reason</th><th scope="col">Namespace</th><th scope="col">Object</th><th scope="col">Workload</th><th scope="col">Count</th><th scope="col">Message</th></tr></thead>
<tbody id="event-body"></tbody>
</table>
</div>
<p><button type="button" id="more" hidden>Show more</button></p>
<script type="application/json" id="event-rows">${jsonScript({ rows: rows.map(cellsOf) })}</script>`;
}

function cellsOf({ atMs, type, reason, namespace, object, workload, count, message }: EventRow): readonly (string | number)[] {
  const [typed, caused, placed, about, owned] = [type, reason, namespace, object, workload].map((text) => shownLine(text));
  return [
    atMs === 0 ? 'no time' : timeText(atMs),
    typed ?? '',
    caused ?? '',
    placed ?? '',
    about ?? '',
    owned ?? '',
    count,
    shownText(message),
  ];
}
