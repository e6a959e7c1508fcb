import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { shardIndex, shardKey } from '../../src/model/shard.ts';
import { verdict } from '../../src/simulator/verdict.ts';
import { busyCluster, core, httpFace, seededRandom, type Write } from '../../src/testing.ts';
import { type ShardProcess, shardProcess } from './shardProcess.ts';

/** The long form: `KILLS=25 REVISIONS=20000 npx vitest run test/processes`. */
const kills = Number(process.env['KILLS'] ?? 8);
const revisions = Number(process.env['REVISIONS'] ?? 3_000);
const everyMs = 25;

const running = new Set<ShardProcess>();
let folder = '';

afterEach(async () => {
  for (const shard of running) await shard.kill();
  running.clear();
  rmSync(folder, { recursive: true, force: true });
});

interface Line {
  readonly eventUID?: string;
  readonly resourceVersion?: string;
  readonly action?: string;
}

describe('processes that are killed', () => {
  test(`write each revision once: ${kills} kills over ${revisions} revisions, then five shards instead of three`, {
    timeout: 900_000,
  }, async () => {
    folder = mkdtempSync(join(tmpdir(), 'kube-sluice-killed-'));
    const random = seededRandom(11);
    const server = core({ resourceVersion: '1000' }, { now: Date.now, random });
    const face = await httpFace(server);
    const kubeconfig = join(folder, 'kubeconfig');
    writeFileSync(kubeconfig, face.kubeconfig());
    const cluster = busyCluster(server, { pods: 60 }, random);
    const pathOf = (index: number, total: number): string => join(folder, `events-${index}-of-${total}.ndjson`);
    const start = (total: number): ShardProcess[] =>
      Array.from({ length: total }, (_, index) => {
        const flags = [
          '--sink=file',
          `--file-path=${pathOf(index, total)}`,
          '--checkpoint=lease',
          '--lease-namespace=exporters',
          '--prometheus-endpoint=',
          '--log-level=warn',
        ];
        const shard = shardProcess({ index, total, podUid: `pod-${index}-of-${total}`, kubeconfig, flags });
        shard.start();
        running.add(shard);
        return shard;
      });
    const isWatched = (): boolean => server.openStreams('events') >= 3;
    const until = async (what: string, isSo: () => boolean, limitMs = 60_000): Promise<void> => {
      for (const endMs = Date.now() + limitMs; !isSo(); await sleep(50)) {
        if (Date.now() > endMs) throw new Error(`${what} took too long\n${[...running].map((shard) => shard.log()).join('\n')}`);
      }
    };

    try {
      const three = start(3);
      await until('the first watch of each shard', isWatched);
      const perTick = 6;
      const killEvery = Math.floor((revisions * 0.7) / kills);
      let killed = 0;
      while (cluster.eventRevisions() < revisions * 0.8) {
        cluster.stepUntil(perTick);
        await sleep(everyMs);
        if (killed >= kills || cluster.eventRevisions() < (killed + 1) * killEvery) continue;
        killed += 1;
        const victim = three[Math.floor(random() * three.length)] as ShardProcess;
        await victim.kill();
        victim.start();
      }
      expect(killed).toBe(kills);

      const files = [3, 5].flatMap((total) => Array.from({ length: total }, (_, index) => ({ total, index })));
      const linesOf = ({ index, total }: { index: number; total: number }): Line[] => {
        try {
          return readFileSync(pathOf(index, total), 'utf8')
            .split('\n')
            .slice(0, -1)
            .map((line) => JSON.parse(line) as Line);
        } catch {
          return [];
        }
      };
      const stored = (): { shard: number; uid: string; resourceVersion: string }[] =>
        files.flatMap((file) =>
          linesOf(file).flatMap(({ eventUID, resourceVersion, action }) =>
            eventUID === undefined || resourceVersion === undefined || action === 'GAP'
              ? []
              : [{ shard: file.total * 100 + file.index, uid: eventUID, resourceVersion }],
          ),
        );
      const isComplete = (): boolean =>
        stored().length >= server.writes.filter(({ kind, type }) => kind === 'Event' && type !== 'DELETED').length;
      await until('the last revision before the change', isComplete);

      // A change of the shard count: the old ones end in an orderly way, each once it holds what it had left behind.
      const five = start(5);
      await sleep(2_000);
      for (const shard of three) expect(await shard.stop(), shard.log()).toBe(0);
      for (const shard of three) running.delete(shard);
      while (cluster.eventRevisions() < revisions) {
        cluster.stepUntil(perTick);
        await sleep(everyMs);
      }
      await until('the last revision', isComplete, 90_000);
      for (const shard of five) expect(await shard.stop(), shard.log()).toBe(0);

      const ownersOf = ({ object }: Write): number[] => {
        const { uid = '', namespace = '', name = '', kind = '' } = object['involvedObject'] as Record<string, string>;
        const key = shardKey({ involved: { uid, namespace, name, kind } });
        return [300 + shardIndex(key, 3), 500 + shardIndex(key, 5)];
      };
      const all = stored();
      const byKey = new Map(all.map((one) => [`${one.uid}@${one.resourceVersion}`, one.shard]));
      const ownerOf = (write: Write): number => {
        const shard = byKey.get(`${write.object.metadata.uid}@${write.resourceVersion}`);
        return ownersOf(write).find((owner) => owner === shard) ?? -1;
      };
      const { lost, repeated, misplaced, invented, inGap } = verdict({ writes: server.writes, stored: all, gaps: [], ownerOf });
      expect({ lost, repeated, misplaced, invented, inGap }).toEqual({ lost: [], repeated: [], misplaced: [], invented: [], inGap: [] });

      for (const file of files) {
        const last = new Map<string, number>();
        for (const { eventUID, resourceVersion, action } of linesOf(file)) {
          if (eventUID === undefined || action === 'GAP') continue;
          expect(Number(resourceVersion)).toBeGreaterThan(last.get(eventUID) ?? 0);
          last.set(eventUID, Number(resourceVersion));
        }
      }
    } finally {
      await face.close();
    }
  });
});
