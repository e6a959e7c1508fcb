import { concat, defer, EMPTY, NEVER, of, Subject, throwError } from 'rxjs';
import { describe, expect, test } from 'vitest';
import { exclusively } from '../../src/transports/exclusively.ts';

/** Works by name that end when told to, and what has happened to them. */
function world() {
  const gate = exclusively();
  const log: string[] = [];
  const work = (name: string) => {
    const source = new Subject<string>();
    const run = gate(
      defer(() => {
        log.push(`${name} begins`);
        return source;
      }),
    ).subscribe({
      next: (value) => log.push(`${name} tells ${value}`),
      error: (error: unknown) => log.push(`${name} fails ${String(error)}`),
      complete: () => log.push(`${name} ends`),
    });
    return { source, run };
  };
  return { gate, log, work };
}

describe('exclusively', () => {
  test('runs works one after the other, in their order', () => {
    const { log, work } = world();
    const [a, b, c] = [work('a'), work('b'), work('c')];
    a.source.next('1');
    a.source.complete();
    b.source.complete();
    c.source.complete();
    expect(log).toEqual(['a begins', 'a tells 1', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('runs the next after an error', () => {
    const { log, work } = world();
    const a = work('a');
    work('b');
    a.source.error('bad');
    expect(log).toEqual(['a begins', 'a fails bad', 'b begins']);
  });

  test('lets go of a work that is given up, and leaves out one that has not begun', () => {
    const { log, work } = world();
    const [a, b, c] = [work('a'), work('b'), work('c')];
    b.run.unsubscribe();
    expect(a.source.observed).toBe(true);
    a.run.unsubscribe();
    expect([a.source.observed, c.source.observed]).toEqual([false, true]);
    expect(log).toEqual(['a begins', 'c begins']);
  });

  test('takes works that end at once, and works that are asked for by the end of another', () => {
    const { gate, log } = world();
    gate(of('x')).subscribe({
      next: (value) => log.push(value),
      complete: () => gate(EMPTY).subscribe({ complete: () => log.push('after') }),
    });
    gate(throwError(() => 'bad')).subscribe({ error: (error: unknown) => log.push(String(error)) });
    gate(concat(of('y'), NEVER)).subscribe((value) => log.push(value));
    gate(of('never')).subscribe((value) => log.push(value));
    expect(log).toEqual(['x', 'after', 'bad', 'y']);
  });

  test('does nothing before it is subscribed to', () => {
    const { gate, log, work } = world();
    gate(NEVER);
    work('a');
    expect(log).toEqual(['a begins']);
  });
});
