import { exitCodeOf, exitCodes } from '../../src/cli/exitCodes.ts';
import { type ErrorCode, errorCodes } from '../../src/errors.ts';
import { code, page, table } from './markdown.ts';

export function errorsPage(): string {
  return page(
    '# Errors',
    'Every failure is a `PipelineError` with one of these codes. The text names what is wrong, the rule and the value; it may change, the code does not.',
    table(
      ['code', 'exit code', 'meaning'],
      Object.entries(errorCodes).map(([name, meaning]) => [code(name), String(exitCodeOf[name as ErrorCode]), meaning]),
    ),
    '## Exit codes',
    table(['exit code', 'meaning'], Object.entries(exitCodes)),
  );
}
