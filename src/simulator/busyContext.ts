import type { EventRecorder } from './busyEvents.ts';
import type { Names } from './busyNames.ts';
import type { PodLife } from './busyPods.ts';
import type { Workloads } from './busyWorkloads.ts';
import type { Core } from './core.ts';

/** Something that happens over several steps; each `yield` ends one. */
export type Story = Generator<undefined, void>;

/** What every story works with. */
export interface Busy {
  readonly core: Core;
  readonly random: () => number;
  readonly names: Names;
  readonly events: EventRecorder;
  readonly life: PodLife;
  readonly workloads: Workloads;
}
