import { describe } from 'vitest';
import { keepsItsPromises } from './keepsItsPromises.ts';

// Some of the seeds in a file of their own, so that every core has something to do until the end.
describe('simulation', () => {
  keepsItsPromises(126, 250);
});
