import { from, lastValueFrom, timeout } from 'rxjs';
import { endpointUrl } from '../config/endpoints.ts';
import type { Settings } from '../config/options.ts';
import { messageOf, PipelineError } from '../errors.ts';
import type { LogWriter } from '../ports.ts';
import type { Runtime } from '../runtime.ts';
import type { LogCluster } from '../sinks/encodeLogEntry.ts';
import { cloudLoggingWriter } from '../transports/cloudLoggingWriter.ts';
import { type ClusterMetadata, clusterMetadata } from '../transports/clusterMetadata.ts';
import { type GoogleProject, googleProject } from '../transports/googleCredentials.ts';
import type { CommandContext } from './command.ts';
import { trustCertificates } from './trustCertificates.ts';

/** Where the Cloud Logging sink writes, and as whom. */
export interface LogTarget {
  readonly cluster: LogCluster;
  readonly writer: LogWriter;
}

/** Longest that looking for credentials, project and cluster may take. */
const lookMsMax = 8_000;
const answerTimeoutMs = 30_000;

/**
 * Finds project and cluster: by flags, else by the credentials, else by the metadata server. Rejects with CONFIG_INVALID, naming all
 * that is missing and the flags that help. An http endpoint may do without credentials: it is a proxy or a test.
 */
export async function logTarget(settings: Settings, context: CommandContext, runtime: Runtime): Promise<LogTarget> {
  const { sinkOpts } = settings;
  const { environment } = context;
  trustCertificates(environment);
  reachMetadataDirectly(process.env);
  const endpoint = endpointUrl(sinkOpts.endpoint || `logging.${sinkOpts.universeDomain}`) as URL; // Checked with the settings.
  const google = await googleProject(settings.project);
  const projecting = look(google.project(), runtime);
  const [universe, found] = await Promise.all([
    look(google.find(), runtime),
    settings.clusterName === '' || settings.clusterLocation === '' ? look(clusterMetadata(), runtime) : undefined,
  ]);
  // Without credentials the library would only look for the project in more and more places.
  const project = settings.project || (universe instanceof Error ? projectIn(environment) : await projecting);
  const isOpen = endpoint.protocol === 'http:' && universe instanceof Error && !environment['GOOGLE_APPLICATION_CREDENTIALS'];
  const cluster = clusterOf(settings, project, found);
  const faults = [...(isOpen ? [] : credentialFaults(universe, sinkOpts.universeDomain)), ...clusterFaults(cluster, project, found)];
  if (faults.length > 0) throw new PipelineError('CONFIG_INVALID', `--sink cloud-logging: ${faults.join('; ')}`);
  tell(cluster, endpoint, isOpen, runtime);
  const credentials: Partial<GoogleProject> = isOpen ? {} : { credentials: google.credentials };
  return {
    cluster,
    writer: cloudLoggingWriter({ endpoint, ...credentials, environment, answerTimeoutMs, userAgent: `kube-sluice/${context.version}` }),
  };
}

/** What was found, or why nothing was. */
function look<T>(lookUp: Promise<T>, { scheduler }: Runtime): Promise<T | Error> {
  const limited = from(lookUp).pipe(timeout({ first: lookMsMax, scheduler }));
  return lastValueFrom(limited).catch((error: unknown) =>
    (error as { readonly name?: unknown }).name === 'TimeoutError'
      ? new Error(`no answer in ${lookMsMax / 1000} s`)
      : new Error(messageOf(error)),
  );
}

/** What the library would read first, for an endpoint that does without credentials. */
function projectIn({ GOOGLE_CLOUD_PROJECT: project, GCLOUD_PROJECT: older }: CommandContext['environment']): string | Error {
  return project || older || new Error('there are no credentials to tell it');
}

type Found = ClusterMetadata | Error | undefined;

function clusterOf({ clusterName, clusterLocation }: Settings, project: string | Error, found: Found): LogCluster {
  const metadata = found === undefined || found instanceof Error ? { name: '', location: '' } : found;
  return {
    project: project instanceof Error ? '' : project,
    location: clusterLocation || metadata.location,
    name: clusterName || metadata.name,
  };
}

function credentialFaults(universe: string | Error, wanted: string): readonly string[] {
  if (universe instanceof Error) {
    return [
      `credentials must be there: in a pod by its service account, elsewhere GOOGLE_APPLICATION_CREDENTIALS names a file (${firstSentence(universe.message)})`,
    ];
  }
  // Those of a metadata server say googleapis.com for any universe.
  return universe === 'googleapis.com' || universe === wanted
    ? []
    : [`--sink-opts universeDomain must be that of the credentials, ${universe} (got ${wanted})`];
}

function clusterFaults({ location, name }: LogCluster, project: string | Error, found: Found): readonly string[] {
  const why = found instanceof Error ? found.message : 'there is no metadata server';
  const hasMetadata = found !== undefined && !(found instanceof Error);
  return [
    ...(project instanceof Error ? [`--project must name the project (${firstSentence(project.message)})`] : []),
    ...(location === '' ? [`--cluster-location must name the region or zone of the cluster (${why})`] : []),
    // As with the Go exporter, a node on Google Cloud may belong to a cluster without a name.
    ...(name === '' && !hasMetadata ? [`--cluster-name must name the cluster (${why})`] : []),
  ];
}

/** The library adds where to read on. */
function firstSentence(message: string): string {
  return message.split(/\.\s/)[0]?.trim() ?? '';
}

function tell({ project, location, name }: LogCluster, endpoint: URL, isOpen: boolean, { signal }: Runtime): void {
  const cluster = name === '' ? 'a cluster without a name (--cluster-name gives it one)' : `cluster ${name}`;
  signal({ type: 'notice', text: `entries of ${cluster} in ${location} go to project ${project} at ${endpoint.host}` });
  if (endpoint.protocol !== 'http:') return;
  const told = isOpen ? 'without a token: no credentials were found' : 'and so do their tokens';
  signal({ type: 'warning', text: `entries go to ${endpoint.host} in clear text, ${told}` });
}

/**
 * The library would ask even the metadata server, which is on this node, through HTTPS_PROXY. It reads the environment
 * of the process, so that is where it has to be said.
 */
function reachMetadataDirectly(environment: NodeJS.ProcessEnv): void {
  if (!['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'].some((name) => environment[name])) return;
  const own = environment['GCE_METADATA_IP'] ?? environment['GCE_METADATA_HOST'];
  const hosts = [
    '169.254.169.254',
    'metadata.google.internal',
    'metadata.google.internal.',
    ...(own === undefined ? [] : [own.split(':')[0]]),
  ];
  const noProxy = environment['NO_PROXY'] ?? environment['no_proxy'];
  environment['NO_PROXY'] = [...new Set([...(noProxy?.split(',') ?? []), ...hosts])].join(',');
}
