/** Where each moment stands, from left to right. */
export interface TimeAxis {
  /** Of a frame between or at the moments. */
  x(frame: number): number;
  readonly width: number;
  /** Long waits that are drawn short. */
  readonly breaks: readonly { readonly x: number; readonly ms: number }[];
}

/** Width of one frame. */
const step = 19;
/** A wait of more frames than this is cut short. */
const framesMax = 16;
const brokenFrames = 5;
const breakWidth = 58;

/** `together`: how many marks stand at a frame at most; they need room side by side. */
export function timeAxis(together: ReadonlyMap<number, number>): TimeAxis {
  const moments = [...together.keys()].sort((a, b) => a - b);
  const places: { frame: number; x: number; after: number }[] = [];
  const breaks: { x: number; ms: number }[] = [];
  let x = 0;
  let last = 0;
  for (const frame of moments) {
    const wait = frame - last;
    if (wait > framesMax) {
      breaks.push({ x: x + breakWidth / 2, ms: wait });
      x += breakWidth;
    } else x += wait * step;
    const after = x + (Math.max(together.get(frame) ?? 1, 1) - 1) * (step + 1);
    places.push({ frame, x, after });
    x = after;
    last = frame;
  }
  return {
    width: x,
    breaks,
    x(frame) {
      const at = places.findLastIndex((place) => place.frame <= frame);
      const before = places[at] ?? { frame: 0, x: 0, after: 0 };
      if (before.frame === frame) return before.x;
      const next = places[at + 1];
      if (next === undefined) return before.after + Math.min(frame - before.frame, brokenFrames) * step;
      return before.after + ((frame - before.frame) / (next.frame - before.frame)) * (next.x - before.after);
    },
  };
}
