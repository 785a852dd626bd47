import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';
import { REQUIRED } from './entries.mjs';

/** Entries of the package: name of the file -> path under src, without the ending. */
const ENTRIES = {
  index: 'index',
  vitest: 'test-runners/vitest',
  'vitest-setup': 'test-runners/vitest-setup',
  hardhat: 'test-runners/hardhat',
};

/** Packages whose code is in the bundle, so that users don't have them installed: their types are inlined. */
const INLINED = [/^@ethereumjs\//];

/**
 * Writes one file of type declarations for each entry of the package, with all types that it needs. Types of other packages stay imports.
 * @param {string} root the project's folder
 * @param {string} dist the folder to write to
 */
export async function writeDeclarations(root, dist) {
  const emitted = mkdtempSync(join(tmpdir(), 'devnet-declarations-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(emitted, 'node_modules'));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', emitted], {
      cwd: root,
      stdio: 'inherit',
    });
    for (const [name, path] of Object.entries(ENTRIES)) {
      const bundle = await rolldown({
        input: { [name]: join(emitted, `${path}.d.ts`) },
        plugins: [dts({ dtsInput: true, tsconfig: false, resolve: INLINED })],
        // Everything except the files of this folder.
        external: (id) => !/^(?:[./]|[A-Za-z]:)/.test(id) && !INLINED.some((p) => p.test(id)),
        checks: { pluginTimings: false },
        // No comments with the paths of the emitted files.
        experimental: { attachDebugInfo: 'none' },
      });
      await bundle.write({ dir: dist, format: 'es' });
      await bundle.close();
      addLibrary(join(dist, `${name}.d.ts`));
      if (REQUIRED.includes(name)) addForRequire(dist, name);
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** Names the library of `Disposable`, which a program's own target may not include. Rolldown writes no such comment as a banner. */
function addLibrary(path) {
  writeFileSync(path, `/// <reference lib="esnext.disposable" />\n${readFileSync(path, 'utf8')}`);
}

/**
 * For `require` TypeScript reads the declarations from a file with the ending `.d.cts`. An ECMAScript module may import from it, but not
 * the other way around, so it has the declarations, and `.d.ts` exports them again. A default export would arrive inside an object
 * there: with one, each file has all declarations.
 */
function addForRequire(dist, name) {
  const [path, required] = [join(dist, `${name}.d.ts`), join(dist, `${name}.d.cts`)];
  copyFileSync(path, required);
  const hasDefault = /\bas default\b|\bexport default\b/.test(readFileSync(path, 'utf8'));
  if (!hasDefault) writeFileSync(path, `export * from './${name}.cjs';\n`);
}
