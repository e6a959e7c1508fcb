import { type Fault, faultAt, isNode, type Node, type Source } from './source.ts';

/** Files that touch the outside: the live runtime, the command line, and the simulator's HTTP faces. */
export const outside = /^src\/(runtime\.ts$|cli\/|simulator\/(http|fake))/;

const time = 'take runtime.scheduler (its now() is the clock)';
const wait = 'use timer(ms, runtime.scheduler)';
const chance = 'take runtime.random()';
const tell = 'tell it by runtime.signal(...); output goes through a writer passed in';
const given = 'let cli/ read it and pass it in as a setting';
const network = 'go through a KubeTransport';

/** What replaces each ambient global, by its name or by object and member; `X()` is a call or `new` without arguments. */
const replacements = new Map(
  Object.entries({
    'Date.now': time,
    'Date()': time,
    performance: time,
    setTimeout: wait,
    setInterval: wait,
    setImmediate: wait,
    queueMicrotask: wait,
    'AbortSignal.timeout': wait,
    'Math.random': chance,
    'crypto.randomUUID': chance,
    'crypto.getRandomValues': chance,
    console: tell,
    process: given,
    globalThis: given,
    fetch: network,
  }),
);

/** Modules and RxJS names that bring the same in by import. */
const importedReplacements = new Map(
  Object.entries({
    'node:timers': wait,
    'node:timers/promises': wait,
    'node:perf_hooks': time,
    'node:process': given,
    'node:console': tell,
    asyncScheduler: time,
    asapScheduler: time,
    queueScheduler: time,
    animationFrameScheduler: time,
  }),
);

/** Time, chance, environment and console come in by `runtime` or as settings, never from the air. */
export function ambientFaults(source: Source): Fault[] {
  if (outside.test(source.path)) return [];
  const own = declaredNames(source);
  const used = source.nodes.flatMap(({ node, parent }) => {
    const name = ambientName(node, parent);
    const replacement = replacements.get(name ?? '');
    if (name === undefined || replacement === undefined || own.has(name.replace(/[.(].*$/, ''))) return [];
    return [faultAt(source, node, 'ambient', `${name}: ${replacement}`)];
  });
  const imported = source.imports.flatMap(({ from, names, start }) =>
    [from, ...(from === 'rxjs' ? names : [])].flatMap((name) => {
      const replacement = importedReplacements.get(name);
      return replacement === undefined ? [] : [faultAt(source, { start }, 'ambient', `${name}: ${replacement}`)];
    }),
  );
  return [...used, ...imported];
}

function ambientName(node: Node, parent: Node | undefined): string | undefined {
  const { callee, object, property } = node;
  if (node.type === 'MemberExpression' && isNode(object) && isNode(property) && node['computed'] === false) {
    return object.type === 'Identifier' ? `${String(object['name'])}.${String(property['name'])}` : undefined;
  }
  if ((node.type === 'NewExpression' || node.type === 'CallExpression') && isNode(callee) && callee.type === 'Identifier') {
    if (callee['name'] === 'Date' && Array.isArray(node['arguments']) && node['arguments'].length === 0) return 'Date()';
  }
  return node.type === 'Identifier' && isValue(node, parent) ? String(node['name']) : undefined;
}

/** False for the names of properties, members and types, which only look alike. */
function isValue(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined || parent.type.startsWith('TS') || parent.type.endsWith('Specifier')) return false;
  if (parent.type === 'MemberExpression') return parent['object'] === node || parent['computed'] === true;
  if (parent.type === 'Property' || parent.type.endsWith('Definition')) return parent['value'] === node;
  return true;
}

/** Names that the file gives to values of its own, parameters included. */
function declaredNames(source: Source): Set<string> {
  const names = source.nodes.flatMap(({ node }) => {
    if (node.type === 'VariableDeclarator') return [node['id']];
    if (Array.isArray(node['params'])) return node['params'];
    if (node.type === 'ObjectPattern' && Array.isArray(node['properties']))
      return node['properties'].filter(isNode).map((property) => property['value']);
    return [];
  });
  return new Set(names.filter(isNode).map((node) => String(node['name'])));
}
