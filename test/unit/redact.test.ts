import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replayCommand } from '../../src/cli/replay.ts';
import { runCommandLine } from '../../src/cli/runCommandLine.ts';
import { pseudonyms } from '../../src/transports/pseudonyms.ts';
import { rawBodies } from '../../src/transports/rawBodies.ts';
import { headerLine, type RecordedFrame, type RecordingHeader, recordedLine } from '../../src/transports/recording.ts';
import { redactFrame, redactHeader } from '../../src/transports/redactFrame.ts';
import { fakeProcess } from './cliContext.ts';

const nowMs = Date.parse('2026-11-30T16:00:00Z');
const names = pseudonyms(new Uint8Array(32).fill(7), nowMs);

describe('pseudonyms', () => {
  it.each([
    ['', ''],
    ['kube-system', 'kube-system'],
    ['default-scheduler', 'default-scheduler'],
    ['shop', expect.stringMatching(/^r[a-z2-7]{15}$/)],
    ['db-0', expect.stringMatching(/^r[a-z2-7]{15}$/)],
    ['5f6a26b0-9c4e-4ef7-83e3-06fec61c2639', expect.stringMatching(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)],
    [
      'web-7ffc9bd664-pcwgk.18ecde9188c6ed64',
      `${names.name('web')}-${names.generated('7ffc9bd664')}-${names.generated('pcwgk')}.18ecde9188c6ed64`,
    ],
    ['web-7ffc9bd664', `${names.name('web')}-${names.generated('7ffc9bd664')}`],
    ['web-1234567890', `${names.name('web')}-${names.generated('1234567890')}`],
    // A minute of today and a time of today are kept; numbers that only look like them are not.
    ['backup-29935680-x2wlk', `${names.name('backup')}-29935680-${names.generated('x2wlk')}`],
    ['customer-20000001', `${names.name('customer')}-${names.generated('20000001')}`],
    ['web.1000000000000000', expect.stringMatching(new RegExp(`^${names.name('web')}\\.(?!1000)[0-9a-f]{16}$`))],
  ])('of %j keep how names belong together', (text, name) => {
    expect(names.name(text)).toEqual(name);
    expect(names.name(text)).toBe(names.name(text));
  });

  it('differ with the key', () => {
    const others = pseudonyms(new Uint8Array(32).fill(8), nowMs);
    for (const text of ['shop', 'web-7ffc9bd664', '5f6a26b0-9c4e-4ef7-83e3-06fec61c2639']) {
      expect(others.name(text)).not.toBe(names.name(text));
    }
    expect(others.text('Pulled image')).not.toBe(names.text('Pulled image'));
  });
});

function redacted(frame: RecordedFrame): string {
  return recordedLine({ at: 1, stream: 'events', request: 1, frame: redactFrame(frame, names) });
}

function bodyOf(value: unknown): Buffer {
  return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
}

/** An object with a mark in everything that somebody may have named or written. */
function marked(mark: string): Readonly<Record<string, unknown>> {
  return {
    kind: 'Event',
    apiVersion: `${mark}.example.com/v1`,
    metadata: {
      name: `${mark}-7ffc9bd664-pcwgk.18ecde9188c6ed64`,
      generateName: `${mark}-`,
      namespace: mark,
      uid: mark,
      resourceVersion: '12',
      selfLink: `/api/v1/namespaces/${mark}`,
      creationTimestamp: '2026-11-30T16:11:07Z',
      labels: { app: mark, [`${mark}.example.com/team`]: 'x', 'node-role.kubernetes.io/x': mark, 'pod-template-hash': mark },
      annotations: {
        'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ password: mark }),
        'kubernetes.io/config.hash': mark,
      },
      ownerReferences: [{ apiVersion: `${mark}.io/v1`, kind: 'ReplicaSet', name: `${mark}-7ffc9bd664`, uid: mark, controller: true }],
      finalizers: [`${mark}/protect`],
      managedFields: [{ manager: mark, time: '2026-11-30T16:11:07Z', fieldsV1: { [`f:${mark}`]: {} } }, { time: mark }, mark, null],
    },
    involvedObject: { kind: 'Pod', namespace: mark, name: mark, uid: mark, resourceVersion: mark, fieldPath: `spec.containers{${mark}}` },
    related: { kind: mark.repeat(10), name: mark, fieldPath: mark },
    reason: `${mark} with a space`,
    message: `pulled ${mark}`,
    action: `${mark}!`,
    source: { component: mark, host: mark },
    reportingComponent: mark,
    reportingInstance: mark,
    eventTime: mark,
    lastTimestamp: `2026-11-30T16:11:07Z${mark}`,
    series: { count: 3, lastObservedTime: mark, [mark]: 1 },
    count: mark,
    [mark]: { [mark]: [mark, 7, { [mark]: mark }] },
    ['__proto__']: { [mark]: mark },
  };
}

describe('a redacted frame', () => {
  const mark = 'mark42secret';
  it.each<[string, RecordedFrame]>([
    ['a watch line', { kind: 'line', body: bodyOf({ type: 'ADDED', object: marked(mark) }) }],
    ['a watch line of no known type', { kind: 'line', body: bodyOf({ type: `${mark}?`, object: marked(mark), [mark]: 1 }) }],
    ['a list', { kind: 'answer', status: 200, body: bodyOf({ kind: 'EventList', metadata: { continue: mark }, items: [marked(mark)] }) }],
    [
      'a refusal',
      {
        kind: 'answer',
        status: 403,
        body: bodyOf({ kind: 'Status', message: mark, details: { name: mark, causes: [{ message: mark, field: mark }] } }),
      },
    ],
    ['an answer that is no JSON', { kind: 'answer', status: 502, body: bodyOf(`<html>${mark}</html>\n`) }],
    ['an answer that is only a text', { kind: 'answer', status: 502, body: bodyOf(`"${mark}"`) }],
    ['a list of texts', { kind: 'line', body: bodyOf([mark, [mark]]) }],
    ['half a line', { kind: 'line', body: bodyOf(`{"type":"ADDED","object":{"metadata":{"name":"${mark}`) }],
    [
      'a request',
      {
        kind: 'request',
        how: 'get',
        path: `/api/v1/namespaces/${mark}/pods/${mark}%2F`,
        query: { continue: mark, fieldSelector: `a=${mark}`, x: mark },
      },
    ],
    ['an odd path', { kind: 'request', how: 'get', path: `/apis/${mark}/%E0%A4%A/${mark}`, query: {} }],
    ['a failure', { kind: 'failed', reason: `${mark}.example.com: connect ECONNREFUSED 10.0.0.1` }],
  ])('holds no name and no text of %s', (_, frame) => {
    expect(JSON.stringify(frame.kind === 'line' || frame.kind === 'answer' ? Buffer.from(frame.body).toString() : frame)).toContain(mark);
    expect(redacted(frame)).not.toContain(mark);
    expect(redacted(frame)).not.toContain('10.0.0.1');
  });

  it('keeps what says what happened and when, and how it is asked', () => {
    const event = {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { resourceVersion: '12', creationTimestamp: '2026-11-30T16:11:07Z', annotations: { 'k8s.io/initial-events-end': 'true' } },
      involvedObject: { kind: 'Pod', apiVersion: 'v1' },
      reason: 'BackOff',
      type: 'Warning',
      count: 7,
      series: { count: 3, lastObservedTime: '2026-11-30T16:11:08.108763Z' },
      eventTime: null,
      source: { component: 'kubelet' },
    };
    const frames: readonly RecordedFrame[] = [
      { kind: 'line', body: bodyOf({ type: 'MODIFIED', object: event }) },
      {
        kind: 'answer',
        status: 410,
        body: bodyOf(`${JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Expired', code: 410 })}\n`),
      },
      { kind: 'request', how: 'stream', path: '/api/v1/events', query: { watch: 'true', resourceVersion: '12', timeoutSeconds: '300' } },
      { kind: 'opened', status: 200, date: 'Mon, 30 Nov 2026 16:11:07 GMT' },
      { kind: 'torn', bytes: 3 },
      { kind: 'left' },
    ];
    for (const frame of frames) expect(redactFrame(frame, names)).toEqual(frame);
    expect(redactFrame({ kind: 'failed', reason: 'host: read ECONNRESET' }, names)).toEqual({ kind: 'failed', reason: 'ECONNRESET' });
  });

  it('keeps a page and the request for it together', () => {
    const page = JSON.parse(redacted({ kind: 'answer', status: 200, body: bodyOf({ metadata: { continue: 'next' } }) }));
    const request = JSON.parse(redacted({ kind: 'request', how: 'get', path: '/api/v1/events', query: { continue: 'next' } }));
    expect(request.query.continue).toBe(page.body.metadata.continue);
  });
});

const fixture = (name: string): string => new URL(`../fixtures/apiserver-1.36.2/${name}`, import.meta.url).pathname;

/** The fixtures as a recording, as it is or redacted. */
async function recordingOf(redact: boolean): Promise<string> {
  const { header, frames } = await rawBodies({ events: fixture('events.json.stream'), pods: fixture('pods.json.stream') }, () => undefined);
  const lines = [headerLine(redact ? redactHeader(header, names) : header)];
  for await (const { frame, ...of } of frames) lines.push(recordedLine({ ...of, frame: redact ? redactFrame(frame, names) : frame }));
  const path = join(mkdtempSync(join(tmpdir(), 'kube-sluice-')), 'recording.ndjson');
  writeFileSync(path, `${lines.join('\n')}\n`);
  return path;
}

interface Line {
  readonly involvedUID: string;
  readonly involvedName: string;
  readonly eventNamespace: string;
  readonly message: string;
  readonly podLabels?: Readonly<Record<string, string>>;
  readonly [field: string]: unknown;
}

async function replayed(path: string): Promise<readonly Line[]> {
  const faked = fakeProcess();
  expect(await runCommandLine(['replay', path, '--speed', 'max', '--local-format', 'json'], [replayCommand], faked.context)).toBe(0);
  return faked
    .output()
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** The same numbers for the same values, in the order in which they come. */
function numbered(values: readonly unknown[]): readonly number[] {
  const known = new Map<unknown, number>();
  return values.map((value) => {
    known.set(value, known.get(value) ?? known.size);
    return known.get(value) ?? -1;
  });
}

describe('a redacted recording', () => {
  it('replays to the same lines but for the names, which are equal where they were equal', async () => {
    const [plain, hidden] = [await replayed(await recordingOf(false)), await replayed(await recordingOf(true))];
    expect(hidden).toHaveLength(218);
    const kept = ['action', 'resourceVersion', 'count', 'reason', 'involvedKind', 'timestamp', 'severity', 'type'];
    const only = ({ podLabels, resource, ...line }: Line): unknown => [
      ...kept.map((field) => line[field]),
      podLabels?.['logging.gke.io/top_level_controller_type'],
      (resource as { type: string }).type,
    ];
    expect(hidden.map(only)).toEqual(plain.map(only));
    const owner = ({ podLabels }: Line): unknown => podLabels?.['logging.gke.io/top_level_controller_name'];
    for (const field of ['involvedUID', 'involvedName', 'eventNamespace', 'eventUID', 'message']) {
      expect(numbered(hidden.map((line) => line[field])), field).toEqual(numbered(plain.map((line) => line[field])));
    }
    expect(numbered(hidden.map(owner))).toEqual(numbered(plain.map(owner)));
    expect(hidden.filter((line) => owner(line) !== undefined)).toHaveLength(118);
    expect(hidden.find((line) => line.eventNamespace === 'shop')).toBeUndefined();
  });

  it('says so in its header, and nothing of what was asked for', () => {
    const header: RecordingHeader = {
      format: 'kube-sluice recording',
      version: 1,
      startedAt: new Date(nowMs).toISOString(),
      recordedBy: 'test',
      server: { major: '1', minor: '36', gitVersion: 'v1.36.2' },
      asked: { namespaces: ['', 'shop'], labelSelector: 'team=web', fieldSelector: '' },
    };
    expect(redactHeader(header, names)).toEqual({
      ...header,
      redacted: true,
      asked: { namespaces: ['', names.name('shop')], labelSelector: names.text('team=web'), fieldSelector: '' },
    });
  });
});
