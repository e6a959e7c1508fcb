import { expect, test } from 'vitest';
import type { PodMetadata } from '../../src/model/kube.ts';
import { caseOf } from './caseFile.ts';
import { checkCase, checkExpectations, checkRun } from './checkCase.ts';
import { runScript } from './runScript.ts';

/** Something that happens to the pod of the case, of which there are none in the file. */
function eventAbout({ metadata: { namespace, name, uid } }: PodMetadata, index: number): unknown {
  const resourceVersion = String(8001 + index);
  return {
    type: 'ADDED',
    object: {
      kind: 'Event',
      apiVersion: 'v1',
      metadata: { namespace, name: `about.${name}`, uid: `event-${name}`, resourceVersion, creationTimestamp: '2024-05-06T09:59:50Z' },
      involvedObject: { kind: 'Pod', namespace, name, uid },
    },
  };
}

test.each([
  ['P01', 'no owner, or one of a kind that labels do not name'],
  ['P02', 'the reference with the controller flag decides'],
  ['P03', 'several references'],
  ['P04', 'a ReplicaSet is its Deployment by the hash label'],
  ['P05', 'a ReplicaSet without the hash label is nothing'],
  ['P07', 'a Job is a CronJob only if its name ends in a minute'],
  ['P09', 'a Job whose name ends in a date is a Job'],
  ['P10', 'Jobs and JobSets'],
  ['P14', 'kinds of other groups'],
])('%s %s', (id) => {
  const { input, expect: expectations } = caseOf(id);
  const { pods = [], ...unknown } = input;
  expect(unknown).toEqual({});
  const list = { kind: 'EventList', apiVersion: 'v1', metadata: { resourceVersion: '8000' }, items: [] };
  const run = runScript({
    pods,
    steps: [
      { on: 'list', status: 200, json: list },
      { on: 'watch rv=8000', status: 200, lines: pods.map(eventAbout), end: 'hold' },
    ],
  });
  checkRun(run);
  checkExpectations(expectations, [run]);
});

test('P13 a pod that was just removed still gives its labels, and one that never comes delays nobody for long', () => {
  const [run] = checkCase('P13');
  expect(run?.records.map(({ labels }) => labels['logging.gke.io/top_level_controller_name'])).toEqual(['web', undefined]);
});
