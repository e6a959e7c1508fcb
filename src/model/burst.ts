/** Adds up what comes in one turn, to tell it once. */
export interface Burst {
  /** `followed`: true if more comes before the turn is over; anything else lets it be told now. */
  add(bytes: number, followed: true | undefined): void;
  /** Tells what was not told yet, if there is anything. */
  end(): void;
}

/** `tell` hears how many there were, undefined for one, and their bytes. */
export function burst(tell: (times: number | undefined, bytes: number) => void): Burst {
  let times = 0;
  let sum = 0;
  const end = (): void => {
    if (times === 0) return;
    const [told, bytes] = [times, sum];
    [times, sum] = [0, 0];
    tell(told === 1 ? undefined : told, bytes);
  };
  return {
    add(bytes, followed) {
      times += 1;
      sum += bytes;
      if (followed !== true) end();
    },
    end,
  };
}
