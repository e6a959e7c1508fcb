import { endWith, ignoreElements, type Observable } from 'rxjs';
import type { Entry } from '../model/entry.ts';
import { inertText } from '../model/inertText.ts';
import { kindLabel, nameLabel } from '../model/ownerOf.ts';
import { recordIn } from '../model/recordIn.ts';
import type { Shard } from '../model/shard.ts';
import type { Sink, SinkResult } from '../ports.ts';

export interface DryRunSettings {
  readonly shard: Shard;
  /** False: the shard is not the one that was asked for, so its events would be filtered. */
  readonly exports: boolean;
}

/** A sink that stores nothing and tells what it would have stored. */
export interface DryRun {
  readonly sink: Sink;
  readonly exports: boolean;
  /** Entries so far that have owner labels. */
  labelled(): number;
  /** Entries so far of severity WARNING, gap records among them. */
  warnings(): number;
}

const messageMax = 120;
const textMax = 80;

/**
 * Writes one readable line per entry: when, which shard, what would become of it, what it says.
 *
 * State: two counters. Order: kept. Errors: those of `write` are passed on. Text of the event cannot act on a terminal.
 */
export function dryRun({ shard, exports }: DryRunSettings, write: (text: string) => Observable<void>): DryRun {
  const before = `${`${shard.index}/${shard.total}`.padEnd(5)}  ${exports ? 'export' : 'filter'}`;
  let labelled = 0;
  let warnings = 0;
  const lineOf = (entry: Entry): string => {
    if (Object.keys(entry.labels).length > 0) labelled++;
    if (entry.severity === 'WARNING') warnings++;
    return `${entry.timestamp.padEnd(27)}  ${before}  ${entry.action.padEnd(6)}  ${contentOf(entry, exports)}\n`;
  };
  return {
    sink: {
      identity: 'dry-run',
      write: (batch) => {
        const results = batch.map((): SinkResult => ({ type: 'stored' }));
        return write(batch.map(lineOf).join('')).pipe(ignoreElements(), endWith(results));
      },
    },
    exports,
    labelled: () => labelled,
    warnings: () => warnings,
  };
}

function contentOf({ payload, labels }: Entry, exports: boolean): string {
  const involved = recordIn(payload, 'involvedObject');
  const times = typeof payload['count'] === 'number' && payload['count'] > 1 ? ` x${payload['count']}` : '';
  const what = `${textIn(payload, 'reason') || textIn(payload, 'kind')}${times}`;
  const name = [textIn(involved, 'namespace'), textIn(involved, 'name')].filter((part) => part !== '').join('/');
  const about = `${textIn(involved, 'kind')} ${name}`.trim() || '-';
  const words = [(textIn(payload, 'type') || '-').padEnd(7), what.padEnd(18), about, ...(exports ? [labelsText(labels)] : [])];
  return [...words, textIn(payload, 'message', messageMax)].join('  ').trimEnd();
}

/** `[Deployment/web]`, and what else there is with the last part of its key. */
function labelsText({ [kindLabel]: kind, [nameLabel]: name, ...more }: Entry['labels']): string {
  const owner = kind === undefined ? [] : [`${kind}/${name}`];
  return `[${[...owner, ...Object.entries(more).map(([key, value]) => `${key.replace(/^.*\//, '')}=${value}`)]
    .map((word) => inertText(word, textMax))
    .join(' ')}]`;
}

function textIn(record: Readonly<Record<string, unknown>>, key: string, lengthMax = textMax): string {
  const value = record[key];
  return typeof value === 'string' ? inertText(value, lengthMax) : '';
}
