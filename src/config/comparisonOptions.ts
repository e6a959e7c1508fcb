import type { Option } from './optionKinds.ts';

/** What counts when two outputs are compared, and how it is told. */
export const comparisonOptions = {
  ignore: {
    kind: 'list',
    group: 'Comparison',
    commands: ['diff'],
    default: '',
    example: 'timestamp,event.metadata.managedFields',
    description: 'Fields that do not count, with everything inside them. Repeatable.',
  },
  'ignore-repeats': {
    kind: 'flag',
    group: 'Comparison',
    commands: ['diff'],
    default: 'false',
    example: 'true',
    description: 'How often a line stands in a file does not count: after a crash, standard output may repeat some.',
  },
  show: {
    kind: 'count',
    group: 'Comparison',
    commands: ['diff'],
    min: 0,
    max: 1_000_000,
    default: '20',
    example: '100',
    description: 'Differences that are shown one by one; the rest is counted.',
  },
  json: {
    kind: 'flag',
    group: 'Comparison',
    commands: ['diff'],
    default: 'false',
    example: 'true',
    description: 'Write JSON lines: every difference, and a summary last.',
  },
} as const satisfies Record<string, Option>;
