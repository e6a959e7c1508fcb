import type { Logging } from '@google-cloud/logging';
import { httpRoutes } from './httpRoutes.ts';

/** Application Default Credentials, by the library. */
export interface GoogleCredentials {
  /** Headers that authorise a request. Tokens are kept until shortly before their end, then fetched anew. */
  headers(url: URL): Promise<Readonly<Record<string, string>>>;
  /** Drops credentials and token: both are read again. */
  forget(): void;
}

/** Credentials, and how to find the project that they are for. */
export interface GoogleProject {
  readonly credentials: GoogleCredentials;
  /** Rejects with the library's reason if there are no usable credentials. Resolves to the universe they are for. */
  find(): Promise<string>;
  /** The project that credentials, environment or metadata server name. Rejects if none does. */
  project(): Promise<string>;
}

/** Where project and credentials are looked for. */
export interface GoogleProjectSettings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly answerTimeoutMs: number;
}

/** Credentials and project as the official library finds them. It is large, so it is loaded here and nowhere else. */
export async function googleProject(settings: GoogleProjectSettings): Promise<GoogleProject> {
  const [{ Logging: Library }, { fetch }, routes] = await Promise.all([
    import('@google-cloud/logging'),
    import('undici'),
    httpRoutes(settings),
  ]);
  // Tokens take the same ways as entries: the library's own client reads neither SSL_CERT_FILE nor all forms of NO_PROXY.
  const fetchImplementation = (input: unknown, init?: object): Promise<unknown> => {
    const url = new URL(String(input));
    return fetch(url, { ...init, dispatcher: routes(url) });
  };
  const { auth } = new Library({ clientOptions: { transporterOptions: { fetchImplementation } } } as LoggingOptions);
  return {
    credentials: {
      headers: async (url) => Object.fromEntries(await auth.getRequestHeaders(url)),
      forget: () => {
        auth.cachedCredential = null;
      },
    },
    find: async () => (await auth.getClient()).universeDomain,
    project: () => auth.getProjectId(),
  };
}

type LoggingOptions = ConstructorParameters<typeof Logging>[0];
