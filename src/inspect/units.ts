const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** `1,234`. */
export function countText(count: number): string {
  return count.toLocaleString('en-US');
}

/** `12.3 %` of a whole, `0 %` of nothing. */
export function shareText(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${percent === 0 || percent === 100 ? percent : percent < 0.1 ? '< 0.1' : percent.toFixed(1)} %`;
}

/** `1.2 MB`. */
export function bytesText(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
  return `${power === 0 ? bytes : (bytes / 1000 ** power).toFixed(1)} ${units[power]}`;
}

/** `850 ms`, `1.2 s`, `12 min`, `3.5 h`, `2 d`: two digits that count. */
export function durationText(ms: number): string {
  if (ms < second) return `${ms < 10 ? short(ms) : Math.round(ms)} ms`;
  if (ms < minute) return `${short(ms / second)} s`;
  if (ms < hour) return `${short(ms / minute)} min`;
  return ms < day ? `${short(ms / hour)} h` : `${short(ms / day)} d`;
}

/** `2026-11-30 10:00:00`, in UTC. */
export function timeText(ms: number): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? 'no time' : date.toISOString().slice(0, 19).replace('T', ' ');
}

function short(value: number): string {
  return value < 10 ? value.toFixed(1).replace(/\.0$/, '') : String(Math.round(value));
}
