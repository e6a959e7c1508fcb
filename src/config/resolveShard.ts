import type { FlagCommand } from './optionKinds.ts';
import type { Settings } from './options.ts';
import { shardFromName } from './shardFromName.ts';

interface Surroundings {
  readonly command: FlagCommand;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly hostname: string;
}

/**
 * The shard index that the settings mean. -1 stays -1 for replay, where it means all shards.
 * With one shard the index is 0 and no name is read.
 */
export function resolveShard(
  { shardId, totalShards }: Pick<Settings, 'shardId' | 'totalShards'>,
  { command, environment, hostname }: Surroundings,
): { readonly index?: number; readonly fault?: string; readonly warning?: string } {
  if (shardId >= totalShards) return { fault: `--shard-id must be below --total-shards (got ${shardId} of ${totalShards})` };
  if (shardId >= 0 || command !== 'run') return { index: shardId };
  if (totalShards === 1) return { index: 0 };
  const found = shardFromName({ podName: environment['POD_NAME'], hostname }, totalShards);
  return found.type === 'refused' ? { fault: found.fault } : found;
}
