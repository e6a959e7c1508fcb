import { describe, expect, test } from 'vitest';
import { environmentName, type FlagCommand, type Program } from '../../src/config/optionKinds.ts';
import { optionTable } from '../../src/config/options.ts';
import { readSettings, type SettingsReading } from '../../src/config/readSettings.ts';

interface Given {
  readonly command?: FlagCommand;
  readonly program?: Program;
  readonly flags?: Readonly<Record<string, string | readonly (string | undefined)[]>>;
  readonly environment?: Readonly<Record<string, string>>;
  readonly hostname?: string;
  /** Content of the file `c.yaml`. */
  readonly file?: string;
}

function read({
  command = 'run',
  program = 'kube-sluice',
  flags = {},
  environment = {},
  hostname = 'laptop',
  file,
}: Given): SettingsReading {
  const all = { ...flags, ...(file === undefined ? {} : { config: 'c.yaml' }) };
  return readSettings({
    command,
    program,
    flags: new Map(Object.entries(all).map(([name, texts]) => [name, typeof texts === 'string' ? [texts] : texts])),
    environment,
    hostname,
    read: () => file ?? '',
  });
}

test('called as event-exporter, the defaults are those of the Go exporter', () => {
  const program = 'event-exporter';
  expect(read({ program }).settings).toMatchObject({
    sink: 'cloud-logging',
    sinkOpts: { stackdriverResourceModel: '' },
    prometheusEndpoint: { port: 80 },
  });
  const { settings } = read({
    program,
    flags: { sink: 'local', 'sink-opts': '-stackdriver-resource-model=new' },
    environment: { KUBE_SLUICE_PROMETHEUS_ENDPOINT: ':9' },
  });
  expect(settings).toMatchObject({ sink: 'local', sinkOpts: { stackdriverResourceModel: 'new' }, prometheusEndpoint: { port: 9 } });
});

describe('precedence', () => {
  const file = 'total-shards: 2\nshard-id: 1\ndrain-timeout: 2s\nowner-wait: 2s\n';
  const environment = { KUBE_SLUICE_TOTAL_SHARDS: '3', KUBE_SLUICE_DRAIN_TIMEOUT: '3s' };

  test('flags win over the environment, that over the file, that over the defaults', () => {
    const { settings, faults } = read({ file, environment, flags: { 'total-shards': '4' } });
    expect(faults).toEqual([]);
    expect(settings).toMatchObject({ totalShards: 4, drainTimeoutMs: 3000, ownerWaitMs: 2000, maxInFlight: 5000 });
  });

  test('the environment may name the file', () => {
    const { settings } = readSettings({
      command: 'run',
      flags: new Map(),
      environment: { KUBE_SLUICE_CONFIG: '/etc/c.yaml' },
      hostname: '',
      read: (path) => (path === '/etc/c.yaml' ? 'owner-wait: 7s' : ''),
    });
    expect(settings.ownerWaitMs).toBe(7000);
  });

  test('of a flag given twice the last counts, of a list all count, doubles once', () => {
    const { settings } = read({ flags: { 'owner-wait': ['1s', '2s'], namespace: ['shop', 'web,shop', ' checkout '] } });
    expect(settings).toMatchObject({ ownerWaitMs: 2000, namespace: ['shop', 'web', 'checkout'] });
  });

  test('a list in the file is a list, or one text', () => {
    expect(read({ file: 'namespace: [shop, web]\nsystem-namespaces: kube-system' }).settings).toMatchObject({
      namespace: ['shop', 'web'],
      systemNamespaces: ['kube-system'],
    });
  });

  test('what another command takes may stand in the file and the environment, unread', () => {
    const { settings, faults } = read({ file: 'speed: fast', environment: { KUBE_SLUICE_OUTPUT: 'x' } });
    expect([faults, settings.speed, settings.output]).toEqual([[], 1, 'events.ndjson.gz']);
  });
});

describe('the environment', () => {
  test('what Kubernetes injects for a Service called kube-sluice is passed over', () => {
    const environment = {
      KUBE_SLUICE_SERVICE_HOST: '10.0.0.1',
      KUBE_SLUICE_SERVICE_PORT: '8080',
      KUBE_SLUICE_SERVICE_PORT_METRICS: '8080',
      KUBE_SLUICE_PORT: 'tcp://10.0.0.1:8080',
      KUBE_SLUICE_PORT_8080_TCP: 'tcp://10.0.0.1:8080',
      KUBE_SLUICE_PORT_8080_TCP_PROTO: 'tcp',
      KUBE_SLUICE_PORT_8080_TCP_PORT: '8080',
      KUBE_SLUICE_PORT_8080_TCP_ADDR: '10.0.0.1',
    };
    expect(read({ environment })).toEqual(read({}));
  });

  test('no option has a name that a Service could inject', () => {
    const injected = /_(SERVICE_HOST|SERVICE_PORT.*|PORT(_[0-9]+_.*)?)$/;
    expect(
      Object.keys(optionTable)
        .map(environmentName)
        .filter((name) => injected.test(name)),
    ).toEqual([]);
  });

  test('a misspelt variable is not read, and told', () => {
    const { settings, warnings } = read({ environment: { KUBE_SLUICE_TOTAL_SHARD: '3', KUBE_SLUICE_HOME: '/' } });
    expect(settings.totalShards).toBe(1);
    expect(warnings).toEqual(['KUBE_SLUICE_TOTAL_SHARD in the environment is not read (did you mean KUBE_SLUICE_TOTAL_SHARDS?)']);
  });
});

describe('faults', () => {
  test('all are found, each with the option, the rule and the value', () => {
    const { faults } = read({
      flags: {
        'total-shards': '1e1',
        'drain-timeout': '5',
        speed: 'max',
        'shard-idd': '1',
        sink: [undefined],
        project: ['a', undefined],
        namespace: 'Shop',
      },
      environment: { KUBE_SLUICE_MAX_IN_FLIGHT: '0' },
      file: 'owner-wait: -1s\nlocal-formt: json\nconfig: d.yaml\nnamespace: {a: b}',
    });
    expect(faults).toEqual([
      '--speed is an option of replay, not of run',
      '--shard-idd is not an option (did you mean --shard-id?)',
      '--sink needs a value',
      '--project needs a value',
      'namespace in c.yaml line 4 must be one value or a list of values (got "{\\"a\\":\\"b\\"}")',
      'local-formt in c.yaml line 2 is not an option (did you mean local-format?)',
      'config in c.yaml line 3 must be left out: one file is read',
      expect.stringMatching(/^--namespace must be a namespace name: .* \(got "Shop"\)$/),
      '--total-shards must be a whole number from 1 to 65536 (got "1e1")',
      '--owner-wait (from c.yaml line 1) must be a duration such as 300ms, 1.5h or 1m30s, not negative and below 24 days (got "-1s")',
      '--max-in-flight (from KUBE_SLUICE_MAX_IN_FLIGHT) must be a whole number from 1 to 1000000 (got "0")',
      '--drain-timeout must be a duration such as 300ms, 1.5h or 1m30s, not negative and below 24 days (got "5")',
    ]);
  });

  test.each([
    ['{', "--config must be a readable YAML file (got 'c.yaml', line 1: "],
    ['sink: local\nsink: local', "--config must be a readable YAML file (got 'c.yaml', line 2: Map keys must be unique"],
    ['- sink', "--config must hold one option per line, NAME: VALUE (got 'c.yaml')"],
    ['sink: *nothing', 'sink in c.yaml line 1 must be one value or a list of values'],
    ['total-shards: 0x3', '--total-shards (from c.yaml line 1) must be a whole number from 1 to 65536 (got "0x3")'],
  ])('a config file of %j is refused', (file, fault) => {
    expect(read({ file }).faults).toEqual([expect.stringContaining(fault)]);
  });

  test('an empty config file is one without settings', () => {
    expect([read({ file: '' }).faults, read({ file: '# nothing\n' }).faults]).toEqual([[], []]);
  });

  test('a config file that cannot be read is one fault', () => {
    const read = (): string => {
      throw new Error('ENOENT: no such file');
    };
    const sources = { command: 'run', environment: {}, hostname: '', read } as const;
    expect(readSettings({ ...sources, flags: new Map([['config', ['x.yaml']]]) }).faults).toEqual([
      "--config must be a readable YAML file (got 'x.yaml': ENOENT: no such file)",
    ]);
  });
});

describe('the shard', () => {
  test('comes from the name when there are several', () => {
    const flags = { 'total-shards': '3' };
    expect(read({ flags, hostname: 'exporter-2' }).settings.shardId).toBe(2);
    expect(read({ flags, hostname: 'exporter-2', environment: { POD_NAME: 'exporter-1' } })).toMatchObject({
      settings: { shardId: 1 },
      warnings: ["the host name 'exporter-2' is not the pod's name 'exporter-1' given in POD_NAME; the shard is taken from POD_NAME"],
    });
    expect(read({ flags: { ...flags, 'shard-id': '0' }, hostname: 'exporter-2' }).settings.shardId).toBe(0);
  });

  test('is 0 of 1 whatever the name', () => {
    expect(read({ hostname: 'exporter-2' }).settings.shardId).toBe(0);
    expect(read({ flags: { 'shard-id': '2' } }).faults).toEqual(['--shard-id must be below --total-shards (got 2 of 1)']);
  });

  test('of a replay is all of them unless given', () => {
    const reading = read({ command: 'replay', flags: { 'total-shards': '3' }, hostname: 'exporter' });
    expect([reading.faults, reading.settings.shardId]).toEqual([[], -1]);
  });
});

test('what is accepted for the sake of the Go exporter is said to do nothing, once each', () => {
  const flags = {
    'resync-period': '5m',
    'storage-type': 'TTLStorage',
    'lister-watcher-enable-streaming': 'false',
    'sink-opts': '-flush-delay=1s  --endpoint http://x -stackdriver-resource-model=old',
  };
  const { faults, warnings, settings } = read({ flags });
  expect(faults).toEqual([]);
  expect(warnings).toEqual([
    '--resync-period is accepted and does nothing: nothing is synced again by time',
    '--storage-type is accepted and does nothing: events are not stored here, they pass through',
    '--lister-watcher-enable-streaming is accepted and does nothing: lists are streamed where the API server can, and go by pages where it cannot',
    '--sink-opts is accepted and does nothing with the sink local: flush-delay, endpoint',
  ]);
  expect(settings.sinkOpts).toMatchObject({ flushDelayMs: 1000, endpoint: 'http://x', stackdriverResourceModel: 'old' });
});
