import { expect } from 'vitest';
import type { PipelineSettings } from '../../src/pipelineSettings.ts';
import { caseOf, type KubeCase } from './caseFile.ts';
import { checks } from './checks.ts';
import { type RunScriptSettings, runScript, type ScriptRun } from './runScript.ts';
import type { Script } from './scriptedServer.ts';
import { scriptsOf } from './scriptsOf.ts';

export interface CheckCaseSettings {
  readonly pipeline?: Partial<PipelineSettings>;
  readonly through?: RunScriptSettings['through'];
  /** Causes of the gap records that belong to the case. Default none. */
  readonly gaps?: readonly string[];
  /** Steps of the script that must not be asked for. Default none. */
  readonly neverAsked?: readonly string[];
}

/**
 * Runs a case in all its variants and holds everything that it expects, and what holds for every run. An
 * expectation or input that nobody understands fails. Resolves to the runs, variant by variant, shard by shard.
 */
export function checkCase(id: string, settings: CheckCaseSettings = {}): readonly ScriptRun[] {
  const each = caseOf(id);
  refuseUnknownInput(each);
  return scriptsOf(each).flatMap(({ script }) => {
    const runs = runShards(each, script, settings);
    for (const run of runs) checkRun(run, settings);
    checkExpectations(each.expect, runs);
    return runs;
  });
}

/** Holds what a case expects of these runs together. */
export function checkExpectations(expectations: KubeCase['expect'], runs: readonly ScriptRun[]): void {
  for (const [key, expected] of Object.entries(expectations)) {
    const check = checks[key];
    if (check === undefined) throw new Error(`an expectation that nobody understands: ${key}`);
    check(expected, runs);
  }
}

/** Holds what is true of every run. */
export function checkRun(run: ScriptRun, { gaps = [], neverAsked = [] }: Pick<CheckCaseSettings, 'gaps' | 'neverAsked'> = {}): void {
  const { server, counts, records, text } = run;
  expect(server.unexpected).toEqual([]);
  expect(server.unused()).toEqual(neverAsked);
  expect(server.maxOpenWatches()).toBeLessThanOrEqual(1);
  expect(run.gaps.map(({ payload }) => payload['cause'])).toEqual(gaps);
  expect(counts.stored).toBe(records.length);
  expect(counts.received).toBe(counts.stored + counts.refused + counts.filtered + counts.repeated);
  expect(counts.refused).toBe(0);
  const written = text.split('\n').slice(0, -1);
  const ids = [...run.gaps, ...records].map(({ insertId }) => insertId);
  expect(written.map(idIn).toSorted()).toEqual(ids.toSorted());
}

function idIn(line: string): string {
  return (JSON.parse(line.slice(line.indexOf('{'))) as { readonly insertId: string }).insertId;
}

function runShards({ input }: KubeCase, script: Script, { pipeline, through }: CheckCaseSettings): readonly ScriptRun[] {
  const { now, fakeSeconds, totalShards: total = 1 } = input;
  return Array.from({ length: total }, (_, index) =>
    runScript(script, {
      pipeline: { ...pipeline, shard: { index, total } },
      ...(through === undefined ? {} : { through }),
      ...(now === undefined ? {} : { now }),
      ...(fakeSeconds === undefined ? {} : { stopAfterSeconds: fakeSeconds }),
    }),
  );
}

/** So that nothing of a case is left out in silence. */
function refuseUnknownInput({ input }: KubeCase): void {
  const { watchLines, podLines, pods, httpScript, rawChunksBase64, thenOn, thenChunksBase64, end, alsoRunWith, variantB, ...more } = input;
  const { fakeSeconds, now, totalShards, ...unknown } = more;
  expect(unknown).toEqual({});
}
