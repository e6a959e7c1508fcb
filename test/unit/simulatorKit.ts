import { type Core, type CoreSettings, core, type PlainObject, seededRandom } from '../../src/testing.ts';

export const metadataAccept = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
export const metadataListAccept = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** A watch line, parsed. */
export interface Line {
  readonly type: string;
  readonly object: PlainObject & { readonly code?: number };
}

/** An open answer, read at the caller's pace. */
export interface OpenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** What is there now, as text. */
  text(bytesMax?: number): string;
  /** The same as parsed lines. */
  lines(): Line[];
  /** Set once the text before it was read. */
  end(): 'open' | 'close' | 'reset';
  dueAt(): number | undefined;
  cancel(): void;
}

export interface TestServer {
  readonly core: Core;
  readonly clock: { now: number };
  open(path: string, query?: Readonly<Record<string, string>>, accept?: string): OpenAnswer;
  /** A whole answer: its status and its body as JSON. */
  get(path: string, query?: Readonly<Record<string, string>>, accept?: string): { readonly status: number; readonly body: Body };
  event(name: string, more?: object): PlainObject;
  pod(name: string, more?: object): PlainObject;
}

export interface Body {
  readonly kind: string;
  readonly reason?: string;
  readonly message?: string;
  readonly metadata: { readonly resourceVersion?: string; readonly continue?: string; readonly remainingItemCount?: number };
  readonly items?: readonly PlainObject[];
}

const start = Date.parse('2026-11-30T10:00:00Z');

/** A server at version 1000, at ten o'clock. */
export function testServer(settings: CoreSettings = {}): TestServer {
  const clock = { now: start };
  const server = core({ resourceVersion: '1000', ...settings }, { now: () => clock.now, random: seededRandom(7) });
  const open: TestServer['open'] = (path, query = {}, accept = 'application/json') => {
    const reply = server.handle({ method: 'GET', path, query, headers: { accept } });
    if (reply.type !== 'answer') throw new Error(`no answer: ${reply.type}`);
    let ended: 'open' | 'close' | 'reset' = 'open';
    const text = (bytesMax = 65_536): string => {
      const chunks: Uint8Array[] = [];
      for (;;) {
        const taken = reply.body.take(bytesMax);
        if (taken.type === 'end') ended = taken.how;
        if (taken.type !== 'bytes') return Buffer.concat(chunks).toString('utf8');
        chunks.push(taken.bytes);
      }
    };
    const lines = (): Line[] =>
      text()
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as Line);
    return {
      status: reply.status,
      headers: reply.headers,
      text,
      lines,
      end: () => ended,
      dueAt: reply.body.dueAt,
      cancel: reply.body.cancel,
    };
  };
  return {
    core: server,
    clock,
    open,
    get(path, query, accept) {
      const answer = open(path, query, accept);
      return { status: answer.status, body: JSON.parse(answer.text()) as Body };
    },
    event: (name, more = {}) =>
      server.create('Event', { metadata: { name, namespace: 'shop' }, reason: 'Pulled', type: 'Normal', ...more }),
    pod: (name, more = {}) => server.create('Pod', { metadata: { name, namespace: 'shop' }, ...more }),
  };
}

/** `type name` of each line, short enough to compare. */
export function brief(lines: readonly Line[]): string[] {
  return lines.map(({ type, object }) => `${type} ${object.metadata.name ?? object.metadata.resourceVersion ?? object.code ?? ''}`);
}

export function namesOf(body: Body): string[] {
  return (body.items ?? []).map(({ metadata }) => metadata.name ?? '');
}
