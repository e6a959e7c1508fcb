// Installs the packed package into an empty project, compiles every example there and runs it under each Node given:
// node test/package/main.ts NODE... (after npm run build)
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const nodes = process.argv.slice(2);
const project = mkdtempSync(join(tmpdir(), 'kube-sluice-package-'));
const run = (command: string, ...given: readonly string[]): string =>
  execFileSync(command, given, { cwd: project, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'], timeout: 300_000 });

try {
  install();
  checkSize();
  cpSync(join(root, 'examples'), project, { recursive: true });
  compile();
  for (const node of nodes) runExamples(node);
} finally {
  rmSync(project, { recursive: true, force: true });
}

function install(): void {
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--silent', '--pack-destination', project], {
    cwd: root,
    encoding: 'utf8',
  });
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'empty', private: true, type: 'module' }));
  run('npm', 'install', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error', join(project, packed.trim()), 'rxjs@7.8.2');
}

/** The README says how large it is; that has to be true within a tenth. */
function checkSize(): void {
  const [, saidPackages = '', saidMb = ''] =
    /production install is (\d+) packages and (\d+) MB/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [];
  const files = readdirSync(join(project, 'node_modules'), { recursive: true, withFileTypes: true });
  const mb = Math.round(files.reduce((sum, file) => sum + (file.isFile() ? statSync(join(file.parentPath, file.name)).size : 0), 0) / 1e6);
  const packages = run('npm', 'ls', '--all', '--parseable').trim().split('\n').length - 1;
  console.log(`installed: ${packages} packages, ${mb} MB`);
  if (Math.abs(packages - Number(saidPackages)) * 10 > packages || Math.abs(mb - Number(saidMb)) * 10 > mb)
    throw new Error(`the README says ${saidPackages} packages and ${saidMb} MB: say what is true, or find out what has grown`);
}

function compile(): void {
  const options = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
  };
  const compilerOptions = { ...options, types: ['node'], noEmit: true, allowImportingTsExtensions: true, skipLibCheck: true };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  run(join(root, 'node_modules/.bin/tsc'), '-p', project);
  console.log('the examples compile');
}

function runExamples(node: string): void {
  const programs = readdirSync(project).filter((name) => name.endsWith('.ts'));
  const expected = readdirSync(join(project, 'expected')).map((name) => name.replace(/\.txt$/, '.ts'));
  for (const program of programs) {
    const output = run(node, '--disable-warning=ExperimentalWarning', program);
    if (!expected.includes(program)) continue;
    const wanted = readFileSync(join(project, 'expected', program.replace(/\.ts$/, '.txt')), 'utf8');
    if (output !== wanted) throw new Error(`${program} under ${node} printed\n${output}\nand not\n${wanted}`);
  }
  console.log(`${programs.length} example programs run under Node ${run(node, '--version').trim()}`);
}
