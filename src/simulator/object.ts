import type { KubeObject, ObjectMeta } from '../model/kube.ts';

/** Where the simulator gets time and chance from: the real ones, virtual time, or a seed. */
export interface Ambient {
  /** Milliseconds since 1970. */
  now(): number;
  /** Uniform in [0, 1). */
  random(): number;
}

/** Metadata as plain JSON. */
export interface PlainMeta extends Omit<ObjectMeta, 'managedFields' | 'ownerReferences'> {
  readonly managedFields?: readonly object[];
  readonly ownerReferences?: readonly object[];
  readonly [field: string]: unknown;
}

/** A Kubernetes object as plain JSON, never changed once the server has it. */
export interface PlainObject {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly metadata: PlainMeta;
  readonly [field: string]: unknown;
}

/** What callers hand in: any object with metadata. */
export type GivenObject = KubeObject | PlainObject;

/** A random (version 4) UUID. */
export function uuid(random: () => number): string {
  const drawn = (): string =>
    Math.floor(random() * 4_294_967_296)
      .toString(16)
      .padStart(8, '0');
  const digits = drawn() + drawn() + drawn() + drawn();
  const variant = '89ab'[Math.floor(random() * 4)];
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-${variant}${digits.slice(17, 20)}-${digits.slice(20)}`;
}

/** RFC 3339 in whole seconds, as metav1.Time is written. */
export function secondsText(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}

/** RFC 3339 with six decimals, as metav1.MicroTime is written. `micros` is what milliseconds cannot hold, in [0, 1000). */
export function microsText(ms: number, micros = 0): string {
  return `${new Date(ms).toISOString().slice(0, 23)}${String(micros).padStart(3, '0')}Z`;
}
