import { describe, expect, it } from 'vitest';
import { replayStep } from '../../src/transports/replayStep.ts';
import type { RequestShape } from '../../src/transports/requestShape.ts';
import { answer, ended, frames, get, json, left, opened, replayed, startsAt, stream } from './replaying.ts';
import { added, asking, bracket, bracketEnd, expired, line, list, pod, podRead, status, watch } from './replayRequests.ts';

describe('replay to a reader that asks differently', () => {
  it('goes on with a watch that its reader left early', () => {
    const replay = replayed();
    const first = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, added(5)]));
    first.leave();
    const second = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [added(6), ended]));
    expect([first.told, second.told]).toEqual([
      ['opened', line(5)],
      ['opened', line(6), 'end'],
    ]);
  });

  it('joins watches for a reader that stays longer', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, added(5), left]), ...frames(2, [stream(), opened, added(6), ended]));
    expect(told).toEqual(['opened', line(5), line(6), 'end']);
  });

  it('ends a stream that stayed open before it serves a refusal, which the next request gets', () => {
    const replay = replayed();
    const first = asking(replay, 'stream', watch);
    replay.feed(
      ...frames(1, [stream(), opened, added(5), left]),
      ...frames(2, [stream(), answer(429, {})]),
      ...frames(3, [stream(), opened]),
    );
    expect(first.told).toEqual(['opened', line(5), 'end']);
    expect(asking(replay, 'stream', watch).told).toEqual([[429, {}], 'end']);
    expect(asking(replay, 'stream', watch).told).toEqual(['opened']);
  });

  it('sends a stream that stayed open to the list by a line', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, left]), ...frames(2, [get({ limit: '500' }), answer(200, list(9))]));
    expect(told).toEqual(['opened', { type: 'ERROR', object: expired[1] }, 'end']);
    expect(asking(replay, 'get', { limit: '1000' }).told).toEqual([[200, list(9)], 'end']);
  });

  it('goes on with what the other request finds when a stream was cut off in the recording', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, added(5)]), ...frames(2, [stream(), opened, added(6)]));
    expect(told).toEqual(['opened', line(5), line(6)]);
  });

  it('answers a check at any time by the version that was reached', () => {
    const replay = replayed();
    const first = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, added(5), json('line', { type: 'ERROR', object: { kind: 'Status', code: 500 } })]));
    first.leave();
    expect(asking(replay, 'get', { limit: '1' }).told).toEqual([[200, list(5)], 'end']);
    expect(asking(replay, 'stream', watch).told).toEqual(['opened']);
  });

  it('passes over checks that were recorded and are not asked for', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [get({ limit: '1' }), answer(200, list(5))]), ...frames(2, [stream(), opened, added(6)]));
    expect(told).toEqual(['opened', line(6)]);
  });

  it('sends a reader that watches to the list that was recorded', () => {
    const replay = replayed();
    const watching = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [get({ limit: '500' }), answer(200, list(9, [{ n: 1 }]))]));
    expect(watching.told).toEqual([expired, 'end']);
    expect(asking(replay, 'get', { limit: '1000' }).told).toEqual([[200, list(9, [{ n: 1 }])], 'end']);
  });

  it('answers an empty list where the recording only watches: version 1 at first, later what was reached', () => {
    const replay = replayed();
    replay.feed(...frames(1, [stream(), opened, added(5)]));
    expect(asking(replay, 'get', { limit: '1000' }).told).toEqual([[200, list(1)], 'end']);
    const watching = asking(replay, 'stream', watch);
    expect(watching.told).toEqual(['opened', line(5)]);
    watching.leave();
    expect(asking(replay, 'get', { limit: '1000' }).told).toEqual([[200, list(5)], 'end']);
  });

  it('answers a streaming list where the recording only watches, and goes on as the watch', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', bracket);
    replay.feed(...frames(1, [stream(), opened, added(5)]));
    expect(told).toEqual(['opened', bracketEnd(1), line(5)]);
  });

  it('lists the pods that are there in a list that was not recorded', () => {
    const replay = replayed();
    const path = '/api/v1/namespaces/shop/pods';
    const other = json('line', { type: 'ADDED', object: { metadata: { name: 'gone', namespace: 'shop', resourceVersion: '6' } } });
    const gone = json('line', { type: 'DELETED', object: { metadata: { name: 'gone', namespace: 'shop', resourceVersion: '7' } } });
    const first = asking(replay, 'stream', watch, path);
    replay.feed(...frames(1, [stream({}, path), opened, pod('ADDED'), other, gone], startsAt, 'pods'));
    first.leave();
    const [, read] = podRead();
    const { told, leave } = asking(replay, 'stream', bracket, path);
    expect(told.slice(0, 2)).toEqual(['opened', { type: 'ADDED', object: read }]);
    expect(told[2]).toMatchObject({ type: 'BOOKMARK', object: { kind: 'PartialObjectMetadata', metadata: { resourceVersion: '7' } } });
    leave();
    expect(asking(replay, 'get', {}, path).told).toEqual([[200, list(7, [read])], 'end']);
  });

  it('makes pages of a streaming list, and sends a streaming list to recorded pages', () => {
    const replay = replayed();
    const pages = asking(replay, 'get', { limit: '1000' });
    replay.feed(...frames(1, [stream(bracket), opened, added(5), added(3), json('line', bracketEnd(9)), added(10)]));
    expect(pages.told).toEqual([[200, list(9, [line(5).object, line(3).object])], 'end']);
    expect(asking(replay, 'stream', watch).told).toEqual(['opened', line(10)]);

    const other = replayed();
    const streaming = asking(other, 'stream', bracket);
    other.feed(...frames(1, [get({ limit: '500' }), answer(200, list(9))]));
    expect(streaming.told).toEqual([status(400, 'BadRequest', 'the recording lists by pages here'), 'end']);
    expect(asking(other, 'get', { limit: '7' }).told).toEqual([[200, list(9)], 'end']);
  });

  it('makes pages of the streaming list that was completed, not of one that broke off', () => {
    const replay = replayed();
    const { told } = asking(replay, 'get', {});
    replay.feed(...frames(1, [stream(bracket), opened, added(5), ended]));
    replay.feed(...frames(2, [stream(bracket), opened, added(6), left]));
    replay.feed(...frames(3, [stream(bracket), opened, added(7), json('line', { type: 'PING' }), json('line', bracketEnd(9))]));
    expect(told).toEqual([[200, list(9, [line(7).object])], 'end']);
  });

  it('begins the list again for a reader with another token, and passes over the pages that are left', () => {
    const replay = replayed();
    replay.feed(...frames(1, [get({ continue: 'b' }), answer(200, list(9))]), ...frames(2, [get({}), answer(200, list(11, [], 'x'))]));
    expect(asking(replay, 'get', { continue: 'a' }).told).toEqual([expired, 'end']);
    expect(asking(replay, 'get', { limit: '7' }).told).toEqual([[200, list(11, [], 'x')], 'end']);
  });
});

describe('replayStep', () => {
  const shapes: Readonly<Record<string, RequestShape>> = {
    check: { type: 'check' },
    page: { type: 'page', token: '' },
    'page a': { type: 'page', token: 'a' },
    bracket: { type: 'bracket' },
    watch: { type: 'watch' },
  };

  it('is one table', () => {
    const table = Object.entries(shapes).map(([asked, shape]) => [
      asked,
      Object.values(shapes)
        .map((next) => replayStep(shape, next))
        .join(' '),
    ]);
    //                          check   page    page a  bracket watch
    expect(table).toEqual([
      ['check', 'serve version version version version'],
      ['page', 'skip serve skip gather list'],
      ['page a', 'expired expired serve expired expired'],
      ['bracket', 'skip pages skip serve bracket'],
      ['watch', 'skip expired skip expired serve'],
    ]);
  });
});
