import { lookAtLine } from '../../src/model/lookAtLine.ts';
import { owns, type Shard, shardKey } from '../../src/model/shard.ts';
import { watchLine } from '../../src/sources/watchLine.ts';

/** What became of one line: left to a full parse, found and confirmed by it, or found although it is no JSON. */
export type Verdict = 'left' | 'confirmed' | 'broken';

const shards: readonly Shard[] = [
  { index: 0, total: 1 },
  { index: 1, total: 3 },
  { index: 1, total: 3, function: 'fnv1a64-range' },
];

/**
 * Compares a look at a line with a full parse of it, which is always right. Throws where they differ, and where a line that is
 * no JSON could be read.
 */
export function judge(line: Uint8Array): Verdict {
  const look = lookAtLine(line);
  if (look === undefined) return 'left';
  const parsed = parse(line);
  if (parsed === undefined) {
    if (isReadable(line)) throw new Error(`a body was read that is no JSON: ${shown(line)}`);
    return 'broken';
  }
  const { type, resourceVersion } = look;
  const found = JSON.stringify({ type, resourceVersion, header: look.header() });
  const right = JSON.stringify(rightLook(parsed.value));
  const header = look.header();
  const isForeign = (shard: Shard): boolean => header !== undefined && !owns(shard, shardKey(header));
  if (shards.some((shard) => look.isForeignTo(shard) !== isForeign(shard)))
    throw new Error(`the shard is not that of the key: ${shown(line)}`);
  if (found !== right) throw new Error(`found ${found}, a parse says ${right}: ${shown(line)}`);
  return 'confirmed';
}

function parse(line: Uint8Array): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(Buffer.from(line).toString('utf8')) };
  } catch {
    return undefined;
  }
}

function isReadable(line: Uint8Array): boolean {
  const told = watchLine(line, 'all');
  if (!('body' in told)) return false;
  try {
    told.body.read();
    return true;
  } catch {
    return false;
  }
}

function rightLook(line: unknown): unknown {
  const [type, object] = [at(line, 'type'), at(line, 'object')];
  const [metadata, involved] = [at(object, 'metadata'), at(object, 'involvedObject')];
  if (Object.keys(line as object).length !== 2) return 'more than two outer fields';
  const about = {
    kind: textAt(involved, 'kind'),
    namespace: textAt(involved, 'namespace'),
    name: textAt(involved, 'name'),
    uid: textAt(involved, 'uid'),
  };
  const isObject = typeof involved === 'object' && involved !== null && !Array.isArray(involved);
  return {
    type,
    resourceVersion: at(metadata, 'resourceVersion'),
    ...(isObject ? { header: { uid: textAt(metadata, 'uid'), namespace: textAt(metadata, 'namespace'), involved: about } } : {}),
  };
}

function at(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

function textAt(value: unknown, key: string): string {
  const text = at(value, key);
  return typeof text === 'string' ? text : '';
}

function shown(line: Uint8Array): string {
  return JSON.stringify(Buffer.from(line).toString('latin1'));
}
