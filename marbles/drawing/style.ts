const light = [
  '--card:#ffffff;--edge:#d8dee6;--ink:#1c2430;--quiet:#5d6b7c;--axis:#8b97a6;--reading:#b9c4d2',
  '--f0:#d6e6ff;--s0:#2f6fd6;--f1:#ffe2c7;--s1:#c2620c;--f2:#e7dcff;--s2:#7a4bd0;--f3:#cfeeea;--s3:#0f7d74;--f4:#ffd9e4;--s4:#c22f63;--f5:#f3ecbd;--s5:#86700a',
  '--control:#e9edf2;--ack:#d3f0d8;--acks:#1f8040;--gap:#ffd8d2;--gaps:#c4321c',
].join(';');

const dark = [
  '--card:#12171f;--edge:#303a47;--ink:#e8edf4;--quiet:#9aa8b9;--axis:#66748a;--reading:#3d4b5e',
  '--f0:#173a70;--s0:#7fb0ff;--f1:#5d3208;--s1:#ffb26b;--f2:#3d2673;--s2:#bfa2ff;--f3:#0b4641;--s3:#5ed3c6;--f4:#641a36;--s4:#ff8fb2;--f5:#4a3f08;--s5:#e0c84f',
  '--control:#2a3340;--ack:#123d20;--acks:#6fd28b;--gap:#5c1a10;--gaps:#ff8f7d',
].join(';');

const coloured = [0, 1, 2, 3, 4, 5].map((at) => `.c${at}{fill:var(--f${at});stroke:var(--s${at});stroke-width:1.6}`).join('');

/** The style of every drawing: its own background, so that it can be read wherever it is shown. */
export const style = `<style>
svg{${light}}
@media (prefers-color-scheme:dark){svg{${dark}}}
text{font-family:ui-sans-serif,system-ui,-apple-system,'Segoe UI',Roboto,'DejaVu Sans',sans-serif;fill:var(--ink)}
.card{fill:var(--card);stroke:var(--edge)}.rule{stroke:var(--edge);fill:none}
.title{font-size:14px;font-weight:600}.label{font-size:12.5px;text-anchor:end;fill:var(--quiet)}.note{font-size:11.5px;font-style:italic;fill:var(--quiet)}
.letter{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,'DejaVu Sans Mono',monospace;font-size:11.5px;font-weight:600;text-anchor:middle}.small{font-size:7.5px}
.axis{stroke:var(--axis);stroke-width:1.6;fill:none}.head{fill:var(--axis)}.reading{stroke:var(--reading);stroke-width:7;stroke-linecap:butt}
.edge{stroke:var(--quiet);stroke-width:1.8;fill:none}.span{stroke:var(--quiet);stroke-width:1.3;fill:none}
.complete{stroke:var(--ink);stroke-width:2.6;fill:none}.error,.cross{stroke:var(--gaps);stroke-width:2.4;fill:none}
.blank{fill:var(--card)}.bracket{stroke:var(--ink);stroke-width:2.2;fill:none}.control{fill:var(--control);stroke:var(--quiet);stroke-width:1.5}
.ack{fill:var(--ack);stroke:var(--acks);stroke-width:1.6}.tick{stroke:var(--acks);stroke-width:2.2;fill:none}
.gap{fill:var(--gap);stroke:var(--gaps);stroke-width:1.6}.cut{stroke:var(--gaps);stroke-width:2.2;fill:none;stroke-linejoin:round}
.dashed{stroke-dasharray:3 2}.stroke,.thin{stroke:var(--quiet);stroke-width:1.3;fill:none}
${coloured}
</style>`;
