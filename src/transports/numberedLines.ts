import { createReadStream } from 'node:fs';
import { messageOf, PipelineError } from '../errors.ts';
import { gzipMembers } from './gzipMembers.ts';
import { lineSplitter } from './lineSplitter.ts';

/** A line with its number, from 1. `bytes` may be a view of a chunk. */
export interface NumberedLine {
  readonly number: number;
  readonly bytes: Buffer;
  /** False for a last line without its LF: it may be cut. */
  readonly ended: boolean;
}

/** Something odd about a file. `bad`: content was lost; otherwise it only deserves mention. */
export interface FileFault {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
  readonly bad: boolean;
}

/** A recorded page can be as large as an answer may be, and more in its text form. */
const lineBytesMax = 400 * 1024 * 1024;
const byteOrderMark = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Reads the lines of a file, gzip or not, a chunk at a time. A byte order mark, blank lines, lines over
 * the limit and broken compression are told as faults and survived. `read` is told how many bytes of the file were read so far.
 * Throws FIXTURE_INVALID if the file cannot be opened.
 */
export async function* numberedLines(
  path: string,
  tell: (fault: FileFault) => void,
  read: (bytes: number) => void = () => undefined,
): AsyncGenerator<NumberedLine> {
  const splitter = lineSplitter(lineBytesMax);
  let number = 0;
  const fault = (line: number, reason: string, bad: boolean): void => tell({ file: path, line, reason, bad });
  const numbered = (bytes: Buffer, ended: boolean): NumberedLine => {
    const marked = number === 1 && bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
    if (marked) fault(1, 'byte order mark', false);
    return { number, bytes: marked ? bytes.subarray(byteOrderMark.length) : bytes, ended };
  };
  try {
    for await (const chunk of plainBytes(path, read, (reason, bad) => fault(number + 1, reason, bad))) {
      const lines: NumberedLine[] = [];
      splitter.push(chunk, (line) => {
        number++;
        if (line.type === 'line') lines.push(numbered(line.bytes, true));
        else if (line.type === 'blank') fault(number, 'blank line', false);
        else fault(number, `line of ${line.bytes} bytes, at most ${lineBytesMax}`, true);
        return true;
      });
      yield* lines;
    }
  } catch (error) {
    if (number === 0 && (error as NodeJS.ErrnoException).syscall !== undefined) {
      throw new PipelineError('FIXTURE_INVALID', `${path} cannot be read: ${messageOf(error)}`, { cause: error });
    }
    fault(number + 1, `the file is broken here: ${messageOf(error)}`, true);
    return;
  }
  if (splitter.rest() === 0) return;
  number++;
  const bytes = splitter.restBytes();
  if (bytes.length > 0) yield numbered(bytes, false);
  else fault(number, `line over ${lineBytesMax} bytes`, true);
}

/** The bytes of a file, decompressed if it is gzip. What a killed writer left is read as far as it goes. */
async function* plainBytes(
  path: string,
  read: (bytes: number) => void,
  broken: (reason: string, bad: boolean) => void,
): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const chunks = (file as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
  const first = await chunks.next();
  if (first.done === true) return;
  const all = async function* (): AsyncGenerator<Buffer> {
    yield first.value;
    for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) {
      yield chunk;
      read(file.bytesRead);
    }
    read(file.bytesRead);
  };
  const isGzip = first.value[0] === 0x1f && first.value[1] === 0x8b;
  yield* isGzip ? gzipMembers(all(), broken) : all();
}
