import type { PipelineError } from '../errors.ts';
import type { Frame } from '../ports.ts';
import { fieldsOf } from './recordedBody.ts';
import type { RequestShape } from './requestShape.ts';

/** A request that waits for its answer. */
export interface ReplayReader {
  readonly shape: RequestShape;
  frame(frame: Frame): void;
  end(): void;
  fail(error: PipelineError): void;
  /** Nothing is handed on while it is true. */
  paused(): boolean;
}

/** A request in hand. `opened`: it has been told the head. `gathered`: it gets a list of lines. */
export interface Asking {
  readonly reader: ReplayReader;
  shape: RequestShape;
  serving: boolean;
  opened: boolean;
  gathered?: unknown[];
}

/** A recorded exchange that has begun and not ended. `opened`: its head was served. */
export interface Exchange {
  readonly request: number;
  readonly shape: RequestShape;
  opened: boolean;
  inBracket: boolean;
}

/** What was served so far was no answer: it is matched anew. */
export function again(asked: Asking): void {
  asked.serving = false;
  delete asked.gathered;
}

export function isGet({ shape }: Asking): boolean {
  return shape.type !== 'watch' && shape.type !== 'bracket';
}

/** Adds the object of a line of a streaming list. */
export function gather(items: unknown[], body: Uint8Array): void {
  const { type, object } = fieldsOf(body);
  if (type === 'ADDED') items.push(object);
}

/** What is left of an exchange: a streaming list goes on as a watch. */
export function restOf({ shape, inBracket }: Exchange): RequestShape {
  return shape.type === 'bracket' && !inBracket ? { type: 'watch' } : shape;
}
