import { caseOf as untypedCase } from '../cases/caseFile.ts';

/** A case whose input has a shape of its own. */
export interface Case<Input> {
  readonly id: string;
  readonly title: string;
  readonly input: Input;
}

export function caseOf<Input>(id: string): Case<Input> {
  return untypedCase(id) as unknown as Case<Input>;
}
