import { posix } from 'node:path';
import { type Fault, faultAt, type Source } from './source.ts';

interface Row {
  /** Folders and files of src/ that may be imported, besides the own folder. */
  readonly src: readonly string[];
  /** Packages that may be imported; `node:*` is any module of Node. */
  readonly packages: readonly string[];
}

const shared = ['model', 'errors.ts', 'runtime.ts', 'telemetry/signals.ts'];

/**
 * Who may import whom: model <- operators <- sources; sinks see model and ports; the pipeline sees
 * the stages; only cli/ sees everything. The row of a file wins over that of its folder.
 */
export const importTable: Readonly<Record<string, Row>> = {
  'errors.ts': { src: [], packages: [] },
  model: { src: ['errors.ts'], packages: [] },
  'ports.ts': { src: ['model'], packages: ['rxjs'] },
  'telemetry/signals.ts': { src: ['model', 'errors.ts'], packages: [] },
  'runtime.ts': { src: ['telemetry/signals.ts'], packages: ['rxjs'] },
  operators: { src: [...shared, 'ports.ts'], packages: ['rxjs'] },
  sources: { src: [...shared, 'ports.ts', 'operators'], packages: ['rxjs'] },
  sinks: { src: [...shared, 'ports.ts'], packages: ['rxjs'] },
  'sinks/textWriter.ts': { src: [...shared, 'ports.ts'], packages: ['rxjs', 'node:stream'] },
  // The file sink is its own checkpoint store, and only transports touch a disk.
  'sinks/file.ts': { src: [...shared, 'ports.ts', 'sinks', 'transports'], packages: ['rxjs'] },
  'sinks/resumeFile.ts': { src: [...shared, 'ports.ts', 'sinks', 'transports'], packages: ['rxjs'] },
  'sinks/refusedFile.ts': { src: [...shared, 'ports.ts', 'sinks', 'transports'], packages: ['rxjs'] },
  'sinks/fileTail.ts': { src: [...shared, 'ports.ts', 'sinks', 'transports'], packages: ['rxjs'] },
  transports: {
    src: [...shared, 'ports.ts'],
    packages: ['rxjs', 'undici', '@kubernetes/client-node', '@google-cloud/logging', 'gcp-metadata', 'yaml', 'node:*'],
  },
  // An inspection reads as the pipeline does and draws what it found; the library that draws is loaded there only.
  inspect: { src: [...shared, 'ports.ts', 'operators', 'sources'], packages: ['rxjs', '@observablehq/plot', 'linkedom'] },
  // The live page hears a pipeline through its ports and signals; what it shows of events is made harmless as in a report.
  live: { src: [...shared, 'ports.ts', 'pipeline.ts', 'telemetry', 'inspect/shownText.ts'], packages: ['rxjs'] },
  'pipelineSettings.ts': { src: ['model'], packages: [] },
  'holdShard.ts': { src: [...shared, 'ports.ts', 'pipelineSettings.ts', 'operators'], packages: ['rxjs'] },
  'pipeline.ts': { src: [...shared, 'ports.ts', 'pipelineSettings.ts', 'holdShard.ts', 'operators', 'sources'], packages: ['rxjs'] },
  config: { src: ['model', 'errors.ts'], packages: ['yaml', 'yargs'] },
  telemetry: { src: [...shared], packages: ['rxjs', 'pino', 'prom-client'] },
  simulator: { src: [...shared, 'ports.ts', 'transports/watchFrames.ts'], packages: ['rxjs', 'node:*'] },
  'marbleKit.ts': { src: [...shared], packages: ['rxjs', 'rxjs/testing'] },
  // A replay in a test of one's own is the replay command without its terminal.
  'replayFixture.ts': { src: [...shared, 'ports.ts', 'simulator', 'transports', 'cli/playRecording.ts'], packages: ['rxjs'] },
  cli: { src: ['*'], packages: ['*'] },
  'index.ts': {
    src: [...shared, 'ports.ts', 'operators', 'sources', 'sinks', 'transports', 'telemetry', 'pipeline.ts', 'pipelineSettings.ts'],
    packages: [],
  },
  'testing.ts': { src: [...shared, 'ports.ts', 'marbleKit.ts', 'replayFixture.ts', 'simulator', 'sinks', 'transports'], packages: [] },
};

/** Imports that the table does not allow, and files that have no row. */
export function importFaults(source: Source): Fault[] {
  const own = rowName(inSrc(source.path));
  const row = importTable[own];
  if (row === undefined) return [faultAt(source, { start: 0 }, 'imports', `no row for ${own}: add one to test/tidy/importTable.ts`)];
  return source.imports.flatMap(({ from, start }) => {
    const relative = from.startsWith('.');
    const target = relative ? inSrc(posix.join(posix.dirname(source.path), from)) : from;
    if (relative ? seesFile(own, row, target) : seesPackage(row, target)) return [];
    return [faultAt(source, { start }, 'imports', `${own} may not import ${target}: ${wayOut(row, relative)}`)];
  });
}

function inSrc(path: string): string {
  return path.replace(/^src\//, '');
}

function rowName(file: string): string {
  return importTable[file] === undefined ? (file.split('/')[0] ?? file) : file;
}

function seesFile(own: string, row: Row, file: string): boolean {
  const folder = file.split('/')[0] ?? file;
  return folder === own || ['*', folder, file].some((name) => row.src.includes(name));
}

function seesPackage(row: Row, name: string): boolean {
  return [name, '*', ...(name.startsWith('node:') ? ['node:*'] : [])].some((allowed) => row.packages.includes(allowed));
}

function wayOut(row: Row, relative: boolean): string {
  const seen = relative ? row.src : row.packages;
  return `it sees ${seen.length === 0 ? 'nothing else' : seen.join(', ')}; pass the rest in, or move the shared part there`;
}
