import { Subject } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { sinkAndStore } from '../../src/cli/stores.ts';
import type { Program } from '../../src/config/optionKinds.ts';
import { readSettings } from '../../src/config/readSettings.ts';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import { pipeline } from '../../src/pipeline.ts';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { memory } from '../../src/sinks/memory.ts';
import type { Signal } from '../../src/telemetry/signals.ts';
import { core, seededRandom, virtualTransport } from '../../src/testing.ts';
import { serviceAccountOrigin } from '../../src/transports/kubeConfigFile.ts';
import { fakeProcess } from './cliContext.ts';

const epochMs = Date.UTC(2026, 4, 4, 10);

/** A pod with the Go exporter's service account: it may read events, and has no say over leases. */
function started(program: Program, flags: Readonly<Record<string, string>> = {}) {
  const clock = virtualClock(epochMs);
  const signals: Signal[] = [];
  const runtime: Runtime = { scheduler: clock.scheduler, random: seededRandom(1), signal: (signal) => signals.push(signal) };
  const server = core({}, { now: clock.now, random: runtime.random });
  server.access.forbid({ plural: 'leases' });
  server.create('Event', { metadata: { name: 'a', namespace: 'shop' }, involvedObject: { kind: 'Node', name: 'n1' } });
  const transport = virtualTransport(server, {}, runtime);
  const kept = memory();
  const given = new Map(Object.entries(flags).map(([name, text]) => [name, [text]]));
  const { settings } = readSettings({ command: 'run', program, flags: given, environment: {}, hostname: 'x', read: () => '' });
  const { context } = fakeProcess({ program, environment: { POD_NAMESPACE: 'monitoring' } });
  const target = { server: new URL('https://server'), origin: serviceAccountOrigin };
  const { store } = sinkAndStore({ settings, context, target, transport, otherSink: () => kept }, runtime);
  const stop = new Subject<void>();
  const ends: string[] = [];
  const saved: Checkpoint[] = [];
  pipeline({ shard: { index: 0, total: 1 }, ownerLabels: false }, { transport, sink: kept, store }, stop, runtime).subscribe({
    next: (checkpoint) => saved.push(checkpoint),
    error: (error: { code: string }) => ends.push(error.code),
    complete: () => ends.push('complete'),
  });
  clock.advanceTo(epochMs + 5_000);
  return { entries: () => kept.entries.length, warnings: () => signals.filter(({ type }) => type === 'warning'), ends, stop, clock };
}

describe('where leases are forbidden', () => {
  test('event-exporter exports without a checkpoint, says so once, and stops in order', () => {
    const { entries, warnings, ends, stop, clock } = started('event-exporter');
    expect([entries(), ends]).toEqual([1, []]);
    expect(warnings()).toEqual([
      { type: 'warning', text: expect.stringMatching(/^no checkpoint is kept, .* may not get leases in namespace monitoring/) },
    ]);
    stop.next();
    clock.advanceTo(epochMs + 10_000);
    expect(ends).toEqual(['complete']);
  });

  test('kube-sluice ends, and so does event-exporter that was told to use leases', () => {
    expect(started('kube-sluice').ends).toEqual(['LEASES_FORBIDDEN']);
    expect(started('event-exporter', { checkpoint: 'lease' }).ends).toEqual(['LEASES_FORBIDDEN']);
  });
});
