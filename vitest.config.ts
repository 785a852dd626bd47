import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vitest/config';
import { buildCore } from './scripts/build-core.mjs';
import { ADDRESS, dropInExample } from './scripts/drop-in-examples.mjs';
import { testProjects } from './scripts/test-projects.mjs';

const PREFIX = 'drop-in:';
const FOLDER = resolve('test/docs/drop-in-examples');

/**
 * Lets a test import an example in docs/ by its name, as `drop-in:client.ts`. The address of the node in it becomes what
 * the global `NODE_URL` holds.
 */
const dropIn: Plugin = {
  name: 'drop-in',
  enforce: 'pre',
  // What imports an example isn't cached: Vitest would look for the example in the file system.
  configureVitest: ({ experimental_defineCacheKeyGenerator: define }) =>
    define(({ sourceCode }) => (sourceCode.includes(PREFIX) ? false : undefined)),
  // A path that isn't there, in a place from which packages are found; its ending says that it is TypeScript.
  resolveId: (id) => (id.startsWith(PREFIX) ? resolve(FOLDER, id.slice(PREFIX.length)) : undefined),
  load: (id) =>
    id.startsWith(FOLDER) ? dropInExample(basename(id)).replaceAll(`'${ADDRESS}'`, 'NODE_URL') : undefined,
};

/**
 * Lets the tests run with another engine than the default one, by its name in DEVNET_ENGINE: `shadow` executes everything twice and
 * fails at the first difference. Only the tests know that variable.
 */
const engine: Plugin = {
  name: 'engine',
  enforce: 'pre',
  configureVitest: ({ experimental_defineCacheKeyGenerator: define }) =>
    define(({ id }) => (isEngineName(id) ? process.env.DEVNET_ENGINE : undefined)),
  transform: (code, id) => {
    const name = process.env.DEVNET_ENGINE;
    if (!name || !isEngineName(id)) return;
    const named = code.replace(/(DEFAULT_ENGINE: EngineName = )'\w+'/, `$1'${name}'`);
    if (named === code) throw new Error(`no DEFAULT_ENGINE in ${id}`);
    return named;
  },
};
const isEngineName = (id: string) => id.endsWith('/src/engine/engine-name.ts');

const projects = testProjects();

// What tests of forked chains fetch is nothing for the user's own cache.
const cacheFolder = mkdtempSync(join(tmpdir(), 'devnet-test-cache-'));
process.on('exit', () => rmSync(cacheFolder, { recursive: true, force: true }));

// Before the workers start: src/engine/wasm loads it.
await buildCore();

export default defineConfig({
  plugins: [dropIn, engine],
  resolve: { alias: { devnet: resolve('src/index.ts') } },
  test: {
    // What takes seconds takes a minute on a loaded machine: a limit is there to end what hangs.
    testTimeout: 120_000 * Math.max(1, Number(process.env.FUZZ ?? 1)),
    hookTimeout: 120_000,
    env: { XDG_CACHE_HOME: cacheFolder },
    // A machine with two cores would get one worker: by default one core is left alone.
    maxWorkers: '100%',
    // The files of one worker share what they import: loading all of src anew takes a second or two a file.
    isolate: false,
    // All projects and workers use what one of them has transformed, and so does the next run: half of the time of imports.
    experimental: { fsModuleCache: true },
    projects: [
      { extends: true, test: { name: 'unit', include: projects.unit } },
      { extends: true, test: { name: 'node', include: projects.node } },
      // They start the built command.
      ...(['process', 'redis', 'slow'] as const).map((name) => ({
        extends: true as const,
        test: { name, include: projects[name], globalSetup: 'test/whole/process/build-command.ts' },
      })),
    ],
  },
});
