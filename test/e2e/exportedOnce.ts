import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { shardIndex, shardKey } from '../../src/model/shard.ts';
import { type Admin, admin } from './admin.ts';
import { type Fleet, fleet, type Line, until } from './fleet.ts';
import { install } from './install.ts';
import { createPods, removePods } from './workloads.ts';
import { type Revision, type WrittenEvents, writtenEvents } from './writtenEvents.ts';

/** How much is written. */
export interface Size {
  /** Namespaces of its own, besides `default` for what belongs to no namespace. */
  readonly namespaces: number;
  /** Revisions per namespace and phase. */
  readonly revisions: number;
}

/**
 * Writes to a cluster while shards export it, are killed, become more and fewer, and change their sink; then holds what
 * they stored against what was written. Needs an administrator's kubeconfig and no controllers, and cleans up.
 */
export async function exportedOnce(kubeconfig: string, { namespaces, revisions }: Size): Promise<void> {
  const run = `kube-sluice-e2e-${randomBytes(4).toString('hex')}`;
  const folder = mkdtempSync(join(tmpdir(), `${run}-`));
  const cluster = admin(kubeconfig);
  const cleaning: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const fleets: Fleet[] = [];
  try {
    await addNamespace(cluster, run, cleaning);
    const installed = await install(cluster, run, kubeconfig);
    cleaning.push(installed.uninstall);
    const exporter = join(folder, 'kubeconfig');
    writeFileSync(exporter, installed.kubeconfig, { mode: 0o600 });
    const places = await written(cluster, run, namespaces, cleaning);
    const write = async (): Promise<void> => void (await Promise.all(places.map((place) => place.write(revisions))));
    const made = (settings: { total: number; sink: 'file' | 'local'; flags?: readonly string[] }): Fleet => {
      const one = fleet({ ...settings, folder, kubeconfig: exporter, namespace: run });
      fleets.push(one);
      return one;
    };
    await exportPhases({ places, write, made });
  } finally {
    for (const one of fleets) await one.kill();
    for (const clean of cleaning.reverse()) await clean();
  }
}

interface Phases {
  readonly places: readonly WrittenEvents[];
  readonly write: () => Promise<void>;
  readonly made: (settings: { total: number; sink: 'file' | 'local'; flags?: readonly string[] }) => Fleet;
}

async function exportPhases({ places, write, made }: Phases): Promise<void> {
  const [three, five] = [made({ total: 3, sink: 'file' }), made({ total: 5, sink: 'file' })];
  const filed = (): readonly Line[] => [...three.lines(), ...five.lines()];
  const all = (): readonly Revision[] => places.flatMap((place) => place.revisions);
  // What comes before the first start is told as it is then: the newest revision of each event.
  await write();
  const expected = toldAfter(all);
  const stored = (what: string, by: Fleet): Promise<void> => untilStored(what, { expected, lines: filed, by, totals: [3, 5] });

  three.start();
  await three.ready();
  await three.saved();
  const killed = three.shards[1];
  if (killed === undefined) throw new Error('there is no second shard');
  const linesOfKilled = (): number => three.lines().filter(({ shard }) => shard === 1).length;
  const before = linesOfKilled();
  const writing = write();
  await until('a new line', () => linesOfKilled() > before, killed.log);
  await killed.kill();
  await writing;
  killed.start();
  await stored('what the killed shard has missed', three);
  await three.balanced();

  // More shards, while the old ones go on until they are told to end.
  five.start();
  await write();
  await three.stop();
  await write();
  await five.ready();
  await stored('everything by five shards', five);
  expect((await five.balanced()).every((received) => received > 0)).toBe(true);

  three.start();
  await write();
  await five.stop();
  await write();
  await three.ready();
  await stored('everything by three shards again', three);
  await three.balanced();
  await three.stop();
  expect(faultsOf(expected(), filed(), [3, 5])).toEqual([]);

  await otherSink({ places, write, made });
}

/** A position says what a sink holds, so another sink is refused it, and begins with what the server holds when told to. */
async function otherSink({ places, write, made }: Phases): Promise<void> {
  const refused = made({ total: 3, sink: 'local' });
  for (const shard of refused.shards.slice(0, 1)) {
    shard.start();
    await until('the refusal', () => !shard.isRunning(), shard.log);
    expect([await shard.stop(), shard.log().includes('--checkpoint-reset')], shard.log()).toEqual([2, true]);
  }
  expect(refused.lines()).toEqual([]);
  const all = (): readonly Revision[] => places.flatMap((place) => place.revisions);
  const expected = toldAfter(all);
  const local = made({ total: 3, sink: 'local', flags: ['--checkpoint-reset'] });
  local.start();
  await local.ready();
  await local.saved();
  await write();
  await untilStored('everything by the other sink', { expected, lines: local.lines, by: local, totals: [3] });
  await local.balanced();
  await local.stop();
  expect(faultsOf(expected(), local.lines(), [3])).toEqual([]);
}

async function addNamespace(cluster: Admin, name: string, cleaning: (() => Promise<void>)[]): Promise<void> {
  await cluster.create('/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  cleaning.push(() => cluster.remove(`/api/v1/namespaces/${name}`));
}

/** Namespaces with pods of every kind of owner, and `default` for events of nodes. */
async function written(cluster: Admin, run: string, count: number, cleaning: (() => Promise<void>)[]): Promise<readonly WrittenEvents[]> {
  const places: WrittenEvents[] = [];
  for (let index = 0; index < count; index++) {
    const namespace = `${run}-${index}`;
    await addNamespace(cluster, namespace, cleaning);
    // Pods need it, and where no controller runs nobody else makes it.
    const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default', namespace } };
    await cluster.ensure(`/api/v1/namespaces/${namespace}/serviceaccounts`, account);
    cleaning.push(() => removePods(cluster, namespace));
    places.push(writtenEvents(cluster, namespace, await createPods(cluster, namespace, Date.now()), run));
  }
  const wide = writtenEvents(cluster, 'default', [], run);
  places.push(wide);
  cleaning.push(async () => {
    for (const path of wide.paths()) await cluster.remove(path);
  });
  return places;
}

interface Awaited {
  readonly expected: () => readonly Revision[];
  readonly lines: () => readonly Line[];
  readonly by: Fleet;
  readonly totals: readonly number[];
}

/** Says what is wrong after a while in which nothing came right by itself. */
function untilStored(what: string, { expected, lines, by, totals }: Awaited): Promise<void> {
  const told = (): string => [...faultsOf(expected(), lines(), totals).slice(0, 20), ...by.shards.map((shard) => shard.log())].join('\n');
  return until(what, () => isStored(expected(), lines()), told);
}

/** What somebody is told who begins now: what is there, and all that comes. */
function toldAfter(all: () => readonly Revision[]): () => readonly Revision[] {
  const before = new Set(all());
  const newest = newestOf([...before]);
  return () => [...newest, ...all().filter((revision) => !before.has(revision))];
}

function newestOf(revisions: readonly Revision[]): readonly Revision[] {
  return [...new Map(revisions.map((revision) => [revision.uid, revision])).values()];
}

const keyOf = (uid = '', resourceVersion = ''): string => `${uid}@${resourceVersion}`;

function isStored(expected: readonly Revision[], lines: readonly Line[]): boolean {
  const stored = new Set(lines.map(({ eventUID, resourceVersion }) => keyOf(eventUID, resourceVersion)));
  return expected.every(({ uid, resourceVersion }) => stored.has(keyOf(uid, resourceVersion)));
}

/** What is wrong: revisions lost, repeated, told by a shard of another share, with labels of another owner, or never written. */
export function faultsOf(expected: readonly Revision[], lines: readonly Line[], totals: readonly number[]): readonly string[] {
  const linesOf = new Map<string, Line[]>();
  for (const line of lines) {
    const key = keyOf(line.eventUID, line.resourceVersion);
    linesOf.set(key, [...(linesOf.get(key) ?? []), line]);
  }
  const uids = new Set(expected.map(({ uid }) => uid));
  const expectedKeys = new Set(expected.map(({ uid, resourceVersion }) => keyOf(uid, resourceVersion)));
  // Events of others are no business of this run, but they too come once.
  const repeated = [...linesOf].filter(([, found]) => found.length > 1).map(([key]) => `repeated ${key}`);
  const invented = lines
    .filter(({ eventUID = '', resourceVersion }) => uids.has(eventUID) && !expectedKeys.has(keyOf(eventUID, resourceVersion)))
    .map(({ eventUID, resourceVersion }) => `never written ${keyOf(eventUID, resourceVersion)}`);
  const wrong = expected.flatMap(({ uid, resourceVersion, involved, owner }) => {
    const key = keyOf(uid, resourceVersion);
    const [line] = linesOf.get(key) ?? [];
    if (line === undefined) return [`lost ${key}`];
    const owners = totals.map((total) => shardIndex(shardKey({ involved }), total));
    const labels = line.podLabels ?? {};
    const [type, name] = ['type', 'name'].map((part) => labels[`logging.gke.io/top_level_controller_${part}`]);
    const told = type === undefined && name === undefined ? undefined : `${type}/${name}`;
    // Another shard keeps the pod, and asking for it is for fresh events only, and has limits.
    const mayGoWithout = told === undefined && involved.uid === '';
    return [
      ...(owners.includes(line.shard) ? [] : [`in shard ${line.shard} instead of ${owners.join(' or ')}: ${key}`]),
      ...(told === owner || mayGoWithout ? [] : [`labelled ${told} instead of ${owner}: ${key} of ${involved.name}`]),
    ];
  });
  return [...repeated, ...invented, ...wrong];
}
