import type { KubeConfig } from '@kubernetes/client-node';

const issuer = 'idp-issuer-url';
const refreshToken = 'refresh-token';

/**
 * Makes tokens of OpenID Connect refresh. client-node 2.0.1 hands the issuer as text to a library that takes nothing but
 * a URL, and forgets the refresh token when the issuer does not send another one.
 */
export function mendOidc({ users }: KubeConfig): void {
  for (const { authProvider } of users) {
    const config = (authProvider as { config?: Record<string, unknown> } | null | undefined)?.config;
    if (config === undefined || !URL.canParse(String(config[issuer]))) continue;
    config[issuer] = new URL(String(config[issuer]));
    let newest = config[refreshToken];
    Object.defineProperty(config, refreshToken, {
      get: () => newest,
      set: (next: unknown) => {
        newest = next ?? newest;
      },
    });
  }
}
