import { readFileSync } from 'node:fs';
import type { PodMetadata } from '../../src/model/kube.ts';

/** One answer of a fake API server, as cases.json writes it. */
export interface CaseStep {
  /** `list`, `list limit=2`, `list continue=tokA`, `watch`, `watch rv=2000`; `(if started again)` behind it: may stay unused. */
  readonly on: string;
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly lines?: readonly unknown[];
  /** How a watch ends after its lines: `close`, `reset`, `hold` or `silent`. */
  readonly end?: string;
  /** Answers as often as it is asked. */
  readonly repeat?: boolean;
}

/** One answer of a fake Cloud Logging, as cases.json writes it. */
export interface CaseAnswer {
  readonly status?: number;
  readonly json?: unknown;
  /** The entries are stored although the answer is an error. */
  readonly store?: boolean;
  /** No answer: why. */
  readonly error?: string;
}

/** What a case feeds. The keys are closed: `scriptsOf` and the process tests refuse any other. */
export interface CaseInput {
  readonly watchLines?: readonly unknown[];
  readonly podLines?: readonly unknown[];
  readonly pods?: readonly PodMetadata[];
  readonly rawChunksBase64?: readonly string[];
  readonly thenOn?: string;
  readonly thenChunksBase64?: readonly string[];
  readonly end?: string;
  readonly alsoRunWith?: string;
  readonly variantB?: { readonly line: unknown };
  readonly httpScript?: readonly CaseStep[];
  readonly fakeSeconds?: number;
  readonly now?: string;
  readonly totalShards?: number;
  readonly runs?: readonly CaseInput[];
  /** Entries in the batch of a case about the sink, and what the service answers. */
  readonly batch?: number;
  readonly sinkScript?: readonly CaseAnswer[];
}

/** One case of test/fixtures/cases.json, as the real world brought it. */
export interface KubeCase {
  readonly id: string;
  readonly group: string;
  readonly title: string;
  readonly input: CaseInput;
  readonly expect: Readonly<Record<string, unknown>>;
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/cases.json', import.meta.url), 'utf8')) as { cases: KubeCase[] };

/** The clock of every case that does not say otherwise. */
export const casesNow = '2024-05-06T10:00:00Z';

export function caseOf(id: string): KubeCase {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`cases.json has no case ${id}`);
  return found;
}

export function idsOf(group: string): readonly string[] {
  return cases.filter((each) => each.group === group).map(({ id }) => id);
}
