import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { buildExplorer } from './scripts/build/explorer.mjs';
import { buildCore } from './scripts/build-core.mjs';

// The node of the tests runs from source, and serves the page from where the build puts it.
await buildCore();
await buildExplorer(resolve('.'), resolve('dist/explorer'));

/** Tests of the explorer in a browser: `npm run test:browser`. */
export default defineConfig({
  test: {
    include: ['test/explorer/browser/*.browser.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    maxWorkers: 1,
  },
});
