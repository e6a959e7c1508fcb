import { PipelineError } from '../errors.ts';
import { type FileFault, type NumberedLine, numberedLines } from './numberedLines.ts';
import { type Recorded, type RecordingHeader, type RecordingLine, recordingLine } from './recording.ts';

/** Something to replay: what is known about it, and what happened in its order, read as it is asked for. */
export interface Recording {
  readonly header: RecordingHeader;
  /** When it begins, milliseconds since 1970. */
  readonly startsAt: number;
  readonly frames: AsyncIterable<Recorded>;
}

/**
 * Opens a recording. Lines that cannot be read are told as faults and left out; a second recording behind the first goes on
 * as if it were the same. Throws FIXTURE_INVALID
 * if there is no header of a format that this program knows.
 */
export async function recordedFrames(path: string, tell: (fault: FileFault) => void, read?: (bytes: number) => void): Promise<Recording> {
  const lines = numberedLines(path, tell, read);
  const first = await lines.next();
  const opening: RecordingLine = first.done === true ? { type: 'fault', reason: 'the file is empty' } : recordingLine(textOf(first.value));
  if (opening.type !== 'header') {
    const reason = opening.type === 'fault' ? opening.reason : 'its header is missing';
    throw new PipelineError('FIXTURE_INVALID', `${path} is not a recording: ${reason} (raw watch bodies go with --events and --pods)`);
  }
  const startsAt = Date.parse(opening.header.startedAt);
  return { header: opening.header, startsAt: Number.isNaN(startsAt) ? 0 : startsAt, frames: framesOf(path, lines, tell) };
}

async function* framesOf(path: string, lines: AsyncIterable<NumberedLine>, tell: (fault: FileFault) => void): AsyncGenerator<Recorded> {
  for await (const line of lines) {
    const read = recordingLine(textOf(line));
    if (read.type === 'recorded') yield read.recorded;
    else if (read.type === 'fault') tell({ file: path, line: line.number, reason: line.ended ? read.reason : 'cut last line', bad: true });
    else tell({ file: path, line: line.number, reason: 'another recording begins here', bad: false }); // Files put together by cat.
  }
}

function textOf(line: NumberedLine): string {
  return line.bytes.toString('utf8');
}
