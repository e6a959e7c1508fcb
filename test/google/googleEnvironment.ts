import { resetIsAvailableCache, setGCPResidency } from 'gcp-metadata';
import { onTestFinished, vi } from 'vitest';
import { folder } from '../contract/kubeConfigs.ts';

type Environment = Readonly<Record<string, string>>;

/** Everything that the library of Google reads from the environment of the process, and whatever would lead past the test. */
const names = [
  'CLOUDSDK_CONFIG',
  'GCE_METADATA_HOST',
  'GCE_METADATA_IP',
  'GCLOUD_PROJECT',
  'GOOGLE_APPLICATION_CREDENTIALS',
  'GOOGLE_CLOUD_PROJECT',
  'GOOGLE_CLOUD_QUOTA_PROJECT',
  'HTTPS_PROXY',
  'HTTP_PROXY',
  'METADATA_SERVER_DETECTION',
  'NO_PROXY',
  'SSL_CERT_FILE',
  'https_proxy',
  'http_proxy',
  'no_proxy',
];

/** What a process with these variables, an empty home and nothing learnt so far would see. Ends with the test. */
export function googleEnvironment(given: Environment): Environment {
  const environment: Environment = { HOME: folder(), ...given };
  for (const name of names) vi.stubEnv(name, environment[name]);
  vi.stubEnv('HOME', environment['HOME']);
  // A gcloud that the machine may have takes seconds to say that it knows no project.
  vi.stubEnv('PATH', environment['HOME']);
  resetIsAvailableCache();
  // Otherwise the machine's own firmware decides.
  setGCPResidency(false);
  onTestFinished(() => {
    vi.unstubAllEnvs();
  });
  return environment;
}
