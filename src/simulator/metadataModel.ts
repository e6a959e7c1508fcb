/** What the machine says of itself. */
export interface MetadataSettings {
  /** Default `sluice-test`. */
  readonly project?: string;
  /** The zone of the machine. Default `europe-west4-a`. */
  readonly zone?: string;
  /** Attributes of the instance. Default cluster-name `cluster-1` and cluster-location `europe-west4`; a pod outside of GKE has none. */
  readonly attributes?: Readonly<Record<string, string>>;
  /** Default googleapis.com. */
  readonly universeDomain?: string;
  /** How long a token lives, in seconds. Default an hour. */
  readonly tokenSeconds?: number;
}

export interface MetadataRequest {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface MetadataAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The metadata server of a machine, and the token endpoint of an identity provider. No sockets, no timers. */
export interface MetadataModel {
  /** True for a token that was given out and is still good. */
  accepts(token: string): boolean;
  /** How many tokens were given out. */
  issued(): number;
  /** Ends the life of every token. */
  revoke(): void;
  handle(request: MetadataRequest): MetadataAnswer;
}

const root = '/computeMetadata/v1/';
const account = 'instance/service-accounts/default/';
/** Grants of the token endpoint: a signed assertion of a key file, a token of another provider, a refresh token. */
const grants = ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'urn:ietf:params:oauth:grant-type:token-exchange', 'refresh_token'];

export function metadataModel(settings: MetadataSettings, now: () => number): MetadataModel {
  const { tokenSeconds = 3_600 } = settings;
  const values = valuesOf(settings);
  const goodUntil = new Map<string, number>();
  let issued = 0;

  const token = (): string => {
    issued += 1;
    const made = `token-${issued}`;
    goodUntil.set(made, now() + tokenSeconds * 1_000);
    return JSON.stringify({ access_token: made, expires_in: tokenSeconds, token_type: 'Bearer' });
  };
  const oauth = (request: MetadataRequest): MetadataAnswer => {
    const grant = new URLSearchParams(request.body).get('grant_type') ?? '';
    if (request.method === 'POST' && grants.includes(grant)) return answer(200, token(), 'application/json');
    return answer(400, JSON.stringify({ error: 'unsupported_grant_type' }), 'application/json');
  };
  const metadata = (path: string): MetadataAnswer => {
    if (path === `${account}token`) return answer(200, token(), 'application/json');
    const value = values.get(path);
    if (value !== undefined) return answer(200, value);
    const folder = path === '' || path.endsWith('/') ? path : `${path}/`;
    const inside = [...values.keys()]
      .filter((name) => name.startsWith(folder))
      .map((name) => name.slice(folder.length).replace(/\/.*/, '/'));
    return inside.length === 0 ? answer(404, 'not found\n') : answer(200, `${[...new Set(inside)].join('\n')}\n`);
  };

  return {
    accepts: (given) => (goodUntil.get(given) ?? 0) > now(),
    issued: () => issued,
    revoke: () => goodUntil.clear(),
    handle(request) {
      const { path, headers } = request;
      if (path === '/token') return oauth(request);
      // Both guard against requests that somebody makes a program send.
      if (headers['metadata-flavor'] !== 'Google') return answer(403, 'the header Metadata-Flavor: Google is missing\n');
      if (headers['x-forwarded-for'] !== undefined) return answer(403, 'forwarded requests are not answered\n');
      return path.startsWith(root) ? metadata(path.slice(root.length)) : answer(404, 'not found\n');
    },
  };
}

function valuesOf(settings: MetadataSettings): ReadonlyMap<string, string> {
  const { project = 'sluice-test', zone = 'europe-west4-a', universeDomain = 'googleapis.com' } = settings;
  const { attributes = { 'cluster-name': 'cluster-1', 'cluster-location': 'europe-west4' } } = settings;
  return new Map([
    ['project/project-id', project],
    ['project/numeric-project-id', '1234567890'],
    ['universe/universe-domain', universeDomain],
    ['universe/universe_domain', universeDomain],
    ['instance/id', '4567890123'],
    ['instance/zone', `projects/1234567890/zones/${zone}`],
    ...Object.entries(attributes).map(([name, value]): [string, string] => [`instance/attributes/${name}`, value]),
    [`${account}email`, `exporter@${project}.iam.example`],
    [`${account}scopes`, 'https://www.googleapis.com/auth/cloud-platform\n'],
    [`${account}token`, ''],
  ]);
}

function answer(status: number, body: string, type = 'text/plain'): MetadataAnswer {
  return { status, headers: { 'content-type': type, 'metadata-flavor': 'Google', server: 'Metadata Server' }, body };
}
