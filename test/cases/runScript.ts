import { concat, defer, ignoreElements, of, Subject } from 'rxjs';
import type { Checkpoint } from '../../src/model/checkpoint.ts';
import type { Entry } from '../../src/model/entry.ts';
import { pipeline } from '../../src/pipeline.ts';
import type { PipelineSettings } from '../../src/pipelineSettings.ts';
import type { CheckpointStore, KubeTransport, Sink } from '../../src/ports.ts';
import type { Runtime } from '../../src/runtime.ts';
import { virtualClock } from '../../src/simulator/virtualClock.ts';
import { local } from '../../src/sinks/local.ts';
import { memory } from '../../src/sinks/memory.ts';
import { count } from '../../src/telemetry/count.ts';
import { type Counts, noCounts } from '../../src/telemetry/counts.ts';
import { logger } from '../../src/telemetry/logger.ts';
import { noStore } from '../../src/transports/memoryStore.ts';
import { casesNow } from './caseFile.ts';
import { type Script, type ScriptedServer, scriptedServer } from './scriptedServer.ts';

export interface RunScriptSettings {
  readonly pipeline?: Partial<PipelineSettings>;
  /** RFC 3339. Default the clock of the cases. */
  readonly now?: string;
  /** When the pipeline is told to stop. Default 60. */
  readonly stopAfterSeconds?: number;
  /** Default none. */
  readonly store?: CheckpointStore;
  /** A sink that answers for the entries. Default: they are stored at once. */
  readonly sink?: (runtime: Runtime) => Sink;
  /** Stands between the pipeline and the server. */
  readonly through?: (transport: KubeTransport, runtime: Runtime) => KubeTransport;
}

/** What one pipeline did with a script. */
export interface ScriptRun {
  readonly server: ScriptedServer;
  /** Entries of Events in write order, and how long after the start each was written, in milliseconds. */
  readonly records: readonly Entry[];
  readonly writtenAfterMs: readonly number[];
  readonly gaps: readonly Entry[];
  /** The same entries as lines of the local sink. */
  readonly text: string;
  readonly counts: Counts;
  readonly errorLogLines: readonly string[];
  /** The last that was saved. */
  readonly checkpoint: Checkpoint | undefined;
  readonly drainedAfterMs: number;
}

/** Longest that a drain may take. */
const drainMsMax = 20_000;

/** Runs the whole pipeline over a scripted server in virtual time, stops it, and lets it drain. An error of the pipeline is thrown. */
export function runScript(script: Script, settings: RunScriptSettings = {}): ScriptRun {
  const startMs = Date.parse(settings.now ?? casesNow);
  const clock = virtualClock(startMs);
  const counts = noCounts();
  const logLines: string[] = [];
  const log = logger({ level: 'info', pretty: false }, (line) => logLines.push(line));
  const runtime: Runtime = {
    scheduler: clock.scheduler,
    random: () => 0.5,
    signal: (signal) => {
      count(counts, signal, clock.now());
      log.observe(signal, clock.now());
    },
  };
  const server = scriptedServer(script, runtime);
  const writtenAfterMs: number[] = [];
  let text = '';
  const kept = memory();
  const lines = local({}, (more) =>
    defer(() => {
      text += more;
      return of(undefined);
    }),
  );
  const answering = settings.sink?.(runtime);
  const sink: Sink = {
    identity: answering?.identity ?? kept.identity,
    write: (batch) => {
      for (const { action } of batch) if (action !== 'GAP') writtenAfterMs.push(clock.now() - startMs);
      const keeping = concat(lines.write(batch).pipe(ignoreElements()), kept.write(batch));
      return answering === undefined ? keeping : concat(keeping.pipe(ignoreElements()), answering.write(batch));
    },
  };
  const transport = settings.through?.(server.transport, runtime) ?? server.transport;
  const stop = new Subject<void>();
  const ports = { transport, sink, store: settings.store ?? noStore() };
  const told: { checkpoint?: Checkpoint; error?: unknown; endedAt?: number } = {};
  pipeline({ shard: { index: 0, total: 1 }, ...settings.pipeline }, ports, stop, runtime).subscribe({
    next: (checkpoint) => {
      told.checkpoint = checkpoint;
    },
    error: (error: unknown) => {
      told.error = error;
    },
    complete: () => {
      told.endedAt = clock.now();
    },
  });
  const stopAt = startMs + (settings.stopAfterSeconds ?? 60) * 1_000;
  clock.advanceTo(stopAt);
  if (told.endedAt !== undefined) throw new Error('the pipeline ended before it was stopped');
  stop.next();
  clock.advanceTo(stopAt + drainMsMax);
  if (told.error !== undefined) throw told.error;
  if (told.endedAt === undefined) throw new Error(`the pipeline did not drain within ${drainMsMax} ms`);
  return {
    server,
    records: kept.entries.filter(({ action }) => action !== 'GAP'),
    writtenAfterMs,
    gaps: kept.entries.filter(({ action }) => action === 'GAP'),
    text,
    counts,
    errorLogLines: logLines.filter((line) => ['error', 'fatal'].includes(String((JSON.parse(line) as { level: unknown }).level))),
    checkpoint: told.checkpoint,
    drainedAfterMs: told.endedAt - stopAt,
  };
}
