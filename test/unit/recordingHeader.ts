import type { RecordingHeader } from '../../src/transports/recording.ts';

/** The header of a recording of all namespaces, as `record` begins it. `startsAt`: milliseconds since 1970. */
export function recordingHeader(startsAt: number): RecordingHeader {
  return {
    format: 'kube-sluice recording',
    version: 1,
    startedAt: new Date(startsAt).toISOString(),
    recordedBy: 'test',
    server: { major: '1', minor: '36', gitVersion: 'v1.36.2' },
    asked: { namespaces: [''], labelSelector: '', fieldSelector: '' },
  };
}
