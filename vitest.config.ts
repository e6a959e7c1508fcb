import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** A path to write the results to as JSON, for whoever counts them. */
const resultsFile = process.env['TEST_RESULTS_FILE'];

/** Files that take half a minute and more: begun last, one of them would run alone at the end. */
const longest = ['test/simulation/', 'test/unit/filePowerCut', 'test/processes/', 'test/browser/', 'test/cases/process'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((part) => moduleId.includes(`/${part}`));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts', 'marbles/**/*.test.ts'],
    exclude: ['test/e2e/**', 'node_modules/**'],
    globalSetup: ['test/temporaryFiles.ts'],
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    // Some wait for processes and browsers most of their time.
    maxWorkers: availableParallelism() + 1,
    testTimeout: 60_000,
    ...(resultsFile === undefined ? {} : { reporters: ['default', 'json'], outputFile: { json: resultsFile } }),
  },
});
