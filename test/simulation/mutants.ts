/** A fault put into a copy of the sources on purpose: some checker must find it. */
export interface Mutant {
  readonly name: string;
  readonly file: string;
  readonly from: string;
  readonly to: string;
  /** Where to begin among the seeds of CI, and the promise that the first seed finds broken. */
  readonly seed: number;
  readonly caught: string;
}

export const mutants: readonly Mutant[] = [
  {
    name: 'the checkpoint is the highest acknowledgement',
    file: 'src/model/ledger.ts',
    from: 'mark !== undefined && !mark.open;',
    to: 'mark !== undefined && (!mark.open || marks.some((other) => !other.open));',
    seed: 2,
    caught: 'passed',
  },
  {
    name: 'the end of a list needs no slot',
    file: 'src/model/ledger.ts',
    from: 'if (moves(item.resourceVersion)) move(item.resourceVersion);\n          return;\n        case',
    to: 'if (moves(item.resourceVersion)) reached = { at: item.resourceVersion, incarnation };\n          return;\n        case',
    seed: 2,
    caught: 'passed',
  },
  {
    name: "a listed item's version is used for the watch",
    file: 'src/sources/readerState.ts',
    from: 'watchedAt: outcome.listedAt }, outcome.resourceVersion);',
    to: 'watchedAt: outcome.listedAt }, String(BigInt(outcome.resourceVersion) + 3n));',
    seed: 2,
    caught: 'lost',
  },
  {
    name: 'the continue token is dropped',
    file: 'src/sources/listPages.ts',
    from: 'token = page.next;',
    to: "token = '';",
    seed: 1,
    caught: 'lost',
  },
  {
    name: 'the token of a 410 is used',
    file: 'src/sources/listPages.ts',
    from: 'if (answer.status !== 200) return endedByAnswer(answer, now);',
    to: "const given = (jsonOf(answer.body) as { metadata?: { continue?: string } } | undefined)?.metadata?.continue;\n  if (answer.status === 410 && given !== undefined) return { resourceVersion: '1', date: '', next: given, items: [], itemBytes: 0 };\n  if (answer.status !== 200) return endedByAnswer(answer, now);",
    seed: 111,
    caught: 'resent',
  },
  {
    name: 'removals are exported',
    file: 'src/sources/watchLine.ts',
    from: "DELETED: 'deleted' }",
    to: "DELETED: 'modified' }",
    seed: 2,
    caught: 'invented',
  },
  {
    name: 'the time of an entry is now',
    file: 'src/model/entryOf.ts',
    from: 'timestamp: entryTime(event),',
    to: 'timestamp: new Date(Date.parse(entryTime(event)) + 1000).toISOString(),',
    seed: 1,
    caught: 'time',
  },
  {
    name: 'versions are compared as numbers',
    file: 'src/model/resourceVersion.ts',
    from: '  if (a.length !== b.length) return a.length - b.length;\n  if (a === b) return 0;\n  return a < b ? -1 : 1;',
    to: '  return Number(a) - Number(b);',
    seed: 4,
    caught: 'resent',
  },
  {
    name: 'versions are compared as text',
    file: 'src/model/resourceVersion.ts',
    from: '  if (a.length !== b.length) return a.length - b.length;\n',
    to: '',
    seed: 2,
    caught: 'lost',
  },
  {
    name: 'half a line moves the position',
    file: 'src/sources/watchStream.ts',
    from: '        skip(frame.type, frame.bytes);\n',
    to: "        skip(frame.type, frame.bytes);\n        if (position !== undefined && frame.type === 'torn') moveTo(String(BigInt(position) + 2n));\n",
    seed: 5,
    caught: 'lost',
  },
  {
    name: 'nothing is flushed at the end',
    file: 'src/operators/batch.ts',
    from: '            flush();\n            subscriber.complete();',
    to: '            subscriber.complete();',
    seed: 61,
    caught: 'failed',
  },
  {
    name: 'the key is the uid alone',
    file: 'src/model/insertId.ts',
    from: '(resourceVersion)}.',
    to: "('1')}.",
    seed: 1,
    caught: 'lost',
  },
  {
    name: 'a list made after a 410 hands everything on',
    file: 'src/operators/dropSeen.ts',
    from: 'if (position !== undefined && isAtOrBefore(resourceVersion, position)) return true;',
    to: 'if (!inBracket && position !== undefined && isAtOrBefore(resourceVersion, position)) return true;',
    seed: 3,
    caught: 'resent',
  },
  {
    name: 'no gap is declared',
    file: 'src/operators/declareGaps.ts',
    from: "item.type === 'occurrence' && showsRewriting(item)",
    to: "item.type === 'occurrence' && false",
    seed: 2,
    caught: 'lost',
  },
  {
    name: 'the owner under the old map is ignored at a change of shards',
    file: 'src/operators/skipInherited.ts',
    from: 'if (!isInherited(inherited, scope, shardKey(item), item.resourceVersion, current)) return item;',
    to: 'return item;',
    seed: 117,
    caught: 'sent',
  },
  {
    name: 'a new shard does not wait for those of another map',
    file: 'src/model/handover.ts',
    from: "if (alive !== undefined) return { type: 'wait', for: alive.lease };",
    to: '',
    seed: 9,
    caught: 'sent',
  },
  {
    name: 'a lease is saved whoever holds it',
    file: 'src/transports/ownLease.ts',
    from: 'if (seen === undefined || !isStillOurs(seen, from, settings.holder)) return taken(from, seen);',
    to: 'if (seen === undefined) return taken(from, seen);',
    seed: 39,
    caught: 'both',
  },
  {
    name: 'a stop cuts a list short',
    file: 'src/operators/stopReading.ts',
    from: 'amidList.size === 0 ? of(undefined)',
    to: 'true ? of(undefined)',
    seed: 196,
    caught: 'repeated',
  },
];
