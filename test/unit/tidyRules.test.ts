import { describe, expect, it, test } from 'vitest';
import { withoutAllowed } from '../tidy/allow.ts';
import { fileFaults } from '../tidy/fileRules.ts';
import { readSource } from '../tidy/source.ts';
import { diagramLines, treeFaults } from '../tidy/treeRules.ts';

/** Rule and line of each fault of one file, allowances applied. */
function check(text: string, path = 'src/operators/some.ts'): string[] {
  const source = readSource(path, text);
  return withoutAllowed(source, fileFaults(source)).map(({ rule, line }) => `${rule}:${line}`);
}

/** The same for rules that look at the whole tree. */
function checkTree(files: Readonly<Record<string, string>>): string[] {
  return treeFaults(Object.entries(files).map(([path, text]) => readSource(path, text))).map(
    ({ path, rule, text }) => `${path} ${rule}: ${text}`,
  );
}

describe('ambient', () => {
  test.each([
    'Date.now();',
    'new Date();',
    'Date();',
    'Math.random();',
    'setTimeout(f, 1);',
    'of(1).subscribe(queueMicrotask);',
    'console.log(1);',
    'const path = process.env["HOME"];',
    'process.exit(1);',
    'performance.now();',
    'AbortSignal.timeout(5);',
    'crypto.randomUUID();',
    'globalThis.x;',
    'const a = { setTimeout };',
    'fetch("/");',
  ])('refuses %s', (text) => {
    expect(check(text)).toContain('ambient:1');
  });

  test.each([
    'new Date(ms);',
    'Date.parse(text);',
    'Math.floor(1.5);',
    'runtime.setTimeout(f);',
    'const table = { process: 1, fetch: 2 };',
    'type A = { console: string };',
    'function f(process: () => void) { process(); }',
    '// Date.now() in words',
    'const text = "console.log";',
  ])('accepts %s', (text) => {
    expect(check(text)).toEqual([]);
  });

  it('knows what an import brings in', () => {
    expect(check("import { asyncScheduler, map } from 'rxjs';")).toEqual(['ambient:1']);
    expect(check("import { setTimeout } from 'node:timers/promises';", 'src/transports/some.ts')).toContain('ambient:1');
  });

  test.each(['src/runtime.ts', 'src/cli/run.ts', 'src/simulator/httpServer.ts'])('lets %s touch the outside', (path) => {
    expect(check('Date.now(); console.log(process.pid);', path)).toEqual([]);
  });

  it('names the replacement', () => {
    const source = readSource('src/sinks/some.ts', 'a();\nMath.random();');
    expect(fileFaults(source)).toEqual([
      { path: 'src/sinks/some.ts', line: 2, rule: 'ambient', text: 'Math.random: take runtime.random()' },
    ]);
  });
});

describe('scheduler', () => {
  test.each([
    ['timer(5)', ['scheduler:1']],
    ['timer(5, runtime.scheduler)', []],
    ['interval(5)', ['scheduler:1']],
    ['bufferTime(5, scheduler)', []],
    ['timestamp()', ['scheduler:1']],
    ['retry({ delay: 50 })', ['scheduler:1']],
    ['retry({ delay: () => wait })', []],
    ['repeat({ count: 2 })', []],
    ['shareReplay({ bufferSize: 1, refCount: true })', []],
    ['shareReplay({ bufferSize: 1, windowTime: 5, refCount: true })', ['scheduler:1']],
    ['shareReplay({ bufferSize: 1, windowTime: 5, scheduler })', []],
  ])('%s', (call, faults) => {
    const name = /^\w+/.exec(call)?.[0];
    expect(check(`import { ${name} } from 'rxjs'; ${call};`)).toEqual(faults);
  });

  it('asks for none in the command line', () => {
    expect(check("import { timer } from 'rxjs'; timer(5);", 'src/cli/some.ts')).toEqual([]);
  });

  it('leaves functions of the same name alone', () => {
    expect(check("import { timer } from './other.ts'; timer(5);")).toEqual([]);
  });
});

describe('imports', () => {
  test.each([
    ['src/model/a.ts', "import { map } from 'rxjs';", ['imports:1']],
    ['src/model/a.ts', "import { b } from './b.ts';", []],
    ['src/operators/a.ts', "import { b } from '../sources/b.ts';", ['imports:1']],
    ['src/operators/a.ts', "import type { Signal } from '../telemetry/signals.ts';", []],
    ['src/operators/a.ts', "import { logger } from '../telemetry/logger.ts';", ['imports:1']],
    ['src/operators/a.ts', "export { b } from '../sinks/b.ts';", ['imports:1']],
    ['src/operators/a.ts', "const b: import('../sinks/b.ts').B = c;", ['imports:1']],
    ['src/sources/a.ts', "import { b } from '../operators/b.ts';", []],
    ['src/sinks/a.ts', "import { readFileSync } from 'node:fs';", ['imports:1']],
    ['src/transports/a.ts', "import { readFileSync } from 'node:fs';", []],
    ['src/simulator/a.ts', "import { watchFrames } from '../transports/watchFrames.ts';", []],
    ['src/simulator/a.ts', "import { kubeApi } from '../transports/kubeApi.ts';", ['imports:1']],
    ['src/cli/a.ts', "import { pino } from 'pino'; import { b } from '../simulator/b.ts';", []],
    ['src/utils/a.ts', 'export const a = 1;', ['imports:1']],
  ])('%s: %s', (path, text, faults) => {
    expect(check(text, path)).toEqual(faults);
  });
});

describe('shape', () => {
  it('limits a file to 250 lines and the own lines of a function to 60', () => {
    expect(check('\n'.repeat(250))).toEqual([]);
    expect(check('\n'.repeat(251))).toEqual(['length:1']);
    expect(check(`const a = () => {${'\n'.repeat(59)}};`)).toEqual([]);
    expect(check(`const a = () => {${'\n'.repeat(60)}};`)).toEqual(['functionLength:1']);
    expect(check(`const a = () => {\nconst b = () => {${'\n'.repeat(50)}};\n${'\n'.repeat(50)}};`)).toEqual([]);
  });

  test.each([
    ["export * from './a.ts';", ['exportStar:1']],
    ["export * as a from './a.ts';", ['exportStar:1']],
    ['// TODO later', ['todo:1']],
    ['/* FIXME: later */', ['todo:1']],
    ['// TODO(#12) later', []],
    ['class A {}', ['class:1']],
    ['let count = 0;', ['state:1']],
    ['export let count = 0;', ['state:1']],
    ['const seen = new Map<string, number>();', ['state:1']],
    ['const seen: string[] = [];', ['state:1']],
    ['const names = new Set(["a"]);', []],
    ['const none: readonly string[] = [];', []],
    ['const none: ReadonlySet<string> = new Set();', []],
    ['function f() { let count = 0; return new Map(); }', []],
  ])('%s', (text, faults) => {
    expect(check(text)).toEqual(faults);
  });

  test.each([
    ["it.skip('waits', f);", ['skipped:1']],
    ["describe.only('a', f);", ['skipped:1']],
    ["test.todo('a');", ['skipped:1']],
    ["vi.mock('../a.ts');", ['mock:1']],
    ["it('should wait', f);", ['title:1']],
    ["it('waits', f); test.each([1])('%s', f); vi.useFakeTimers();", []],
  ])('in tests: %s', (text, faults) => {
    expect(check(text, 'test/unit/a.test.ts')).toEqual(faults);
  });
});

describe('allowances', () => {
  test.each([
    ['Date.now(); // tidy-allow ambient: the clock of the host is the subject', []],
    ['// tidy-allow ambient: the clock of the host is the subject\nDate.now();', []],
    ['// tidy-allow ambient: the clock of the host is the subject\n\nDate.now();', ['ambient:3', 'allow:1']],
    ['Date.now(); // tidy-allow class: the clock of the host is the subject', ['ambient:1', 'allow:1']],
    ['Date.now(); // tidy-allow ambient', ['allow:1']],
    ['Date.parse(a); // tidy-allow ambient: not needed any more', ['allow:1']],
  ])('%s', (text, faults) => {
    expect(check(text)).toEqual(faults);
  });
});

describe('the whole tree', () => {
  const operator = `/**\n * Keeps.\n *\n *     in   -a-b-|    a stays\n *     out  -a---|\n */\nexport const keep = 1;\n`;
  const spec = "import '../src/operators/keep.ts';\nconst source = hot('  -a-b-|');\nconst expected = '    -a---|';\n";
  const entry = "import './operators/keep.ts';";

  it('accepts an operator whose spec repeats its diagram', () => {
    expect(checkTree({ 'src/index.ts': entry, 'src/operators/keep.ts': operator, 'marbles/keep.test.ts': spec })).toEqual([]);
  });

  it('reports a diagram that differs, a missing one and a missing spec', () => {
    const differs = { 'src/index.ts': entry, 'src/operators/keep.ts': operator, 'marbles/keep.test.ts': spec.replace('-a---|', '-a--|') };
    expect(checkTree(differs)).toEqual(["src/operators/keep.ts spec: repeat 'out' in marbles/keep.test.ts to the character: -a---|"]);
    const undrawn = { ...differs, 'src/operators/keep.ts': '/** Keeps. */\nexport const keep = 1;' };
    expect(checkTree(undrawn)).toEqual([
      "src/operators/keep.ts spec: draw the 'in' line of the diagram in the docstring",
      "src/operators/keep.ts spec: draw the 'out' line of the diagram in the docstring",
    ]);
    expect(checkTree({ 'src/index.ts': entry, 'src/operators/keep.ts': operator })).toEqual([
      'src/operators/keep.ts spec: write marbles/keep.test.ts; what is no operator belongs into model/',
    ]);
  });

  it('reports files that nothing imports, tests not counted for src', () => {
    const files = { 'src/model/a.ts': '', 'test/unit/a.test.ts': "import '../../src/model/a.ts';", 'test/unit/helper.ts': '' };
    const text = 'nothing imports this file: use it from where it belongs, or delete it';
    expect(checkTree(files)).toEqual([`src/model/a.ts unimported: ${text}`, `test/unit/helper.ts unimported: ${text}`]);
  });

  it('finds diagram lines with groups, waits and further inputs', () => {
    const text =
      '/**\n * In words: in this case - not a diagram.\n *\n *     in      -a-(bc)--#\n *     owners  p 5s q-|    two\n *     out     ---x-----y----(z|)    end\n */';
    expect(diagramLines(readSource('src/operators/a.ts', text)).map(({ label, marble }) => [label, marble])).toEqual([
      ['in', '-a-(bc)--#'],
      ['owners', 'p 5s q-|'],
      ['out', '---x-----y----(z|)'],
    ]);
  });
});
