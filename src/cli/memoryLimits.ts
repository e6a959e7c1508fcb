import { totalmem } from 'node:os';
import { getHeapStatistics } from 'node:v8';

/** What the process may use, in bytes. A container without a limit of its own may use the whole machine, which is no limit. */
export function memoryLimits(): { readonly memoryLimitBytes?: number; readonly heapLimitBytes: number } {
  const constrained = process.constrainedMemory(); // 0, or more than there is: not constrained.
  return {
    heapLimitBytes: getHeapStatistics().heap_size_limit,
    ...(constrained > 0 && constrained < totalmem() ? { memoryLimitBytes: constrained } : {}),
  };
}
