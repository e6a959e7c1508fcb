import { isFiled } from './filedCheckpoint.ts';
import { insertId } from './insertId.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a line of an output is. */
export type OutputLine =
  | { readonly type: 'entry'; readonly key: string; readonly json: string }
  /** A position, as the file sink writes it between the entries. */
  | { readonly type: 'checkpoint' }
  | { readonly type: 'bad'; readonly reason: string };

const prefix = 'EXPORTED_EVENT ';

/**
 * Reads a line that an exporter wrote: JSON, with or without EXPORTED_EVENT before it. Its key is the insertId; where
 * there is none, as in lines of the Go exporter, it is made of eventUID and resourceVersion in the same way.
 */
export function outputLine(text: string): OutputLine {
  const json = text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const fields = outputFields(json);
  if (fields === undefined) return { type: 'bad', reason: 'not a JSON object' };
  if (isFiled(json)) return { type: 'checkpoint' };
  const { insertId: own, eventUID, resourceVersion } = fields;
  if (typeof own === 'string' && own !== '') return { type: 'entry', key: own, json };
  if (typeof eventUID === 'string' && eventUID !== '' && typeof resourceVersion === 'string' && resourceVersion !== '') {
    return { type: 'entry', key: insertId(resourceVersion, eventUID), json };
  }
  return { type: 'bad', reason: 'no key: insertId, or eventUID and resourceVersion, are needed' };
}

/** The fields of such JSON, or nothing. */
export function outputFields(json: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : undefined;
  } catch {
    return undefined; // Told by the caller, with its line.
  }
}
