import { describe, expect, test } from 'vitest';
import { type EventFields, eventObject } from '../../marbles/builders.ts';
import { entryTime, isEarlier, noTime } from '../../src/model/entryTime.ts';

const created = '2026-05-04T10:00:00Z';

/** An Event with no time but its creation. */
function check(title: string, fields: EventFields, expected: string): void {
  test(title, () => {
    const blank = { firstTimestamp: null, lastTimestamp: null, eventTime: null };
    expect(entryTime(eventObject('1', { ...blank, ...fields }))).toBe(expected);
  });
}

/** The same for a value that the types do not allow. */
function checkHostile(title: string, lastTimestamp: unknown, expected = created): void {
  check(title, { lastTimestamp } as EventFields, expected);
}

describe('the first time that is there', () => {
  const [last, observed, event, first] = [
    '2026-05-04T10:00:04Z',
    '2026-05-04T10:00:03.000000Z',
    '2026-05-04T10:00:02.120457Z',
    '2026-05-04T10:00:01Z',
  ] as const;
  const series = { count: 7, lastObservedTime: observed };

  check('is lastTimestamp', { lastTimestamp: last, series, eventTime: event, firstTimestamp: first }, last);
  check('then series.lastObservedTime', { series, eventTime: event, firstTimestamp: first }, observed);
  check('then eventTime, with all its digits', { eventTime: event, firstTimestamp: first }, event);
  check('then firstTimestamp', { firstTimestamp: first }, first);
  check('then metadata.creationTimestamp', {}, created);
  check('null, absent and year 1 are not there', { lastTimestamp: '0001-01-01T00:00:00Z', series: null, eventTime: event }, event);
  check('an empty series is not there', { series: {}, firstTimestamp: first }, first);
  check('is the epoch when the Event has none at all', { metadata: { creationTimestamp: null } }, noTime);
});

describe('the written precision', () => {
  checkHostile('is kept: no digits', '2026-05-04T09:59:59Z', '2026-05-04T09:59:59Z');
  checkHostile('is kept: milliseconds', '2026-05-04T09:59:59.250Z', '2026-05-04T09:59:59.250Z');
  checkHostile('is kept: zeros at the end', '2026-05-04T09:59:59.100000Z', '2026-05-04T09:59:59.100000Z');
  checkHostile('is cut behind microseconds', '2026-05-04T09:59:59.123456789Z', '2026-05-04T09:59:59.123456Z');
  checkHostile('stays when an offset is worked into UTC', '2026-05-04T11:59:59.5+02:00', '2026-05-04T09:59:59.5Z');
  checkHostile('offset over midnight', '2026-05-03T23:30:00-11:00', '2026-05-04T10:30:00Z');
});

describe('what is no time counts as absent', () => {
  checkHostile('a number', 1_777_888_999);
  checkHostile('an object', { seconds: 1 });
  checkHostile('empty text', '');
  checkHostile('words', 'yesterday');
  checkHostile('a date without time', '2026-05-04');
  checkHostile('no zone', '2026-05-04T10:00:00');
  checkHostile('lower case', '2026-05-04t10:00:00z');
  checkHostile('space around it', ' 2026-05-04T10:00:00Z');
  checkHostile('a line break behind it', '2026-05-04T10:00:01Z\n');
  checkHostile('month 13', '2026-13-04T10:00:00Z');
  checkHostile('30 February', '2026-02-30T10:00:00Z');
  checkHostile('29 February of a common year', '2026-02-29T10:00:00Z');
  checkHostile('hour 24', '2026-05-04T24:00:00Z');
  checkHostile('second 60', '2026-05-04T10:00:60Z');
  checkHostile('offset 99:99', '2026-05-04T10:00:00+99:99');
  checkHostile('year 0', '0000-05-04T10:00:00Z');
  checkHostile('an offset into year 0', '0001-01-01T00:00:00+01:00');
  checkHostile('an offset into year 10000', '9999-12-31T23:59:59-01:00');
  checkHostile('a fraction without end', `2026-05-04T10:00:01.${'1'.repeat(100_000)}Z`);
  check(
    'a hostile creationTimestamp',
    { metadata: { creationTimestamp: 'x' }, firstTimestamp: '2020-01-01T00:00:00Z' },
    '2020-01-01T00:00:00Z',
  );
  test('a series that is text', () => {
    expect(entryTime({ ...eventObject('1', { lastTimestamp: null }), series: 'often' } as never)).toBe(created);
  });
});

describe('a time far from the reference is replaced by it', () => {
  checkHostile('23 h ahead is kept', '2026-05-05T09:00:00Z', '2026-05-05T09:00:00Z');
  checkHostile('more than 23 h ahead is not', '2026-05-05T09:00:00.001Z');
  checkHostile('25 h behind is kept', '2026-05-03T09:00:00Z', '2026-05-03T09:00:00Z');
  checkHostile('more than 25 h behind is not', '2026-05-03T08:59:59.999Z');
  checkHostile('year 9999 is not', '9999-12-31T23:59:59Z');

  const managed = (...times: readonly unknown[]): EventFields =>
    ({ metadata: { creationTimestamp: created, managedFields: times.map((time) => ({ time })) } }) as EventFields;
  const [may8, may9] = ['2026-05-08T10:00:00Z', '2026-05-09T10:00:00Z'] as const;

  check('the reference is the newest of creation and managedFields', { ...managed(may8, may9, may8), lastTimestamp: created }, may9);
  check('so a series that goes on for days keeps its time', { ...managed(may9), lastTimestamp: may9 }, may9);
  check('managedFields older than the creation change nothing', { ...managed('2020-01-01T00:00:00Z'), lastTimestamp: created }, created);
  check('managedFields without a time change nothing', { ...managed(undefined, null, 5, 'x'), lastTimestamp: created }, created);
  check(
    'the time of a missing creation too',
    { metadata: { creationTimestamp: null, managedFields: [{ time: may9 }] }, lastTimestamp: created },
    may9,
  );
  check('managedFields alone give the time', { metadata: { creationTimestamp: null, managedFields: [{ time: may9 }] } }, may9);
  check('creation alone is judged by managedFields as well', managed(may9), may9);
  test('managedFields that are no list change nothing', () => {
    for (const managedFields of [null, 'x', {}, [null], ['x']]) {
      const event = eventObject('1', { metadata: { creationTimestamp: created, managedFields } as never });
      expect(entryTime(event)).toBe(created);
    }
  });
  check(
    'without any reference a time stays as written',
    { metadata: { creationTimestamp: null }, lastTimestamp: '2001-01-01T00:00:00Z' },
    '2001-01-01T00:00:00Z',
  );
});

test('times sort by moment, however many digits they carry', () => {
  const sorted = ['2026-05-04T10:00:00Z', '2026-05-04T10:00:00.000001Z', '2026-05-04T10:00:00.5Z', '2026-05-04T10:00:01Z'];
  for (const [at, earlier] of sorted.entries()) {
    expect(isEarlier(earlier, earlier)).toBe(false);
    for (const later of sorted.slice(at + 1)) {
      expect(isEarlier(earlier, later), `${earlier} ${later}`).toBe(true);
      expect(isEarlier(later, earlier), `${later} ${earlier}`).toBe(false);
    }
  }
});
