import { core } from '../../../src/simulator/core.ts';
import { httpFace } from '../../../src/simulator/httpFace.ts';
import { seededRandom } from '../../../src/simulator/seededRandom.ts';
import { eventLoad } from '../eventLoad.ts';

/** So many Events at a time, so that the timer keeps up. */
const everyMs = 20;

const [perSecond = 500, cutEveryMs = 20_000, relistEveryMs = 60_000] = process.argv.slice(2).map(Number);
// Events live two minutes and history one, so that this process does not grow with the length of the run alone.
const settings = { resourceVersion: '1000', eventTtlMs: 60_000, compactEveryMs: 60_000 };
const server = core(settings, { now: Date.now, random: seededRandom(1) });
const load = eventLoad(server);
load.pods(3_000);
const face = await httpFace(server);
let [written, startedAt] = [0, 0];
const timers: NodeJS.Timeout[] = [];

process.on('message', (wish: 'start' | 'stop') => {
  if (wish === 'stop') {
    for (const timer of timers) clearInterval(timer);
    process.send?.({ written });
    return;
  }
  startedAt = performance.now();
  timers.push(
    setInterval(() => {
      const due = Math.floor(((performance.now() - startedAt) * perSecond) / 1000);
      for (; written < due; written++) load.event();
    }, everyMs),
    setInterval(() => server.endStreams('reset'), cutEveryMs),
    // The position is too old: a list of all that there is, most of it known.
    setInterval(() => {
      server.faults.next({ stream: 'events', on: 'watch' }, { type: 'expired' });
      server.faults.next({ stream: 'pods', on: 'watch' }, { type: 'expired' });
      server.endStreams('close');
    }, relistEveryMs),
    setInterval(() => process.send?.({ written }), 1_000),
  );
});
process.on('disconnect', () => process.exit());
process.send?.({ kubeconfig: face.kubeconfig() });
