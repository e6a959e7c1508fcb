import { concat, from, NEVER, Observable, of, throwError } from 'rxjs';
import { describe, expect, it } from 'vitest';
import type { Frame } from '../../src/ports.ts';
import { watchFrames } from '../../src/transports/watchFrames.ts';

type Told = string | { readonly oversized: number } | { readonly torn: number } | 'complete' | { readonly error: unknown };

/** What the operator tells about chunks: lines as text, the rest as small objects. */
function framesOf(chunks: Observable<Uint8Array>, lineBytesMax?: number): Told[] {
  const told: Told[] = [];
  const settings = lineBytesMax === undefined ? {} : { lineBytesMax };
  chunks.pipe(watchFrames(settings)).subscribe({
    next: (frame) => told.push(toldOf(frame)),
    error: (error: unknown) => told.push({ error }),
    complete: () => told.push('complete'),
  });
  return told;
}

function toldOf(frame: Frame): Told {
  switch (frame.type) {
    case 'line':
      return Buffer.from(frame.bytes).toString('utf8');
    case 'oversized':
      return { oversized: frame.bytes };
    case 'torn':
      return { torn: frame.bytes };
    default:
      throw new Error(`unexpected ${frame.type}`);
  }
}

const body = Buffer.from('{"a":"\u{1f642}"}\r\n\n  \n{"b":"é\u2028x"}\n{"c":', 'utf8');
const wanted: Told[] = ['{"a":"\u{1f642}"}', '{"b":"é\u2028x"}', { torn: 5 }, 'complete'];

function oneByteEach(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (byte) => Uint8Array.of(byte));
}

describe('watchFrames', () => {
  it('tells the same lines wherever the body is cut in two', () => {
    for (let cut = 0; cut <= body.length; cut++) {
      expect({ cut, told: framesOf(of(body.subarray(0, cut), body.subarray(cut))) }).toEqual({ cut, told: wanted });
    }
  });

  it('tells the same lines wherever the body is cut in three', () => {
    for (let first = 0; first <= body.length; first++) {
      for (let second = first; second <= body.length; second++) {
        const chunks = of(body.subarray(0, first), body.subarray(first, second), body.subarray(second));
        expect({ first, second, told: framesOf(chunks) }).toEqual({ first, second, told: wanted });
      }
    }
  });

  it('tells the same lines of one byte per chunk', () => {
    expect(framesOf(from(oneByteEach(body)))).toEqual(wanted);
  });

  it('reads chunks that are views into a larger buffer', () => {
    const larger = Buffer.concat([Buffer.from('xx\n'), body, Buffer.from('\nyy')]);
    expect(framesOf(of(new Uint8Array(larger.buffer, larger.byteOffset + 3, body.length)))).toEqual(wanted);
  });

  it('splits on LF only, never on U+2028, U+2029, U+0085 or a lone CR', () => {
    const line = '{"a":"\u2028\u2029\u0085\r"}';
    expect(framesOf(of(Buffer.from(`${line}\n`)))).toEqual([line, 'complete']);
  });

  it('completes without a frame for an empty body and for one of blank lines', () => {
    expect(framesOf(of())).toEqual(['complete']);
    expect(framesOf(of(Buffer.from('\n\r\n \t\n\r')))).toEqual(['complete']);
  });

  it('skips a line over the limit and tells its bytes, wherever it is cut', () => {
    const text = Buffer.from('aaaaaaaa\nbbbbbbbbb\ncccccccccccc\ndd\n');
    for (let first = 0; first <= text.length; first++) {
      for (let second = first; second <= text.length; second++) {
        const chunks = of(text.subarray(0, first), text.subarray(first, second), text.subarray(second));
        expect(framesOf(chunks, 8)).toEqual(['aaaaaaaa', { oversized: 9 }, { oversized: 12 }, 'dd', 'complete']);
      }
    }
    expect(framesOf(from(oneByteEach(text)), 8)).toEqual(['aaaaaaaa', { oversized: 9 }, { oversized: 12 }, 'dd', 'complete']);
  });

  it('tells half an oversized line at the end as torn', () => {
    expect(framesOf(of(Buffer.from('aaaa\nbbbbb'), Buffer.from('bbbbb')), 8)).toEqual(['aaaa', { torn: 10 }, 'complete']);
  });

  it('takes a line of 8 MiB and skips one byte more by default', () => {
    const most = Buffer.alloc(8 * 1024 * 1024, 'x');
    const told = framesOf(of(most, Buffer.from('\nx'), most, Buffer.from('\n')));
    expect(told.map((each) => (typeof each === 'string' ? each.length : each))).toEqual([most.length, { oversized: most.length + 1 }, 8]);
  });

  it('passes an error on and throws the half line away without a word', () => {
    const reason = new Error('reset');
    const chunks = concat(
      of(Buffer.from('{"a":1}\n{"b"')),
      throwError(() => reason),
    );
    expect(framesOf(chunks)).toEqual(['{"a":1}', { error: reason }]);
  });

  it('keeps nothing of the first subscription for the second', () => {
    const frames = of(Buffer.from('{"a":1}\nhalf')).pipe(watchFrames());
    for (let round = 0; round < 2; round++) {
      const told: Told[] = [];
      frames.subscribe((frame) => told.push(toldOf(frame)));
      expect(told).toEqual(['{"a":1}', { torn: 4 }]);
    }
  });

  it('stops within a chunk when it is unsubscribed, and unsubscribes its source', () => {
    let open = false;
    const chunks = new Observable<Uint8Array>((subscriber) => {
      open = true;
      subscriber.next(Buffer.from('a\n'));
      return () => {
        open = false;
      };
    });
    const told: Told[] = [];
    const subscription = concat(chunks, NEVER)
      .pipe(watchFrames())
      .subscribe((frame) => told.push(toldOf(frame)));
    expect({ open, told }).toEqual({ open: true, told: ['a'] });
    subscription.unsubscribe();
    expect(open).toBe(false);
  });
});
