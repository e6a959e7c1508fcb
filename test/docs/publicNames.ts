import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { isNode, type Node, readSource, type Source } from '../tidy/source.ts';

/** A name that the package exports, as its source declares it. */
export interface PublicName {
  readonly name: string;
  /** From the root. */
  readonly path: string;
  /** The text of the docstring without its stars; empty if there is none. */
  readonly doc: string;
  /** The declaration without a body. */
  readonly declaration: string;
}

/** The exports under one comment of an entry point. */
export interface NameGroup {
  readonly title: string;
  readonly names: readonly PublicName[];
}

const root = new URL('../../', import.meta.url);

/** What an entry point exports, group by group, in its order. */
export function publicNames(entry: string): readonly NameGroup[] {
  const source = sourceAt(entry);
  const titles = source.comments.filter(({ start }) => start === 0 || source.text[start - 1] === '\n');
  return titles.map(({ value, start }, at) => {
    const end = titles[at + 1]?.start ?? source.text.length;
    const exported = source.imports.filter((each) => each.start > start && each.start < end);
    return {
      title: value.trim().replace(/\.$/, ''),
      names: exported.flatMap(({ from, names }) => names.map((name) => declared(name, posix.join(posix.dirname(entry), from)))),
    };
  });
}

function sourceAt(path: string): Source {
  return readSource(path, readFileSync(new URL(path, root), 'utf8'));
}

function declared(name: string, path: string): PublicName {
  const source = sourceAt(path);
  for (const { node, parent } of source.nodes) {
    if (parent?.type !== 'ExportNamedDeclaration' || !names(node).includes(name)) continue;
    const doc = source.comments.find(
      ({ value, start }) =>
        value.startsWith('*') && source.text.slice(start).startsWith(`/*${value}*/\nexport `) && start + value.length + 5 === parent.start,
    );
    return { name, path, doc: withoutStars(doc?.value ?? ''), declaration: withoutBody(source, parent, node) };
  }
  const passedOn = source.imports.find((each) => each.names.includes(name));
  if (passedOn === undefined) throw new Error(`${path} does not declare ${name}`);
  return declared(name, posix.join(posix.dirname(path), passedOn.from));
}

/** The names that a declaration declares. */
function names(node: Node): readonly unknown[] {
  if (isNode(node['id'])) return [node['id']['name']];
  const declarators = Array.isArray(node['declarations']) ? node['declarations'].filter(isNode) : [];
  return declarators.flatMap(names);
}

function withoutBody(source: Source, statement: Node, node: Node): string {
  const { body } = node;
  const cut =
    isNode(body) && body.type === 'FunctionBody' ? body.start : isNode(body) && body.type === 'BlockStatement' ? body.start : undefined;
  const text = source.text.slice(statement.start, cut ?? statement.end).trim();
  return cut === undefined ? text : `${text};`;
}

function withoutStars(comment: string): string {
  return comment
    .replace(/^\*/, '')
    .split('\n')
    .map((line) => line.replace(/^ *\* ?/, '').trimEnd())
    .join('\n')
    .trim();
}
