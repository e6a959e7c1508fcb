import { ambientFaults } from './ambient.ts';
import { importFaults } from './importTable.ts';
import { schedulerFaults } from './scheduler.ts';
import { type Fault, faultAt, isNode, lineAt, type Node, type Source } from './source.ts';

const linesMax = 250;
const functionLinesMax = 60;

/** Everything that can be said of a file alone. */
export function fileFaults(source: Source): Fault[] {
  const everywhere = [...lengthFaults(source), ...exportStarFaults(source), ...todoFaults(source)];
  if (!source.path.startsWith('src/')) return [...everywhere, ...testFaults(source)];
  return [
    ...everywhere,
    ...ambientFaults(source),
    ...schedulerFaults(source),
    ...importFaults(source),
    ...functionFaults(source),
    ...stateFaults(source),
  ];
}

function lengthFaults(source: Source): Fault[] {
  const lines = source.lines.at(-1) === '' ? source.lines.length - 1 : source.lines.length;
  if (lines <= linesMax) return [];
  return [faultAt(source, { start: 0 }, 'length', `${lines} lines, at most ${linesMax}: move one idea to a file named after it`)];
}

function exportStarFaults(source: Source): Fault[] {
  return source.nodes
    .filter(({ node }) => node.type === 'ExportAllDeclaration')
    .map(({ node }) => faultAt(source, node, 'exportStar', 'name each export: export { a, b } from ...'));
}

function todoFaults(source: Source): Fault[] {
  return source.comments
    .filter(({ value }) => /\b(TODO|FIXME|XXX)\b(?!\(#\d+\))/.test(value))
    .map((comment) => faultAt(source, comment, 'todo', 'name the issue, TODO(#12), or do it now'));
}

const functions = new Set(['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression']);

/** A function's own lines; those of the functions inside it count for themselves. */
function functionFaults(source: Source): Fault[] {
  const all = source.nodes.map(({ node }) => node).filter(({ type }) => functions.has(type));
  return all.flatMap((node) => {
    const inside = all.filter((other) => other !== node && other.start >= node.start && other.end <= node.end);
    const direct = inside.filter(
      (inner) => !inside.some((other) => other !== inner && other.start <= inner.start && other.end >= inner.end),
    );
    const lines = direct.reduce((left, inner) => left - breaks(source, inner), breaks(source, node) + 1);
    if (lines <= functionLinesMax) return [];
    return [
      faultAt(source, node, 'functionLength', `function of ${lines} own lines, at most ${functionLinesMax}: name its parts as functions`),
    ];
  });
}

function breaks(source: Source, node: Node): number {
  return lineAt(source, node.end) - lineAt(source, node.start);
}

function stateFaults(source: Source): Fault[] {
  return source.nodes.flatMap(({ node, parent }) => {
    if (node.type === 'ClassDeclaration' && source.path !== 'src/errors.ts') {
      return [faultAt(source, node, 'class', 'write a function that returns an object of closures')];
    }
    const topLevel = parent?.type === 'Program' || parent?.type === 'ExportNamedDeclaration';
    if (!topLevel || node.type !== 'VariableDeclaration') return [];
    if (node['kind'] === 'const' && !declarators(node).some(startsEmpty)) return [];
    return [faultAt(source, node, 'state', 'no mutable state in a module: keep it in the closure of the function that needs it')];
  });
}

function declarators(declaration: Node): Node[] {
  return Array.isArray(declaration['declarations']) ? declaration['declarations'].filter(isNode) : [];
}

/** An empty Map, Set or list at the top of a module waits to be filled, unless its type says readonly. */
function startsEmpty({ id, init }: Node): boolean {
  if (!isNode(init) || (isNode(id) && isNode(id['typeAnnotation']) && saysReadonly(id['typeAnnotation']))) return false;
  const { callee, elements } = init;
  const parts = init['arguments'] ?? elements;
  const collection = init.type === 'NewExpression' && isNode(callee) && /^(Weak)?(Map|Set)$/.test(String(callee['name']));
  return (collection || init.type === 'ArrayExpression') && Array.isArray(parts) && parts.length === 0;
}

function saysReadonly({ typeAnnotation }: Node): boolean {
  if (!isNode(typeAnnotation)) return false;
  const { operator, typeName } = typeAnnotation;
  return operator === 'readonly' || (isNode(typeName) && /^Readonly/.test(String(typeName['name'])));
}

const suites = new Set(['describe', 'it', 'test', 'marble']);

function testFaults(source: Source): Fault[] {
  return source.nodes.flatMap(({ node }) => {
    if (node.type !== 'CallExpression' || !isNode(node['callee'])) return [];
    const { callee } = node;
    const [title] = Array.isArray(node['arguments']) ? node['arguments'].filter(isNode) : [];
    if (callee.type === 'MemberExpression' && isNode(callee['object']) && isNode(callee['property'])) {
      const [on, name] = [String(callee['object']['name']), String(callee['property']['name'])];
      if (suites.has(on) && /^(skip|only|todo|fails|skipIf|runIf)$/.test(name))
        return [faultAt(source, node, 'skipped', `let it run or delete it: ${on}.${name}`)];
      if (on === 'vi' && /^(mock|doMock|hoisted)$/.test(name))
        return [faultAt(source, node, 'mock', 'pass a fake through the port instead of mocking a module')];
    }
    if (suites.has(String(callee['name'])) && /\bshould\b/.test(String(title?.['value']))) {
      return [faultAt(source, node, 'title', 'state the behaviour in the present tense, without "should"')];
    }
    return [];
  });
}
