// What npm runs after an install in a clone, and again before `npx devnet` there and `npm pack`: builds dist/, unless it is newer
// than all that it is made of.
import { readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const SOURCES = [
  'src',
  'scripts/build',
  'scripts/build.mjs',
  'scripts/build-core.mjs',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'tsconfig.build.json',
];

if (changedAt(join(root, 'dist/cli.js')) < Math.max(...SOURCES.map((path) => newest(join(root, path))))) {
  // It takes half a minute: whoever waits for it learns what for. npm shows nothing else of this script by default.
  console.error('devnet: building dist/, which takes half a minute');
  await import('./build.mjs');
}

/** @returns milliseconds since the Unix epoch; -Infinity where nothing is there */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** When the newest of a file, or of all files in a folder, was changed. */
function newest(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path);
  return Math.max(
    changedAt(path),
    ...readdirSync(path, { recursive: true }).map((name) => changedAt(join(path, name))),
  );
}
