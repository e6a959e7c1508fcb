import { expect, test } from 'vitest';
import { rfc3339 } from '../../src/model/rfc3339.ts';

const two = (number: number): string => String(number).padStart(2, '0');

/** What the platform makes of a moment in UTC, undefined if it does not come back as it was written. */
function platformMs(text: string): number | undefined {
  const ms = Date.parse(text);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text.replace('Z', '.000Z') ? ms : undefined;
}

test('every day of odd and even years is a moment exactly if it exists', () => {
  const odd: string[] = [];
  for (const year of ['0002', '0004', '0099', '0100', '1600', '1900', '1969', '1970', '2000', '2023', '2024', '2100', '9999']) {
    for (let month = 0; month <= 13; month++) {
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${two(month)}-${two(day)}T23:59:58Z`;
        if (rfc3339(text)?.ms !== platformMs(text)) odd.push(text);
      }
    }
  }
  expect(odd).toEqual([]);
});

test('hours, minutes and seconds end where they end', () => {
  for (let number = 0; number <= 99; number++) {
    const [hour, minute, second] = [`T${two(number)}:00:00Z`, `T00:${two(number)}:00Z`, `T00:00:${two(number)}Z`];
    expect(rfc3339(`2026-05-04${hour}`) !== undefined, hour).toBe(number < 24);
    expect(rfc3339(`2026-05-04${minute}`) !== undefined, minute).toBe(number < 60);
    expect(rfc3339(`2026-05-04${second}`) !== undefined, second).toBe(number < 60);
  }
});

test('text and moment of a time with a fraction, and of one with an offset', () => {
  expect(rfc3339('2026-05-04T10:00:00.250Z')).toEqual({ text: '2026-05-04T10:00:00.250Z', ms: 1_777_888_800_250 });
  expect(rfc3339('2026-05-04T12:30:00.250+02:30')).toEqual({ text: '2026-05-04T10:00:00.250Z', ms: 1_777_888_800_250 });
  expect(rfc3339('2026-05-04T10:00:00-00:00')).toEqual({ text: '2026-05-04T10:00:00Z', ms: 1_777_888_800_000 });
});

test('the years that Go and four digits cannot tell are none', () => {
  expect(rfc3339('0001-01-01T00:00:00Z')).toBeUndefined();
  expect(rfc3339('0000-12-31T23:59:59Z')).toBeUndefined();
  expect(rfc3339('9999-12-31T23:59:59Z')?.text).toBe('9999-12-31T23:59:59Z');
  expect(rfc3339('9999-12-31T23:59:59-00:01')).toBeUndefined();
  expect(rfc3339('0002-01-01T00:00:00+01:00')?.text).toBe('0001-12-31T23:00:00Z');
});
