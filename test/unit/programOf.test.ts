import { expect, test } from 'vitest';
import { programOf } from '../../src/cli/programOf.ts';

test.each([
  [undefined, 'kube-sluice'],
  ['/app/dist/cli/main.js', 'kube-sluice'],
  ['/usr/local/bin/kube-sluice', 'kube-sluice'],
  ['/event-exporter', 'event-exporter'],
  ['/usr/local/bin/event-exporter', 'event-exporter'],
  ['bin/event-exporter.js', 'event-exporter'],
  ['/event-exporter/main.js', 'kube-sluice'],
])('%s is %s', (path, program) => {
  expect(programOf(path)).toBe(program);
});
