import { readFileSync } from 'node:fs';

/** The environment that the image sets for the program, flags of Node included. */
export function imageEnvironment(): Readonly<Record<string, string>> {
  const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
  const settings = (/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').split(' ').filter((setting) => /^(NODE|MALLOC)_/.test(setting));
  return Object.fromEntries(settings.map((setting) => [setting.split('=', 1)[0] ?? '', setting.slice(setting.indexOf('=') + 1)]));
}
