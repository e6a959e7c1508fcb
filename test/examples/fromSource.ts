import { registerHooks } from 'node:module';

// Lets a program that imports the package run against the sources: node --import ./test/examples/fromSource.ts PROGRAM.
const entries: Readonly<Record<string, string>> = { 'kube-sluice': 'index.ts', 'kube-sluice/testing': 'testing.ts' };

registerHooks({
  resolve(specifier, context, next) {
    const entry = entries[specifier];
    return next(entry === undefined ? specifier : new URL(`../../src/${entry}`, import.meta.url).href, context);
  },
});
