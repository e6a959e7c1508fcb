import type { Signal } from './signals.ts';

/**
 * Signals that come for every event and are nothing but counted: no log line and no probe knows them. Whoever fans signals out need
 * not ask the others.
 */
export const countedOnly: ReadonlySet<Signal['type']> = new Set<Signal['type']>([
  'received',
  'filtered',
  'repeated',
  'inFlight',
  'positionMoved',
  'podCache',
]);
