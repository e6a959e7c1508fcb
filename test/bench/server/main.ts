import { readFileSync } from 'node:fs';
import { core } from '../../../src/simulator/core.ts';
import { httpFace } from '../../../src/simulator/httpFace.ts';
import { seededRandom } from '../../../src/simulator/seededRandom.ts';
import { eventLoad } from '../eventLoad.ts';
import type { Told, Wish } from './wish.ts';

/** A reader is woken so often by a real server, at 640 Events a second for two of them. */
const writesPerSecond = 320;

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

/**
 * Writes a few Events at a time. When the machine is busy it falls behind and does not catch up: larger pieces would wake
 * readers less often, and that is what is measured.
 */
function pace(perSecond: number, ms: number): Promise<number> {
  const eventsPerWrite = Math.max(2, Math.round(perSecond / writesPerSecond));
  const pauseMs = (eventsPerWrite * 1000) / perSecond;
  return new Promise((resolve) => {
    const startedAt = performance.now();
    let written = 0;
    let next = startedAt;
    const write = (): void => {
      for (let at = 0; at < eventsPerWrite; at++) load.event();
      written += eventsPerWrite;
      const now = performance.now();
      if (now - startedAt >= ms) {
        resolve(written);
        return;
      }
      next = Math.max(next + pauseMs, now);
      setTimeout(write, next - now);
    };
    write();
  });
}
