import { expect, test } from 'vitest';
import { checkCase } from './checkCase.ts';

test('W15 a list whose token has expired begins again, without the token that would mix two states', () => {
  const [run] = checkCase('W15', { pipeline: { pageItems: 2 }, neverAsked: ['list continue=tokB'] });
  expect(run?.counts.repeated).toBe(2);
  expect(run?.checkpoint?.positions['']?.at).toBe('4200');
});

test('W17 a list after a 410 brings what is new and a gap record for what may have been overwritten', () => {
  const [run] = checkCase('W17', { gaps: ['expired'] });
  expect(run?.gaps.map(({ payload: { from, to } }) => [from, to])).toEqual([['4100', '4300']]);
});
