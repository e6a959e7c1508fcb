import { map, type Observable } from 'rxjs';
import { inertText } from '../../model/inertText.ts';
import { streamsLists } from '../../sources/serverVersion.ts';
import type { Ask, Asked } from './ask.ts';
import type { Finding } from './finding.ts';

/** Clocks further apart than this confuse whoever reads logs beside events. */
const skewMsMax = 5_000;

/** Who answers, whether it takes the credentials, which version it has, and how far its clock is from this one. */
export function serverCheck(ask: Ask, host: string, now: () => number): Observable<readonly Finding[]> {
  return ask({ path: '/version', query: {}, accept: 'application/json' }).pipe(
    map((asked) => [serverFinding(asked, host), ...aboutAnswer(asked, now())]),
  );
}

function serverFinding(asked: Asked, host: string): Finding {
  if (asked.type === 'answer') return { state: 'ok', about: 'server', text: `${host} answers in ${Math.round(asked.tookMs)} ms` };
  const advice =
    asked.status === 401
      ? 'The credentials are not accepted: a token may have expired, or belong to another cluster.'
      : asked.status === undefined
        ? 'Check the address in the kubeconfig, the network policy, HTTPS_PROXY and NO_PROXY, and the CA of the cluster.'
        : 'Ask whoever runs the API server, or a proxy before it.';
  const text = asked.reason.startsWith(host) ? asked.reason : `${host}: ${asked.reason}`;
  return { state: 'bad', about: 'server', text, advice, isLast: asked.status === undefined || asked.status === 401 };
}

function aboutAnswer(asked: Asked, nowMs: number): readonly Finding[] {
  if (asked.type === 'failure') return [];
  return [versionFinding(asked.body), ...clockFinding(asked.answer.date, nowMs)];
}

function versionFinding(body: unknown): Finding {
  const { gitVersion } = (body ?? {}) as { readonly gitVersion?: unknown };
  const version = typeof gitVersion === 'string' ? inertText(gitVersion, 60) : 'unknown';
  return streamsLists(body)
    ? { state: 'ok', about: 'version', text: `${version}; lists can be streamed` }
    : {
        state: 'note',
        about: 'version',
        text: `${version}; lists are read by pages`,
        advice: 'Nothing to do. Starting beside very many events takes longer; --lister-watcher-options-limit sets the size of a page.',
      };
}

function clockFinding(date: string | undefined, nowMs: number): readonly Finding[] {
  const serverMs = Date.parse(date ?? '');
  if (Number.isNaN(serverMs)) return [];
  const apartMs = Math.abs(nowMs - serverMs);
  const seconds = (apartMs / 1000).toFixed(0);
  return apartMs <= skewMsMax
    ? [{ state: 'ok', about: 'clock', text: 'within 5 s of the server' }]
    : [
        {
          state: 'note',
          about: 'clock',
          text: `${seconds} s ${nowMs > serverMs ? 'ahead of' : 'behind'} the server`,
          advice: 'Delivery does not depend on it, but latencies and the times of logs do: synchronise the clock of this machine.',
        },
      ];
}
