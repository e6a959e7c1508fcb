import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

/** One life of one process. Process ids are used again, so its start belongs to it. */
export interface ProcessIdentity {
  readonly host: string;
  /** Changes whenever the machine starts; empty where that cannot be known. */
  readonly boot: string;
  readonly pid: number;
  /** When it started, in a unit of the system's own. */
  readonly started: string;
}

/** This process. */
export function thisProcess(): ProcessIdentity {
  // tidy-allow ambient: a lock has to name who holds it
  const { pid } = process;
  // tidy-allow ambient: stands for the start where the system does not tell it; constant for a process
  const started = statOf(pid)?.started ?? String(performance.timeOrigin);
  return { host: hostname(), boot: textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? '', pid, started };
}

/**
 * True if this very process still runs, as seen from `self` on the same host. A process that was killed and
 * whose parent has not looked yet runs no more. Without /proc any process with that number counts as the one.
 */
export function isRunning(other: ProcessIdentity, self: ProcessIdentity): boolean {
  if (other.boot !== self.boot) return false;
  if (other.pid === self.pid) return other.started === self.started;
  const stat = statOf(other.pid);
  if (stat !== undefined) return stat.started === other.started && !/[ZX]/.test(stat.state);
  return statOf(self.pid) === undefined && exists(other.pid);
}

/** State and start of a process, from Linux. Source: proc_pid_stat(5), fields 3 and 22. */
function statOf(pid: number): { readonly state: string; readonly started: string } | undefined {
  // The name in parentheses may hold anything.
  const [state = '', ...fields] =
    textOf(`/proc/${pid}/stat`)
      ?.replace(/^.*\)\s*/s, '')
      .split(' ') ?? [];
  const started = fields[18];
  return started === undefined ? undefined : { state, started };
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // No such process, or no /proc: the callers know what that means.
  }
}

function exists(pid: number): boolean {
  try {
    // tidy-allow ambient: signal 0 only asks
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
