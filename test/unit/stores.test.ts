import { describe, expect, test } from 'vitest';
import { storeFaults } from '../../src/cli/stores.ts';
import type { Settings } from '../../src/config/options.ts';
import { readSettings } from '../../src/config/readSettings.ts';
import { serviceAccountOrigin } from '../../src/transports/kubeConfigFile.ts';
import { fakeProcess } from './cliContext.ts';

type Flags = Readonly<Record<string, string>>;

function read(flags: Flags): ReturnType<typeof readSettings> {
  const given = new Map(Object.entries(flags).map(([name, text]) => [name, [text]]));
  return readSettings({ command: 'run', flags: given, environment: {}, hostname: 'laptop', read: () => '' });
}

function settingsOf(flags: Flags): Settings {
  const { settings, faults } = read(flags);
  expect(faults).toEqual([]);
  return settings;
}

test.each([
  ['lease', undefined],
  ['none', undefined],
  ['', undefined],
  ['file:p.json', undefined],
  ['file:', '--checkpoint must be lease, none or file:PATH (got "file:")'],
  ['disk', '--checkpoint must be lease, none or file:PATH (got "disk")'],
])('--checkpoint %j', (text, fault) => {
  expect(read({ checkpoint: text }).faults).toEqual(fault === undefined ? [] : [fault]);
});

test.each([
  ['lease-name', 'Kube', '--lease-name must be at most 63 lower-case letters, digits and dashes, with no dash at the ends (got "Kube")'],
  [
    'lease-namespace',
    'a b',
    '--lease-namespace must be a namespace name: at most 63 lower-case letters, digits and dashes, a letter or digit at both ends (got "a b")',
  ],
])('--%s cannot be %j', (name, text, fault) => {
  expect(read({ [name]: text }).faults).toEqual([fault]);
});

test('what the sink has no use for is said to do nothing', () => {
  expect(read({ 'file-path': 'x' }).warnings).toEqual(['--file-path does nothing with the sink local']);
  expect(read({ sink: 'file', 'file-path': 'x', 'local-format': 'json' }).warnings).toEqual([
    '--local-format does nothing with the sink file',
  ]);
});

describe('sink and store together', () => {
  const environment = { POD_NAMESPACE: 'exporters' };
  const faultsOf = (flags: Flags, origin: string, inPod: boolean): readonly string[] =>
    storeFaults(settingsOf(flags), fakeProcess({ environment: inPod ? environment : {} }).context, origin);

  test.each<readonly [string, Flags, string, boolean]>([
    ['nothing is kept outside of a cluster', {}, 'kubeconfig x', false],
    ['a lease in a pod', {}, serviceAccountOrigin, true],
    ['a lease from outside, in a namespace that is named', { checkpoint: 'lease', 'lease-namespace': 'exporters' }, 'kubeconfig x', false],
    ['the file sink in a pod keeps its own', { sink: 'file', 'file-path': 'x' }, serviceAccountOrigin, false],
    ['three files', { sink: 'file', 'file-path': 'x', checkpoint: 'file:y', 'refused-file': 'z' }, 'kubeconfig x', false],
  ])('are good: %s', (_, flags, origin, inPod) => {
    expect(faultsOf(flags, origin, inPod)).toEqual([]);
  });

  test('name a file for the file sink', () => {
    expect(faultsOf({ sink: 'file' }, 'kubeconfig x', false)).toEqual(['--file-path must name a file with --sink file (got nothing)']);
  });

  test('name a namespace for leases where no pod has one', () => {
    const fault = '--lease-namespace must name the namespace of the leases (got nothing, and there is no pod whose own it could be)';
    expect(faultsOf({ checkpoint: 'lease' }, 'kubeconfig x', false)).toEqual([fault]);
    expect(faultsOf({}, serviceAccountOrigin, false)).toEqual([fault]);
  });

  test('name different files, however they are written', () => {
    const [fault, ...more] = faultsOf({ sink: 'file', 'file-path': '/tmp/a', checkpoint: 'file:/tmp/../tmp/a' }, 'kubeconfig x', false);
    expect([fault, more]).toEqual(['--file-path, --checkpoint and --refused-file must be different files (got /tmp/a, /tmp/a)', []]);
  });
});
