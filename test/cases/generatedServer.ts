import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface GeneratedServerSettings {
  readonly events: number;
  readonly pods: number;
}

/** Lists of any size, made page by page, and watches that stay open and quiet. */
export interface GeneratedServer {
  readonly url: string;
  /** What was asked, in order. */
  readonly asked: readonly AskedRequest[];
  /** Called with each request after it was answered. */
  onAsked(listener: (asked: AskedRequest) => void): void;
  close(): Promise<void>;
}

export interface AskedRequest {
  readonly path: string;
  readonly query: URLSearchParams;
  readonly accept: string;
}

/** A store's version above that of every object in it: an object's version is its number, from 1. */
export const storeVersion = '1000000';

export async function generatedServer({ events, pods }: GeneratedServerSettings): Promise<GeneratedServer> {
  const asked: AskedRequest[] = [];
  let listener: (asked: AskedRequest) => void = () => undefined;
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname: path, searchParams: query } = new URL(request.url ?? '', 'http://server');
    const one = { path, query, accept: request.headers.accept ?? '' };
    asked.push(one);
    if (path === '/version') response.writeHead(404).end();
    else if (query.get('watch') === 'true') response.writeHead(200).flushHeaders();
    else if (path.endsWith('/events')) response.writeHead(200).end(page('EventList', events, query, (number) => eventText(number, pods)));
    else response.writeHead(200).end(page('PartialObjectMetadataList', pods, query, podText));
    listener(one);
  };
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    onAsked: (next) => {
      listener = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function page(kind: string, total: number, query: URLSearchParams, text: (number: number) => string): string {
  const from = Number(query.get('continue') ?? 0);
  const to = Math.min(total, from + Number(query.get('limit') ?? total));
  const items = Array.from({ length: to - from }, (_, index) => text(from + index + 1));
  const more = to < total ? `,"continue":"${to}","remainingItemCount":${total - to}` : '';
  return `{"kind":"${kind}","apiVersion":"v1","metadata":{"resourceVersion":"${storeVersion}"${more}},"items":[${items.join(',')}]}`;
}

function eventText(number: number, pods: number): string {
  const pod = (number % pods) + 1;
  return `{"metadata":{"name":"pod-${pod}.${number.toString(16)}","namespace":"shop","uid":"${uidOf('e', number)}","resourceVersion":"${number}","creationTimestamp":"2024-05-06T09:59:00Z","managedFields":[{"manager":"kubelet","operation":"Update","apiVersion":"v1","time":"2024-05-06T09:59:00Z","fieldsType":"FieldsV1","fieldsV1":{"f:count":{},"f:firstTimestamp":{},"f:involvedObject":{},"f:lastTimestamp":{},"f:message":{},"f:reason":{},"f:source":{"f:component":{},"f:host":{}},"f:type":{}}}]},"involvedObject":{"kind":"Pod","namespace":"shop","name":"pod-${pod}","uid":"${uidOf('b', pod)}","apiVersion":"v1","fieldPath":"spec.containers{app}"},"reason":"Pulled","message":"Container image is present on the machine","source":{"component":"kubelet","host":"node-1"},"firstTimestamp":"2024-05-06T09:59:00Z","lastTimestamp":"2024-05-06T09:59:00Z","count":1,"type":"Normal","eventTime":null,"reportingComponent":"kubelet","reportingInstance":"node-1"}`;
}

function podText(number: number): string {
  const workload = `web-${number % 500}`;
  return `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"pod-${number}","namespace":"shop","uid":"${uidOf('b', number)}","resourceVersion":"${number}","creationTimestamp":"2024-05-06T09:00:00Z","labels":{"app":"${workload}","pod-template-hash":"5d8f7c9b64"},"ownerReferences":[{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"${workload}-5d8f7c9b64","uid":"${uidOf('c', number % 500)}","controller":true,"blockOwnerDeletion":true}]}}`;
}

function uidOf(kind: string, number: number): string {
  return `0e0e0e0e-000${kind}-4000-8000-${String(number).padStart(12, '0')}`;
}
