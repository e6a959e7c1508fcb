import { parseDocument } from 'yaml';
import { messageOf } from '../errors.ts';

/** Texts by key, as they would be written after a flag. */
export interface ConfigFile {
  readonly texts: ReadonlyMap<string, string>;
  readonly faults: readonly string[];
}

/**
 * Reads a YAML mapping of option names. Every scalar stays the text that was written, so that `1e1` is
 * as wrong here as on the command line; a sequence is a list. `read` may throw.
 */
export function configFile(path: string, read: (path: string) => string): ConfigFile {
  const texts = new Map<string, string>();
  const faults: string[] = [];
  let content: unknown;
  try {
    const document = parseDocument(read(path), { schema: 'failsafe', prettyErrors: false });
    const [error] = document.errors;
    if (error !== undefined) throw error;
    content = document.toJS();
  } catch (error) {
    return { texts, faults: [`--config must be a readable YAML file (got '${path}': ${messageOf(error)})`] };
  }
  if (content === null || content === '' || content === undefined) return { texts, faults };
  if (typeof content !== 'object' || Array.isArray(content)) {
    return { texts, faults: [`--config must hold one option per line, NAME: VALUE (got '${path}')`] };
  }
  for (const [name, value] of Object.entries(content)) {
    const text = textOf(value);
    if (text === undefined) faults.push(`${name} in ${path} must be one value or a list of values (got a structure)`);
    else texts.set(name, text);
  }
  return { texts, faults };
}

function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join(',');
  return undefined;
}
