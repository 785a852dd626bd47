import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import { buildSync } from 'esbuild';

const ROOT = resolve(import.meta.dirname, '../..');

/**
 * Runs a script in a process of its own, since V8's flags and heap are those of a whole process.
 * @param contents a module, which may import from `./src`
 * @returns what it printed
 */
export function runScript(contents: string, ...args: readonly string[]): string {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: ROOT },
    bundle: true,
    platform: 'node',
    format: 'esm',
    write: false,
  });
  return node('--input-type=module', '-e', outputFiles[0]!.text, ...args);
}

/** @returns what it printed */
export function node(...args: readonly string[]): string {
  return execFileSync(process.execPath, args, { encoding: 'utf8' });
}
