/** What one look has shown. Only what is bad keeps events from being exported as the settings ask. */
export interface Finding {
  readonly state: 'ok' | 'note' | 'bad';
  /** What was looked at, in two or three words. */
  readonly about: string;
  /** What was found. */
  readonly text: string;
  /** What to do about it. */
  readonly advice?: string;
  /** True: the server has nothing to say to any other question. Absent: it may. */
  readonly isLast?: boolean;
}

const marks = { ok: 'ok  ', note: 'note', bad: 'BAD ' } as const;

/** A line per finding, its advice below it, and a last line that sums up. */
export function findingsText(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ about }) => about.length));
  const lines = findings.flatMap(({ state, about, text, advice }) => [
    `${marks[state]}  ${about.padEnd(width)}  ${text}`,
    ...(advice === undefined ? [] : [`${' '.repeat(width + 8)}${advice}`]),
  ]);
  const bad = findings.filter(({ state }) => state === 'bad').length;
  const verdict =
    bad === 0
      ? 'kube-sluice can run with these settings'
      : `${bad} ${bad === 1 ? 'thing keeps' : 'things keep'} kube-sluice from running as it should`;
  return `${[...lines, '', verdict].join('\n')}\n`;
}
