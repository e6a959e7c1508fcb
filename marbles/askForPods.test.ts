import { map, NEVER, type Observable, of, ReplaySubject } from 'rxjs';
import { describe, expect } from 'vitest';
import type { PodMetadata } from '../src/model/kube.ts';
import { askForPods, type LookUpPod, type PodAnswer, type PodQuestion } from '../src/operators/askForPods.ts';
import { owner, ownerReference, pod, slimPod } from './builders.ts';
import { marble } from './marble.ts';

const limits = { lookUpsMax: 1, queuedMax: 1, lookUpTimeoutMs: 1_000 };

function question(name: string, fields: Partial<PodQuestion['involved']> = {}, settled: Observable<unknown> = NEVER): PodQuestion {
  return { settled, involved: { kind: 'Pod', namespace: 'default', name, uid: `pod-${name}`, ...fields } };
}

const [a, b, c, d] = [question('a'), question('b'), question('c'), question('d')];
const questions = { a, b, c, d };

function found(asked: PodQuestion): PodAnswer<PodQuestion> {
  return { question: asked, pod: slimPod(asked.involved.name) };
}

const answers: Record<string, PodAnswer<PodQuestion>> = { a: found(a), b: found(b), c: found(c), d: found(d) };

describe('askForPods', () => {
  marble('asks few at once, queues a few, and answers for the rest itself', (t) => {
    const source = t.hot('-abc----------|', questions);
    const expected = '    ---z-x---y----|';
    const reading = '     ^-------------!';
    const toA = '         -^---!         ';
    const toB = '         -----^---!     ';
    const lookUps = [t.cold('----r|', { r: pod('a') }), t.cold('----r|', { r: pod('b') })];
    const asked: string[] = [];
    const lookUpPod: LookUpPod = (namespace, name) => lookUps[asked.push(`${namespace}/${name}`) - 1] ?? NEVER;

    const got = source.pipe(askForPods(limits, lookUpPod, t.runtime));

    t.expectObservable(got).toBe(expected, { x: found(a), y: found(b), z: { question: c, cause: 'queueLimit' } });
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(lookUps[0]?.subscriptions ?? []).toBe(toA);
    t.expectSubscriptions(lookUps[1]?.subscriptions ?? []).toBe(toB);
    t.flush();
    expect(asked).toEqual(['default/a', 'default/b']);
    expect(t.signals).toEqual([
      { type: 'ownerAsked', found: true },
      { type: 'ownerAsked', found: true },
    ]);
  });

  marble('an answer makes room for one more, and the end waits for the last', (t) => {
    const source = t.hot('-(ab)--c---d|', questions);
    const expected = '    -----a---b---c---(d|)';

    const got = source.pipe(askForPods(limits, (_, name) => t.cold('----r|', { r: pod(name) }), t.runtime));

    t.expectObservable(got).toBe(expected, answers);
  });

  marble('answers come in their own order when several are under way', (t) => {
    const source = t.hot('-abc-----|', questions);
    const expected = '    ---b-a-c-|';
    const takes: Record<string, string> = { a: '----r|', b: '-r|', c: '----r|' };

    const got = source.pipe(askForPods({ ...limits, lookUpsMax: 3 }, (_, name) => t.cold(takes[name] ?? '', { r: pod(name) }), t.runtime));

    t.expectObservable(got).toBe(expected, answers);
  });

  marble('a pod is an answer only if it is the one that is meant', (t) => {
    const [byName, byHash, byOther, elsewhere] = [
      question('a', { uid: '' }),
      question('a', { uid: 'h4sh' }),
      question('a', { uid: 'earlier' }),
      question('a', { uid: 'pod-a', namespace: 'shop' }),
    ];
    const source = t.hot('-a-b-c-d-|', { a: byName, b: byHash, c: byOther, d: elsewhere });
    const expected = '    -a-b-c-d-|';
    const answer = pod('a', {
      annotations: { 'kubernetes.io/config.mirror': 'h4sh' },
      ownerReferences: [ownerReference('DaemonSet', 'agent')],
    });
    const known = slimPod('a', { mirror: 'h4sh', owner: owner('DaemonSet', 'agent') });

    const got = source.pipe(askForPods(limits, () => of(answer), t.runtime));

    t.expectObservable(got).toBe(expected, {
      a: { question: byName, pod: known },
      b: { question: byHash, pod: known },
      c: { question: byOther },
      d: { question: elsewhere },
    });
    t.flush();
    expect(t.signals).toEqual([true, true, false, false].map((isFound) => ({ type: 'ownerAsked', found: isFound })));
  });

  marble('no pod, half a pod, no answer in time and an error are answers without a pod', (t) => {
    const source = t.hot('    (abcdef|)', { ...questions, e: question('e'), f: question('f') });
    const expected = '        eabdf(c|)';
    const lookUpTimeoutMs = t.time('-----|');
    const lookUps: Record<string, Observable<undefined>> = {
      a: t.cold('-r|', { r: undefined }),
      b: t.cold('--|'),
      c: t.cold('---'),
      d: t.cold('---#', {}, new Error('answered with 403')),
      f: t.cold('----r|', { r: { metadata: { name: 'f' } } as never }),
    };
    const lookUpPod: LookUpPod = (_, name) => {
      if (name === 'e') throw new Error('no such path');
      return lookUps[name] ?? NEVER;
    };

    const got = source.pipe(askForPods({ ...limits, lookUpsMax: 9, lookUpTimeoutMs }, lookUpPod, t.runtime));

    t.expectObservable(got).toBe(expected, {
      a: { question: a },
      b: { question: b },
      c: { question: c, cause: 'failed', message: 'Timeout has occurred' },
      d: { question: d, cause: 'failed', message: 'answered with 403' },
      e: { question: question('e'), cause: 'failed', message: 'no such path' },
      f: {
        question: question('f'),
        cause: 'failed',
        message: 'a pod has a uid, a namespace and a name (got an object without one of them)',
      },
    });
    t.flush();
    expect(t.signals).toEqual([
      { type: 'ownerAsked', found: false },
      { type: 'ownerAsked', found: false },
    ]);
  });

  marble('a question that is settled is given up, and its turn goes to the next', (t) => {
    const source = t.hot('  -ab------|');
    const settled = t.hot(' ----s----|');
    const expected = '      -------b-|';
    const toA = '           -^--!     ';
    const toB = '           ----^--!  ';
    const values: Record<string, PodQuestion> = { a: question('a', {}, settled), b };
    const lookUps = { a: t.cold<PodMetadata>('----'), b: t.cold('---r|', { r: pod('b') }) };

    const got = source.pipe(
      map((letter) => values[letter] ?? b),
      askForPods(limits, (_, name) => (name === 'a' ? lookUps.a : lookUps.b), t.runtime),
    );

    t.expectObservable(got).toBe(expected, answers);
    t.expectSubscriptions(lookUps.a.subscriptions).toBe(toA);
    t.expectSubscriptions(lookUps.b.subscriptions).toBe(toB);
  });

  marble('a question that is settled before its turn is never asked', (t) => {
    const settled = new ReplaySubject<void>(1);
    const source = t.hot('-ab----------|', { a, b: question('b', {}, settled) });
    const expected = '    -----a-------|';
    const asked: string[] = [];
    const lookUpPod: LookUpPod = (_, name) => {
      asked.push(name);
      return t.cold('----r|', { r: pod(name) });
    };

    t.scheduler.schedule(() => settled.next(), 3);
    t.expectObservable(source.pipe(askForPods(limits, lookUpPod, t.runtime))).toBe(expected, answers);
    t.flush();
    expect(asked).toEqual(['a']);
  });

  marble('an empty source gives nothing, a silent one never ends, an error is passed on', (t) => {
    const asked = (source: string) => t.cold(source, questions).pipe(askForPods(limits, () => NEVER, t.runtime));

    t.expectObservable(asked('--|')).toBe('  --|');
    t.expectObservable(asked('---')).toBe('  ---');
    t.expectObservable(asked('-a-#')).toBe(' ---#');
  });

  marble('when unsubscribed it asks no more, and its timers are gone', (t) => {
    const source = t.hot('-ab---c---|', questions);
    const until = '       ----!      ';
    const expected = '    -----      ';
    const reading = '     ^---!      ';
    const toA = '         -^--!      ';
    const lookUp = t.cold('------r|', { r: pod('a') });

    const got = source.pipe(askForPods(limits, () => lookUp, t.runtime));

    t.expectObservable(got, until).toBe(expected);
    t.expectSubscriptions(source.subscriptions).toBe(reading);
    t.expectSubscriptions(lookUp.subscriptions).toBe(toA);
    t.flush();
    expect(t.scheduler.frame).toBeLessThan(limits.lookUpTimeoutMs);
  });
});
