/** All faults of the settings in one message. */
export function faultsText(faults: readonly string[]): string {
  const [first, ...rest] = faults;
  if (rest.length === 0) return `kube-sluice: ${first}\n`;
  return `kube-sluice: ${faults.length} settings are wrong\n${faults.map((fault) => `  ${fault}\n`).join('')}`;
}
