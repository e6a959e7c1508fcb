import { of } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import type { Body, Change } from '../../src/model/change.ts';
import type { EventObject } from '../../src/model/kube.ts';
import type { Item } from '../../src/model/occurrence.ts';
import { shardKey } from '../../src/model/shard.ts';
import { toOccurrences } from '../../src/operators/toOccurrences.ts';
import { liveRuntime } from '../../src/runtime.ts';
import { watchLine } from '../../src/sources/watchLine.ts';

const event = {
  kind: 'Event',
  metadata: { name: 'web-0.1', namespace: 'shop', uid: 'u', resourceVersion: '7' },
  involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web-0', uid: 'p' },
  message: 'Started',
};
const lineOf = (object: unknown, type = 'ADDED'): Buffer => Buffer.from(JSON.stringify({ type, object }));

function bodyOf(line: Buffer): Body {
  const told = watchLine(line, 'all');
  if (!('body' in told)) throw new Error(`an object was expected (got ${told.type})`);
  return told.body;
}

function occurrenceOf(line: Buffer): Item & { type: 'occurrence' } {
  const told = watchLine(line, 'all');
  if (told.type !== 'added') throw new Error(`an added object was expected (got ${told.type})`);
  const items: Item[] = [];
  of(told as Change<EventObject>)
    .pipe(toOccurrences(liveRuntime(() => undefined)))
    .subscribe((item) => items.push(item));
  const [item] = items;
  if (item?.type !== 'occurrence') throw new Error('an occurrence was expected');
  return item;
}

describe('watchLine', () => {
  it('tells type, version and size of an object, and parses it once, when it is read', () => {
    const line = lineOf(event, 'MODIFIED');

    expect(watchLine(line, 'all')).toMatchObject({ type: 'modified', resourceVersion: '7', body: { bytes: line.length } });
    const body = bodyOf(line);
    expect(body.read()).toEqual(event);
    expect(body.read()).toBe(body.read());
  });

  it('keeps nothing of the chunk once the object was read', () => {
    const line = lineOf(event);
    const body = bodyOf(line);
    body.read();
    line.fill(0);

    expect(body.read()).toEqual(event);
  });

  it('gives the same header whether the bytes or a full parse tell it', () => {
    const { read: _, bytes: __, ...looked } = occurrenceOf(lineOf(event));
    const { read: ___, bytes: ____, ...parsed } = occurrenceOf(Buffer.from(JSON.stringify({ type: 'ADDED', object: event }, null, 1)));

    expect(looked).toEqual(parsed);
    expect(looked).toMatchObject({ uid: 'u', namespace: 'shop', involved: event.involvedObject });
  });

  it('lets a line that breaks behind its header be counted for its shard, and refuses to read it', () => {
    const whole = lineOf(event).toString();
    const broken = occurrenceOf(Buffer.from(whole.replace('"Started"', '"Started"garbage')));

    expect(shardKey(broken)).toBe('p');
    expect(broken.resourceVersion).toBe('7');
    expect(() => broken.read()).toThrow(PipelineError);
    expect(() => broken.read()).toThrow('a watch line must be JSON');
  });

  it('takes what is no watch event, and an object without a version, for strange', () => {
    expect(watchLine(Buffer.from('<html>'))).toEqual({ type: 'strange', cause: 'notWatchEvent' });
    expect(watchLine(Buffer.from('{"type":"ADDED","object":{"metadata":{"uid":"u"'))).toEqual({ type: 'strange', cause: 'notWatchEvent' });
    expect(watchLine(lineOf({ ...event, metadata: {} }))).toEqual({ type: 'strange', cause: 'undecodable' });
  });
});
