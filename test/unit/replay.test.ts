import { BehaviorSubject, of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Answer, Exhausted, Frame, KubeRequest } from '../../src/ports.ts';
import type { RecordedFrame } from '../../src/transports/recording.ts';
import { replayStep } from '../../src/transports/replayStep.ts';
import type { RequestShape } from '../../src/transports/requestShape.ts';
import { answer, ended, frames, get, json, left, opened, type Replayed, replayed, startsAt, stream } from './replaying.ts';

type Query = Readonly<Record<string, string>>;

const watch: Query = { watch: 'true' };
const bracket: Query = { watch: 'true', sendInitialEvents: 'true' };

function requestOf(query: Query, path: string): KubeRequest {
  return { stream: path.endsWith('/pods') ? 'pods' : 'events', path, query, accept: 'application/json' };
}

/** What a request is told, short: lines by their `n`, answers by status and body. */
function asking({ transport }: Replayed, how: 'get' | 'stream', query: Query, path = '/api/v1/events', paused = of(false)) {
  const told: unknown[] = [];
  const answers = how === 'get' ? transport.get(requestOf(query, path)) : transport.stream(requestOf(query, path), paused);
  const subscription = answers.subscribe({
    next: (frame: Frame | Answer | Exhausted) => told.push(short(frame)),
    error: (error: { code?: string; message?: string }) => told.push(`${error.code}: ${error.message}`),
    complete: () => told.push('end'),
  });
  return { told, leave: () => subscription.unsubscribe() };
}

function short(frame: Frame): unknown {
  if (frame.type === 'line') return JSON.parse(Buffer.from(frame.bytes).toString());
  if (frame.type === 'answer') return [frame.status, JSON.parse(Buffer.from(frame.body).toString())];
  return frame.type === 'opened' ? 'opened' : frame;
}

function added(version: number): RecordedFrame {
  return json('line', line(version));
}

function line(version: number) {
  return { type: 'ADDED', object: { kind: 'Event', metadata: { name: `e${version}`, resourceVersion: String(version) } } };
}

function bracketEnd(version: number) {
  const annotations = { 'k8s.io/initial-events-end': 'true' };
  return { type: 'BOOKMARK', object: { kind: 'Event', apiVersion: 'v1', metadata: { resourceVersion: String(version), annotations } } };
}

function list(version: number, items: readonly unknown[] = [], token?: string) {
  return { kind: 'List', apiVersion: 'v1', metadata: { resourceVersion: String(version), ...(token ? { continue: token } : {}) }, items };
}

const status = (code: number, reason: string, message: string) => [
  code,
  { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code },
];
const expired = status(410, 'Expired', 'the recording lists here');

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

const podPath = '/api/v1/namespaces/shop/pods/web-0';

function pod(type: string, more: object = {}) {
  return json('line', {
    type,
    object: { metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', resourceVersion: '5', managedFields: [{}], ...more } },
  });
}

const podRead = (more: object = {}) => [
  200,
  {
    kind: 'PartialObjectMetadata',
    apiVersion: 'meta.k8s.io/v1',
    metadata: { name: 'web-0', namespace: 'shop', uid: 'u1', resourceVersion: '5', ...more },
  },
];

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
});

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
