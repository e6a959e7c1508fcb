/** Where a pod's name can be read, and what was found there. Absent and empty mean the same. */
export interface NameSources {
  /** The pod's own name, from the downward API. */
  readonly podName?: string | undefined;
  readonly hostname?: string | undefined;
}

/** The shard index that a name stands for, or why there is none. */
export type ShardFromName =
  | { readonly type: 'found'; readonly index: number; readonly warning?: string }
  | { readonly type: 'refused'; readonly fault: string };

/** Where the kubelet cuts a pod's name to make the host name; then it takes dashes and dots off the end. */
const hostNameMax = 63;

/** A host name of this length or more may be a cut one: the cut may have fallen behind the last dash. */
const mayBeCutFrom = hostNameMax - 1;

/**
 * The digits after the last dash of the pod's name, which a StatefulSet numbers from 0.
 *
 * POD_NAME wins over the host name. Without it a host name counts only where it must be a pod's own: not
 * when it may be cut, and not when it is a node's (`ip-10-0-0-2`, host network). Digits with a leading
 * zero are refused: no StatefulSet writes them, and `-07` beside `-7` would be two containers on one
 * shard. A host name with a domain is read up to its first dot. Reasons: docs/decisions/0004-shard-from-name.md.
 */
export function shardFromName({ podName = '', hostname = '' }: NameSources, total: number): ShardFromName {
  if (podName !== '') {
    const ordinal = ordinalOf(podName, total);
    if (typeof ordinal === 'string') return refused(`the pod name '${podName}' ${ordinal}`);
    const warning = differenceOf(podName, firstLabel(hostname));
    return { type: 'found', index: ordinal, ...(warning === undefined ? {} : { warning }) };
  }
  if (hostname === '') return refused('neither POD_NAME nor a host name is there to take it from');
  const name = firstLabel(hostname);
  const advice = 'set POD_NAME from metadata.name, or --shard-id';
  if (name.length >= mayBeCutFrom) return refused(`the host name '${hostname}' may be a cut one; ${advice}`);
  if (/^ip(?:-[0-9]+){4}$/.test(name)) return refused(`the host name '${hostname}' is a node's, not a pod's; ${advice}`);
  const ordinal = ordinalOf(name, total);
  return typeof ordinal === 'string' ? refused(`the host name '${hostname}' ${ordinal}`) : { type: 'found', index: ordinal };
}

function refused(why: string): ShardFromName {
  return { type: 'refused', fault: `--shard-id must be set, because ${why}` };
}

/** The number at the end of the name, or why it is none. */
function ordinalOf(name: string, total: number): number | string {
  const [, digits] = /-([0-9]+)$/.exec(name) ?? [];
  if (digits === undefined) return 'does not end in a dash and digits';
  if (digits.length > 1 && digits.startsWith('0')) return `ends in ${digits}, which no StatefulSet writes`;
  if (Number(digits) >= total) return `ends in ${digits}, which is not below --total-shards (${total})`;
  return Number(digits);
}

function differenceOf(podName: string, hostname: string): string | undefined {
  if (hostname === '' || hostname === podName || hostname === cutName(podName)) return undefined;
  return `the host name '${hostname}' is not the pod's name '${podName}' given in POD_NAME; the shard is taken from POD_NAME`;
}

function cutName(podName: string): string {
  return podName.slice(0, hostNameMax).replace(/[-.]+$/, '');
}

function firstLabel(hostname: string): string {
  const [label = ''] = hostname.split('.');
  return label;
}
