import { posix } from 'node:path';
import { type Fault, faultAt, type Source } from './source.ts';

/** Where programs and users come in. */
const entries = /^src\/(index|testing)\.ts$|\/main\.ts$|\/(fromSource|compositions)\.ts$|^test\/temporaryFiles\.ts$|\.test\.ts$/;

/** Everything that takes more than one file to say. */
export function treeFaults(sources: readonly Source[]): Fault[] {
  return [...unimportedFaults(sources), ...specFaults(sources)];
}

/** A file of src/ must be imported by another of src/, a helper of the tests by any file. */
function unimportedFaults(sources: readonly Source[]): Fault[] {
  const importedBySrc = importedFiles(sources.filter(({ path }) => path.startsWith('src/')));
  const importedByAny = importedFiles(sources);
  return sources.flatMap((source) => {
    const { path } = source;
    if (entries.test(path)) return [];
    if ((path.startsWith('src/') ? importedBySrc : importedByAny).has(path)) return [];
    return [faultAt(source, { start: 0 }, 'unimported', 'nothing imports this file: use it from where it belongs, or delete it')];
  });
}

function importedFiles(sources: readonly Source[]): Set<string> {
  return new Set(sources.flatMap(({ path, imports }) => imports.map(({ from }) => posix.join(posix.dirname(path), from))));
}

/** Each operator has its marble spec, and the spec repeats the diagram of the docstring to the character. */
function specFaults(sources: readonly Source[]): Fault[] {
  const specs = new Map(sources.filter(({ path }) => path.startsWith('marbles/')).map((source) => [source.path, source]));
  return sources.flatMap((source) => {
    const name = /^src\/operators\/(\w+)\.ts$/.exec(source.path)?.[1];
    if (name === undefined) return [];
    const specPath = `marbles/${name}.test.ts`;
    const spec = specs.get(specPath);
    if (spec === undefined) return [faultAt(source, { start: 0 }, 'spec', `write ${specPath}; what is no operator belongs into model/`)];
    const diagram = diagramLines(source);
    const missing = ['in', 'out'].filter((label) => !diagram.some((line) => line.label === label));
    const written = new Set(textsOf(spec));
    return [
      ...missing.map((label) => faultAt(source, { start: 0 }, 'spec', `draw the '${label}' line of the diagram in the docstring`)),
      ...diagram
        .filter(({ marble }) => !written.has(marble))
        .map(({ start, label, marble }) =>
          faultAt(source, { start }, 'spec', `repeat '${label}' in ${specPath} to the character: ${marble}`),
        ),
    ];
  });
}

/** Indented lines of a docstring such as ` *     out  -a-m-m|    what it means`, aligning spaces left out; `start` is the docstring's. */
export function diagramLines(source: Source): { label: string; marble: string; start: number }[] {
  return source.comments.flatMap(({ value, start }) => {
    if (!value.startsWith('*')) return [];
    return [...value.matchAll(/^ *\* {4,}(\w+) +((?:[-^!#|()\w]| (?! ))*[-|#)])(?= {2}|$)/gm)].flatMap(({ 1: label, 2: marble }) =>
      label === undefined || marble === undefined ? [] : [{ label, marble, start }],
    );
  });
}

/** The texts in a spec's quotes, aligning spaces left out. */
function textsOf(source: Source): string[] {
  return source.nodes.flatMap(({ node }) => {
    if (node.type === 'Literal' && typeof node['value'] === 'string') return [node['value'].trim()];
    if (node.type === 'TemplateElement') return [String((node['value'] as { cooked?: unknown }).cooked).trim()];
    return [];
  });
}
