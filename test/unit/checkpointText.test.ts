import { describe, expect, test } from 'vitest';
import { PipelineError } from '../../src/errors.ts';
import { type Checkpoint, checkpointFormat } from '../../src/model/checkpoint.ts';
import { checkpointText, readCheckpoint } from '../../src/model/checkpointText.ts';

const checkpoint: Checkpoint = {
  format: checkpointFormat,
  positions: { '': { at: '18446744073709551616', incarnation: 2 }, shop: { at: 'earliest', incarnation: 0 } },
  shard: { index: 1, total: 3, function: 'fnv1a64-range' },
  selectors: { label: 'a in (b,c)', field: '' },
  sink: 'local',
  inherited: [{ total: 2, function: 'fnv1a32-mod', positions: { '': [null, { at: '7', incarnation: 2 }] } }],
};

describe('the text of a checkpoint', () => {
  test('is one line, and reads back as what it was', () => {
    expect(checkpointText(checkpoint)).not.toContain('\n');
    expect(readCheckpoint(checkpointText(checkpoint), 'here')).toEqual(checkpoint);
    const { inherited: _, ...plain } = checkpoint;
    expect(readCheckpoint(checkpointText(plain), 'here')).toEqual(plain);
  });

  test('of a newer format is refused by its number, whatever else it holds', () => {
    expect(() => readCheckpoint('{"format":3}', 'lease x')).toThrow(
      new PipelineError(
        'CHECKPOINT_INVALID',
        'the checkpoint in lease x cannot be read: it has format 3, which a newer version wrote; this one reads format 1; use the version that wrote it, or give up the position with --checkpoint-reset',
      ),
    );
  });

  const { positions, shard, selectors, sink } = checkpoint;
  const whole = { format: 1, positions, shard, selectors, sink };
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['half a text', checkpointText(checkpoint).slice(0, -2)],
    ['a list', []],
    ['null', null],
    ['no format', { ...whole, format: undefined }],
    ['an older format', { ...whole, format: 0 }],
    ['a format as text', { ...whole, format: '1' }],
    ['no positions', { ...whole, positions: undefined }],
    ['a position that is text', { ...whole, positions: { '': '7' } }],
    ['a version that is a number', { ...whole, positions: { '': { at: 7, incarnation: 0 } } }],
    ['a position without incarnation', { ...whole, positions: { '': { at: '7' } } }],
    ['no shard', { ...whole, shard: null }],
    ['a shard without index', { ...whole, shard: { total: 3, function: 'fnv1a32-mod' } }],
    ['a shard without function', { ...whole, shard: { index: 0, total: 3 } }],
    ['no selectors', { ...whole, selectors: {} }],
    ['no sink', { ...whole, sink: undefined }],
    ['a generation that is none', { ...whole, inherited: [{}] }],
    ['generations that are no list', { ...whole, inherited: {} }],
    ['a vector that is none', { ...whole, inherited: [{ total: 2, function: 'f', positions: { '': { at: '7' } } }] }],
    ['a vector with text in it', { ...whole, inherited: [{ total: 2, function: 'f', positions: { '': ['7'] } }] }],
  ])('that is %s is refused with the way out', (_, value) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    const read = (): Checkpoint => readCheckpoint(text, 'lease x');
    expect(read).toThrow('the checkpoint in lease x cannot be read: ');
    expect(read).toThrow('--checkpoint-reset');
  });
});
