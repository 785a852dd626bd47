import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Gives a project the packages of this folder, and devnet as it is built. */
export function installPackages(project) {
  const installed = join(project, 'node_modules');
  mkdirSync(installed);
  const packages = resolve(import.meta.dirname, 'node_modules');
  for (const name of readdirSync(packages)) symlinkSync(join(packages, name), join(installed, name));
  symlinkSync(resolve(import.meta.dirname, '../..'), join(installed, 'devnet'));
}
