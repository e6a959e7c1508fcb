import type { Busy, Story } from './busyContext.ts';
import type { Pod, PodOwner } from './busyPods.ts';
import { uuid } from './object.ts';

const jobController = { component: 'job-controller' };

/** A Job made by hand: a few pods, then done. */
export function* runJob(busy: Busy): Story {
  const name = `${busy.names.pick(['import', 'migrate', 'reindex', 'build'])}-${busy.names.below(900) + 100}`;
  yield* job(busy, newJob(busy, name), 'batch', 1 + busy.names.below(3), {});
}

/** A CronJob's run: the Job's name ends in the minute of its schedule. */
export function* runCronJob(busy: Busy): Story {
  const { core, events, names, random } = busy;
  const cron = names.pick(['report', 'backup', 'cleanup', 'sync-prices']);
  const name = `${cron}-${Math.floor(core.now() / 60_000)}`;
  // Minutes come once; a second pick within the minute is not due.
  if (core.objects('Pod').some(({ metadata }) => metadata.labels?.['batch.kubernetes.io/job-name'] === name)) return;
  const about = { kind: 'CronJob', namespace: 'batch', name: cron, uid: cronUid(cron), apiVersion: 'batch/v1' };
  const by = { component: 'cronjob-controller' };
  events.tell(about, by, { reason: 'SuccessfulCreate', message: `Created job ${name}` });
  yield;
  yield* job(busy, { apiVersion: 'batch/v1', kind: 'Job', name, uid: uuid(random) }, 'batch', 1, {});
  events.tell(about, by, { reason: 'SawCompletedJob', message: `Saw completed job: ${name}, condition: Complete` });
}

/** A JobSet with several workers, sometimes in its second attempt. */
export function* runJobSet(busy: Busy): Story {
  const { names, random } = busy;
  const set = `train-${names.suffix(4)}`;
  const labels = {
    'jobset.sigs.k8s.io/jobset-name': set,
    'jobset.sigs.k8s.io/jobset-uid': uuid(random),
    'jobset.sigs.k8s.io/replicatedjob-name': 'workers',
    'jobset.sigs.k8s.io/restart-attempt': names.pick(['0', '0', '1']),
  };
  const about = {
    kind: 'JobSet',
    namespace: 'training',
    name: set,
    uid: labels['jobset.sigs.k8s.io/jobset-uid'],
    apiVersion: 'jobset.x-k8s.io/v1alpha2',
  };
  for (const at of [0, 1]) yield* job(busy, newJob(busy, `${set}-workers-${at}`), 'training', 2, labels);
  busy.events.tell(about, { component: 'jobset-controller' }, { reason: 'AllJobsCompleted', message: 'jobset completed successfully' });
}

function* job(busy: Busy, owner: PodOwner, namespace: string, pods: number, extra: Readonly<Record<string, string>>): Story {
  const { events, life, names, workloads } = busy;
  const about = { ...owner, namespace };
  const labels = {
    'batch.kubernetes.io/controller-uid': owner.uid,
    'batch.kubernetes.io/job-name': owner.name,
    'controller-uid': owner.uid,
    'job-name': owner.name,
    ...extra,
  };
  const made: Pod[] = [];
  for (let at = 0; at < pods; at++) {
    const image = `registry.example/${namespace}:7`;
    const pod = life.create({
      namespace,
      name: `${owner.name}-${names.suffix(5)}`,
      owner,
      labels,
      node: names.pick(workloads.nodes),
      image,
    });
    made.push(pod);
    events.tell(about, jobController, { reason: 'SuccessfulCreate', message: `Created pod: ${pod.name}` });
    yield* life.start(pod);
  }
  for (const pod of made) {
    yield;
    life.finish(pod);
  }
  events.tell(about, jobController, { reason: 'Completed', message: 'Job completed' });
  // The job's lifetime after it finished.
  for (let left = 10 + names.below(30); left > 0; left--) yield;
  for (const pod of made) life.remove(pod);
}

function newJob({ random }: Busy, name: string): PodOwner {
  return { apiVersion: 'batch/v1', kind: 'Job', name, uid: uuid(random) };
}

/** The same at every run. */
function cronUid(name: string): string {
  const digits = Buffer.from(name.padEnd(6, '-')).toString('hex').slice(0, 12);
  return `c0ffee00-0000-4000-8000-${digits}`;
}
