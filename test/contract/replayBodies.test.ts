import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { fakeProcess } from '../unit/cliContext.ts';

function folder(): string {
  return mkdtempSync(join(tmpdir(), 'kube-sluice-'));
}

async function call(...args: readonly string[]): Promise<{ code: number; lines: readonly string[]; errors: string }> {
  const faked = fakeProcess();
  const code = await runCommandLine(args, [replayCommand], faked.context);
  return { code, lines: faked.output().split('\n').slice(0, -1), errors: faked.errors() };
}

describe('replay of raw watch bodies', () => {
  const fixture = (name: string): string => new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url).pathname;

  it('exports what the fixtures hold, and the same over any number of shards', async () => {
    const bodies = ['--events', fixture('events.json.stream'), '--pods', fixture('pods.json.stream'), '--speed', 'max'];
    const all = await call('replay', ...bodies);
    expect({
      code: all.code,
      lines: all.lines.length,
      labelled: all.lines.filter((line) => line.includes('top_level_controller_type')).length,
    }).toEqual({
      code: 0,
      lines: 218,
      labelled: 118,
    });
    const everyTotal = Array.from({ length: 16 }, (_, index) => index + 1);
    for (const [shardFunction, totals] of [
      ['fnv1a32-mod', everyTotal],
      ['fnv1a64-range', [3, 16]],
    ] as const) {
      for (const total of totals) {
        const shards = await call('replay', ...bodies, '--total-shards', String(total), '--shard-function', shardFunction);
        expect([...shards.lines].sort(), `${total} by ${shardFunction}`).toEqual([...all.lines].sort());
      }
    }
  }, 120_000);

  it('replays events without pods, and an expired watch', async () => {
    const { code, lines } = await call('replay', '--events', fixture('events.json.stream'), '--speed', 'max');
    expect({ code, lines: lines.length }).toEqual({ code: 0, lines: 218 });
    expect(await call('replay', '--events', fixture('watch-410.json.stream'), '--speed', 'max')).toMatchObject({ code: 0, lines: [] });
  });

  it('survives odd lines: the good ones are exported, the bad ones told', async () => {
    const events = readFileSync(fixture('events.json.stream'), 'utf8').split('\n').slice(0, 3);
    const path = join(folder(), 'odd.stream');
    writeFileSync(
      path,
      `\ufeff${events[0]}\r\n\n${events[1]}\nupstream timed out\n{"type":"PING"}\n${events[2]}\n${events[2]?.slice(0, 50)}`,
    );
    const { code, lines, errors } = await call('replay', '--events', path, '--speed', 'max');
    expect({ code, lines: lines.length }).toEqual({ code: 5, lines: 3 });
    expect(errors).toContain(`${path}:1: byte order mark\n${path}:2: blank line\n${path}:4: not a JSON object\n${path}:7: cut last line\n`);
    expect(errors).toContain('3 bad lines');
  });
});
