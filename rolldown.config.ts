import http from 'node:http';
import { defineConfig, type Plugin } from 'rolldown';

/**
 * Makes the command line one set of files without node_modules, for the image: it starts faster and takes less memory.
 * Written to dist/bundle, so that the package's own description is two folders up, as from src/cli and dist/cli.
 */
export default defineConfig({
  input: 'src/cli/main.ts',
  platform: 'node',
  // The first cannot be bundled as ESM (it asks for __dirname) and shares the second; both are loaded only where their sink is chosen.
  external: [/^@google-cloud\//, 'gcp-metadata'],
  plugins: [onlyDispatchers(), plainHttp()],
  treeshake: {
    // Its generated models, thousands of files, do nothing when loaded; of them all only KubeConfig is used.
    moduleSideEffects: [{ test: /@kubernetes\/client-node/, sideEffects: false }],
  },
  output: {
    dir: 'dist/bundle',
    format: 'esm',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  },
});

/**
 * Leaves the larger half of undici out: caches, mocks, fetch, web sockets. They take 13 MB of every process and are not
 * used: requests go through a dispatcher, and KubeConfig makes those. Its index is CommonJS, of which a bundler has to
 * take all. `test/processes/bundle.test.ts` tries what is left.
 */
function onlyDispatchers(): Plugin {
  return {
    name: 'only-dispatchers',
    load: {
      filter: { id: /node_modules\/undici\/index\.js$/ },
      handler: () => `'use strict'
        const Dispatcher = require('./lib/dispatcher/dispatcher')
        Object.assign(Dispatcher.prototype, require('./lib/api'))
        module.exports.Agent = require('./lib/dispatcher/agent')
        module.exports.ProxyAgent = require('./lib/dispatcher/proxy-agent')
      `,
    },
  };
}

/**
 * Gets node:http without `import`. An import reads every name of it, those of the browser's web socket too, and they
 * load Node's own copy of undici: 14 MB that nobody uses.
 */
function plainHttp(): Plugin {
  const id = '\0plain-http';
  const names = Object.keys(http).filter((name) => !['WebSocket', 'CloseEvent', 'MessageEvent'].includes(name));
  return {
    name: 'plain-http',
    resolveId: { filter: { id: /^(node:)?http$/ }, handler: () => id },
    load: {
      filter: { id: /plain-http$/ },
      handler: () => `
        const http = process.getBuiltinModule('node:http')
        export const { ${names.join(', ')} } = http
        export default http
      `,
    },
  };
}
