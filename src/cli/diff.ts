import { statSync } from 'node:fs';
import { PipelineError } from '../errors.ts';
import { outputFields, outputLine } from '../model/outputLine.ts';
import { textWriter } from '../sinks/textWriter.ts';
import { type FileFault, numberedLines } from '../transports/numberedLines.ts';
import type { Command, CommandContext, Invocation } from './command.ts';
import { type DiffBuckets, diffBuckets, type Side } from './diffBuckets.ts';
import { type DiffKeysCounts, diffKeys } from './diffKeys.ts';
import { type DiffReport, diffJson, diffText } from './diffReport.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { unreadableFaults } from './recordingInput.ts';
import { written } from './written.ts';

export const diffCommand: Command = {
  name: 'diff',
  positional: { usage: '[files..]', name: 'files', description: 'Two outputs: lines of standard output, or files of the file sink' },
  description: 'Compare two outputs by key and field, in whatever order their lines are',
  examples: [
    ['$0 diff before.txt after.txt', 'What another version or other settings change; exit code 5 if anything'],
    ['$0 diff go.log ours.log --ignore insertId,timestamp', 'Without fields that only one of them can have'],
    ['$0 diff shards.txt one.txt.gz --json', 'One JSON object per difference, and one for the whole, for programs'],
  ],
  check,
  run,
};

function check({ positionals: files }: Invocation): readonly string[] {
  return [...(files.length === 2 ? [] : [`diff needs two outputs to compare (got ${files.length})`]), ...files.flatMap(unreadableFaults)];
}

async function run({ settings, positionals: [a = '', b = ''], context }: Invocation): Promise<ExitCode> {
  const report: DiffReport = settings.json ? diffJson() : diffText({ names: { a, b }, shownMax: settings.show });
  const write = textWriter(context.stdout, 'standard output');
  const counts: DiffKeysCounts = { equal: 0, keys: { a: 0, b: 0 }, repeats: { a: 0, b: 0 } };
  const buckets = diffBuckets(plainBytes(a) + plainBytes(b));
  const stop = stopOf(context);
  try {
    for (const [file, path] of Object.entries({ a, b })) await readSide(file as Side, path, buckets, report, stop);
    for await (const difference of diffKeys(buckets, { ignored: settings.ignore, ignoreRepeats: settings.ignoreRepeats }, counts)) {
      stop.check();
      await written(write, report.difference(difference));
    }
    const end = report.end(counts);
    await written(write, end.text);
    return end.isEqual ? 0 : exitCodeOf.FIXTURE_INVALID;
  } finally {
    stop.end();
    buckets.close();
  }
}

async function readSide(file: Side, path: string, buckets: DiffBuckets, report: DiffReport, stop: Stop): Promise<void> {
  const tell = ({ line, reason, bad }: FileFault): void => report.fault(file, { line, reason, bad });
  for await (const { number, bytes, ended } of numberedLines(path, tell)) {
    stop.check();
    const text = bytes.toString('utf8');
    const read = outputLine(text);
    if (read.type === 'entry') {
      report.line(file, 'entry');
      buckets.add(file, { line: number, key: read.key, json: read.json });
    } else if (read.type === 'checkpoint') report.line(file, 'checkpoint');
    else if (number === 1 && outputFields(text)?.['format'] === 'kube-sluice recording') {
      throw new PipelineError('CONFIG_INVALID', `diff compares outputs, and ${path} is a recording: compare what replay writes from it`);
    } else report.fault(file, { line: number, reason: ended ? read.reason : 'cut last line', bad: true });
  }
}

/** So much smaller can compression make an output. */
const compressionMax = 25;
/** For what is no file, such as a pipe. */
const unknownBytes = 4 * 1024 ** 3;

function plainBytes(path: string): number {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined || !stats.isFile()) return unknownBytes;
  return stats.size * (path.endsWith('.gz') ? compressionMax : 1);
}

interface Stop {
  /** Throws once the process is told to stop: half a comparison is none. */
  check(): void;
  end(): void;
}

function stopOf({ stops }: CommandContext): Stop {
  let stopped = false;
  const stopping = stops.subscribe(() => {
    stopped = true;
  });
  return {
    check: () => {
      if (stopped) throw new PipelineError('NOT_ACKNOWLEDGED', 'the comparison was stopped before its end');
    },
    end: () => stopping.unsubscribe(),
  };
}
