import { expect, it } from 'vitest';
import { proxyFromEnvironment } from '../../src/transports/proxyFromEnvironment.ts';

type Row = readonly [server: string, environment: Readonly<Record<string, string>>, wanted: string | undefined];

const proxy = 'http://proxy.test:3128';

function without(noProxy: string): Readonly<Record<string, string>> {
  return { HTTPS_PROXY: proxy, NO_PROXY: noProxy };
}

const rows: readonly Row[] = [
  ['https://k8s.test:6443', {}, undefined],
  ['https://k8s.test:6443', { HTTPS_PROXY: proxy }, proxy],
  ['https://k8s.test:6443', { https_proxy: 'proxy.test:3128' }, proxy],
  ['https://k8s.test:6443', { HTTP_PROXY: proxy }, undefined],
  ['http://k8s.test', { HTTP_PROXY: proxy }, proxy],
  ['https://localhost:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://127.0.0.2:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://[::1]:6443', { HTTPS_PROXY: proxy }, undefined],
  ['https://k8s.test:6443', without('*'), undefined],
  ['https://k8s.test:6443', without('a.test, k8s.test'), undefined],
  ['https://k8s.test:6443', without('K8S.TEST:6443'), undefined],
  ['https://k8s.test:6443', without('k8s.test:443'), proxy],
  ['https://k8s.test', without('k8s.test:443'), undefined],
  ['https://a.k8s.test', without('k8s.test'), undefined],
  ['https://a.k8s.test', without('.k8s.test'), undefined],
  ['https://a.k8s.test', without('*.k8s.test'), undefined],
  ['https://k8s.test', without('.k8s.test'), proxy],
  ['https://ak8s.test', without('k8s.test'), proxy],
  ['https://10.96.0.1:443', without('10.96.0.1'), undefined],
  ['https://10.96.0.1:443', without('10.96.0.0/12'), undefined],
  ['https://10.112.0.1:443', without('10.96.0.0/12'), proxy],
  ['https://[fd00::1]:443', without('fd00::/8'), undefined],
  ['https://[fd00::1]:443', without('fd00::1'), undefined],
  ['https://[fd00::1]:443', without('10.0.0.0/8,nonsense/99,'), proxy],
];

it.each(rows)('%s with %o goes through %s', (server, environment, wanted) => {
  expect(proxyFromEnvironment(new URL(server), environment)).toBe(wanted);
});
