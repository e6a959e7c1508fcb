import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageEnvironment } from './imageEnvironment.ts';

/** A process that does nothing else, seen from outside by /proc. */
export interface MeasuredProcess {
  readonly pid: number;
  /** CPU of all its threads since its start, in microseconds. */
  cpuUs(): number;
  /** How often it has gone to sleep since its start, its main thread that is. */
  wakeups(): number;
  /** Resident memory now and at its highest, in bytes. */
  rss(): { readonly now: number; readonly peak: number };
  /** How many lines it has written to standard output. */
  lines(): number;
  /** Whether standard output is read. At first it is. */
  read(reads: boolean): void;
  /** False once it has ended. */
  isRunning(): boolean;
  /** Hears each piece of standard output. */
  onOutput(listener: (text: string) => void): void;
  /** What it has written to standard error. */
  log(): string;
  /** Asks it to end, and insists after a while. */
  stop(): Promise<void>;
}

export interface MeasuredSettings {
  /** Flags of Node, then the script and its arguments. */
  readonly args: readonly string[];
  /** Beside what the image sets. */
  readonly environment?: Readonly<Record<string, string>>;
}

const insistMs = 10_000;
const lineFeed = 10;

export function measuredProcess({ args, environment = {} }: MeasuredSettings): MeasuredProcess {
  const env = { PATH: process.env['PATH'], ...imageEnvironment(), ...environment };
  const pipe = realPipe();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', pipe.writeEnd, 'pipe'] });
  closeSync(pipe.writeEnd);
  const stdout = new Socket({ fd: pipe.readEnd, readable: true, writable: false });
  const pid = child.pid ?? 0;
  const listeners: ((text: string) => void)[] = [];
  let lines = 0;
  let log = '';
  stdout.on('data', (chunk: Buffer) => {
    for (let at = chunk.indexOf(lineFeed); at !== -1; at = chunk.indexOf(lineFeed, at + 1)) lines += 1;
    if (listeners.length > 0) for (const listener of listeners) listener(chunk.toString());
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  return {
    pid,
    cpuUs: () => {
      const threads = readdirSync(`/proc/${pid}/task`);
      const nanos = threads.map((thread) => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]));
      return nanos.reduce((sum, each) => sum + each, 0) / 1_000;
    },
    wakeups: () => Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]),
    rss: () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      const bytes = (name: string): number => 1024 * Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]);
      return { now: bytes('VmRSS'), peak: bytes('VmHWM') };
    },
    lines: () => lines,
    read: (reads) => void (reads ? stdout.resume() : stdout.pause()),
    isRunning: () => child.exitCode === null && child.signalCode === null,
    onOutput: (listener) => void listeners.push(listener),
    log: () => log,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return void stdout.destroy();
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const insist = setTimeout(() => child.kill('SIGKILL'), insistMs);
      await gone;
      clearTimeout(insist);
      stdout.destroy();
    },
  };
}

/** As a container's standard output is one. What Node itself connects to a child is a pair of sockets, and costs four times as much. */
function realPipe(): { readonly readEnd: number; readonly writeEnd: number } {
  const folder = mkdtempSync(join(tmpdir(), 'kube-sluice-bench-'));
  const path = join(folder, 'stdout');
  execFileSync('mkfifo', [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeEnd = openSync(path, constants.O_WRONLY);
  rmSync(folder, { recursive: true });
  return { readEnd, writeEnd };
}
