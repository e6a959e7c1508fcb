import type { Busy, Story } from './busyContext.ts';
import { eventRecorder } from './busyEvents.ts';
import { runCronJob, runJob, runJobSet } from './busyJobs.ts';
import { names } from './busyNames.ts';
import { podLife } from './busyPods.ts';
import { renewDaemon, restartOrdinal, rollDeployment } from './busyRollouts.ts';
import { crashLoop, drainNode, failingProbe, oddments, restartStatic, unschedulable } from './busyTroubles.ts';
import { workloads } from './busyWorkloads.ts';
import type { Core } from './core.ts';

/** How large it is, and how much goes on. */
export interface BusyClusterSettings {
  /** Pods that run before the first step, about. Default 300. */
  readonly pods?: number;
  /** Stories that go on at once. Default 12. */
  readonly stories?: number;
}

/** A cluster that something happens in, a step at a time. */
export interface BusyCluster {
  /** One small piece of activity: none to a handful of writes. */
  step(): void;
  /** Steps until so many more Event revisions are written. */
  stepUntil(eventRevisions: number): void;
  /** Event revisions written so far, removals not counted. */
  eventRevisions(): number;
}

const stories: readonly (readonly [share: number, tell: (busy: Busy) => Story])[] = [
  [3, rollDeployment],
  [4, crashLoop],
  [4, failingProbe],
  [3, runJob],
  [2, runCronJob],
  [2, unschedulable],
  [2, restartOrdinal],
  [2, renewDaemon],
  [1, runJobSet],
  [1, drainNode],
  [1, restartStatic],
  [1, oddments],
];

/**
 * Keeps a simulated cluster busy. It has no clock: who drives it steps it, and what it writes bears
 * the server's time. Equal chance and equal times give equal writes.
 */
export function busyCluster(core: Core, settings: BusyClusterSettings, random: () => number): BusyCluster {
  const draw = names(random);
  const events = eventRecorder(core, draw);
  const life = podLife(core, draw, events);
  const telling: Story[] = [];
  const busy: Busy = { core, random, names: draw, events, life, workloads: workloads(settings.pods ?? 300, life, draw, random) };
  // The rare ones are told first, so that even a short run has them all.
  const first = [drainNode, runCronJob, runJobSet, restartStatic, unschedulable, rollDeployment].map((tell) => tell(busy));
  let seen = 0;
  let revisions = 0;

  const eventRevisions = (): number => {
    for (; seen < core.writes.length; seen++) {
      const write = core.writes[seen];
      if (write?.kind === 'Event' && write.type !== 'DELETED') revisions += 1;
    }
    return revisions;
  };
  const step = (): void => {
    while (telling.length < (settings.stories ?? 12)) telling.push(first.shift() ?? draw.pick(weighted)(busy));
    const at = draw.below(telling.length);
    if (telling[at]?.next().done === true) telling.splice(at, 1);
    // Leases, nodes and everything else that moves the counter.
    core.passVersions(draw.below(4));
  };
  return {
    step,
    eventRevisions,
    stepUntil(more) {
      const goal = eventRevisions() + more;
      while (eventRevisions() < goal) step();
    },
  };
}

const weighted = stories.flatMap(([share, tell]) => Array.from({ length: share }, () => tell));
