import { describe, expect, test } from 'vitest';
import { nextStep, outdated, type SeenLease, supersededState } from '../../src/model/handover.ts';
import { type LeaseState, leaseName, newLease, readLease, type ShardLease, withContent } from '../../src/model/shardLease.ts';

const app = 'kube-sluice';

/** `0/3 current alive`: a lease, its state, and what its holder looks like. `+` has a checkpoint. */
function seen(text: string): SeenLease {
  const [shard = '', state, holder = 'nobody', saved] = text.split(' ');
  const [index, total] = shard.split('/').map(Number) as [number, number];
  const object = { ...newLease(app, 'sluice', { index, total }), metadata: { name: leaseName(app, { index, total }), uid: shard } };
  const content = {
    holder: holder === 'nobody' ? '' : 'p',
    token: 1,
    state: state as LeaseState,
    acquiredAt: undefined,
    renewedAt: undefined,
  };
  const lease = readLease(
    app,
    withContent(app, object, { ...content, checkpoint: saved === '+' ? '{}' : undefined }, 15_000),
  ) as ShardLease;
  return { lease, holder: holder as SeenLease['holder'] };
}

const names = (leases: readonly ShardLease[]): string[] => leases.map(({ shard }) => `${shard.index}/${shard.total}`);

function step(own: string, ...others: string[]): string {
  const [index, total] = own.split('/').map(Number) as [number, number];
  const made = nextStep({ index, total, function: 'fnv1a32-mod' }, [seen(`${own} waiting alive`), ...others.map(seen)]);
  if (made.type === 'wait') return `wait ${names([made.for])[0]}`;
  return made.type === 'supersede' ? `supersede ${names(made.leases).join(' ')}` : 'enter';
}

describe('a shard that has announced itself', () => {
  test.each<[string, string[], string]>([
    ['enters where there is nobody else', [], 'enter'],
    ['does not mind others of its map that wait, too', ['1/5 waiting alive', '2/5 superseded silent'], 'enter'],
    ['waits for a holder of another map that is alive and may deliver', ['0/3 current alive', '1/3 current nobody'], 'wait 0/3'],
    ['waits for one that only waits', ['0/3 waiting alive'], 'wait 0/3'],
    ['waits for one that was superseded and is back', ['0/3 superseded alive'], 'wait 0/3'],
    ['takes nothing from anybody as long as one is alive', ['0/3 current silent', '1/3 current nobody', '2/3 waiting alive'], 'wait 2/3'],
    ['supersedes all that might still deliver', ['0/3 current silent', '1/3 current nobody', '2/3 superseded nobody'], 'supersede 0/3 1/3'],
    ['supersedes a dead one that was only announced: it may be asleep', ['0/3 waiting silent'], 'supersede 0/3'],
    ['supersedes shards of several maps', ['0/3 current silent', '0/2 current nobody'], 'supersede 0/3 0/2'],
    ['enters when nobody of another map holds a lease or may deliver', ['0/3 superseded nobody', '1/2 waiting nobody'], 'enter'],
    [
      'joins its map if that has entered, whoever else waits',
      ['1/5 current silent', '0/3 waiting alive', '1/3 superseded silent'],
      'enter',
    ],
  ])('%s', (_, others, expected) => {
    expect(step('0/5', ...others)).toBe(expected);
  });

  test('is not its own mate, and another function is another map', () => {
    const shard = { index: 0, total: 5, function: 'fnv1a64-range' } as const;
    expect(nextStep(shard, [seen('0/5 current alive')])).toMatchObject({ type: 'wait' });
    expect(nextStep({ ...shard, function: 'fnv1a32-mod' }, [seen('0/5 current alive'), seen('0/3 waiting alive')])).toMatchObject({
      type: 'wait',
    });
  });
});

test('who never had the right to deliver is not superseded by losing it', () => {
  expect((['current', 'waiting', 'superseded'] as const).map(supersededState)).toEqual(['superseded', 'waiting', 'superseded']);
});

describe('leases of earlier maps', () => {
  const shard = { index: 0, total: 2, function: 'fnv1a32-mod' } as const;
  const begun = ['0/2 current alive +', '1/2 current silent +'];
  test.each<[string, string[], string[]]>([
    ['go when every shard has begun', [...begun, '0/3 superseded nobody +', '1/3 waiting silent'], ['0/3', '1/3']],
    ['stay when a shard is missing', ['0/2 current alive +', '0/3 superseded nobody +'], []],
    ['stay when a shard waits', ['0/2 current alive +', '1/2 waiting alive +', '0/3 superseded nobody +'], []],
    ['stay when a shard has not chosen its start yet', ['0/2 current alive +', '1/2 current alive', '0/3 superseded nobody +'], []],
    ['stay when somebody alive holds them', [...begun, '0/3 superseded alive +'], []],
    ['stay when they may deliver, which cannot be', [...begun, '0/3 current nobody +'], []],
  ])('%s', (_, leases, removed) => {
    expect(names(outdated(shard, leases.map(seen)))).toEqual(removed);
  });
});
