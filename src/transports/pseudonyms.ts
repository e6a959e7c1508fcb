import { createHmac } from 'node:crypto';

/** Gives the same text the same other text, from which it cannot be found again without the key. */
export interface Pseudonyms {
  /** For names of objects, their parts and values that may equal one: keeps what tells how names belong together. */
  name(text: string): string;
  /** For what a workload's controller appends to its name, such as a pod template hash. */
  generated(text: string): string;
  /** For text of any other kind. */
  text(text: string): string;
}

/** Names that every cluster has and that tell nothing: namespaces that settings name, and who reports events. */
const publicNames: ReadonlySet<string> = new Set([
  ...['default', 'kube-system', 'kube-public', 'kube-node-lease', 'gke-connect'],
  ...['apiserver', 'kubelet', 'kube-proxy', 'kube-scheduler', 'default-scheduler', 'cluster-autoscaler', 'controllermanager'],
  ...['attachdetach-controller', 'cronjob-controller', 'daemonset-controller', 'deployment-controller', 'endpoint-controller'],
  ...['endpoint-slice-controller', 'horizontal-pod-autoscaler', 'job-controller', 'node-controller', 'persistentvolume-controller'],
  ...['replicaset-controller', 'replication-controller', 'service-controller', 'statefulset-controller', 'taint-eviction-controller'],
]);

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
/** What the API server and controllers append: letters without vowels and digits without 0, 1 and 3, or a number. */
const generatedEnd = /^(.+)-([bcdfghjklmnpqrstvwxz2456789]{5,10}|\d{8,10})$/s;
/** An event's own name ends in its time, nanoseconds since 1970 in hexadecimal digits. */
const timeEnd = /^(.+)\.([0-9a-f]{15,16})$/s;
/** A job of a cron job is named after its minute. */
const minuteEnd = /^(.+)-([2-5]\d{7})$/s;

const nearMs = 400 * 24 * 60 * 60_000;
/** Names that are remembered at once; the answer is the same without. */
const knownMax = 50_000;
const letters = 'bcdfghjklmnpqrstvwxz2456789';
const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';

/**
 * Pseudonyms by HMAC-SHA-256. State: the last names, at most 50,000. `key` is at least 32 random bytes that nobody
 * keeps; times that stand in names are kept when they lie within 400 days of `nowMs`.
 */
export function pseudonyms(key: Uint8Array, nowMs: number): Pseudonyms {
  const known = new Map<string, string>();
  const digest = (text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();

  const opaque = (text: string): string => (text === '' ? '' : `r${spelled(digest(text), alphabet, 15)}`);
  const generated = (text: string): string => (text === '' ? '' : spelled(digest(text), letters, 10));
  const isNear = (ms: number): boolean => Math.abs(ms - nowMs) <= nearMs;

  const named = (text: string): string => {
    if (text === '' || publicNames.has(text)) return text;
    if (uuid.test(text)) return uuidOf(digest(text.toLowerCase()));
    const [, timed, time] = timeEnd.exec(text) ?? [];
    if (timed !== undefined && time !== undefined) {
      const isTime = isNear(Number.parseInt(time, 16) / 1e6);
      return `${named(timed)}.${isTime ? time : digest(time).toString('hex').slice(0, time.length)}`;
    }
    const [, cron, minute] = minuteEnd.exec(text) ?? [];
    if (cron !== undefined && isNear(Number(minute) * 60_000)) return `${named(cron)}-${minute}`;
    const [, base, end] = generatedEnd.exec(text) ?? [];
    return base !== undefined && end !== undefined ? `${named(base)}-${generated(end)}` : opaque(text);
  };

  return {
    name(text) {
      const before = known.get(text);
      if (before !== undefined) return before;
      const name = named(text);
      if (known.size >= knownMax) known.clear();
      known.set(text, name);
      return name;
    },
    generated,
    text: opaque,
  };
}

/** So many letters, each from two bytes of the digest: 15 of 32 are 75 bits, 10 of 27 are 47. */
function spelled(digest: Buffer, of: string, length: number): string {
  return Array.from(digest.subarray(0, length), (byte, at) => of[(byte + 256 * (digest[at + 16] ?? 0)) % of.length]).join('');
}

function uuidOf(digest: Buffer): string {
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
