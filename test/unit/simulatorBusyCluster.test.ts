import { describe, expect, test } from 'vitest';
import { type BusyCluster, busyCluster, type CoreSettings, core, type PlainObject, seededRandom } from '../../src/testing.ts';

const start = Date.parse('2026-11-30T10:00:00Z');

/** A busy cluster, stepped every so many milliseconds until it has made enough event revisions. */
function run(seed: number, revisions: number, settings: CoreSettings & { everyMs?: number } = {}, each: () => void = () => {}) {
  const clock = { now: start };
  const server = core({ resourceVersion: '1000', ...settings }, { now: () => clock.now, random: seededRandom(seed) });
  const busy: BusyCluster = busyCluster(server, {}, seededRandom(seed + 1));
  const runUntil = (): void => {
    while (busy.eventRevisions() < revisions) {
      busy.step();
      each();
      clock.now += settings.everyMs ?? 10;
    }
  };
  return { server, busy, clock, runUntil };
}

interface Involved {
  readonly kind?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly uid?: string;
}

describe('the busy cluster', () => {
  const { server, runUntil } = run(3, 2000);
  const podsAtStart = server.objects('Pod').length;
  runUntil();
  const events = server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED').map(({ object }) => object);
  const pods = server.writes.filter(({ kind }) => kind === 'Pod').map(({ object }) => object);
  const involved = (event: PlainObject): Involved => event['involvedObject'] as Involved;
  const some = (rule: (event: PlainObject) => boolean): number => events.filter(rule).length;
  const owners = (kind: string): PlainObject[] =>
    pods.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => (owner as { kind?: string }).kind === kind));

  test('begins with about three hundred pods, and makes two thousand event revisions of all kinds', () => {
    expect(podsAtStart).toBeGreaterThan(280);
    expect(podsAtStart).toBeLessThan(320);
    expect(events.length).toBeGreaterThanOrEqual(2000);
    expect(server.objects('Pod').length).toBeLessThan(400);
    expect(new Set(events.map(({ reason }) => reason))).toEqual(
      new Set([
        ...['Scheduled', 'Pulled', 'Created', 'Started', 'Killing', 'BackOff', 'Unhealthy', 'FailedScheduling', 'ScalingReplicaSet'],
        ...['SuccessfulCreate', 'SuccessfulDelete', 'Completed', 'SawCompletedJob', 'AllJobsCompleted', 'TaintManagerEviction'],
        ...['NodeNotReady', 'NodeNotSchedulable', 'NodeReady', 'Starting', 'ExternalProvisioning', 'QuotaNear'],
      ]),
    );
  });

  test('has every kind of workload', () => {
    for (const kind of ['ReplicaSet', 'Job', 'DaemonSet', 'StatefulSet', 'Node']) expect(owners(kind).length).toBeGreaterThan(0);
    const replica = owners('ReplicaSet')[0];
    const hash = replica?.metadata.labels?.['pod-template-hash'] ?? 'none';
    expect(replica?.metadata.name).toMatch(new RegExp(`-${hash}-[a-z0-9]{5}$`));
    const cron = owners('Job').find(({ metadata }) => /-\d{8}-[a-z0-9]{5}$/.test(metadata.name ?? ''));
    expect(cron?.metadata.name).toContain(`-${Math.floor(start / 60_000)}-`);
    expect(owners('Job').some(({ metadata }) => metadata.labels?.['jobset.sigs.k8s.io/jobset-name'] !== undefined)).toBe(true);
    const mirror = owners('Node')[0];
    expect(mirror?.metadata.annotations?.['kubernetes.io/config.mirror']).toMatch(/^[0-9a-f]{32}$/);
    expect(events.map((event) => involved(event).uid)).toContain(
      pods.find(({ metadata }) => events.some((event) => involved(event).uid === metadata.annotations?.['kubernetes.io/config.mirror']))
        ?.metadata.annotations?.['kubernetes.io/config.mirror'],
    );
  });

  test('has events without a uid, with an empty one, and with a node name for one', () => {
    expect(some((event) => event['reason'] === 'TaintManagerEviction' && !('uid' in involved(event)))).toBeGreaterThan(0);
    expect(some((event) => involved(event).kind === 'Node' && involved(event).uid === involved(event).name)).toBeGreaterThan(0);
    expect(some((event) => involved(event).kind === 'Node' && !('uid' in involved(event)))).toBeGreaterThan(0);
    expect(some((event) => involved(event).uid === '')).toBeGreaterThan(0);
  });

  test('repeats events with growing counts, and others as series with an eventTime only', () => {
    expect(some((event) => Number(event['count']) > 3)).toBeGreaterThan(10);
    const series = events.filter((event) => event['series'] !== undefined);
    expect(series.length).toBeGreaterThan(3);
    for (const event of series)
      expect(event).toMatchObject({
        lastTimestamp: null,
        eventTime: expect.stringMatching(/\.\d{6}Z$/),
        series: { lastObservedTime: expect.any(String) },
      });
  });

  test('speaks of more than ASCII, and carries managedFields', () => {
    expect(some((event) => /[^\p{ASCII}]/u.test(String(event['message'])))).toBeGreaterThan(0);
    expect(some(({ metadata }) => metadata.managedFields === undefined)).toBe(0);
  });

  test("writes each object where it exists: every pod event of a uid follows that pod's creation", () => {
    const born = new Set<string>();
    for (const { kind, object } of server.writes) {
      if (kind === 'Pod') born.add(object.metadata.uid ?? '');
      const about = kind === 'Event' ? involved(object) : {};
      if (about.kind === 'Pod' && (about.uid ?? '').length === 36) expect(born.has(about.uid ?? '')).toBe(true);
    }
  });

  test('rolls a Deployment once at a time: its sets are scaled up one after the other', () => {
    const sets = new Map<string, string[]>();
    for (const event of events) {
      const [, set] = /^Scaled up replica set (\S+)/.exec(String(event['message'])) ?? [];
      const { namespace, name } = involved(event);
      const known = sets.get(`${namespace}/${name}`) ?? [];
      if (set !== undefined && known.at(-1) !== set) sets.set(`${namespace}/${name}`, [...known, set]);
    }
    expect([...sets.values()].some((names) => names.length > 1)).toBe(true);
    for (const names of sets.values()) expect(new Set(names).size).toBe(names.length);
  });

  test('comes again with its seed, and differs with another', () => {
    const writes = (seed: number): string => {
      const again = run(seed, 300);
      again.runUntil();
      return JSON.stringify(again.server.writes);
    };
    expect(writes(5)).toBe(writes(5));
    expect(writes(5)).not.toBe(writes(6));
  });

  test.each([11, 12, 13])('is told whole by watches that break at any byte and are opened again, seed %i', (seed) => {
    const random = seededRandom(seed);
    const seen = new Map<string, number>();
    let position = '';
    let rest = '';
    let stream: (() => boolean) | undefined;
    const open = (): (() => boolean) => {
      server.faults.next({}, { type: 'cut', afterBytes: Math.floor(random() * 60_000), end: random() < 0.5 ? 'close' : 'reset' });
      const query = { watch: 'true', resourceVersion: position, timeoutSeconds: '30' };
      const reply = server.handle({ method: 'GET', path: '/api/v1/events', query, headers: {} });
      if (reply.type !== 'answer') throw new Error(reply.type);
      rest = '';
      return () => {
        for (;;) {
          const taken = reply.body.take(1 + Math.floor(random() * 5000));
          if (taken.type !== 'bytes') return taken.type === 'nothing';
          const parts = (rest + Buffer.from(taken.bytes).toString('latin1')).split('\n');
          rest = parts.pop() ?? '';
          for (const part of parts) {
            const { type, object } = JSON.parse(part) as { type: string; object: PlainObject };
            position = object.metadata.resourceVersion ?? '';
            const key = `${type} ${object.metadata.uid} ${position}`;
            seen.set(key, (seen.get(key) ?? 0) + 1);
          }
        }
      };
    };
    const read = (): void => {
      if (random() < 0.2) return; // Now and then the reader is behind.
      stream ??= open();
      if (!stream()) stream = undefined;
    };
    const { server, runUntil, clock } = run(seed, 1500, { everyMs: 100, eventTtlMs: 600_000 }, read);
    position = server.resourceVersion();
    runUntil();
    for (let left = 40; left > 0; left--) {
      read();
      clock.now += 1;
    }
    const written = server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED');
    const told = [...seen].filter(([key]) => !key.startsWith('DELETED'));
    expect(told.map(([key]) => key)).toEqual(
      written.map(({ type, object, resourceVersion }) => `${type} ${object.metadata.uid} ${resourceVersion}`),
    );
    expect(told.every(([, times]) => times === 1)).toBe(true);
  });
});
