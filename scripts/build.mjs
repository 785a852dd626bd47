// Bundles the command, the API and the entries for test runners into dist/, and writes the explorer and the entries' type declarations
// there. Bundling shortens the start-up: importing the packages file by file takes several hundred milliseconds. Everything is written to
// a folder of its own, which replaces the old one at the end: an interrupted build leaves the old one unchanged.
import { copyFileSync, cpSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { writeCodeCache } from './build/code-cache.mjs';
import { writeDeclarations } from './build/declarations.mjs';
import { buildEntries, ENTRIES } from './build/entries.mjs';
import { buildExplorer } from './build/explorer.mjs';
import { thirdPartyLicences } from './build/licences.mjs';
import { packedCodes } from './build/packed-codes.mjs';
import { buildScript } from './build/script.mjs';
import { openStagingFolder } from './build/staging-folder.mjs';
import { buildCore } from './build-core.mjs';

const root = resolve(import.meta.dirname, '..');
/** Tests build into their own folder: `node scripts/build.mjs <folder>`. It must be in the repository. */
const [outdir = 'dist'] = process.argv.slice(2);
const staging = openStagingFolder(resolve(root, outdir));
const dist = staging.folder;
const readJson = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { version } = readJson('package.json');

const options = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20',
  // Prefers ECMAScript modules, whose unused parts can be removed.
  mainFields: ['module', 'main'],
  // These files lie beside the bundles.
  define: {
    'process.env.DEVNET_VERSION': JSON.stringify(version),
    'process.env.DEVNET_CORE': '"./core.wasm"',
    'process.env.DEVNET_CORE_STEPS': '"./core-steps.wasm"',
    'process.env.DEVNET_OP_STACK_CODE': '"./op-stack-code.br"',
    'process.env.DEVNET_OPENRPC': '"./openrpc.json"',
    'process.env.DEVNET_EXPLORER': '"./explorer/"',
    'process.env.DEVNET_SCRIPT_TRACERS': '"./script-tracers/"',
  },
  // Identifiers aren't minified: stack traces stay readable without esbuild's keepNames wrapper around every function.
  minifyWhitespace: true,
  minifySyntax: true,
  // Limits the length of lines, because Node prints the source line of an uncaught error.
  lineLimit: 160,
  metafile: true,
  logLevel: 'warning',
};

const script = await buildScript(root, dist, options);
const entries = await buildEntries(root, dist, script.name, options);
for (const path of await buildCore()) copyFileSync(path, join(dist, basename(path)));
writeFileSync(join(dist, 'op-stack-code.br'), packedCodes(readJson('src/state/op-stack-code.json')));
copyFileSync(join(root, 'src/rpc/openrpc.json'), join(dist, 'openrpc.json'));
for (const name of ['worker.mjs', 'prelude.js'])
  cpSync(join(root, 'src/engine/tracers/script', name), join(dist, 'script-tracers', name));
const explorer = await buildExplorer(root, join(dist, 'explorer'));

writeFileSync(
  join(dist, 'THIRD-PARTY-LICENCES.txt'),
  thirdPartyLicences(root, [
    ...[script.metafile, entries].flatMap(({ inputs }) => Object.keys(inputs)),
    ...explorer,
  ]),
);

if (outdir === 'dist') {
  await writeDeclarations(root, dist);
  await writeCodeCache(join(dist, 'cli.js'));
}
staging.replaceTarget();

const bytes = [script.metafile, entries]
  .flatMap(({ outputs }) => Object.values(outputs))
  .reduce((sum, output) => sum + output.bytes, 0);
console.log(`${outdir}: ${Object.values(ENTRIES).join(', ')}, ${Math.round(bytes / 1024)} KiB`);
