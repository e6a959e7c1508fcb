import { type Document, isMap, isScalar, isSeq, LineCounter, parseDocument } from 'yaml';
import { messageOf } from '../errors.ts';
import { shown } from './readValue.ts';

/** A value as it would be written after a flag, and the line it stands in, from 1. */
export interface WrittenText {
  readonly text: string;
  readonly line: number;
}

/** Texts by key. */
export interface ConfigFile {
  readonly texts: ReadonlyMap<string, WrittenText>;
  readonly faults: readonly string[];
  /** False: it could not be read, so that nothing is known of what it should say. */
  readonly readable: boolean;
}

/**
 * Reads a YAML mapping of option names. Every scalar stays the text that was written, so that `1e1` is
 * as wrong here as on the command line; a sequence is a list. `read` may throw. Faults name the line.
 */
export function configFile(path: string, read: (path: string) => string): ConfigFile {
  const unreadable = (...faults: readonly string[]): ConfigFile => ({ texts: new Map(), faults, readable: false });
  let text: string;
  try {
    text = read(path);
  } catch (error) {
    return unreadable(`--config must be a readable YAML file (got '${path}': ${messageOf(error)})`);
  }
  const lines = new LineCounter();
  const document = parseDocument(text, { schema: 'failsafe', prettyErrors: false, logLevel: 'error', lineCounter: lines });
  const lineOf = (at: number): number => lines.linePos(at).line;
  const broken = document.errors.map(
    ({ message, pos }) => `--config must be a readable YAML file (got '${path}', line ${lineOf(pos[0])}: ${message})`,
  );
  // A key that is there twice leaves the rest readable.
  if (document.errors.some(({ code }) => code !== 'DUPLICATE_KEY')) return unreadable(...broken);
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === '')) return { texts: new Map(), faults: broken, readable: true };
  if (!isMap(contents)) return unreadable(`--config must hold one option per line, NAME: VALUE (got '${path}')`);
  const texts = new Map<string, WrittenText>();
  const faults: string[] = [];
  for (const { key, value } of contents.items) {
    const [name, line] = [String(key), lineOf(startOf(key))];
    const written = textOf(value, document);
    if (written !== undefined) texts.set(name, { text: written, line });
    else faults.push(`${name} in ${path} line ${line} must be one value or a list of values (got ${shown(String(value))})`);
  }
  return { texts, faults: [...broken, ...faults], readable: true };
}

function startOf(node: unknown): number {
  return (node as { readonly range?: readonly [number, number, number] | null } | null)?.range?.[0] ?? 0;
}

/** Nothing after the colon is the empty text. Aliases stand for what they name. */
function textOf(node: unknown, document: Document): string | undefined {
  if (node === null) return '';
  let value: unknown;
  try {
    value = isScalar(node) ? node.value : (node as { toJS(document: Document): unknown }).toJS(document);
  } catch {
    return undefined; // An alias without its anchor, or far too many of them: told as no value.
  }
  if (value === null || typeof value === 'string') return value ?? '';
  const words = isSeq(node) || Array.isArray(value) ? (value as readonly unknown[]) : undefined;
  return words?.every((word) => typeof word === 'string') === true ? words.join(',') : undefined;
}
