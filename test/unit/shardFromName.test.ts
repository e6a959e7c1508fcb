import { describe, expect, test } from 'vitest';
import { shardFromName } from '../../src/config/shardFromName.ts';
import { caseOf } from './cases.ts';

describe('H03 host names and the shards they stand for', () => {
  const { hostnames, totalShards } = caseOf('H03').input as unknown as {
    hostnames: Record<string, number | 'refuse'>;
    totalShards: number;
  };

  test.each(Object.entries(hostnames))('H03 %j: %s', (hostname, want) => {
    const found = shardFromName({ hostname }, totalShards);
    if (want === 'refuse') expect(found).toEqual({ type: 'refused', fault: expect.stringMatching(/^--shard-id must be set, because /) });
    else expect(found).toEqual({ type: 'found', index: want });
  });
});

describe("H04 the pod's own name, cut names and names with a domain", () => {
  interface Names {
    readonly hostname: string;
    readonly podName: string | null;
    readonly want?: number;
    readonly wantOneOf?: readonly (number | 'refuse')[];
  }
  const { hostnames, totalShards } = caseOf<{ hostnames: readonly Names[]; totalShards: number }>('H04').input;

  test.each(hostnames)('H04 host name $hostname, pod name $podName', ({ hostname, podName, want, wantOneOf }) => {
    const found = shardFromName({ hostname, podName: podName ?? undefined }, totalShards);
    expect(wantOneOf ?? [want]).toContain(found.type === 'found' ? found.index : 'refuse');
  });

  test("H04 a host name that is neither the pod's name nor its first 63 characters is reported", () => {
    const [node, cut] = hostnames;
    expect(shardFromName({ hostname: node?.hostname, podName: node?.podName ?? '' }, totalShards)).toEqual({
      type: 'found',
      index: 0,
      warning: "the host name 'ip-10-0-0-2' is not the pod's name 'exporter-0' given in POD_NAME; the shard is taken from POD_NAME",
    });
    expect(shardFromName({ hostname: cut?.hostname, podName: cut?.podName ?? '' }, totalShards)).toEqual({ type: 'found', index: 12 });
  });
});

const long = 'exporter-'.padEnd(60, 'a');

test.each([
  ['exporter-007', "the host name 'exporter-007' ends in 007, which no StatefulSet writes"],
  ['exporter-16', "the host name 'exporter-16' ends in 16, which is not below --total-shards (16)"],
  ['ip-10-0-0-2', "the host name 'ip-10-0-0-2' is a node's, not a pod's; set POD_NAME from metadata.name, or --shard-id"],
  ['ip-10-0-0-2.ec2.internal', "the host name 'ip-10-0-0-2.ec2.internal' is a node's"],
  [`${long}a-1`, `the host name '${long}a-1' may be a cut one; set POD_NAME from metadata.name, or --shard-id`],
  [`${long}-1`, `the host name '${long}-1' may be a cut one`],
  ['', 'neither POD_NAME nor a host name is there to take it from'],
])('without POD_NAME %j', (hostname, why) => {
  const fault = expect.stringContaining(`--shard-id must be set, because ${why}`);
  expect(shardFromName({ hostname }, 16)).toEqual({ type: 'refused', fault });
});

test('a bad pod name is refused, however good the host name is', () => {
  expect(shardFromName({ podName: 'exporter', hostname: 'exporter-3' }, 16)).toEqual({
    type: 'refused',
    fault: "--shard-id must be set, because the pod name 'exporter' does not end in a dash and digits",
  });
});

test('a name of 61 characters is whole', () => {
  expect(shardFromName({ hostname: `${long.slice(0, 59)}-1` }, 16)).toEqual({ type: 'found', index: 1 });
});

test('a host name cut behind its last dash loses the dash as well', () => {
  const podName = `${long}-3-12`;
  expect(shardFromName({ podName, hostname: `${long}-3` }, 16)).toEqual({ type: 'found', index: 12 });
});
