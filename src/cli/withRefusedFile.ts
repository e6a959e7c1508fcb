import { lastValueFrom, type Observable } from 'rxjs';
import type { Settings } from '../config/options.ts';
import type { PipelinePorts } from '../pipeline.ts';
import type { Runtime } from '../runtime.ts';
import { refusedFile } from '../sinks/refusedFile.ts';
import { clusterOf } from './sinks.ts';

/** Runs with the file of --refused-file open, if there is one: before anything is read, and until the end. */
export async function withRefusedFile<T>(
  settings: Settings,
  runtime: Runtime,
  run: (ports: Pick<PipelinePorts, 'keepRefused'>) => Promise<T>,
): Promise<T> {
  if (settings.refusedFile === '') return run({});
  const file = refusedFile({ path: settings.refusedFile, cluster: clusterOf(settings) }, runtime);
  try {
    await end(file.open());
    return await run({ keepRefused: file.keep });
  } finally {
    await end(file.close());
  }
}

function end(work: Observable<never>): Promise<unknown> {
  return lastValueFrom(work, { defaultValue: undefined });
}
