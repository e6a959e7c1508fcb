import { inertJson, inertText } from '../model/inertText.ts';
import { outputFields } from '../model/outputLine.ts';
import type { Side } from './diffBuckets.ts';
import type { DiffKeysCounts, KeyDifference } from './diffKeys.ts';
import { textTable } from './textTable.ts';

/** Something odd about a line; `bad`: it was not compared. */
export interface LineFault {
  readonly line: number;
  readonly reason: string;
  readonly bad: boolean;
}

/** Gathers what a comparison finds, and words it. */
export interface DiffReport {
  line(file: Side, kind: 'entry' | 'checkpoint'): void;
  fault(file: Side, fault: LineFault): void;
  /** What to write for this difference at once; may be empty. */
  difference(difference: KeyDifference): string;
  /** What to write at the end. Equal: no difference and no bad line. */
  end(counts: DiffKeysCounts): { readonly text: string; readonly isEqual: boolean };
}

interface Tally {
  readonly entries: Record<Side, number>;
  readonly checkpoints: Record<Side, number>;
  readonly faults: Record<Side, LineFault[]>;
  readonly bad: Record<Side, number>;
  readonly onlyIn: Record<Side, number>;
  changed: number;
  repeated: number;
  readonly fields: Map<string, number>;
}

/** Odd lines are kept, and fields counted, up to here. */
const faultsMax = 1_000;
const fieldsMax = 1_000;
const otherFields = '(others)';

function tally(): Tally & Pick<DiffReport, 'line' | 'fault'> & { count(difference: KeyDifference): void; isEqual(): boolean } {
  const sides = (): Record<Side, number> => ({ a: 0, b: 0 });
  const all: Tally = {
    entries: sides(),
    checkpoints: sides(),
    faults: { a: [], b: [] },
    bad: sides(),
    onlyIn: sides(),
    changed: 0,
    repeated: 0,
    fields: new Map(),
  };
  return Object.assign(all, {
    line: (file: Side, kind: 'entry' | 'checkpoint') => void all[kind === 'entry' ? 'entries' : 'checkpoints'][file]++,
    fault(file: Side, fault: LineFault) {
      if (fault.bad) all.bad[file]++;
      if (all.faults[file].length < faultsMax) all.faults[file].push(fault);
    },
    count(difference: KeyDifference) {
      if (difference.type === 'onlyIn') all.onlyIn[difference.file]++;
      else if (difference.type === 'repeated') all.repeated++;
      else {
        all.changed++;
        for (const { field } of difference.fields) {
          const name = all.fields.has(field) || all.fields.size < fieldsMax ? field : otherFields;
          all.fields.set(name, (all.fields.get(name) ?? 0) + 1);
        }
      }
    },
    isEqual: () => all.bad.a + all.bad.b + all.onlyIn.a + all.onlyIn.b + all.changed + all.repeated === 0,
  });
}

/** One JSON object per line: each difference and odd line, and a summary last. Nothing in it can act on a terminal. */
export function diffJson(): DiffReport {
  const found = tally();
  const lineOf = (value: unknown): string => `${inertJson(value)}\n`;
  return {
    line: found.line,
    fault: found.fault,
    difference(difference) {
      found.count(difference);
      const { json: _, ...told } = difference;
      return lineOf(told);
    },
    end({ equal, keys, repeats }) {
      const faults = (['a', 'b'] as const).flatMap((file) =>
        found.faults[file].map((fault) => lineOf({ type: 'oddLine', file, ...fault })),
      );
      const side = (file: Side): Readonly<Record<string, number>> => ({
        entries: found.entries[file],
        keys: keys[file],
        repeats: repeats[file],
        checkpoints: found.checkpoints[file],
        badLines: found.bad[file],
        only: found.onlyIn[file],
      });
      const { changed, repeated } = found;
      const fields = Object.fromEntries(found.fields);
      const summary = { type: 'summary', isEqual: found.isEqual(), equal, changed, repeated, a: side('a'), b: side('b'), fields };
      return { text: [...faults, lineOf(summary)].join(''), isEqual: summary.isEqual };
    },
  };
}

interface DiffTextSettings {
  readonly names: Readonly<Record<Side, string>>;
  /** Differences and odd lines that are shown one by one. */
  readonly shownMax: number;
}

const valueMax = 60;

/** For people: the first differences, then what they amount to. */
export function diffText({ names, shownMax }: DiffTextSettings): DiffReport {
  const found = tally();
  let shown = 0;
  return {
    line: found.line,
    fault: found.fault,
    difference(difference) {
      found.count(difference);
      if (shown++ < shownMax) return differenceText(difference, names);
      return shown === shownMax + 1 ? '... and more, which are only counted (--show, --json)\n' : '';
    },
    end({ equal, keys, repeats }) {
      const rows = (['a', 'b'] as const).map((file) =>
        [inertText(names[file]), found.entries[file], keys[file], repeats[file], found.onlyIn[file], found.bad[file]].map(String),
      );
      const fields = [...found.fields].sort(([, one], [, other]) => other - one).slice(0, Math.max(shownMax, 1));
      const isEqual = found.isEqual();
      const text = [
        ...(['a', 'b'] as const).flatMap((file) => faultLines(names[file], found.faults[file], shownMax)),
        textTable([['file', 'entries', 'keys', 'repeats', 'only here', 'bad lines'], ...rows]),
        ...(fields.length === 0
          ? []
          : [textTable([['field', 'differs'], ...fields.map(([name, times]) => [inertText(name, 100), String(times)])])]),
        `${equal} keys equal, ${found.changed} changed, ${found.onlyIn.a + found.onlyIn.b} only in one file, ${found.repeated} not as often: ${isEqual ? 'equal' : 'different'}\n`,
      ];
      return { text: text.join(''), isEqual };
    },
  };
}

function differenceText(difference: KeyDifference, names: Readonly<Record<Side, string>>): string {
  const what = `${inertText(difference.key, 100)}  ${aboutText(difference.json)}`;
  switch (difference.type) {
    case 'onlyIn':
      return `only in ${inertText(names[difference.file])}:${difference.line}  ${what}\n`;
    case 'repeated':
      return `${difference.timesA} times in ${inertText(names.a)}, ${difference.timesB} in ${inertText(names.b)}  ${what}\n`;
    case 'changed':
      return [
        `changed in ${inertText(names.a)}:${difference.lineA} and ${inertText(names.b)}:${difference.lineB}  ${what}\n`,
        ...difference.fields.slice(0, 10).map(({ field, a, b }) => `    ${inertText(field, 100)}: ${valueText(a)} -> ${valueText(b)}\n`),
        ...(difference.fields.length > 10 ? [`    ... and ${difference.fields.length - 10} more fields\n`] : []),
      ].join('');
  }
}

function aboutText(json: string): string {
  const fields = outputFields(json) ?? {};
  const textIn = (name: string): string => (typeof fields[name] === 'string' ? inertText(fields[name], valueMax) : '');
  const object = [textIn('eventNamespace'), textIn('involvedName')].filter((word) => word !== '').join('/');
  return [textIn('timestamp'), textIn('reason'), textIn('involvedKind'), object].filter((word) => word !== '').join(' ');
}

function valueText(value: unknown): string {
  return value === undefined ? '(absent)' : inertText(JSON.stringify(value), valueMax);
}

function faultLines(name: string, faults: readonly LineFault[], shownMax: number): readonly string[] {
  const shown = [...faults].sort((one, other) => one.line - other.line).slice(0, shownMax);
  return [
    ...shown.map(({ line, reason }) => `${inertText(name)}:${line}: ${reason}\n`),
    ...(faults.length > shown.length ? [`${inertText(name)}: ... and ${faults.length - shown.length} more odd lines\n`] : []),
  ];
}
