import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { buildCore } from './build-core.mjs';

const root = resolve(import.meta.dirname, '..');

/**
 * Bundles TypeScript sources with what they import, and imports the bundle.
 * @param {readonly string[]} paths without `.ts`, from the root of the repository
 * @returns {Promise<Record<string, any>>} the exports of all sources
 */
export async function importSources(paths) {
  const [core] = await buildCore();
  const folder = mkdtempSync(join(root, 'build/sources-'));
  const file = join(folder, 'sources.mjs');
  const { outputFiles } = await build({
    stdin: {
      contents: paths.map((path) => `export * from './${path}.ts';`).join('\n'),
      resolveDir: root,
    },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    external: ['secp256k1', 'tiny-secp256k1'],
    mainFields: ['module', 'main'],
    define: { 'process.env.DEVNET_CORE': JSON.stringify(pathToFileURL(core).href) },
    banner: {
      js: "import { createRequire as requireFrom_ } from 'node:module'; const require = requireFrom_(import.meta.url);",
    },
    logLevel: 'error',
  });
  writeFileSync(file, outputFiles[0].contents);
  try {
    return await import(pathToFileURL(file).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
