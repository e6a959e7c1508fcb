import type { Signal } from '../../src/telemetry/signals.ts';

/** Signals that are worth a line in the story of a seed. */
export function stateChange(signal: Signal): string | undefined {
  switch (signal.type) {
    case 'listStarted':
      return `lists ${signal.source} (${signal.cause}, by ${signal.by})`;
    case 'listFailed':
      return `list of ${signal.source} failed: ${signal.cause} ${signal.status ?? ''} ${signal.message}`;
    case 'watchEnded':
      return `watch of ${signal.source} ended: ${signal.cause} ${signal.status ?? ''}; next from ${signal.resumeFrom} in ${signal.waitMs} ms`;
    case 'gapDeclared':
      return `declares a gap (${signal.gap.cause}) after ${signal.gap.from} up to ${signal.gap.to}`;
    case 'storeRestored':
      return `finds the store restored: ${signal.position} is ahead of ${signal.resourceVersion}`;
    case 'readerPaused':
      return signal.paused ? 'pauses reading' : 'goes on reading';
    case 'shardWaiting':
    case 'shardHeld':
      return JSON.stringify(signal);
    case 'warning':
      return `warns: ${signal.text}`;
    default:
      return undefined;
  }
}
