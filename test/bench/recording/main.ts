import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { recordingLines } from './recordingLines.ts';

const [path = 'recording.ndjson.gz', events = '1000000', pods = '20000'] = process.argv.slice(2);

/** Lines in pieces that are worth compressing. */
function* pieces(lines: Iterable<string>): Generator<string> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < 256 * 1024) continue;
    yield piece;
    piece = '';
  }
  yield piece;
}

const lines = recordingLines({ events: Number(events), pods: Number(pods), eventsPerSecond: 1_000 });
await pipeline(Readable.from(pieces(lines)), createGzip({ level: 1 }), createWriteStream(path));
