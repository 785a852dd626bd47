import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Name of the file of what several entries need. */
const SHARED = 'types';

/**
 * Writes a file of type declarations for each entry of the package, and one of all that several of them need, so that a chain of the one is
 * a chain of the other. Types of other packages stay imports.
 *
 * For `require` TypeScript reads declarations from files with the ending `.d.cts`. An ECMAScript module may import from them, but not the
 * other way around: what is shared is in such a file.
 * @param {string} root the project's folder
 * @param {string} dist the folder to write to
 */
export async function writeDeclarations(root, dist) {
  mkdirSync(dist, { recursive: true });
  const emitted = mkdtempSync(join(tmpdir(), 'devnet-declarations-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(emitted, 'node_modules'));
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', emitted], {
      cwd: root,
      stdio: 'inherit',
    });
    for (const { fileName, code } of await bundled(emitted)) {
      const name = fileName.replace(/\.d\.ts$/, '');
      if (name === SHARED) writeFileSync(join(dist, `${SHARED}.d.cts`), `${LIBRARY}\n${code}`);
      else writeEntry(dist, name, code.replaceAll(`"./${SHARED}.js"`, `"./${SHARED}.cjs"`));
    }
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}

/** @param {string} emitted folder with the compiler's declarations @returns the files, each with its name and text */
async function bundled(emitted) {
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(ENTRIES).map(([name, path]) => [name, join(emitted, `${path}.d.ts`)]),
    ),
    plugins: [dts({ dtsInput: true, tsconfig: false, resolve: INLINED })],
    // Everything except the files of this folder.
    external: (id) => !/^(?:[./]|[A-Za-z]:)/.test(id) && !INLINED.some((p) => p.test(id)),
    checks: { pluginTimings: false },
    // No comments with the paths of the emitted files.
    experimental: { attachDebugInfo: 'none' },
  });
  const { output } = await bundle.generate({
    format: 'es',
    chunkFileNames: '[name].d.ts',
    // Types have their names in editors and messages.
    minifyInternalExports: false,
    codeSplitting: { groups: [{ name: SHARED, minShareCount: 2 }] },
  });
  await bundle.close();
  return output;
}

/** The library of `Disposable`, which a program's own target may not include. Rolldown writes no such comment as a banner. */
const LIBRARY = '/// <reference lib="esnext.disposable" />';

/** A default export would arrive inside an object in an ECMAScript module: with one, each of both files has the entry's declarations. */
function writeEntry(dist, name, code) {
  const isRequired = REQUIRED.includes(name);
  const hasDefault = /\bas default\b|\bexport default\b/.test(code);
  if (isRequired) writeFileSync(join(dist, `${name}.d.cts`), code);
  writeFileSync(
    join(dist, `${name}.d.ts`),
    isRequired && !hasDefault ? `export * from './${name}.cjs';\n` : code,
  );
}
