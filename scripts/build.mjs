// Bundles src/cli.ts, src/index.ts and the entries for test runners into dist/ and writes the type declarations of the entries and the explorer beside them.
// Bundles because of start-up time: importing the packages file by file costs several hundred milliseconds.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { buildCommand, runOnce } from './build/command.mjs';
import { writeDeclarations } from './build/declarations.mjs';
import { buildExplorer } from './build/explorer.mjs';
import { thirdPartyLicences } from './build/licences.mjs';
import { buildCore } from './build-core.mjs';

const root = resolve(import.meta.dirname, '..');
/** Tests build into a folder of their own: `node scripts/build.mjs <folder>`. It must be in the repository. */
const [outdir = 'dist'] = process.argv.slice(2);
const dist = resolve(root, outdir);
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Native add-ons, packages that read a .wasm file from beside themselves, and those that users install stay in node_modules. */
const EXTERNAL = [
  'level',
  'classic-level',
  'secp256k1',
  'tiny-secp256k1',
  '@redis/client',
  'bullmq',
  'vitest',
];

/** The bundled CommonJS packages call require() for Node's own modules. */
const REQUIRE =
  "import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);";

const entryPoints = {
  index: 'src/index.ts',
  vitest: 'src/test-runners/vitest.ts',
  'vitest-setup': 'src/test-runners/vitest-setup.ts',
  hardhat: 'src/test-runners/hardhat.ts',
  'replay-worker': 'src/replay/worker.ts',
  'fill-worker': 'src/chain/store/fill-worker.ts',
};

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // ECMAScript modules where there are both: what isn't used falls away.
  mainFields: ['module', 'main'],
  // The core and the explorer lie beside the bundles.
  define: {
    'process.env.DEVNET_VERSION': JSON.stringify(version),
    'process.env.DEVNET_CORE': '"./core.wasm"',
    'process.env.DEVNET_EXPLORER': '"./explorer/"',
  },
  // Identifiers stay, so that stack traces read well without esbuild's name-keeping wrapper around every function.
  minifyWhitespace: true,
  minifySyntax: true,
  // Node prints the source line of an uncaught error.
  lineLimit: 160,
  metafile: true,
  logLevel: 'warning',
};

rmSync(dist, { recursive: true, force: true });

const { metafile, warnings } = await build({
  ...options,
  entryPoints,
  outdir: dist,
  splitting: true,
  format: 'esm',
  external: EXTERNAL,
  banner: { js: REQUIRE },
  legalComments: 'linked',
});
copyFileSync(await buildCore(), join(dist, 'core.wasm'));
const command = await buildCommand(root, dist, options);
const explorer = await buildExplorer(root, join(dist, 'explorer'));
if (warnings.length > 0) process.exit(1);

writeFileSync(
  join(dist, 'THIRD-PARTY-LICENCES.txt'),
  thirdPartyLicences(root, [
    ...Object.keys(metafile.inputs),
    ...Object.keys(command.metafile.inputs),
    ...explorer,
  ]),
);

if (outdir === 'dist') {
  await writeDeclarations(root, dist);
  await runOnce(join(dist, 'cli.js'));
}

const bytes = [metafile, command.metafile]
  .flatMap(({ outputs }) => Object.values(outputs))
  .reduce((sum, output) => sum + output.bytes, 0);
console.log(
  `${outdir}: src/cli.ts, ${Object.values(entryPoints).join(', ')}, ${Math.round(bytes / 1024)} KiB`,
);
