/** The whole style of the live page. Colour never stands alone: there is always a letter, a shape or a word that says the same. */
export const liveStyle = `
:root {
  color-scheme: light dark;
  --paper: #fcfcfa; --panel: #ffffff; --ink: #1d2125; --soft: #57606a; --line: #d9dce0; --faint: #eff1f3;
  --warning: #b7410e; --normal: #33689e; --other: #5f6b33; --trouble: #a40e26; --link: #1f5c99; --on: #ffffff;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14171a; --panel: #1b1f23; --ink: #e8eaed; --soft: #a2abb5; --line: #363c43; --faint: #23282d;
    --warning: #f2935c; --normal: #7fb2e5; --other: #b9c77f; --trouble: #ff8e9b; --link: #8fc0f0; --on: #14171a;
  }
}
* { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 4.5rem; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", "Liberation Sans", "Noto Sans", sans-serif; }
main, .top { max-width: 84rem; margin: 0 auto; padding: 0 1.5rem; }
h1 { font-size: 1.35rem; letter-spacing: -0.01em; margin: 0; }
h2 { font-size: 1.25rem; letter-spacing: -0.01em; margin: 0; }
h3 { font-size: 0.9rem; color: var(--soft); font-weight: 600; margin: 0 0 0.4rem; }
p { margin: 0; }
.top { position: sticky; top: 0; z-index: 5; background: var(--paper); display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 1.5rem; padding-top: 0.7rem; padding-bottom: 0.7rem; border-bottom: 1px solid var(--line); }
#memory { color: var(--soft); font-size: 0.9rem; margin-left: auto; }
#connection { font-variant-numeric: tabular-nums; font-size: 0.95rem; }
#connection.lost { color: var(--trouble); font-weight: 600; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; top: 0.5rem; background: var(--panel); padding: 0.5rem 1rem; z-index: 9; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.shard { margin: 1.5rem 0; padding: 1.1rem 1.25rem 1.25rem; background: var(--panel); border: 1px solid var(--line); border-radius: 10px; }
.shard > header { display: flex; flex-wrap: wrap; align-items: center; gap: 0.3rem 0.9rem; }
.peers { display: inline-flex; gap: 3px; }
.peers i { width: 11px; height: 11px; border: 1.5px solid var(--soft); border-radius: 2px; }
.peers i.own { background: var(--ink); border-color: var(--ink); }
.doing { flex: 1 1 20rem; }
.state { display: inline-block; padding: 0.05rem 0.6rem; margin-right: 0.6rem; border: 1.5px solid currentColor; border-radius: 99px; font-size: 0.92rem; }
.shard[data-state="paused"] .state, .shard[data-state="backing-off"] .state { color: var(--warning); }
.shard[data-state="stopped"] .state, .shard[data-state="waiting"] .state, .shard[data-state="starting"] .state { color: var(--soft); }
.why { overflow-wrap: anywhere; }
.since { color: var(--soft); font-variant-numeric: tabular-nums; }
.stale { filter: grayscale(1); }
.stale .shard { border-style: dashed; border-color: var(--soft); }
.alert { margin: 0.7rem 0 0; padding: 0.5rem 0.8rem; border-left: 4px solid var(--trouble); background: var(--faint); overflow-wrap: anywhere; }
.lane { margin: 1rem 0 0.9rem; }
.stations { display: grid; grid-template-columns: repeat(6, minmax(0, 1fr)); margin: 0; padding: 0; list-style: none; }
.stations li { padding: 0 0.3rem 0.4rem; text-align: right; border-right: 2px solid var(--line); display: grid; align-content: end; }
.station { font-size: 0.86rem; font-weight: 600; }
.number { font-size: 1.25rem; font-variant-numeric: tabular-nums; letter-spacing: -0.01em; line-height: 1.2; }
.unit { font-size: 0.78rem; color: var(--soft); line-height: 1.2; }
.track { position: relative; height: 124px; overflow: hidden; border-radius: 0 0 8px 8px; background: repeating-linear-gradient(90deg, var(--faint) 0 calc(100% / 6 - 2px), var(--line) calc(100% / 6 - 2px) calc(100% / 6)); }
.marble { display: inline-grid; place-items: center; width: 18px; height: 18px; vertical-align: middle; border-radius: 50%; font: 700 11px/1 system-ui, "Liberation Sans", sans-serif; color: var(--on); background: var(--soft); border: 1.5px solid transparent; }
.track .marble { position: absolute; left: 0; top: 0; transition: transform 1.3s cubic-bezier(0.35, 0, 0.3, 1), opacity 0.4s; }
.marble.normal { background: var(--normal); }
.marble.warning { background: var(--warning); border-radius: 3px; rotate: 45deg; scale: 0.82; }
.marble.warning span { rotate: -45deg; }
.marble.other { background: var(--other); border-radius: 5px; }
.marble.gap { background: var(--ink); border-radius: 0; }
.marble.refused { background: var(--panel); color: var(--trouble); border-color: var(--trouble); border-radius: 0; font-size: 15px; }
.marble.faller { background: transparent; border-color: var(--soft); color: var(--soft); }
.marble.again { border: 1.5px dashed var(--ink); }
.track .marble.warning { rotate: none; scale: none; background: none; isolation: isolate; }
.track .marble.warning::before { content: ""; position: absolute; inset: 1px; z-index: -1; background: var(--warning); border-radius: 3px; transform: rotate(45deg) scale(0.9); }
.track .marble.warning span { rotate: none; }
.track .marble.gone { opacity: 0; }
.track .marble.falls { translate: 0 130px; transition: transform 0.7s linear, translate 0.5s 0.7s ease-in; }
@media (prefers-reduced-motion: reduce) { .track .marble { transition: none; } }
.sides { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 1rem 2rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(11rem, 1fr)); gap: 0.8rem 1.2rem; margin: 0; }
.facts dt { color: var(--soft); font-size: 0.84rem; }
.facts dd { margin: 0; font-weight: 600; font-size: 1.05rem; line-height: 1.3; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.facts small { display: block; font-weight: 400; font-size: 0.82rem; color: var(--soft); }
.readers { margin: 0.9rem 0 0; padding: 0; list-style: none; font-size: 0.9rem; overflow-wrap: anywhere; }
.happenings { margin: 0; padding: 0; list-style: none; font-size: 0.87rem; }
.happenings li { padding: 0.12rem 0 0.12rem 5rem; text-indent: -5rem; overflow-wrap: anywhere; }
.happenings time { display: inline-block; width: 5rem; text-indent: 0; color: var(--soft); font-variant-numeric: tabular-nums; }
.happenings .warning b { color: var(--warning); }
.happenings .trouble b { color: var(--trouble); }
.plots { display: grid; grid-template-columns: repeat(4, minmax(0, 1fr)); gap: 1rem 1.5rem; margin-top: 1.1rem; }
figure { margin: 0; position: relative; font-size: 0.82rem; }
figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 0.6rem; min-height: 1.3rem; }
figure svg { display: block; width: 100%; height: 64px; border-bottom: 1px solid var(--soft); border-top: 1px dotted var(--line); }
.last { font-variant-numeric: tabular-nums; }
.most { color: var(--soft); display: block; line-height: 1.2; }
.times { color: var(--soft); }
.line { stroke: var(--normal); stroke-width: 2; vector-effect: non-scaling-stroke; stroke-linejoin: round; }
.line-1 { stroke: var(--warning); stroke-dasharray: 5 3; }
.events { margin: 2rem 0 4rem; }
.legend { margin: 0.4rem 0; color: var(--soft); font-size: 0.88rem; max-width: 60rem; }
.legend .marble { margin: -3px 0.1rem 0 0.6rem; }
.legend .marble:first-child { margin-left: 0; }
.find { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; margin: 0.9rem 0; }
.find label { display: grid; gap: 0.2rem; font-size: 0.86rem; color: var(--soft); }
.find label:first-child { flex: 1 1 14rem; }
#found { align-self: center; font-variant-numeric: tabular-nums; }
input, select, button { font: inherit; color: var(--ink); background: var(--panel); border: 1px solid var(--soft); border-radius: 6px; padding: 0.4rem 0.7rem; min-height: 2.5rem; }
button { cursor: pointer; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 70rem; table-layout: fixed; font-size: 0.87rem; }
th, td { padding: 0.35rem 0.9rem 0.35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
thead th { color: var(--soft); font-weight: 500; font-size: 0.84rem; }
tbody th { font-weight: 600; }
thead th:nth-child(1) { width: 5.2rem; } thead th:nth-child(2) { width: 3.6rem; } thead th:nth-child(3) { width: 6.6rem; } thead th:nth-child(4) { width: 9.4rem; }
thead th:nth-child(5) { width: 6rem; } thead th:nth-child(6) { width: 6.4rem; } thead th:nth-child(7) { width: 10rem; } thead th:nth-child(8) { width: 7.4rem; } thead th:nth-child(9) { width: 3.4rem; }
td[data-column="Read (UTC)"], td[data-column="Count"] { font-variant-numeric: tabular-nums; }
td .marble { margin-right: 0.4rem; }
bdi { unicode-bidi: isolate; }
@media (max-width: 60rem) {
  .sides { grid-template-columns: minmax(0, 1fr); }
  .plots { grid-template-columns: repeat(2, minmax(0, 1fr)); }
}
@media (max-width: 44rem) {
  main, .top { padding-left: 0.75rem; padding-right: 0.75rem; }
  .top { position: static; }
  #memory { margin-left: 0; width: 100%; }
  .shard { padding: 0.8rem 0.7rem 1rem; }
  .station { font-size: 0.74rem; line-height: 1.2; } .number { font-size: 1rem; } .unit { font-size: 0.68rem; }
  .stations li { padding: 0 0.15rem 0.3rem 0; }
  .plots { grid-template-columns: minmax(0, 1fr); }
  .facts { grid-template-columns: repeat(2, minmax(0, 1fr)); }
  table { min-width: 0; }
  thead { position: absolute; left: -100rem; }
  table, tbody, tr, td, tbody th { display: block; }
  tr { padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  td, tbody th { border: 0; padding: 0.08rem 0; width: auto; display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); }
  td[data-column="Type"] { grid-template-columns: 6.5rem 1.7rem minmax(0, 1fr); }
  tbody :is(td, th):has(bdi:empty) { display: none; }
  td::before, tbody th::before { content: attr(data-column); color: var(--soft); font-weight: 400; }
}
`;
