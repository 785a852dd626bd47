// Compiles src/core (AssemblyScript) to the WebAssembly modules that src/engine/wasm loads: build/core.wasm, and build/core-steps.wasm for
// runs that are traced step by step. Skips modules that are newer than their sources. The same sources and compiler always give the same
// bytes.
//   node scripts/build-core.mjs [--debug]    --debug: names of functions, no optimisation
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeCoreTables } from './build/core-tables.mjs';
import { keccakPermutation } from './build/keccak.mjs';

const root = resolve(import.meta.dirname, '..');
const sources = join(root, 'src/core');
const folder = join(root, 'build');
/** The modules, and whether they report steps: see src/core/evm/steps.ts. */
const MODULES = { 'core.wasm': false, 'core-steps.wasm': true };
const GENERATED = { 'memory/keccak-permutation.ts': keccakPermutation };

const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime=stub',
  '--use=abort=',
  '--enable=simd',
  // Constants lie at the beginning of the memory; layout.ts defines the rest.
  '--memoryBase=1024',
  '--initialMemory=352',
  '--maximumMemory=65536',
];
const DEBUG_OPTIONS = OPTIONS.map((option) => (option === '-O3' ? '--debug' : option));

/** @returns {Promise<Uint8Array>} the module */
export async function compileCore({ debug = false, steps = false } = {}) {
  await writeCoreTables();
  const { default: asc } = await import('assemblyscript/asc');
  let module;
  const { error, stderr } = await asc.main(
    [
      'index.ts',
      '--outFile=core.wasm',
      `--use=TELLS_STEPS=${Number(steps)}`,
      ...(debug ? DEBUG_OPTIONS : OPTIONS),
    ],
    {
      readFile(name) {
        if (GENERATED[name]) return GENERATED[name]();
        try {
          return asAssemblyScript(readFileSync(resolve(sources, name), 'utf8'));
        } catch {
          return null;
        }
      },
      writeFile: (_, contents) => {
        module = contents;
      },
      listFiles: () => [],
    },
  );
  if (error) throw new Error(`${stderr.toString()}\n${error.message}`);
  return module;
}

/**
 * Converts a source to AssemblyScript. The sources are also TypeScript, so that its compiler, the linter and the import check understand
 * them. The differences: decorators of functions are in comments, and imports have file endings.
 */
const asAssemblyScript = (source) =>
  source.replace(/^\/\* (@\w+(?:\(.*\))?) \*\/ /gm, '$1 ').replace(/(from '\..*)\.ts';$/gm, "$1';");

/** Compiles the modules that are older than their sources. @returns {Promise<[string, string]>} their paths */
export async function buildCore(options = {}) {
  const inputs = [
    ...readdirSync(sources, { recursive: true }).map((name) => join(sources, name)),
    import.meta.filename,
    join(root, 'scripts/build/core-fields.mjs'),
    join(root, 'scripts/build/core-tables.mjs'),
    join(root, 'scripts/build/keccak.mjs'),
  ];
  const changed = Math.max(...inputs.map((file) => statSync(file).mtimeMs));
  const paths = [];
  for (const [name, steps] of Object.entries(MODULES)) {
    const target = join(folder, name);
    paths.push(target);
    const built = statSync(target, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (!options.debug && built >= changed) continue;
    mkdirSync(folder, { recursive: true });
    // Written to a new file and renamed, because another process may be reading the module.
    const fresh = `${target}.${process.pid}`;
    writeFileSync(fresh, await compileCore({ ...options, steps }));
    renameSync(fresh, target);
  }
  return paths;
}

if (process.argv[1] === import.meta.filename) {
  for (const path of await buildCore({ debug: process.argv.includes('--debug') }))
    console.log(`${path}: ${statSync(path).size} bytes`);
}
