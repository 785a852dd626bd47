import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** path of the built command */
    readonly command: string;
  }
}

/** Builds the command once for the tests that run it, into a folder that is deleted afterwards. */
export default function buildCommand(project: TestProject): () => void {
  const root = resolve(import.meta.dirname, '../../..');
  const outdir = `.test-build-${process.pid}`;
  execFileSync(process.execPath, [join(root, 'scripts/build.mjs'), outdir], { cwd: root });
  project.provide('command', join(root, outdir, 'cli.js'));
  return () => rmSync(join(root, outdir), { recursive: true, force: true });
}
