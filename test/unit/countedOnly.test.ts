import { expect, it } from 'vitest';
import { countedOnly } from '../../src/telemetry/countedOnly.ts';
import { health } from '../../src/telemetry/health.ts';
import { logTable } from '../../src/telemetry/logTable.ts';
import type { Signal } from '../../src/telemetry/signals.ts';

it('no signal that is nothing but counted has a log line, or says anything to the probes', () => {
  const state = health({ sources: ['events'], pausedSources: ['events'], silentMsMax: 100 }, 0);
  const told = (): unknown => [state.livenessFailures(200), state.readinessFailures(200)];
  const before = told();

  for (const type of countedOnly) {
    expect([type, logTable[type]]).toEqual([type, undefined]);
    state.observe({ type } as Signal, 150);
  }

  expect(told()).toEqual(before);
  expect(before).not.toEqual([[], []]);
});
