// Runs the suites of test/suites: third-party tools from npm against the built command.
//   npm run test:clients              all
//   npm run test:clients -- foundry   those whose name has "foundry" in it
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { suitableNode } from './suitable-node.mjs';
import { installSuitePackages, SUITES } from './suite-packages.mjs';

installSuitePackages();
const [part = ''] = process.argv.slice(2);
const files = readdirSync(SUITES).filter((name) => name.endsWith('.suite.mjs') && name.includes(part));
installSuitePackages(join(SUITES, 'hardhat2'));
if (files.includes('wagmi.suite.mjs')) installSuitePackages(join(SUITES, 'wagmi'));
// 330 MB that no other suite needs.
if (files.includes('bundler.suite.mjs')) installSuitePackages(join(SUITES, 'bundler'));
const { status } = spawnSync(
  suitableNode(),
  [
    '--test',
    '--test-concurrency=1',
    // Applies to each file, too: tests of half a minute take several minutes on a loaded machine.
    '--test-timeout=600000',
    '--test-force-exit',
    '--test-reporter=spec',
    ...files,
  ],
  { cwd: SUITES, stdio: 'inherit' },
);
process.exitCode = status ?? 1;
