import { defineConfig } from 'vitest/config';

/** Against the cluster of KUBECONFIG: slow, one after the other. */
export default defineConfig({
  test: { include: ['test/e2e/**/*.test.ts'], pool: 'forks', fileParallelism: false, testTimeout: 900_000, hookTimeout: 120_000 },
});
