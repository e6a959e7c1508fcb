import { catchError, from, map, type Observable, of, switchMap, throwError, timeout } from 'rxjs';
import type { Settings } from '../../config/options.ts';
import { messageOf } from '../../errors.ts';
import type { Runtime } from '../../runtime.ts';
import { trialText } from '../../sinks/cloudLogging.ts';
import { logAnswer } from '../../sinks/logAnswer.ts';
import type { CommandContext } from '../command.ts';
import type { Finding } from './finding.ts';

const answerMsMax = 15_000;

/** Whether the sink would take entries; nothing is stored. Files were looked at with the settings. */
export function sinkCheck(settings: Settings, context: CommandContext, runtime: Runtime): Observable<readonly Finding[]> {
  switch (settings.sink) {
    case 'local':
      return of([{ state: 'ok', about: 'sink', text: 'standard output' }]);
    case 'file':
      return of([{ state: 'ok', about: 'sink', text: `${settings.filePath} can be written` }]);
    case 'cloud-logging':
      return cloudLoggingCheck(settings, context, runtime);
  }
}

function cloudLoggingCheck(settings: Settings, context: CommandContext, runtime: Runtime): Observable<readonly Finding[]> {
  const { scheduler } = runtime;
  return from(import('../logTarget.ts')).pipe(
    switchMap(({ logTarget }) => logTarget(settings, context, runtime)),
    switchMap(({ cluster, writer }) =>
      writer.write(Buffer.from(trialText(cluster))).pipe(map((answer) => ({ cluster, answer: logAnswer(answer, 1, scheduler.now()) }))),
    ),
    timeout({ first: answerMsMax, scheduler, with: () => throwError(() => new Error(`no answer in ${answerMsMax / 1000} s`)) }),
    map(({ cluster, answer }): Finding => {
      const result = answer.type === 'results' ? answer.results[0] : answer;
      if (result?.type === 'stored')
        return {
          state: 'ok',
          about: 'sink',
          text: `Cloud Logging takes entries for project ${cluster.project} (a trial, nothing was stored)`,
        };
      return { state: 'bad', about: 'sink', text: `Cloud Logging: ${result?.reason ?? 'no result'}`, advice: logWriterAdvice };
    }),
    catchError((error: unknown) => of<Finding>({ state: 'bad', about: 'sink', text: messageOf(error), advice: logWriterAdvice })),
    map((finding) => [finding]),
  );
}

const logWriterAdvice =
  'The account needs roles/logging.logWriter in that project; --project, --sink-opts endpoint and universeDomain say where it goes.';
