import { expect, test } from 'vitest';
import { fieldSelectorFault, labelSelectorFault, namespaceFault } from '../../src/config/selectors.ts';

test.each([
  '',
  'team',
  '!team',
  'team=web',
  'team = web',
  'team==web',
  'team!=web',
  'team=',
  'team in (web, shop)',
  'team notin (web,)',
  'replicas>1,replicas < 5',
  'app.kubernetes.io/name=web,!canary, tier in (a,b)',
  'a=1,b=2',
])('takes the label selector %j', (selector) => {
  expect(labelSelectorFault(selector)).toBeUndefined();
});

const shapes = 'is none of key, !key, key=value, key!=value, key in (a,b), key notin (a,b), key>1, key<1';

test.each([
  ['a,', 'there is nothing between two commas or at an end'],
  [',a', 'there is nothing between two commas or at an end'],
  ['a,,b', 'there is nothing between two commas or at an end'],
  ['a in b', `'a in b' ${shapes}`],
  ['a b', `'a b' ${shapes}`],
  ['=web', `'=web' cannot be the name of a label`],
  ['team in (web', `'team in (web' ${shapes}`],
  ['-team', "'-team' cannot be the name of a label"],
  ['a/b/c=1', "'a/b/c' cannot be the name of a label"],
  ['Up.io/name=1', "'Up.io/name' cannot be the name of a label"],
  [`${'k'.repeat(64)}=1`, `'${'k'.repeat(64)}' cannot be the name of a label`],
  ['team=we b', "'we b' cannot be the value of a label"],
  ['team=web-', "'web-' cannot be the value of a label"],
  ['team in (web,sh_)', "'sh_' cannot be the value of a label"],
  ['replicas>many', "'many' is not a whole number"],
  ['replicas>-1', "'-1' is not a whole number"],
])('refuses the label selector %j', (selector, why) => {
  expect(labelSelectorFault(selector)).toBe(`must be a label selector; ${why}`);
});

test.each(['', 'type=Warning', 'type!=Normal,reason==BackOff', 'involvedObject.kind=Pod,', 'reason=', String.raw`reason=a\,b\=c\\d`])(
  'takes the field selector %j',
  (selector) => {
    expect(fieldSelectorFault(selector)).toBeUndefined();
  },
);

test.each([
  ['type', "'type' is none of field=value, field==value, field!=value"],
  ['type>1', "'type>1' is none of field=value, field==value, field!=value"],
  ['count=1', "events have no field 'count' to select by, only involvedObject.kind, "],
  [' type=Normal', "events have no field ' type' to select by, only "],
  ['reason=a=b', "in 'a=b' a comma, '=' or backslash must have a backslash before it, and nothing else may"],
  [String.raw`reason=a\nb`, String.raw`in 'a\nb' a comma, '=' or backslash must have a backslash before it, and nothing else may`],
  ['reason=a\\', "in 'a\\' a comma, '=' or backslash must have a backslash before it, and nothing else may"],
])('refuses the field selector %j', (selector, why) => {
  expect(fieldSelectorFault(selector)).toContain(`must be a field selector; ${why}`);
});

test('a namespace name can be no path', () => {
  const rule = 'must be a namespace name: at most 63 lower-case letters, digits and dashes, a letter or digit at both ends';
  expect(['shop', 'a', '7-up', 'n'.repeat(63)].map(namespaceFault)).toEqual([undefined, undefined, undefined, undefined]);
  expect(['', 'Shop', '-a', 'a-', 'a.b', '../pods', 'n'.repeat(64)].map(namespaceFault)).toEqual(Array.from({ length: 7 }, () => rule));
});
