import { basename, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { ADDRESS, readmeBlock } from './scripts/readme-blocks.mjs';

const PREFIX = 'readme:';
const FOLDER = resolve('test/readme-blocks');

/**
 * Lets a test import an example of README.md by its name, as `readme:client.ts`. The address of the node in it becomes what
 * the global `NODE_URL` holds.
 */
const readme: Plugin = {
  name: 'readme',
  enforce: 'pre',
  // A path that isn't there, in a place from which packages are found; its ending says that it is TypeScript.
  resolveId: (id) => (id.startsWith(PREFIX) ? resolve(FOLDER, id.slice(PREFIX.length)) : undefined),
  load: (id) =>
    id.startsWith(FOLDER) ? readmeBlock(basename(id)).replaceAll(`'${ADDRESS}'`, 'NODE_URL') : undefined,
};

export default defineConfig({
  plugins: [readme],
  resolve: { alias: { devnet: resolve('src/index.ts') } },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 20_000 * Number(process.env.FUZZ ?? 1),
    hookTimeout: 20_000,
  },
});
