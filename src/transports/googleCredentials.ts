/** Application Default Credentials, by the official library. */
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

/**
 * Credentials and project as `@google-cloud/logging` finds them. It is large, so it is loaded here and nowhere else. It reads the
 * environment of the process, also for proxies on its way to tokens. A project that is given is not looked for.
 */
export async function googleProject(projectId = ''): Promise<GoogleProject> {
  const { Logging } = await import('@google-cloud/logging');
  const { auth } = new Logging(projectId === '' ? {} : { projectId });
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
