import { lastValueFrom, of, toArray } from 'rxjs';
import { afterEach, describe, expect, test } from 'vitest';
import { optionTable } from '../../src/config/options.ts';
import { readSettings } from '../../src/config/readSettings.ts';
import { PipelineError } from '../../src/errors.ts';
import type { Change } from '../../src/model/change.ts';
import { entryOf } from '../../src/model/entryOf.ts';
import type { EventObject } from '../../src/model/kube.ts';
import { ownerOf } from '../../src/model/ownerOf.ts';
import { shardKey } from '../../src/model/shard.ts';
import { slimPod } from '../../src/model/slimPod.ts';
import { toOccurrences } from '../../src/operators/toOccurrences.ts';
import type { Runtime } from '../../src/runtime.ts';
import { seededRandom } from '../../src/simulator/seededRandom.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { entryLine } from '../../src/sinks/entryLine.ts';
import { watchLine } from '../../src/sources/watchLine.ts';
import { kubeConfigFault } from '../../src/transports/kubeTarget.ts';
import { lineSplitter } from '../../src/transports/lineSplitter.ts';
import { judge } from '../lines/judge.ts';
import { oddLine, type Random } from '../lines/oddLines.ts';
import { damaged, oddJson, pick } from '../lines/oddValues.ts';

/** Fixed, so that a fault stays. Others, and more of them: `FUZZ_SEED=100 FUZZ_TIMES=10 npx vitest run test/unit/fuzz.test.ts`. */
const seed = Number(process.env['FUZZ_SEED'] ?? 31);
const times = Number(process.env['FUZZ_TIMES'] ?? 1);
/** 100,000 inputs in all. */
const inputs = { chunks: 25_000, lines: 25_000, events: 15_000, pods: 25_000, kubeconfigs: 5_000, settings: 5_000 };

const prototypes = [Object, Array, Function, String, Number, Map, Set, Buffer].map(({ prototype }) => prototype as object);
const membersOf = (): unknown => prototypes.map((prototype) => Reflect.ownKeys(prototype));
const membersBefore = membersOf();

afterEach(() => {
  expect(membersOf()).toEqual(membersBefore);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

/** Whatever comes, the only thing that is thrown is our own. */
function only<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch (error) {
    if (error instanceof PipelineError) return undefined;
    throw error;
  }
}

describe('inputs of odd shapes', () => {
  test('the frame splitter finds the same lines wherever the chunks are cut', () => {
    const random = seededRandom(seed);
    let bytes = 0;
    for (let chunks = 0; chunks < inputs.chunks * times; ) {
      const text = Array.from({ length: 40 + Math.floor(random() * 400) }, () =>
        pick(random, ['a', 'é', '{"', '\n', '\n', '\r', '\r\n', ' ', '\0']),
      );
      const body = Buffer.from(text.join(''));
      const lineBytesMax = 1 + Math.floor(random() * 40);
      const splitter = lineSplitter(lineBytesMax);
      const told: unknown[] = [];
      for (let from = 0; from < body.length; chunks++) {
        const to = from + Math.floor(random() * random() * 60);
        splitter.push(body.subarray(from, to), (line) => {
          told.push('bytes' in line && typeof line.bytes !== 'number' ? { ...line, bytes: line.bytes.toString('latin1') } : line);
          return true;
        });
        from = to;
      }
      bytes += body.length;
      const raw = body.toString('latin1').split('\n');
      expect(told).toEqual(raw.slice(0, -1).map((line) => expectedLine(line, lineBytesMax)));
      const last = raw.at(-1) ?? '';
      expect(splitter.rest()).toBe(last.length <= lineBytesMax && isBlank(last) ? 0 : last.length);
    }
    expect(bytes).toBeGreaterThan(100_000);
  });

  test('a look at a line says what a parse says, or nothing', () => {
    const random = seededRandom(seed + 1);
    for (let line = 0; line < inputs.lines * times; line++) judge(oddLine(random));
  });

  test('an event of any shape becomes a line of JSON, or is refused', async () => {
    const random = seededRandom(seed + 2);
    const clock = virtualClock(0);
    const runtime: Runtime = { scheduler: clock.scheduler, random, signal: () => undefined };
    const line = entryLine({});
    const ends = { line: 0, refused: 0, other: 0 };
    for (let event = 0; event < inputs.events * times; event++) {
      const told = watchLine(oddEventLine(random), 'all');
      if (told.type !== 'added' && told.type !== 'modified') {
        ends.other += 1;
        continue;
      }
      const items = await lastValueFrom(of(told as Change<EventObject>).pipe(toOccurrences(runtime), toArray()));
      for (const item of items) {
        if (item.type !== 'occurrence') continue;
        shardKey(item);
        const made = only(() => line(entryOf({ slot: 0, item, labels: {} }, 'k8s')));
        if (made === undefined) ends.refused += 1;
        else {
          ends.line += 1;
          expect(made).not.toContain('\n');
          JSON.parse(made);
        }
      }
    }
    expect(ends.line).toBeGreaterThan(1_000);
  });

  test('a pod of any shape has one of the known owners, or none', () => {
    const random = seededRandom(seed + 3);
    const kinds = new Set(['Deployment', 'DaemonSet', 'StatefulSet', 'Job', 'CronJob', 'JobSet']);
    const found = new Set<string>();
    for (let pod = 0; pod < inputs.pods * times; pod++) {
      const object = JSON.parse(oddPod(random)) as { readonly metadata: object };
      const owner = only(() => ownerOf(object as Parameters<typeof ownerOf>[0]));
      if (owner !== undefined) found.add(owner.kind);
      const slim = only(() => slimPod(object));
      expect([typeof slim, Object.hasOwn(slim ?? {}, 'polluted')]).toEqual([slim === undefined ? 'undefined' : 'object', false]);
    }
    expect(found).toEqual(kinds);
  });

  test('a kubeconfig of any shape is usable or is told what it lacks', () => {
    const random = seededRandom(seed + 4);
    const names = ['clusters', 'users', 'contexts', 'current-context', 'name', 'cluster', 'user', 'context', 'server', 'exec', 'token'];
    const good = JSON.stringify({
      clusters: [{ name: 'a', cluster: { server: 'http://127.0.0.1:1', 'insecure-skip-tls-verify': true } }],
      users: [{ name: 'a', user: { token: 'secret-token' } }],
      contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
      'current-context': 'a',
    });
    const faults = { some: 0, none: 0 };
    for (let config = 0; config < inputs.kubeconfigs * times; config++) {
      const kubeconfigText = random() < 0.5 ? damaged(random, good) : damaged(random, oddJson(random, names, 5));
      const fault = kubeConfigFault({ kubeconfigText, environment: {} });
      faults[fault === undefined ? 'none' : 'some'] += 1;
      expect(fault ?? '').not.toContain('secret-token');
    }
    expect(Math.min(faults.some, faults.none)).toBeGreaterThan(100);
  });

  test('settings of any shape are read or are told their faults', () => {
    const random = seededRandom(seed + 5);
    const names = [...Object.keys(optionTable), 'totalshards', 'KUBE_SLUICE_SINK'];
    let faulty = 0;
    for (let setting = 0; setting < inputs.settings * times; setting++) {
      const lines = Array.from({ length: 1 + Math.floor(random() * 4) }, () => `${pick(random, names)}: ${oddJson(random, names, 2)}\n`);
      const file = damaged(random, random() < 0.1 ? oddJson(random, names, 4) : lines.join(''));
      const flags = new Map([
        ['config', ['config.yaml']],
        [pick(random, names), [JSON.parse(oddJson(random, names, 0)) as unknown].map(String)],
      ]);
      const environment = { [`KUBE_SLUICE_${pick(random, names).toUpperCase().replaceAll('-', '_')}`]: damaged(random, '1m30s') };
      flags.set('config', ['config.yaml']);
      const read = readSettings({ command: 'run', flags, environment, hostname: 'laptop', read: () => file });
      if (read.faults.length > 0) faulty += 1;
      expect(read.faults.every((fault) => typeof fault === 'string')).toBe(true);
    }
    expect(faulty).toBeGreaterThan(1_000);
  });
});

test('an alias without its anchor is a fault, and what stands there is not told', () => {
  const kubeconfigText = 'users: [{ name: a, user: { token: *secret-token } }]';
  expect(kubeConfigFault({ kubeconfigText, environment: {} })).toBe(
    'kubeconfig (as given) is not valid YAML: an alias without its anchor, or too many aliases',
  );
  const flags = new Map([['config', ['config.yaml']]]);
  const { faults } = readSettings({ command: 'run', flags, environment: {}, hostname: '', read: () => 'sink: *nowhere' });
  expect(faults).toEqual(['sink in config.yaml line 1 must be one value or a list of values (got "*nowhere")']);
});

function isBlank(line: string): boolean {
  return line.split('').every((letter) => letter <= ' ');
}

function expectedLine(line: string, lineBytesMax: number): unknown {
  if (line.length > lineBytesMax) return { type: 'oversized', bytes: line.length };
  const bytes = line.endsWith('\r') ? line.slice(0, -1) : line;
  return isBlank(bytes) ? { type: 'blank' } : { type: 'line', bytes };
}

const eventNames = ['type', 'reason', 'message', 'count', 'series', 'source', 'managedFields', 'uid', 'namespace', 'name', 'time', 'kind'];
const timeNames = [
  'eventTime',
  'lastTimestamp',
  'firstTimestamp',
  'creationTimestamp',
  'lastObservedTime',
  'count',
  'time',
  '2026-05-04T10:00:00Z',
];

/** Mostly an event that says which it is, with anything else anywhere. */
function oddEventLine(random: Random): Buffer {
  const inside = oddJson(random, eventNames, 3);
  const metadata =
    random() < 0.9
      ? `{"uid":"e","resourceVersion":"7","namespace":"shop","x":${inside},"managedFields":${oddJson(random, timeNames, 3)}}`
      : inside;
  const members = ['count', 'series', 'message', 'type', 'reason', 'lastTimestamp', 'eventTime', '__proto__', 'toJSON'].flatMap((name) =>
    random() < 0.4 ? [`${JSON.stringify(name)}:${oddJson(random, timeNames, 2)}`] : [],
  );
  const involved = random() < 0.7 ? '{"kind":"Pod","namespace":"shop","name":"web-0","uid":"p"}' : oddJson(random, eventNames, 2);
  return Buffer.from(`{"type":"ADDED","object":{${[`"metadata":${metadata}`, `"involvedObject":${involved}`, ...members].join(',')}}}`);
}

function oddPod(random: Random): string {
  const kind = pick(random, ['DaemonSet', 'StatefulSet', 'ReplicaSet', 'Job', 'Job', 'Node', '__proto__', 'constructor']);
  const names = ['kind', 'name', 'uid', 'apiVersion', 'controller', 'pod-template-hash', 'jobset.sigs.k8s.io/jobset-name'];
  const name = JSON.stringify(pick(random, ['web-5d4f', 'nightly-29000000', 'import', '-5d4f', '']));
  const reference =
    random() < 0.8
      ? `{"kind":"${kind}","name":${name},"controller":${pick(random, ['true', 'false', '"true"', 'null'])}}`
      : oddJson(random, names, 2);
  const references = random() < 0.9 ? `[${reference},${oddJson(random, names, 2)}]` : oddJson(random, names, 2);
  const labels =
    random() < 0.6
      ? `{"pod-template-hash":${pick(random, ['"5d4f"', '""', '7', '{}'])},"jobset.sigs.k8s.io/jobset-name":${pick(random, ['"train"', '""', 'null'])}}`
      : oddJson(random, names, 2);
  const identity = random() < 0.9 ? '"uid":"u","namespace":"shop","name":"web-0",' : '';
  const created = pick(random, ['"2025-02-20T00:00:00Z"', '"0001-01-01T00:00:00Z"', '7', 'null']);
  return `{"metadata":{${identity}"creationTimestamp":${created},"ownerReferences":${references},"labels":${labels},"annotations":${oddJson(random, names, 2)}}}`;
}
