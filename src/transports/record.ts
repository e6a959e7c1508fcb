import { defer, finalize, type Observable, tap } from 'rxjs';
import { messageOf } from '../errors.ts';
import type { Answer, Exhausted, Frame, KubeRequest, KubeTransport } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { headOf } from './recordedBody.ts';
import { type Recorded, type RecordedFrame, recordedLine } from './recording.ts';

/**
 * Writes down what passes between readers and a transport, one line each, before it is handed on.
 *
 * State: a counter of requests. Time: only read. Order: kept. Errors: written down and passed on.
 * `told` may change what is written of a frame, not what is handed on.
 * Writes pass through unrecorded. What is written holds paths, queries and answers: no header of a request, so never a credential.
 */
export function record(
  transport: KubeTransport,
  write: (line: string) => void,
  runtime: Pick<Runtime, 'scheduler'>,
  told: (frame: RecordedFrame) => RecordedFrame = (frame) => frame,
): KubeTransport {
  let requests = 0;

  const recorded = <T extends Frame>(how: 'get' | 'stream', asked: KubeRequest, answers: Observable<T>): Observable<T> =>
    defer(() => {
      const { stream, path, query } = asked;
      const request = ++requests;
      let over = false;
      const tell = (frame: RecordedFrame): void =>
        write(recordedLine({ at: runtime.scheduler.now(), stream, request, frame: told(frame) } satisfies Recorded));
      const end = (frame: RecordedFrame): void => {
        over = true;
        tell(frame);
      };
      tell({ kind: 'request', how, path, query });
      return answers.pipe(
        tap({
          next: (frame) => {
            const written = frameOf(frame);
            if (written !== undefined) tell(written);
            // A whole answer is an end in itself; a replay that is exhausted was left by whoever recorded it.
            if (frame.type === 'answer') over = true;
            if (frame.type === 'exhausted') end({ kind: 'left' });
          },
          error: (error: unknown) => end({ kind: 'failed', reason: messageOf(error) }),
          complete: () => over || end({ kind: 'ended' }),
        }),
        finalize(() => over || end({ kind: 'left' })),
      );
    });

  return {
    get: (request) => recorded<Answer | Exhausted>('get', request, transport.get(request)),
    stream: (request, paused) => recorded('stream', request, transport.stream(request, paused)),
    send: (request) => transport.send(request), // What readers read is recorded; a write is not replayed.
  };
}

function frameOf(frame: Frame): RecordedFrame | undefined {
  switch (frame.type) {
    case 'opened':
      return { kind: 'opened', ...headOf(frame) };
    case 'line':
      return { kind: 'line', body: frame.bytes };
    case 'oversized':
    case 'torn':
      return { kind: frame.type, bytes: frame.bytes };
    case 'answer':
      return { kind: 'answer', ...headOf(frame), body: frame.body };
    case 'exhausted':
      return undefined;
  }
}
