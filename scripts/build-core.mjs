// Compiles src/core (AssemblyScript) to the WebAssembly modules that src/engine/wasm loads: build/core.wasm, and build/core-steps.wasm for
// runs of which each step is watched. Skips it when the modules are newer than their sources. The same sources and compiler always give the same bytes.
//   node scripts/build-core.mjs [--debug]    --debug: names of functions, no optimisation
import { mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { writeCoreTables } from './build/core-tables.mjs';
import { keccakPermutation } from './build/keccak.mjs';

const root = resolve(import.meta.dirname, '..');
const sources = join(root, 'src/core');
const folder = join(root, 'build');
/** The modules, and whether they tell of steps: see src/core/evm/steps.ts. */
const MODULES = { 'core.wasm': false, 'core-steps.wasm': true };
const GENERATED = { 'memory/keccak-permutation.ts': keccakPermutation };

const OPTIONS = [
  '-O3',
  '--noAssert',
  '--runtime=stub',
  '--use=abort=',
  '--enable=simd',
  // layout.ts says what lies behind the constants.
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
 * The sources are TypeScript, too, so that its compiler, the linter and the check of imports understand them. What differs: decorators of
 * functions stand in comments, and imports name files with their endings.
 */
const asAssemblyScript = (source) =>
  source.replace(/^\/\* (@\w+(?:\(.*\))?) \*\/ /gm, '$1 ').replace(/(from '\..*)\.ts';$/gm, "$1';");

/** Compiles what is older than a source. @returns {Promise<[string, string]>} paths of the modules */
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
    // Another process may be reading it.
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
