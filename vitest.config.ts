import { defineConfig } from 'vitest/config';

/** A path to write the results to as JSON, for whoever counts them. */
const resultsFile = process.env['TEST_RESULTS_FILE'];

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'marbles/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    globalSetup: ['test/temporaryFiles.ts'],
    pool: 'forks',
    testTimeout: 60_000,
    ...(resultsFile === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: resultsFile } }),
  },
});
