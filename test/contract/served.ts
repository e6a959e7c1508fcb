import { afterEach } from 'vitest';
import { type KubeApiSettings, kubeApi } from '../../src/transports/kubeApi.ts';
import { type ApiServer, apiServer, type Protocol } from './apiServer.ts';
import { kubeconfig } from './kubeConfigs.ts';

const running: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((server) => server.close()));
});

/** Closes it after the test. */
export function closeLater(server: { close(): Promise<void> }): void {
  running.push(server);
}

/** A server of one's own for the test that asks for it. */
export async function serve(protocol: Protocol, handler: Parameters<typeof apiServer>[1]): Promise<ApiServer> {
  const server = await apiServer(protocol, handler);
  closeLater(server);
  return server;
}

export function transportTo({ server }: ApiServer, settings: KubeApiSettings = {}) {
  return kubeApi({ kubeconfig: kubeconfig({ server }), environment: {} }, settings);
}
