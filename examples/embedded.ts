// A pipeline inside a service that has its own HTTP server, its own prom-client registry and its own logger.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { liveRuntime, local, metrics, noStore, pipeline, signalLog, textWriter } from 'kube-sluice';
import { core, seededRandom, virtualTransport } from 'kube-sluice/testing';
import { Counter, Registry } from 'prom-client';
import { lastValueFrom, ReplaySubject, tap } from 'rxjs';

// What the service has anyway.
const registry = new Registry();
const visits = new Counter({ name: 'shop_visits_total', help: 'Visits.', registers: [registry] });
const print = (level: string) => (_fields: object, text: string) => console.log(`shop ${level}: ${text}`);
const logger = { debug: () => undefined, info: print('info'), warn: print('warn'), error: print('error') }; // Or pino, as it is.
const server = createServer((_request, response) => {
  visits.inc();
  void registry.metrics().then((text) => response.setHeader('content-type', registry.contentType).end(text));
});
server.listen(0, '127.0.0.1');

// What it adds: one signal for everything that happens, which becomes metrics and log lines.
const shard = { index: 0, total: 1 };
const counted = metrics({ version: '1.0.0', shard, processMetrics: false, registry }, Date.now);
const log = signalLog(logger);
const runtime = liveRuntime((signal) => {
  counted.observe(signal, Date.now());
  log.observe(signal, Date.now());
});

// A cluster with three Events, in real time. Yours: kubeApi({}).
const cluster = core({}, { now: Date.now, random: seededRandom(1) });
for (const name of ['a', 'b', 'c']) {
  const involvedObject = { kind: 'Node', name: `node-${name}`, uid: `node-${name}` };
  const metadata = { name, namespace: 'default', creationTimestamp: '2026-05-04T10:00:00Z' };
  cluster.create('Event', { metadata, involvedObject, reason: 'Rebooted', type: 'Warning' });
}
const transport = virtualTransport(cluster, {}, runtime);

// The service ends it in an orderly way: what was read is delivered first.
const stop = new ReplaySubject<void>(1);
const sink = local({ format: 'json', fields: 'short' }, textWriter(process.stdout, 'standard output'));
const exporting = pipeline({ shard, ownerLabels: false, saveMs: 0 }, { transport, sink, store: noStore() }, stop, runtime);
await lastValueFrom(exporting.pipe(tap(() => stop.next())));

const { port } = server.address() as AddressInfo;
const page = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
console.log(page.match(/^(shop_visits_total|stackdriver_sink_received_entry_count) .*$/gm)?.join('\n'));
server.close();
