import { checkpointOptions } from './checkpointOptions.ts';
import { comparisonOptions } from './comparisonOptions.ts';
import { exportingOptions } from './exportingOptions.ts';
import { glogOptions } from './glogOptions.ts';
import type { Option, SettingsOf } from './optionKinds.ts';
import { processOptions } from './processOptions.ts';
import { readingOptions } from './readingOptions.ts';

/**
 * The one table: it makes the flags, their environment variables, the keys of the config file, the
 * checks, the help, docs/flags.md and the settings' type.
 */
export const options = {
  ...readingOptions,
  ...exportingOptions,
  ...checkpointOptions,
  ...comparisonOptions,
  ...processOptions,
  ...glogOptions,
} as const satisfies Record<string, Option>;

/** Every option's value, checked. Options that the command does not take have their default. */
export type Settings = SettingsOf<typeof options>;

/** The sinks that exist, as `--sink` names them. */
export type SinkName = (typeof options)['sink']['choices'][number];

/** The table without its exact types, for whoever walks over it. */
export const optionTable: Readonly<Record<string, Option>> = options;
