import { basename } from 'node:path';
import type { Program } from '../config/optionKinds.ts';

/** Which program it is, by the path of the script as it was called: through a link that is the link's. */
export function programOf(path = ''): Program {
  return basename(path).replace(/\.[cm]?[jt]s$/, '') === 'event-exporter' ? 'event-exporter' : 'kube-sluice';
}
