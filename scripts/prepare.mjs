// npm runs this after an install in a clone, and again before `npx devnet` there and `npm pack`. Builds dist/, unless it is newer than
// all its sources.
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
  // The build takes half a minute: this message says why. By default npm shows no other output of this script.
  console.error('devnet: building dist/, which takes half a minute');
  await import('./build.mjs');
}

/** @returns milliseconds since the Unix epoch; -Infinity if the path doesn't exist */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** Time of the last change of a file, or of any file in a folder. */
function newest(path) {
  if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) return changedAt(path);
  return Math.max(
    changedAt(path),
    ...readdirSync(path, { recursive: true }).map((name) => changedAt(join(path, name))),
  );
}
