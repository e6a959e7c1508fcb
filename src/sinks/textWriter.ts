import type { Writable } from 'node:stream';
import { Observable } from 'rxjs';
import { PipelineError } from '../errors.ts';

/**
 * Makes a writer of text: each write completes when the stream has taken the text over to its reader's
 * side, so that a slow reader slows the pipeline.
 *
 * Errors: OUTPUT_CLOSED when the reader has gone away (EPIPE) or the stream broke otherwise.
 */
export function textWriter(stream: Writable, name: string): (text: string) => Observable<void> {
  // Each failed write tells its own caller; without a listener the same error would end the process.
  stream.on('error', () => undefined);
  return (text) =>
    new Observable((subscriber) => {
      stream.write(text, (error) => {
        if (error !== null && error !== undefined) return subscriber.error(closed(name, error));
        subscriber.next();
        subscriber.complete();
      });
    });
}

function closed(name: string, cause: Error & { readonly code?: string }): PipelineError {
  const why = cause.code === 'EPIPE' ? 'its reader has gone away' : cause.message;
  return new PipelineError('OUTPUT_CLOSED', `${name} is closed: ${why}`, { cause });
}
