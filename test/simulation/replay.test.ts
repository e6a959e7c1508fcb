import { interval, of, Subscription } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Change } from '../../src/model/change.ts';
import type { KubeTransport } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { events } from '../../src/sources/events.ts';
import { pods } from '../../src/sources/pods.ts';
import { busyCluster, type Core, core, seededRandom, virtualTransport } from '../../src/testing.ts';
import { record } from '../../src/transports/record.ts';
import type { Recorded } from '../../src/transports/recording.ts';
import { recordedOf, replayed, startsAt } from '../unit/replaying.ts';

interface Reading {
  readonly streamingLists?: boolean;
  readonly pageItems?: number;
}

/** What the readers hand on, short, and the newest revision of each object they told of. */
interface Read {
  readonly events: string[];
  readonly pods: string[];
  readonly revisions: Set<string>;
}

function read(transport: KubeTransport, runtime: Runtime, settings: Reading): { readonly read: Read; readonly reading: Subscription } {
  const told: Read = { events: [], pods: [], revisions: new Set() };
  const on = { namespace: '', ...settings };
  const reading = new Subscription();
  reading.add(pods(on, transport, runtime).subscribe((change) => told.pods.push(short(change))));
  reading.add(
    events(on, transport, of(false), runtime).subscribe((change) => {
      told.events.push(short(change));
      if (change.type === 'added' || change.type === 'modified' || change.type === 'listed') told.revisions.add(change.resourceVersion);
    }),
  );
  return { read: told, reading };
}

function short(change: Change): string {
  return 'resourceVersion' in change ? `${change.type} ${change.resourceVersion}` : change.type;
}

interface Run {
  readonly lines: readonly string[];
  readonly read: Read;
}

/** Records three quarters of an hour, virtual, of a busy cluster whose server has its troubles. */
function recordedRun(seed: number, settings: Reading): Run {
  const clock = virtualClock(startsAt);
  const server = core({ minor: 36 }, { now: clock.now, random: seededRandom(seed) });
  const cluster = busyCluster(server, { pods: 20, stories: 3 }, seededRandom(seed + 1));
  const lines: string[] = [];
  const noise: Runtime = { scheduler: clock.scheduler, random: seededRandom(seed + 2), signal: () => undefined };
  const transport = record(virtualTransport(server, {}, noise), (line) => lines.push(line), noise);
  const busy = interval(2_000, clock.scheduler).subscribe(() => cluster.step());
  busy.add(troubles(server, clock.scheduler, seededRandom(seed + 3)));
  const { read: told, reading } = read(transport, { ...noise, random: () => 0.5 }, settings);
  clock.advanceTo(startsAt + 45 * 60_000);
  busy.unsubscribe();
  reading.unsubscribe();
  return { lines, read: told };
}

function troubles(server: Core, scheduler: Runtime['scheduler'], random: () => number): Subscription {
  const streams = ['events', 'pods'];
  const faults = [
    { type: 'expired', form: 'http' },
    { type: 'expired', form: 'line' },
    { type: 'status', status: 429, retryAfter: '7' },
    { type: 'status', status: 500 },
    { type: 'cut', afterBytes: 5_000, end: 'close' },
    { type: 'cut', afterBytes: 777, end: 'reset' },
    { type: 'silence', afterBytes: 900 },
    { type: 'refuse' },
  ] as const;
  return interval(37_000, scheduler).subscribe(() => {
    const fault = faults[Math.floor(random() * faults.length)] ?? faults[0];
    // A page that never ends is given up by kubeApi, not by the reader.
    const on = fault.type === 'silence' ? ({ on: 'watch' } as const) : {};
    server.faults.next({ stream: streams[Math.floor(random() * 2)] ?? 'events', ...on }, fault);
  });
}

function replayOf(recorded: readonly Recorded[], settings: Reading, random = 0.5) {
  const replay = replayed({ random });
  const lines: string[] = [];
  let requests = 0;
  const counted: KubeTransport = {
    get: (request) => {
      requests++;
      return replay.transport.get(request);
    },
    stream: (request, paused) => {
      requests++;
      return replay.transport.stream(request, paused);
    },
    send: replay.transport.send,
  };
  const { read: told } = read(
    record(counted, (line) => lines.push(line), replay.runtime),
    replay.runtime,
    settings,
  );
  replay.pass(0);
  replay.feed(...recorded);
  replay.finish();
  replay.pass(60 * 60_000);
  return { lines, read: told, requests };
}

const seeds = [1, 2];

describe.each(seeds)('a recording, seed %i', (seed) => {
  const made = new Map<string, Run>();
  const runOf = (settings: Reading): Run => {
    const key = JSON.stringify(settings);
    const run = made.get(key) ?? recordedRun(seed, settings);
    made.set(key, run);
    return run;
  };

  it.each<Reading>([{ streamingLists: true }, { streamingLists: false, pageItems: 7 }])(
    'replayed to the same reader (%o) is recorded again line by line',
    (settings) => {
      const run = runOf(settings);
      expect({
        revisions: run.read.revisions.size > 300,
        lists: run.read.events.filter((change) => change.startsWith('relistStarted')).length > 1,
      }).toEqual({
        revisions: true,
        lists: true,
      });
      const again = replayOf(recordedOf(run.lines), settings);
      expect(byStream(again.lines)).toEqual(byStream(run.lines));
      expect(again.read).toEqual(run.read);
    },
  );

  it.each<[Reading, Reading, number]>([
    [{ streamingLists: true }, { streamingLists: true }, 0.1],
    [{ streamingLists: true }, { streamingLists: false, pageItems: 500 }, 0.9],
    [{ streamingLists: false, pageItems: 7 }, { streamingLists: true }, 0.9],
    [{ streamingLists: false, pageItems: 7 }, { streamingLists: false, pageItems: 1_000 }, 0.1],
    [{}, {}, 0.7],
  ])(
    'of a reader %o replayed to another (%o, chance %d) brings the same revisions, without going in circles',
    (settings, others, random) => {
      const run = runOf(settings);
      const again = replayOf(recordedOf(run.lines), others, random);
      expect(sorted(again.read.revisions)).toEqual(sorted(run.read.revisions));
      const recordedRequests = run.lines.filter((line) => line.includes('"kind":"request"')).length;
      expect(again.requests).toBeLessThan(2 * recordedRequests + 20);
    },
  );
});

function sorted(revisions: ReadonlySet<string>): readonly string[] {
  return [...revisions].sort();
}

/** Lines by stream, requests numbered anew in each: which of two readers asks first in a millisecond is open. */
function byStream(lines: readonly string[]): Readonly<Record<string, readonly string[]>> {
  const streams: Record<string, string[]> = {};
  const numbers = new Map<number, number>();
  for (const line of lines) {
    const { stream, request } = JSON.parse(line) as Recorded;
    const told = streams[stream] ?? [];
    streams[stream] = told;
    if (!numbers.has(request)) numbers.set(request, told.length);
    told.push(line.replace(`"request":${request}`, `"request":"${numbers.get(request)}"`));
  }
  return streams;
}
