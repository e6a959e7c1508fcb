/** The whole style of a report. Colour never stands alone: there is always a word, a shape or a place that says the same. */
export const reportStyle = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --panel: #ffffff; --ink: #1d2125; --soft: #57606a; --line: #d9dce0; --faint: #eff1f3;
  --warning: #b7410e; --others: #33689e; --link: #1f5c99; --mark: #fff3c4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --panel: #1b1f23; --ink: #e8eaed; --soft: #a2abb5; --line: #363c43; --faint: #23282d;
    --warning: #f2935c; --others: #7fb2e5; --link: #8fc0f0; --mark: #4d4216;
  }
}
* { box-sizing: border-box; }
html { scroll-behavior: smooth; scroll-padding-top: 4rem; -webkit-text-size-adjust: 100%; }
@media (prefers-reduced-motion: reduce) { html { scroll-behavior: auto; } }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 1rem/1.6 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "Noto Sans", sans-serif;
}
main, header, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.5rem; }
header { padding-top: 3rem; }
h1 { font-size: clamp(1.7rem, 4.5vw, 2.5rem); line-height: 1.15; letter-spacing: -0.02em; margin: 0 0 0.5rem; overflow-wrap: anywhere; }
h2 { font-size: 1.55rem; line-height: 1.25; letter-spacing: -0.01em; margin: 4rem 0 0.5rem; }
h3 { font-size: 1rem; font-weight: 600; line-height: 1.4; margin: 2rem 0 0.5rem; }
time { white-space: nowrap; }
p { margin: 0 0 1rem; max-width: 44rem; }
.lead, .note { color: var(--soft); }
.note { font-size: 0.9rem; }
a { color: var(--link); }
code { font: 0.92em ui-monospace, "Liberation Mono", monospace; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--panel); padding: 0.5rem 1rem; z-index: 2; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
nav { position: sticky; top: 0; z-index: 1; background: var(--paper); border-bottom: 1px solid var(--line); }
nav ul {
  display: flex; gap: 0.25rem 1.4rem; overflow-x: auto; max-width: 70rem; margin: 0 auto; padding: 0.7rem 1.5rem;
  list-style: none; font-size: 0.93rem; white-space: nowrap;
}
nav a { text-decoration: none; }
nav a:hover { text-decoration: underline; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); gap: 1.5rem; margin: 2rem 0; padding: 0; }
.figures div { border-top: 2px solid var(--ink); padding-top: 0.6rem; }
.figures dt { color: var(--soft); font-size: 0.9rem; }
.figures dd { margin: 0; font-size: 1.7rem; font-weight: 600; line-height: 1.25; letter-spacing: -0.01em; font-variant-numeric: tabular-nums; }
.figures dd small { display: block; font-size: 0.86rem; font-weight: 400; letter-spacing: 0; color: var(--soft); }
svg.plot { display: block; width: 100%; height: auto; overflow: visible; font: 12.5px system-ui, "Liberation Sans", sans-serif; }
svg.plot text, svg.plot tspan { white-space: pre; }
svg.narrow { display: none; }
.warnings rect, .bar .warnings { fill: var(--warning); }
.others rect, .bar .others { fill: var(--others); }
.row line { stroke: var(--line); }
.trouble path { stroke: var(--ink); stroke-width: 1.8; fill: none; }
.share circle { fill: var(--others); fill-opacity: 0.35; stroke: var(--others); stroke-width: 1.2; }
.even line, .quantile line { stroke: var(--ink); stroke-opacity: 0.7; }
.quantileName { font-weight: 600; }
.pairs { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1rem 3rem; align-items: start; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 0.93rem; }
caption { text-align: left; font-weight: 600; font-size: 1.05rem; padding: 1.5rem 0 0.4rem; }
caption small { font-weight: 400; color: var(--soft); font-size: 0.86rem; }
th, td { padding: 0.42rem 1rem 0.42rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
th:last-child, td:last-child { padding-right: 0; }
thead th { color: var(--soft); font-weight: 500; font-size: 0.86rem; }
tbody th { font-weight: 400; overflow-wrap: anywhere; }
.plain th, .plain td:not(:last-child) { white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.counted { max-width: 26rem; }
.ranking td:last-child { width: 24%; vertical-align: middle; }
.bar { display: block; width: 100%; height: 0.7rem; }
.empty { color: var(--soft); padding: 1rem 0; }
details { margin: 1rem 0; }
summary { cursor: pointer; color: var(--link); padding: 0.25rem 0; }
.find { display: flex; flex-wrap: wrap; gap: 0.75rem 1rem; align-items: end; margin: 1rem 0; }
.find label { display: grid; gap: 0.25rem; font-size: 0.9rem; color: var(--soft); }
.find label:first-child { flex: 1 1 16rem; }
input, select, button {
  font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--soft); border-radius: 6px;
  padding: 0.5rem 0.8rem; min-height: 2.75rem;
}
button { cursor: pointer; }
#found { min-height: 1.6em; margin: 0; }
#events-table { font-size: 0.88rem; table-layout: fixed; min-width: 58rem; }
#events-table td, #events-table tbody th { overflow-wrap: anywhere; }
#events-table thead th:nth-child(1) { width: 6.8rem; }
#events-table thead th:nth-child(2) { width: 5.4rem; }
#events-table thead th:nth-child(3), #events-table thead th:nth-child(5) { width: 9.6rem; }
#events-table thead th:nth-child(4) { width: 7rem; }
#events-table thead th:nth-child(6) { width: 8.6rem; }
#events-table thead th:nth-child(7) { width: 4rem; }
#events-table [data-column="Time (UTC)"] { font-variant-numeric: tabular-nums; }
#events-table [data-column="Message"] { white-space: pre-line; }
#events-table [data-column="Count"], #events-table th:nth-child(7) { text-align: right; font-variant-numeric: tabular-nums; }
#events-table tr.warning [data-column="Type"] bdi { color: var(--warning); font-weight: 600; }
bdi { unicode-bidi: isolate; }
footer { color: var(--soft); font-size: 0.9rem; margin-top: 5rem; padding-bottom: 4rem; }
@media (max-width: 44rem) {
  main, header, footer, nav ul { padding-left: 0.75rem; padding-right: 0.75rem; }
  header { padding-top: 1.75rem; }
  h2 { margin-top: 3rem; }
  .pairs { grid-template-columns: minmax(0, 1fr); }
  .figures { grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 1.25rem; }
  .figures dd { font-size: 1.4rem; }
  svg.wide { display: none; }
  svg.narrow { display: block; }
  th, td { padding-right: 0.6rem; }
  .ranking :is(td, th):last-child { display: none; }
  #events-table { min-width: 0; }
  #events-table thead { position: absolute; left: -100rem; }
  #events-table, #events-table tbody, #events-table tr, #events-table td, #events-table tbody th { display: block; }
  #events-table tr { padding: 0.75rem 0; border-bottom: 1px solid var(--line); }
  #events-table td, #events-table tbody th { border: 0; padding: 0.1rem 0; width: auto; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); }
  #events-table tbody :is(td, th):has(bdi:empty) { display: none; }
  #events-table td::before, #events-table tbody th::before { content: attr(data-column); color: var(--soft); }
  #events-table [data-column="Count"] { text-align: left; }
}
@media print { nav, .find, #more { display: none; } }
`;
