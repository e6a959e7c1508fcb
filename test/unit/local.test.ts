import { EMPTY, lastValueFrom } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { entry, eventObject, gap, joined, occurrence } from '../../marbles/builders.ts';
import type { Entry } from '../../src/model/entry.ts';
import { entryOf } from '../../src/model/entryOf.ts';
import { type LocalSettings, local } from '../../src/sinks/local.ts';
import { caseOf } from './cases.ts';

/** Each text that the sink writes for one batch. */
async function writesOf(batch: readonly Entry[], settings: LocalSettings = {}): Promise<readonly string[]> {
  const texts: string[] = [];
  const sink = local(settings, (text) => {
    texts.push(text);
    return EMPTY;
  });
  await lastValueFrom(sink.write(batch));
  return texts;
}

async function lineOf(one: Entry, settings: LocalSettings = {}): Promise<string> {
  return (await writesOf([one], settings)).join('');
}

async function fieldsOf(one: Entry): Promise<Record<string, unknown>> {
  return JSON.parse(await lineOf(one, { format: 'json' })) as Record<string, unknown>;
}

const warned = entryOf(
  joined(
    1,
    occurrence('1234', {
      change: 'modified',
      uid: 'e-1',
      event: { type: 'Warning', count: 3, reason: 'BackOff', message: 'Back-off restarting' },
    }),
    { 'logging.gke.io/top_level_controller_type': 'Deployment', 'logging.gke.io/top_level_controller_name': 'web' },
  ),
  'k8s',
);

describe('a line', () => {
  test('has the fields of the Go exporter first, then ours, then the whole Event', async () => {
    expect(await lineOf(warned, { cluster: { project: 'p-1', location: 'europe-west1', name: 'c-1' } })).toMatchInlineSnapshot(`
      "EXPORTED_EVENT {"action":"UPDATE","eventUID":"e-1","eventNamespace":"default","eventName":"event-1234","resourceVersion":"1234","count":3,"reason":"BackOff","involvedKind":"Pod","involvedName":"web-0","involvedUID":"pod-web-0","podLabels":{"logging.gke.io/top_level_controller_type":"Deployment","logging.gke.io/top_level_controller_name":"web"},"insertId":"00000000000000001234.e-1","timestamp":"2026-05-04T10:00:00Z","severity":"WARNING","type":"Warning","message":"Back-off restarting","resource":{"type":"k8s_pod","labels":{"project_id":"p-1","location":"europe-west1","cluster_name":"c-1","namespace_name":"default","pod_name":"web-0"}},"event":{"kind":"Event","apiVersion":"v1","metadata":{"name":"event-1234","namespace":"default","uid":"e-1","resourceVersion":"1234","creationTimestamp":"2026-05-04T10:00:00Z"},"involvedObject":{"kind":"Pod","namespace":"default","name":"web-0","uid":"pod-web-0"},"reason":"BackOff","message":"Back-off restarting","type":"Warning","count":3,"firstTimestamp":"2026-05-04T10:00:00Z","lastTimestamp":"2026-05-04T10:00:00Z"}}
      "
    `);
  });

  test('is JSON alone in the json form', async () => {
    const prefixed = await lineOf(warned);

    expect(await lineOf(warned, { format: 'json' })).toBe(prefixed.slice('EXPORTED_EVENT '.length));
    expect(prefixed.startsWith('EXPORTED_EVENT {')).toBe(true);
  });

  test('leaves the whole Event out in the short form, and nothing else', async () => {
    const { event, ...rest } = await fieldsOf(warned);

    expect(event).toEqual(warned.payload);
    expect(JSON.parse(await lineOf(warned, { format: 'json', fields: 'short' }))).toEqual(rest);
  });

  test('says no more about the cluster than is known', async () => {
    const partly = await lineOf(warned, { format: 'json', cluster: { project: '', name: 'c-1' } });

    expect((JSON.parse(partly) as Record<string, unknown>)['resource']).toEqual({
      type: 'k8s_pod',
      labels: { cluster_name: 'c-1', namespace_name: 'default', pod_name: 'web-0' },
    });
    expect((await fieldsOf(warned))['resource']).toEqual(warned.resource);
  });

  test('of a bare Event has empty text, and no field that would claim something', async () => {
    const bare = entry(1, { payload: { metadata: {}, count: null, type: null }, uid: 'e-1' });

    expect(await lineOf(bare, { fields: 'short' })).toMatchInlineSnapshot(`
      "EXPORTED_EVENT {"action":"ADD","eventUID":"e-1","eventNamespace":"","eventName":"","resourceVersion":"1","reason":"","involvedKind":"","involvedName":"","involvedUID":"","insertId":"00000000000000000001.e-1","timestamp":"2026-05-04T10:00:00Z","severity":"INFO","resource":{"type":"k8s_pod","labels":{"namespace_name":"default","pod_name":"web-0"}}}
      "
    `);
  });

  test('of a gap record says GAP and what is missing', async () => {
    const line = await lineOf(entryOf(joined(1, gap('100', '250')), 'k8s'));

    expect(line).toMatchInlineSnapshot(`
      "EXPORTED_EVENT {"action":"GAP","eventUID":"","eventNamespace":"","eventName":"","resourceVersion":"250","reason":"","involvedKind":"","involvedName":"","involvedUID":"","insertId":"00000000000000000100.gap-250","timestamp":"2026-05-04T10:00:00Z","severity":"WARNING","message":"Event revisions after 100 up to 250 may be missing: the API server had already compacted that part of its history.","resource":{"type":"k8s_cluster","labels":{}},"event":{"kind":"Gap","cause":"expired","from":"100","to":"250","message":"Event revisions after 100 up to 250 may be missing: the API server had already compacted that part of its history."}}
      "
    `);
  });

  test('E15: stays one line whatever the message holds, and gives it back unchanged', async () => {
    type Watched = { watchLines: readonly { object: ReturnType<typeof eventObject> }[] };
    const [watched] = caseOf<Watched>('E15').input.watchLines;
    const event = watched?.object ?? eventObject('1');
    const line = await lineOf(entry(1, { payload: { ...event } }));

    expect(event.message).toContain('\u2028');
    expect(line.split(/[\n\r\u0085\u2028\u2029]/)).toEqual([line.slice(0, -1), '']);
    expect(JSON.parse(line.slice('EXPORTED_EVENT '.length))).toMatchObject({ message: event.message, event });
  });

  test('escapes keys and lone surrogates too', async () => {
    const payload = { metadata: { labels: { 'a\u2028b': '\ud800' } } };
    const line = await lineOf(entry(1, { payload }));

    expect(line).toContain('{"a\\u2028b":"\\ud800"}');
    expect(JSON.parse(line.slice('EXPORTED_EVENT '.length))).toMatchObject({ event: payload });
  });
});

describe('a batch', () => {
  test('is one write of one line per entry', async () => {
    const texts = await writesOf([entry(1), entry(2), entry(3)], { format: 'json' });

    expect(
      texts.map((text) => text.split('\n').map((line) => (line === '' ? '' : (JSON.parse(line) as { eventUID: string }).eventUID))),
    ).toEqual([['uid-1', 'uid-2', 'uid-3', '']]);
  });

  test('with an entry that is no JSON refuses that one and writes the rest', async () => {
    const circular: Record<string, unknown> = { kind: 'Event' };
    circular['self'] = circular;
    const texts: string[] = [];
    const sink = local({ format: 'json' }, (text) => {
      texts.push(text);
      return EMPTY;
    });

    expect(await lastValueFrom(sink.write([entry(1), entry(2, { payload: circular }), entry(3)]))).toEqual([
      { type: 'stored' },
      { type: 'refused', reason: 'unencodable' },
      { type: 'stored' },
    ]);
    expect(texts.join('').split('\n').length).toBe(3);
    expect(await lastValueFrom(sink.write([entry(2, { payload: circular })]))).toEqual([{ type: 'refused', reason: 'unencodable' }]);
    expect(texts.length).toBe(1);
  });
});
