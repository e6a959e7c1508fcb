import { readFileSync } from 'node:fs';
import { HttpMethod, KubeConfig, RequestContext } from '@kubernetes/client-node';
import { request } from 'undici';

/** The base *count*: the same credentials, TLS and HTTP/2, the lines counted as they come and thrown away. */
const lineFeed = 10;
const tellEveryMs = 200;
const [kubeconfig = ''] = process.argv.slice(2);
const config = new KubeConfig();
config.loadFromString(readFileSync(kubeconfig, 'utf8'));
const context = new RequestContext(config.getCurrentCluster()?.server ?? '', HttpMethod.GET);
await config.applySecurityAuthentication(context);
const dispatcher = context.getDispatcher();
const get = (query: string): ReturnType<typeof request> =>
  request(`${config.getCurrentCluster()?.server}/api/v1/events?${query}`, {
    headers: context.getHeaders(),
    bodyTimeout: 0,
    ...(dispatcher === undefined ? {} : { dispatcher }),
  });
const { body: list } = await get('limit=1');
const { metadata } = (await list.json()) as { readonly metadata: { readonly resourceVersion: string } };
const { body } = await get(`watch=true&resourceVersion=${metadata.resourceVersion}`);
let lines = 0;
let told = 0;
body.on('data', (chunk: Uint8Array) => {
  for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
});
setInterval(() => {
  if (lines > told) process.stderr.write(`${lines} lines\n`);
  told = lines;
}, tellEveryMs);
process.on('SIGTERM', () => process.exit());
