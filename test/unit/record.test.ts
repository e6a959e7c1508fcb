import { BehaviorSubject, NEVER, type Observable, of, Subject, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import type { Answer, Frame, KubeRequest, KubeTransport } from '../../src/ports.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { record } from '../../src/transports/record.ts';

const request: KubeRequest = { stream: 'events', path: '/api/v1/events', query: { watch: 'true' }, accept: 'application/json' };

function recorder(answers: { readonly get?: Observable<Answer>; readonly stream?: Observable<Frame> }) {
  const lines: unknown[] = [];
  const clock = virtualClock(1_000);
  const paused: Observable<boolean>[] = [];
  const transport: KubeTransport = {
    get: () => answers.get ?? NEVER,
    stream: (_, pauses) => {
      paused.push(pauses);
      return answers.stream ?? NEVER;
    },
    send: () => answers.get ?? NEVER,
  };
  const recording = record(transport, (line) => lines.push(JSON.parse(line)), { scheduler: clock.scheduler });
  return { lines, clock, paused, recording };
}

const asked = { at: 1_000, stream: 'events', request: 1, kind: 'request', path: '/api/v1/events', query: { watch: 'true' } };
const line: Frame = { type: 'line', bytes: Buffer.from('{"a":1}') };

describe('record', () => {
  it('writes each frame with its time, before it is handed on', () => {
    const source = new Subject<Frame>();
    const { lines, clock, recording } = recorder({ stream: source });
    const writtenBefore: number[] = [];
    recording.stream(request, of(false)).subscribe(() => writtenBefore.push(lines.length));
    source.next({ type: 'opened', status: 200, date: 'Mon' });
    clock.advanceTo(2_000);
    source.next(line);
    source.next({ type: 'oversized', bytes: 9 });
    source.next({ type: 'torn', bytes: 3 });
    source.complete();
    const event = { stream: 'events', request: 1 };
    expect(lines).toEqual([
      { ...asked, how: 'stream' },
      { ...event, at: 1_000, kind: 'opened', status: 200, date: 'Mon' },
      { ...event, at: 2_000, kind: 'line', body: { a: 1 } },
      { ...event, at: 2_000, kind: 'oversized', bytes: 9 },
      { ...event, at: 2_000, kind: 'torn', bytes: 3 },
      { ...event, at: 2_000, kind: 'ended' },
    ]);
    expect(writtenBefore).toEqual([2, 3, 4, 5]);
  });

  it('writes an answer, which is an end in itself, and passes it on', () => {
    const { lines, recording } = recorder({ get: of({ type: 'answer', status: 429, retryAfter: '5', body: Buffer.from('{}') }) });
    const answers: unknown[] = [];
    recording.get(request).subscribe((answer) => answers.push(answer));
    expect(lines).toEqual([
      { ...asked, how: 'get' },
      { at: 1_000, stream: 'events', request: 1, kind: 'answer', status: 429, retryAfter: '5', body: {} },
    ]);
    expect(answers).toEqual([{ type: 'answer', status: 429, retryAfter: '5', body: Buffer.from('{}') }]);
  });

  it('writes why a request failed, and passes the error on', () => {
    const reason = new PipelineError('CONNECTION_FAILED', 'host: reset');
    const { lines, recording } = recorder({ stream: throwError(() => reason) });
    const errors: unknown[] = [];
    recording.stream(request, of(false)).subscribe({ error: (error) => errors.push(error) });
    expect(lines.slice(1)).toEqual([{ at: 1_000, stream: 'events', request: 1, kind: 'failed', reason: 'host: reset' }]);
    expect(errors).toEqual([reason]);
  });

  it('writes that its reader has left', () => {
    const { lines, recording } = recorder({});
    recording.stream(request, of(false)).subscribe().unsubscribe();
    recording.get(request).subscribe().unsubscribe();
    expect(lines.map((each) => [(each as { request: number }).request, (each as { kind: string }).kind])).toEqual([
      [1, 'request'],
      [1, 'left'],
      [2, 'request'],
      [2, 'left'],
    ]);
  });

  it('asks for nothing and writes nothing before it is subscribed, and passes pauses on', () => {
    const { lines, paused, recording } = recorder({});
    const pauses = new BehaviorSubject(true);
    const frames = recording.stream(request, pauses);
    expect(lines).toEqual([]);
    frames.subscribe();
    expect(paused).toEqual([pauses]);
  });

  it('writes no header of a request', () => {
    const { lines, recording } = recorder({});
    recording.get({ ...request, accept: 'secret' }).subscribe();
    expect(JSON.stringify(lines)).not.toContain('secret');
  });

  it('passes writes on unrecorded', () => {
    const { lines, recording } = recorder({ get: of({ type: 'answer', status: 201, body: Buffer.from('{}') }) });
    const told: unknown[] = [];
    recording.send({ ...request, method: 'POST', body: '{"secret":1}' }).subscribe((answer) => told.push(answer.status));
    expect([told, lines]).toEqual([[201], []]);
  });
});
