import { readFileSync } from 'node:fs';
import { core } from '../../../src/simulator/core.ts';
import { httpFace } from '../../../src/simulator/httpFace.ts';
import { seededRandom } from '../../../src/simulator/seededRandom.ts';
import { eventLoad } from '../eventLoad.ts';
import type { Told, Wish } from './wish.ts';

/** Writes come this far apart at least, so that a reader is woken for about two Events at 640 a second, as by a real server. */
const tickMs = 3;

const tls = (name: string): string => readFileSync(new URL(`../../fixtures/tls/${name}`, import.meta.url), 'utf8');
const server = core({ resourceVersion: '1000' }, { now: Date.now, random: seededRandom(1) });
const load = eventLoad(server);
const face = await httpFace(server, {
  tls: { certificate: tls('server.crt'), key: tls('server.key'), authority: tls('ca.crt'), http2: true },
});

process.on('message', (wish: Wish & { readonly id: number }) => {
  void done(wish).then((told) => process.send?.({ ...told, id: wish.id }));
});
process.on('disconnect', () => process.exit());
process.send?.({ id: 0, kubeconfig: face.kubeconfig() });

async function done(wish: Wish): Promise<Told> {
  switch (wish.type) {
    case 'pods':
      load.pods(wish.count);
      return { events: 0 };
    case 'events':
      for (let at = 0; at < wish.count; at++) load.event();
      return { events: wish.count };
    case 'one': {
      const at = String(process.hrtime.bigint());
      return { events: 1, name: load.event(), at };
    }
    case 'pace':
      return { events: await pace(wish.perSecond, wish.seconds * 1000) };
    case 'watches':
      return { events: server.openStreams(wish.stream) };
  }
}

function pace(perSecond: number, ms: number): Promise<number> {
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let written = 0;
    const timer = setInterval(() => {
      const passed = Math.min(performance.now() - startedAt, ms);
      for (; written < (passed * perSecond) / 1000; written++) load.event();
      if (passed < ms) return;
      clearInterval(timer);
      resolve(written);
    }, tickMs);
  });
}
