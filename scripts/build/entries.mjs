import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { noSideEffects } from './no-side-effects.mjs';

/** Files of dist that are loaded directly -> their source */
export const ENTRIES = {
  cli: 'src/cli.ts',
  index: 'src/index.ts',
  vitest: 'src/test-runners/vitest.ts',
  'vitest-setup': 'src/test-runners/vitest-setup.ts',
  hardhat: 'src/test-runners/hardhat.ts',
  'replay-worker': 'src/replay/worker.ts',
  'fill-worker': 'src/chain/store/fill-worker.ts',
  'stack-trace-worker': 'src/stack-trace/worker.ts',
};

/** Entries that CommonJS may `require`: a Node version that can't load modules that way gets a message with the versions that can. */
export const REQUIRED = ['index', 'hardhat'];

/** The first code that runs in each file, before the modules that the file imports from the package. */
const CHECK =
  'import{refusalOf}from"../bin/node-version.cjs";{const refusal=refusalOf(process.versions.node);if(refusal)throw new Error(refusal)}';

/**
 * The entry that shares no code with the others. With `splitting` esbuild would keep everything that a file imports dynamically, even if
 * nothing uses the file: of viem, whose ABI code this entry contains, that would be the HTTP and WebSocket clients.
 */
const ALONE = 'stack-trace-worker';

/** Packages that users of these entries have installed. */
const EXTERNAL = ['level', 'classic-level', 'vitest', 'micro-eth-signer/abi.js'];

/**
 * Writes the files of ENTRIES and their shared chunks. Code that is also in the script is taken from there.
 * @param {string} root the project's folder
 * @param {string} outdir the folder to write to
 * @param {string} script name of the script
 * @param {import('esbuild').BuildOptions} options of all bundles
 * @returns the metafile of all entries
 */
export async function buildEntries(root, outdir, script, options) {
  const { [ALONE]: alone, ...shared } = ENTRIES;
  const plugins = [fromScript(root, await exportsOf(join(root, 'src/index.ts'))), noSideEffects];
  const made = await Promise.all(
    [{ entryPoints: shared, splitting: true }, { entryPoints: { [ALONE]: alone } }].map((entries) =>
      build({
        ...options,
        ...entries,
        outdir,
        format: 'esm',
        external: EXTERNAL,
        banner: { js: CHECK },
        define: { ...options.define, 'process.env.DEVNET_BUNDLE': JSON.stringify(script) },
        plugins,
      }),
    ),
  );
  for (const name of REQUIRED) writeFileSync(join(outdir, `${name}.cjs`), commonJs(name));
  const all = (kind) => Object.assign({}, ...made.map(({ metafile }) => metafile[kind]));
  return { inputs: all('inputs'), outputs: all('outputs') };
}

/** @returns the source of the file that CommonJS loads in place of an entry */
const commonJs = (name) => `'use strict';
const refusal = require('../bin/node-version.cjs').refusalOf(process.versions.node);
if (refusal) throw new Error(refusal);
module.exports = require('./${name}.js');
`;

/** The names that a TypeScript module exports, without types. */
async function exportsOf(path) {
  const { metafile } = await build({
    entryPoints: [path],
    write: false,
    metafile: true,
    format: 'esm',
    outdir: '.',
  });
  return Object.values(metafile.outputs)[0].exports;
}

/** Replaces src/index.ts by the script's exports. The first chain saves the compiled code for the next process. */
const fromScript = (root, names) => ({
  name: 'from-script',
  setup({ onLoad }) {
    const resolveDir = join(root, 'src');
    onLoad({ filter: /[\\/]src[\\/]index\.ts$/ }, () => ({
      resolveDir,
      contents: `
        import { loadBundle } from './cli/bundle.ts';
        const { bundle, keeping } = loadBundle('api');
        const api = bundle.api();
        export const { ${names.filter((name) => name !== 'createDevnet')} } = api;
        export async function createDevnet(...given) {
          const devnet = await api.createDevnet(...given);
          setImmediate(keeping.keep);
          return devnet;
        }`,
    }));
    onLoad({ filter: /[\\/]src[\\/]replay[\\/]replay-file\.ts$/ }, () => ({
      resolveDir,
      contents: "export { replayFixture } from './index.ts';",
    }));
  },
});
