import { NEVER, type Observable, of } from 'rxjs';
import type { MarbleHelpers } from '../src/marbleKit.ts';
import type { OwnerChange } from '../src/model/owner.ts';
import type { Joined, Slotted } from '../src/model/slot.ts';
import type { LookUpPod } from '../src/operators/askForPods.ts';
import { type JoinLabelsSettings, joinLabels } from '../src/operators/joinLabels.ts';
import { gap, joined, type OccurrenceFields, occurrence, owner, podKept, podRemoved, slotted } from './builders.ts';

export const web = owner('Deployment', 'web');
export const db = owner('StatefulSet', 'db');

/** p, q, r are pods, x removes p; s starts a list, d ends it. */
export const changes: Record<string, OwnerChange> = {
  p: podKept('p', { owner: web }),
  q: podKept('q', { owner: db }),
  r: podKept('r'),
  x: podRemoved('p'),
  s: { type: 'relistStarted', scope: '' },
  d: { type: 'relistDone', scope: '' },
};

/** An occurrence about the pod of that name; its version is the slot. */
export function about(name: string, slot: number, fields: OccurrenceFields = {}): Slotted {
  const involved = { name, uid: `pod-${name}`, ...fields.involved };
  return slotted(slot, occurrence(String(slot), { ...fields, involved }));
}

/** a and c are about pod p, b and d about q, e and f about r; g is a gap. */
export const slots: Record<string, Slotted> = {
  a: about('p', 1),
  b: about('q', 2),
  c: about('p', 3),
  d: about('q', 4),
  e: about('r', 5),
  f: about('r', 6),
  g: slotted(7, gap('1', '5')),
};

/** The same letters as they leave: small with the labels of their pod, capital without. */
export const leaving: Record<string, Joined> = {
  ...leavingAs(slots, { a: web.labels, b: db.labels, c: web.labels, d: db.labels }),
  ...Object.fromEntries(Object.entries(leavingAs(slots)).map(([letter, slot]) => [letter.toUpperCase(), slot])),
};

export function leavingAs(values: Record<string, Slotted>, labels: Record<string, Joined['labels']> = {}): Record<string, Joined> {
  return Object.fromEntries(Object.entries(values).map(([letter, { slot, item }]) => [letter, joined(slot, item, labels[letter])]));
}

export const noPod: LookUpPod = () => of(undefined);
export const noAnswer: LookUpPod = () => NEVER;

export interface Joining {
  readonly owners: Observable<OwnerChange>;
  readonly source: Observable<Slotted>;
  /** Default: there is no such pod. */
  readonly lookUpPod?: LookUpPod;
  readonly settings?: JoinLabelsSettings;
}

export function join(t: MarbleHelpers, { owners, source, lookUpPod = noPod, settings = {} }: Joining): Observable<Joined> {
  return source.pipe(joinLabels(settings, owners, lookUpPod, t.runtime));
}
