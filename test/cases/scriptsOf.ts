import type { CaseInput, CaseStep, KubeCase } from './caseFile.ts';
import type { Script } from './scriptedServer.ts';
import type { ScriptStep } from './scriptSteps.ts';

/** A script and how it differs from the case's first one. */
export interface NamedScript {
  readonly name: string;
  readonly script: Script;
}

/** The scripts that a case's input means: itself, and the ways in which it is to be run again. */
export function scriptsOf({ input, expect }: KubeCase): readonly NamedScript[] {
  const { pods, podLines, alsoRunWith, variantB } = input;
  const around = { ...(pods === undefined ? {} : { pods }), ...(podLines === undefined ? {} : { podLines }) };
  const named = (name: string, steps: readonly ScriptStep[]): NamedScript => ({ name, script: { ...around, steps } });
  const first = named('as given', stepsOf(input, expect));
  const variants = [
    ...(alsoRunWith === undefined ? [] : [alsoRunWith]),
    ...(typeof expect['alsoRunWith'] === 'string' ? [expect['alsoRunWith']] : []),
  ].map((name) => named(name, variantOf(name, first.script.steps)));
  return [first, ...variants, ...(variantB === undefined ? [] : [named('variant B', withStatusLine(input, variantB.line))])];
}

/** Steps that answer in full: what is no script is a watch after an empty list, and then a quiet watch. */
function stepsOf(input: CaseInput, expect: KubeCase['expect']): readonly ScriptStep[] {
  const { httpScript, thenOn, thenChunksBase64 } = input;
  if (httpScript !== undefined) return httpScript;
  // Where the watch ends shows in the one that follows.
  const end = input.end ?? (expect['resumeResourceVersion'] === undefined ? 'hold' : 'close');
  const then = thenOn === undefined ? [] : [{ on: thenOn, status: 200, chunks: (thenChunksBase64 ?? []).map(bytesOf), end: 'hold' }];
  return watchSteps(chunksOf(input), end, then);
}

function watchSteps(chunks: readonly Uint8Array[], end: string, then: readonly ScriptStep[]): readonly ScriptStep[] {
  const before = (BigInt(firstVersion(chunks)) - 1n).toString();
  const list = { kind: 'EventList', apiVersion: 'v1', metadata: { resourceVersion: before }, items: [] };
  return [
    { on: 'list', status: 200, json: list },
    { on: `watch rv=${before}`, status: 200, chunks, end },
    ...then,
    { on: 'watch', status: 200, end: 'hold', repeat: true },
  ];
}

function chunksOf({ watchLines, rawChunksBase64 }: CaseInput): readonly Uint8Array[] {
  return rawChunksBase64?.map(bytesOf) ?? (watchLines ?? []).map((line) => Buffer.from(`${JSON.stringify(line)}\n`));
}

function firstVersion(chunks: readonly Uint8Array[]): string {
  const version = /"resourceVersion": ?"(\d+)"/.exec(Buffer.concat(chunks).toString('utf8'))?.[1];
  if (version === undefined) throw new Error('a watch without an object');
  return version;
}

function variantOf(name: string, steps: readonly ScriptStep[]): readonly ScriptStep[] {
  switch (name) {
    case 'the same bytes, one byte per chunk':
      return steps.map((step) => (step.chunks === undefined ? step : { ...step, chunks: singleBytes(step.chunks) }));
    case 'HTTP status 410 with the same Status as body':
      return steps.map((step) => refusedWith(step) ?? step);
    default:
      throw new Error(`a variant that nobody understands: ${name}`);
  }
}

function singleBytes(chunks: readonly Uint8Array[]): readonly Uint8Array[] {
  return [...Buffer.concat(chunks)].map((byte) => Uint8Array.of(byte));
}

/** A watch that begins with an ERROR line, refused before it begins. */
function refusedWith({ on, lines }: CaseStep): CaseStep | undefined {
  const [line] = (lines ?? []) as readonly { readonly type?: string; readonly object?: { readonly code?: number } }[];
  return line?.type === 'ERROR' ? { on, status: line.object?.code ?? 0, json: line.object } : undefined;
}

/** The line comes before the last chunk and ends the watch; the last chunk is there for the watch that follows. */
function withStatusLine(input: CaseInput, line: unknown): readonly ScriptStep[] {
  const chunks = chunksOf(input);
  const [before, last] = [chunks.slice(0, -1), chunks.slice(-1)];
  const then: ScriptStep = { on: `watch rv=${firstVersion(before)}`, status: 200, chunks: last, end: 'hold' };
  return watchSteps([...before, Buffer.from(`${JSON.stringify(line)}\n`)], 'hold', [then]);
}

function bytesOf(base64: string): Uint8Array {
  return Buffer.from(base64, 'base64');
}
