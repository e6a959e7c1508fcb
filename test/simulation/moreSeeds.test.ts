import { describe } from 'vitest';
import { keepsItsPromises, seedsOfCi } from './keepsItsPromises.ts';

// In a file of its own, so that the other core has something to do.
describe('simulation, more seeds', () => {
  keepsItsPromises(251, seedsOfCi);
});
