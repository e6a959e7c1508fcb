/** Chance in the shapes that a cluster's names have. */
export interface Names {
  /** Whole number in [0, below). */
  below(limit: number): number;
  pick<T>(list: readonly T[]): T;
  /** Letters as the API server draws them for generateName and pod-template-hash. */
  suffix(length: number): string;
  hex(length: number): string;
  chance(share: number): boolean;
}

const safeLetters = 'bcdfghjklmnpqrstvwxz2456789';

export function names(random: () => number): Names {
  const below = (limit: number): number => Math.floor(random() * limit);
  const letters = (alphabet: string, length: number): string => Array.from({ length }, () => alphabet[below(alphabet.length)]).join('');
  return {
    below,
    pick<T>(list: readonly T[]): T {
      const item = list[below(list.length)];
      if (item === undefined) throw new Error('nothing to pick from');
      return item;
    },
    suffix: (length) => letters(safeLetters, length),
    hex: (length) => letters('0123456789abcdef', length),
    chance: (share) => random() < share,
  };
}
