import { interval, of, Subscription } from 'rxjs';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { events } from '../../src/sources/events.ts';
import { pods } from '../../src/sources/pods.ts';
import { busyCluster, core, seededRandom, virtualTransport } from '../../src/testing.ts';
import { record } from '../../src/transports/record.ts';
import { headerLine } from '../../src/transports/recording.ts';
import { recordingHeader } from '../unit/recordingHeader.ts';

const startsAt = Date.parse('2026-11-30T08:12:00Z');
const minute = 60_000;

export interface BusyRecordingSettings {
  readonly minutes: number;
  readonly pods: number;
  /** Steps of the cluster each second. */
  readonly stepsPerSecond: number;
}

/** A recording of a simulated cluster, its text: it was busy for an hour before, watches are cut, history is compacted. */
export function busyRecording({ minutes, pods: podCount, stepsPerSecond }: BusyRecordingSettings): string {
  const clock = virtualClock(startsAt - 60 * minute);
  const server = core({ minor: 36 }, { now: clock.now, random: seededRandom(1) });
  const cluster = busyCluster(server, { pods: podCount }, seededRandom(2));
  const busy = interval(1_000 / stepsPerSecond, clock.scheduler).subscribe(() => cluster.step());
  clock.advanceTo(startsAt);
  const lines = [headerLine(recordingHeader(startsAt))];
  const runtime: Runtime = { scheduler: clock.scheduler, random: seededRandom(3), signal: () => undefined };
  const transport = record(virtualTransport(server, { latencyMsMax: 40 }, runtime), (line) => lines.push(line), runtime);
  const reading = new Subscription();
  reading.add(pods({ namespace: '' }, transport, runtime).subscribe());
  reading.add(events({ namespace: '' }, transport, of(false), runtime).subscribe());
  clock.advanceTo(startsAt + minutes * 0.3 * minute);
  server.endStreams('reset', 'events');
  clock.advanceTo(startsAt + minutes * 0.6 * minute);
  const serve = server.faults.always({ stream: 'events', on: 'watch' }, { type: 'status', status: 429, retryAfter: '5' });
  server.endStreams('close', 'events');
  clock.advanceTo(startsAt + minutes * 0.65 * minute);
  server.compact();
  serve();
  clock.advanceTo(startsAt + minutes * minute);
  busy.unsubscribe();
  reading.unsubscribe();
  return `${lines.join('\n')}\n`;
}
