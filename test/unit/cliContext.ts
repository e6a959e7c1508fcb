import { PassThrough } from 'node:stream';
import { ReplaySubject } from 'rxjs';
import type { CommandContext } from '../../src/cli/command.ts';

export interface FakeProcess {
  readonly context: CommandContext;
  readonly stops: ReplaySubject<'drain' | 'now'>;
  /** Everything written so far. */
  readonly output: () => string;
  readonly errors: () => string;
}

/** What a command sees of a process, with its output kept as text. */
export function fakeProcess(settings: Partial<CommandContext> = {}): FakeProcess {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const stops = new ReplaySubject<'drain' | 'now'>();
  const [output, errors] = [textOf(stdout), textOf(stderr)];
  return {
    stops,
    output,
    errors,
    context: { environment: {}, hostname: 'laptop', program: 'kube-sluice', version: '1.2.3', stdout, stderr, stops, ...settings },
  };
}

function textOf(stream: PassThrough): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return () => text;
}
