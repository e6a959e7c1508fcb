import { BehaviorSubject } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { RecordedFrame } from '../../src/transports/recording.ts';
import { answer, ended, frames, get, opened, replayed, startsAt, stream } from './replaying.ts';
import { added, asking, line, list, pod, podPath, podRead, requestOf, status, watch } from './replayRequests.ts';

describe('replay', () => {
  it('serves a stream as it was recorded, each frame in its time', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), opened, added(5)]));
    expect(told).toEqual(['opened', line(5)]);
    replay.feed(...frames(1, [{ kind: 'oversized', bytes: 9 }, { kind: 'torn', bytes: 3 }, ended], startsAt + 1_000));
    expect(told.slice(2)).toEqual([{ type: 'oversized', bytes: 9 }, { type: 'torn', bytes: 3 }, 'end']);
  });

  it('serves what was fed before it was asked for', () => {
    const replay = replayed();
    replay.feed(...frames(1, [get({ limit: '500' }), answer(200, list(7))]));
    expect(asking(replay, 'get', { limit: '1000' }).told).toEqual([[200, list(7)], 'end']);
  });

  it('fails as the request failed', () => {
    const replay = replayed();
    const { told } = asking(replay, 'get', {});
    replay.feed(...frames(1, [get(), { kind: 'failed', reason: 'host: connection reset' }]));
    expect(told).toEqual(['CONNECTION_FAILED: host: connection reset']);
  });

  it('serves a refused stream as an answer', () => {
    const replay = replayed();
    const { told } = asking(replay, 'stream', watch);
    replay.feed(...frames(1, [stream(), answer(429, {})]));
    expect(told).toEqual([[429, {}], 'end']);
  });

  it('keeps paths apart', () => {
    const replay = replayed();
    const all = asking(replay, 'stream', watch);
    const shop = asking(replay, 'stream', watch, '/api/v1/namespaces/shop/events');
    replay.feed(...frames(1, [stream(), opened, added(5)]), ...frames(2, [stream({}, '/api/v1/namespaces/shop/events'), opened, added(6)]));
    expect([all.told, shop.told]).toEqual([
      ['opened', line(5)],
      ['opened', line(6)],
    ]);
  });

  it('hands nothing on while its reader is paused, and goes on where it was', () => {
    const replay = replayed();
    const paused = new BehaviorSubject(true);
    const { told } = asking(replay, 'stream', watch, '/api/v1/events', paused);
    replay.feed(...frames(1, [stream(), opened, added(5), added(6), ended]));
    expect({ told, held: replay.held(), waiting: replay.waitingBytes() > 100 }).toEqual({ told: [], held: true, waiting: true });
    paused.next(false);
    expect({ told, held: replay.held(), waiting: replay.waitingBytes() }).toEqual({
      told: ['opened', line(5), line(6), 'end'],
      held: false,
      waiting: 0,
    });
  });

  it('stops within a chunk of lines when its reader pauses', () => {
    const replay = replayed();
    const paused = new BehaviorSubject(false);
    const told: unknown[] = [];
    replay.transport.stream(requestOf(watch, '/api/v1/events'), paused).subscribe((frame) => {
      told.push(frame.type);
      paused.next(told.length === 2);
    });
    replay.feed(...frames(1, [stream(), opened, added(5), added(6)]));
    expect(told).toEqual(['opened', 'line']);
  });

  it('tells readers at its end that it is exhausted, after all that waits for them', () => {
    const replay = replayed();
    const paused = new BehaviorSubject(true);
    const held = asking(replay, 'stream', watch, '/api/v1/events', paused);
    const waiting = asking(replay, 'get', {}, '/api/v1/pods');
    replay.feed(...frames(1, [stream(), opened, added(5)]));
    replay.finish();
    expect([held.told, waiting.told]).toEqual([[], [{ type: 'exhausted' }, 'end']]);
    paused.next(false);
    expect(held.told).toEqual(['opened', line(5), { type: 'exhausted' }, 'end']);
    expect(asking(replay, 'get', {}).told).toEqual([{ type: 'exhausted' }, 'end']);
    expect(asking(replay, 'stream', watch, '/api/v1/elsewhere').told).toEqual([{ type: 'exhausted' }, 'end']);
  });

  it('passes over streams that nobody will ask for', () => {
    const replay = replayed({ streams: ['events'] });
    replay.feed(...frames(1, [stream({}, '/api/v1/pods'), opened, added(5)], startsAt, 'pods'));
    expect(replay.waitingBytes()).toBe(0);
  });

  it('answers /version at once, by the header', () => {
    const replay = replayed({ minor: '31+' });
    replay.feed(...frames(1, [get({}, '/version'), answer(200, { major: '1', minor: '36' })]));
    expect(asking(replay, 'get', {}, '/version').told).toEqual([[200, { major: '1', minor: '31+', gitVersion: 'v1.36.2' }], 'end']);
  });
});

describe('replay of single pods', () => {
  it('answers by what was read so far, also of removed pods, else 404', () => {
    const replay = replayed();
    const missing = status(404, 'NotFound', 'the pod was not recorded');
    expect(asking(replay, 'get', {}, podPath).told).toEqual([missing, 'end']);
    const pods = (...list: readonly RecordedFrame[]) => replay.feed(...frames(1, list, startsAt, 'pods'));
    pods(stream({}, '/api/v1/pods'), opened, pod('ADDED'));
    expect(asking(replay, 'get', {}, podPath).told).toEqual([podRead(), 'end']);
    pods(pod('MODIFIED', { labels: { a: 'b' } }), pod('DELETED', { labels: { a: 'c' } }));
    expect(asking(replay, 'get', {}, podPath).told).toEqual([podRead({ labels: { a: 'c' } }), 'end']);
    replay.finish();
    expect(asking(replay, 'get', {}, podPath).told).toEqual([podRead({ labels: { a: 'c' } }), 'end']);
    expect(asking(replay, 'get', {}, '/api/v1/namespaces/shop/pods/web-1').told).toEqual([missing, 'end']);
  });

  it('knows pods of listed pages too', () => {
    const replay = replayed();
    const items = [{ metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', resourceVersion: '5' } }];
    replay.feed(...frames(1, [get({}, '/api/v1/pods'), answer(200, list(9, items))], startsAt, 'pods'));
    expect(asking(replay, 'get', {}, podPath).told).toEqual([podRead(), 'end']);
  });

  it('has nothing that can be written to', () => {
    const told: unknown[] = [];
    const request = { stream: 'leases', method: 'POST', path: '/x', query: {}, accept: 'application/json', body: '{}' } as const;
    replayed()
      .transport.send(request)
      .subscribe({ next: (answer) => told.push(answer.status), complete: () => told.push('end') });
    expect(told).toEqual([404, 'end']);
  });
});
