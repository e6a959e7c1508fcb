import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Settings } from '../config/options.ts';
import { PipelineError } from '../errors.ts';
import type { CheckpointStore, KubeTransport, Sink } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import { file } from '../sinks/file.ts';
import { fileStore } from '../transports/fileStore.ts';
import { serviceAccountOrigin } from '../transports/kubeConfigFile.ts';
import type { KubeTarget } from '../transports/kubeTarget.ts';
import { leaseStore } from '../transports/leaseStore.ts';
import { noStore } from '../transports/memoryStore.ts';
import { pairedStore } from '../transports/pairedStore.ts';
import { storeIfAllowed } from '../transports/storeIfAllowed.ts';
import type { CommandContext } from './command.ts';
import { clusterOf } from './sinks.ts';

/** The sink of a shard, its store, and how to say where the position is kept. */
export interface SinkAndStore {
  readonly sink: Sink;
  readonly store: CheckpointStore;
  readonly keptIn: string;
}

export interface StoreParts {
  readonly settings: Settings;
  readonly context: CommandContext;
  readonly target: Pick<KubeTarget, 'server' | 'origin'>;
  readonly transport: KubeTransport;
  /** Sinks that keep no position. */
  readonly otherSink: () => Sink;
}

/** Chooses by --checkpoint and --sink. The file sink is its own account of what it has, whoever else keeps the position. */
export function sinkAndStore(parts: StoreParts, runtime: Runtime): SinkAndStore {
  const { settings, target } = parts;
  const [server, reset] = [target.server.href, settings.checkpointReset];
  const kind = kindOf(settings, target.origin);
  const filed =
    settings.sink === 'file' ? file({ path: settings.filePath, server, reset, cluster: clusterOf(settings) }, runtime) : undefined;
  const sink = filed ?? parts.otherSink();
  const paired = (claim: CheckpointStore): CheckpointStore => (filed === undefined ? claim : pairedStore(claim, filed));
  if (kind === 'lease') {
    const namespace = leaseNamespace(settings, parts.context);
    if (namespace === undefined) throw new PipelineError('CONFIG_INVALID', noNamespace);
    const store = leaseStore({ app: settings.leaseName, namespace, holder: holderOf(parts.context), reset }, parts.transport, runtime);
    const isOptional = settings.checkpoint === ''; // Nobody asked for a lease.
    const used = isOptional && parts.context.program === 'event-exporter' ? storeIfAllowed(store, runtime) : store;
    return { sink, store: paired(used), keptIn: `a lease in namespace ${namespace}` };
  }
  if (kind.startsWith('file:')) {
    const path = kind.slice('file:'.length);
    return { sink, store: paired(fileStore({ path, server, reset }, runtime)), keptIn: path };
  }
  return { sink, store: filed ?? noStore(), keptIn: filed === undefined ? 'none' : settings.filePath };
}

/** What is wrong with the settings of sink and store; `origin` is where the credentials were found. No requests. */
export function storeFaults(settings: Settings, context: CommandContext, origin: string): readonly string[] {
  const needsNamespace = kindOf(settings, origin) === 'lease' && leaseNamespace(settings, context) === undefined;
  return [...sinkFaults(settings), ...(needsNamespace ? [noNamespace] : [])];
}

/** The same as far as the settings alone tell. */
export function sinkFaults({ sink, filePath, refusedFile, checkpoint }: Settings): readonly string[] {
  const paths = [sink === 'file' ? filePath : '', checkpoint.startsWith('file:') ? checkpoint.slice('file:'.length) : '', refusedFile];
  const named = paths.filter((path) => path !== '').map((path) => resolve(path));
  return [
    ...(sink === 'file' && filePath === '' ? ['--file-path must name a file with --sink file (got nothing)'] : []),
    ...(new Set(named).size < named.length
      ? [`--file-path, --checkpoint and --refused-file must be different files (got ${named.join(', ')})`]
      : []),
  ];
}

/** Where leases are kept with these settings; undefined if none are, or if no namespace is known. */
export function leasesIn(settings: Settings, context: CommandContext, origin: string): string | undefined {
  return kindOf(settings, origin) === 'lease' ? leaseNamespace(settings, context) : undefined;
}

const noNamespace = '--lease-namespace must name the namespace of the leases (got nothing, and there is no pod whose own it could be)';

function kindOf({ checkpoint, sink }: Settings, origin: string): string {
  if (checkpoint !== '' || sink === 'file') return checkpoint || 'none';
  return origin === serviceAccountOrigin ? 'lease' : 'none';
}

/** The pod's uid, from the downward API. Outside of a pod each process is a holder of its own. */
function holderOf({ environment, hostname }: CommandContext): string {
  return environment['POD_UID'] || `${hostname}-${process.pid}-${Date.now()}`;
}

const namespaceFile = '/var/run/secrets/kubernetes.io/serviceaccount/namespace';

function leaseNamespace({ leaseNamespace }: Settings, { environment }: CommandContext): string | undefined {
  const given = leaseNamespace || environment['POD_NAMESPACE'];
  if (given) return given;
  try {
    return readFileSync(namespaceFile, 'utf8').trim();
  } catch {
    return undefined; // Not in a pod: told as a fault of the settings where a lease is wanted.
  }
}
