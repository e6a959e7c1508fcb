import { readFileSync } from 'node:fs';

/** One case of test/fixtures/cases.json, as the real world brought it. */
export interface Case<Input> {
  readonly id: string;
  readonly title: string;
  readonly input: Input;
}

const { cases } = JSON.parse(readFileSync(new URL('../fixtures/cases.json', import.meta.url), 'utf8')) as { cases: Case<unknown>[] };

export function caseOf<Input>(id: string): Case<Input> {
  const found = cases.find((each) => each.id === id);
  if (found === undefined) throw new Error(`cases.json has no case ${id}`);
  return found as Case<Input>;
}
