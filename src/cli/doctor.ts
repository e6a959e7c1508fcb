import { concat, concatMap, lastValueFrom, type Observable, of, toArray } from 'rxjs';
import { liveRuntime } from '../runtime.ts';
import { textWriter } from '../sinks/textWriter.ts';
import { kubeTarget } from '../transports/kubeTarget.ts';
import { leaseRequests } from '../transports/leaseRequests.ts';
import type { Command, Invocation } from './command.ts';
import { asker } from './doctor/ask.ts';
import { eventsCheck } from './doctor/eventsCheck.ts';
import { type Finding, findingsText } from './doctor/finding.ts';
import { leaseCheck } from './doctor/leaseCheck.ts';
import { rightsCheck, rightsOf } from './doctor/rightsCheck.ts';
import { serverCheck } from './doctor/serverChecks.ts';
import { shardingCheck } from './doctor/shardingCheck.ts';
import { sinkCheck } from './doctor/sinkCheck.ts';
import { streamsCheck } from './doctor/streamsCheck.ts';
import type { ExitCode } from './exitCodes.ts';
import { pipelineSettingsOf } from './pipelineSettingsOf.ts';
import { kubeConfigSource, runCommand } from './run.ts';
import { leasesIn } from './stores.ts';

const leaseAnswerMsMax = 10_000;

export const doctorCommand: Command = {
  name: 'doctor',
  description: 'Look at everything that run will need, and say what to do about what is missing',
  examples: [
    ['$0 doctor --kubeconfig ~/.kube/config', 'With the rights of that kubeconfig'],
    ['kubectl exec -n kube-sluice kube-sluice-0 -- kube-sluice doctor', 'In the pod, with its service account'],
    ['$0 doctor --sink cloud-logging --project my-project', 'The sink too; nothing is stored'],
  ],
  ...(runCommand.check === undefined ? {} : { check: runCommand.check }),
  run,
};

/** 0: nothing is in the way. 5: something is. */
async function run(invocation: Invocation): Promise<ExitCode> {
  const { context } = invocation;
  const found = await lastValueFrom((await checks(invocation)).pipe(toArray()));
  const findings = found.flat();
  await lastValueFrom(textWriter(context.stdout, 'standard output')(findingsText(findings)), { defaultValue: undefined });
  return findings.some(({ state }) => state === 'bad') ? 5 : 0;
}

/** One after the other: each asks little, and a server in trouble is not asked for more at once. */
async function checks({ settings, context, log }: Invocation): Promise<Observable<readonly Finding[]>> {
  const { kubeApi } = await import('../transports/kubeApi.ts'); // Large; help and faults do without it.
  await import('../transports/kubeClient.ts'); // Larger still: loaded before the first answer is timed.
  const runtime = liveRuntime(log);
  const source = kubeConfigSource(settings, context);
  const target = kubeTarget(source);
  const transport = kubeApi(source, { userAgent: `kube-sluice/${context.version}` });
  const ask = asker(transport, runtime);
  const { namespaces = [''], resourceModel, shard } = pipelineSettingsOf(settings);
  const app = settings.leaseName;
  const ownerLabels = settings.enablePodOwnerLabel && resourceModel === 'k8s';
  const leaseNamespace = leasesIn(settings, context, target.origin);
  const rights = rightsOf({ namespaces, ownerLabels, ...(leaseNamespace === undefined ? {} : { leaseNamespace }) });
  const [first = ''] = namespaces;
  const others = concat(
    rightsCheck(rights, ask),
    ...(ownerLabels ? [streamsCheck(first, transport, runtime)] : []),
    ...(ownerLabels && settings.shardFunction === 'fnv1a64-range' ? [shardingCheck(first, shard, ask)] : []),
    ...namespaces.map((namespace) => eventsCheck(namespace, ask, Date.now)),
    ...(leaseNamespace === undefined
      ? []
      : [leaseCheck(app, shard, leaseRequests({ app, namespace: leaseNamespace, requestMs: leaseAnswerMsMax }, transport, runtime))]),
  );
  const server = serverCheck(ask, target.server.host, Date.now).pipe(
    concatMap((findings) => (findings.some(({ isLast }) => isLast === true) ? of(findings) : concat(of(findings), others))),
  );
  return concat(server, sinkCheck(settings, context, runtime));
}
