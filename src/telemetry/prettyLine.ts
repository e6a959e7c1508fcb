/** One JSON line of the log as a person reads it: time, level, text, then the fields. */
export function prettyLine(json: string): string {
  const { level, time, msg, signal: _signal, ...fields } = JSON.parse(json) as Readonly<Record<string, unknown>>;
  const words = Object.entries(fields).map(([name, value]) => `${name}=${shown(value)}`);
  return `${[String(time).slice(11, 19), String(level).padEnd(5), String(msg), ...words].join(' ')}\n`;
}

function shown(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value);
  return JSON.stringify(value);
}
