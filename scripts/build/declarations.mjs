import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { dts } from 'rolldown-plugin-dts';

/**
 * Writes type declarations for the entries of the package, with what they share in files of its own. Types of packages stay
 * imports.
 * @param {string} root the project's folder
 * @param {string} dist where to
 */
export async function writeDeclarations(root, dist) {
  const emitted = mkdtempSync(join(tmpdir(), 'devnet-declarations-'));
  try {
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', 'tsconfig.build.json', '--outDir', emitted], {
      cwd: root,
      stdio: 'inherit',
    });
    const bundle = await rolldown({
      input: {
        index: join(emitted, 'index.d.ts'),
        vitest: join(emitted, 'test-runners/vitest.d.ts'),
        'vitest-setup': join(emitted, 'test-runners/vitest-setup.d.ts'),
        hardhat: join(emitted, 'test-runners/hardhat.d.ts'),
      },
      plugins: [dts({ dtsInput: true, tsconfig: false })],
      // All but the files of this folder.
      external: (id) => !/^(?:[./]|[A-Za-z]:)/.test(id),
      // No comments with the paths of the emitted files.
      experimental: { attachDebugInfo: 'none' },
    });
    await bundle.write({ dir: dist, format: 'es', banner: '/// <reference lib="esnext.disposable" />' });
    await bundle.close();
  } finally {
    rmSync(emitted, { recursive: true, force: true });
  }
}
