import type { CaseStep } from './caseFile.ts';

/** A step whose body may be given as bytes, chunk by chunk. */
export interface ScriptStep extends CaseStep {
  readonly chunks?: readonly Uint8Array[];
}

type Query = Readonly<Record<string, string>>;

/** The steps of a script, used up from front to back. */
export interface ScriptSteps {
  /** The first step from here on that answers this request; steps before it are passed over. */
  take(query: Query): ScriptStep | undefined;
  /** The next list of the script, which is not used up. */
  nextList(): ScriptStep | undefined;
  /** Steps that had to be used and were not. */
  unused(): readonly string[];
}

export function scriptSteps(steps: readonly ScriptStep[]): ScriptSteps {
  const used = new Set<ScriptStep>();
  let at = 0;
  return {
    take(query) {
      const found = steps.findIndex((step, index) => index >= at && answers(step, query));
      const step = steps[found];
      if (step === undefined) return undefined;
      at = step.repeat === true ? found : found + 1;
      used.add(step);
      return step;
    },
    nextList: () => steps.slice(at).find(({ on }) => on.startsWith('list')),
    unused: () => steps.filter((step) => !used.has(step) && !step.on.endsWith(ifStartedAgain) && step.repeat !== true).map(({ on }) => on),
  };
}

const ifStartedAgain = ' (if started again)';
const form = /^(list|watch)(?: (limit|continue|rv)=(\S+))?(?: \(if started again\))?$/;

function answers({ on }: ScriptStep, query: Query): boolean {
  const [, verb, key, value] = form.exec(on) ?? [];
  if (verb === undefined) throw new Error(`a step that is no request: ${on}`);
  if ((verb === 'watch') !== (query['watch'] === 'true')) return false;
  if (verb === 'list' && key !== 'continue' && query['continue'] !== undefined) return false;
  return key === undefined || query[key === 'rv' ? 'resourceVersion' : key] === value;
}
