import { type FlagCommand, flagCommands } from '../config/optionKinds.ts';
import { optionTable } from '../config/options.ts';
import { readSettings, type SettingsReading } from '../config/readSettings.ts';
import type { CommandContext } from './command.ts';
import { type ExitCode, exitCodeOf } from './exitCodes.ts';
import { faultsText } from './faultsText.ts';
import { sinkFaults } from './stores.ts';

interface CheckSettings {
  readonly path: string | undefined;
  readonly faults: readonly string[];
}

/**
 * Says what is wrong with a file for --config, line by line, for every command that may read it. Only the file counts:
 * neither flags nor the environment nor this machine, because it is meant for somewhere else.
 */
export function checkConfig({ path, faults }: CheckSettings, { stdout, stderr }: CommandContext, read: (path: string) => string): ExitCode {
  const missing = path === undefined && faults.length === 0 ? ['config check needs a file: kube-sluice config check FILE'] : [];
  const readings = new Map(path === undefined ? [] : flagCommands.map((command) => [command, readingOf(command, path, read)]));
  const run = readings.get('run');
  const told = [...readings].flatMap(([command, reading]) => reading.faults.filter((fault) => isFirstToTake(command, fault)));
  const ofSinks = run === undefined || run.faults.length > 0 ? [] : sinkFaults(run.settings);
  const found = [...new Set([...faults, ...missing, ...told, ...ofSinks])];
  const all = found.sort((a, b) => lineIn(a) - lineIn(b));
  if (all.length > 0) {
    stderr.write(faultsText(all));
    return exitCodeOf.CONFIG_INVALID;
  }
  for (const warning of run?.warnings ?? []) stderr.write(`kube-sluice: ${warning}\n`);
  stdout.write(`${path}: no fault\n`);
  return 0;
}

/** As in the first pod of a StatefulSet, where every number of shards is right. */
function readingOf(command: FlagCommand, path: string, read: (path: string) => string): SettingsReading {
  const pod = 'kube-sluice-0';
  return readSettings({ command, flags: new Map([['config', [path]]]), environment: { POD_NAME: pod }, hostname: pod, read });
}

/** A value may be right for one of several commands that take it. */
function isFirstToTake(command: FlagCommand, fault: string): boolean {
  const [, name = ''] = /^--([a-z0-9-]+) \(from /.exec(fault) ?? [];
  const takers = optionTable[name]?.commands;
  return takers === undefined || flagCommands.find((each) => takers.includes(each)) === command;
}

/** The line that a fault names. 0: none. */
function lineIn(fault: string): number {
  return Number(/ line (\d+)/.exec(fault)?.[1] ?? 0);
}
