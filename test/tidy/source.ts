import { parseSync } from 'vite';

/** A syntax node. Only `type` and the place are sure; the rest depends on the type. */
export interface Node {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly [field: string]: unknown;
}

/** One file of the repository, read for the rules. */
export interface Source {
  /** From the root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly comments: readonly { readonly value: string; readonly start: number }[];
  readonly imports: readonly Import[];
  /** Every node, each with its parent; the program itself is first. */
  readonly nodes: readonly { readonly node: Node; readonly parent: Node | undefined }[];
}

/** An import, a re-export or a dynamic import. */
export interface Import {
  /** As written. */
  readonly from: string;
  /** The names taken, empty for a dynamic import. */
  readonly names: readonly string[];
  readonly start: number;
}

/** Something that breaks a rule, with the way out. */
export interface Fault {
  readonly path: string;
  /** 1-based. Line 1 also stands for the whole file. */
  readonly line: number;
  readonly rule: string;
  readonly text: string;
}

/** Parses a file; a syntax error throws. */
export function readSource(path: string, text: string): Source {
  const parsed = parseSync(path, text);
  const [error] = parsed.errors;
  if (error !== undefined) throw new Error(`${path}: ${error.message}`);
  const nodes = [...walk(parsed.program as unknown as Node, undefined)];
  return { path, text, lines: text.split('\n'), comments: parsed.comments, imports: nodes.flatMap(({ node }) => importOf(node)), nodes };
}

/** 1-based line of an offset. */
export function lineAt(source: Source, offset: number): number {
  return source.text.slice(0, offset).split('\n').length;
}

/** A fault of the rule where the node or comment begins. */
export function faultAt(source: Source, at: { readonly start: number }, rule: string, text: string): Fault {
  return { path: source.path, line: lineAt(source, at.start), rule, text };
}

/** The source text of a node. */
export function textOf(source: Source, node: Node): string {
  return source.text.slice(node.start, node.end);
}

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as { type?: unknown }).type === 'string';
}

function* walk(node: Node, parent: Node | undefined): Generator<{ node: Node; parent: Node | undefined }> {
  yield { node, parent };
  for (const value of Object.values(node)) {
    for (const child of Array.isArray(value) ? value : [value]) {
      if (isNode(child)) yield* walk(child, node);
    }
  }
}

const importing = new Set(['ImportDeclaration', 'ExportNamedDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'TSImportType']);

function importOf(node: Node): Import[] {
  if (!importing.has(node.type) || !isNode(node['source'])) return [];
  const from = node['source']['value'];
  if (typeof from !== 'string') return [];
  const specifiers = Array.isArray(node['specifiers']) ? node['specifiers'].filter(isNode) : [];
  return [{ from, names: specifiers.map(nameTaken), start: node.start }];
}

function nameTaken(specifier: Node): string {
  const name = specifier['imported'] ?? specifier['local'];
  return isNode(name) && typeof name['name'] === 'string' ? name['name'] : '*';
}
