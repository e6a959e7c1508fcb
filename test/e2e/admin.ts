import { setTimeout as sleep } from 'node:timers/promises';
import { firstValueFrom } from 'rxjs';
import { kubeApi } from '../../src/index.ts';

export interface Meta {
  readonly name: string;
  readonly namespace?: string;
  readonly uid: string;
  readonly resourceVersion: string;
  readonly [field: string]: unknown;
}

export interface ServerObject {
  readonly metadata: Meta;
  readonly [field: string]: unknown;
}

/** What an administrator does to a cluster, through the API alone. */
export interface Admin {
  create(collection: string, object: object): Promise<ServerObject>;
  /** The same; what is there already may stay. */
  ensure(collection: string, object: object): Promise<void>;
  replace(path: string, object: object): Promise<ServerObject>;
  get(path: string): Promise<ServerObject>;
  /** Names of a collection's objects. */
  names(collection: string): Promise<readonly string[]>;
  /** What is gone already is no fault. */
  remove(path: string): Promise<void>;
}

const triesMax = 5;

export function admin(kubeconfig: string): Admin {
  const api = kubeApi({ kubeconfig }, { userAgent: 'kube-sluice-e2e' });
  const common = { stream: 'admin', query: {}, accept: 'application/json' } as const;
  const ask = async (
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    body?: object,
  ): Promise<{ status: number; body: unknown }> => {
    for (let attempt = 1; ; attempt++) {
      const request = { ...common, path };
      const answers = method === 'GET' ? api.get(request) : api.send({ ...request, method, ...(body && { body: JSON.stringify(body) }) });
      const answer = await firstValueFrom(answers);
      if (answer.type === 'exhausted') throw new Error(`${method} ${path}: no server`);
      const { status } = answer;
      // Refused before it was done, so it may be asked again.
      if (status === 429 && attempt < triesMax) await sleep(1_000 * attempt);
      else return { status, body: JSON.parse(Buffer.from(answer.body).toString('utf8')) as unknown };
    }
  };
  const done = async (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, alsoFine?: number): Promise<unknown> => {
    const answer = await ask(method, path, body);
    if (answer.status >= 300 && answer.status !== alsoFine) {
      throw new Error(`${method} ${path}: HTTP ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  };
  return {
    create: async (collection, object) => (await done('POST', collection, object)) as ServerObject,
    ensure: async (collection, object) => void (await done('POST', collection, object, 409)),
    replace: async (path, object) => (await done('PUT', path, object)) as ServerObject,
    get: async (path) => (await done('GET', path)) as ServerObject,
    names: async (collection) =>
      ((await done('GET', collection)) as { items: readonly ServerObject[] }).items.map(({ metadata }) => metadata.name),
    remove: async (path) => void (await done('DELETE', path, undefined, 404)),
  };
}
