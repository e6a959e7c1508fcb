import type { Option } from './optionKinds.ts';

const row = {
  group: 'Accepted from the Go exporter',
  commands: ['run'],
  hidden: true,
  upstream: 'the log goes to standard error, and --log-level says how much of it',
  description: "A flag of Go's logging library. Accepted, does nothing.",
} as const;

/** What every Go program with that logging library takes, so that it may stand in command lines of the Go exporter. */
export const glogOptions = {
  v: { ...row, kind: 'text', default: '0', example: '4' },
  vmodule: { ...row, kind: 'text', default: '', example: 'watcher=4' },
  logtostderr: { ...row, kind: 'flag', default: 'true', example: 'true' },
  alsologtostderr: { ...row, kind: 'flag', default: 'false', example: 'true' },
  stderrthreshold: { ...row, kind: 'text', default: 'ERROR', example: 'INFO' },
  log_dir: { ...row, kind: 'text', default: '', example: '/var/log' },
  log_backtrace_at: { ...row, kind: 'text', default: '', example: 'main.go:12' },
} as const satisfies Record<string, Option>;
