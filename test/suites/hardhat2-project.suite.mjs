import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { DEVNET, HARDHAT2 } from './nodes.mjs';

const require = createRequire(import.meta.url);
const here = (path) => resolve(import.meta.dirname, path);

/** How the project's tests are run: name -> command line. The first shows that they are right. */
const RUNS = {
  "on Hardhat's own network": [HARDHAT2, 'test'],
  ...Object.fromEntries(
    ['--automine', '--compat hardhat2'].map((flags) => [
      `in devnet run ${flags}`,
      [
        ...[DEVNET, 'run', ...flags.split(' '), '--report', 'markdown', '--'],
        ...[process.execPath, HARDHAT2, 'test', '--network', 'devnet'],
      ],
    ]),
  ),
};

describe("a Hardhat 2 project passes its tests, which use hardhat-ethers' and hardhat-toolbox's matchers", () => {
  let project;
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'devnet-hardhat2-'));
    cpSync(here('hardhat2-project'), project, { recursive: true });
    cpSync(here('hardhat-project/contracts/Lock.sol'), join(project, 'contracts/Lock.sol'));
    cpSync(here('Counter.sol'), join(project, 'contracts/Counter.sol'));
    symlinkSync(here('hardhat2/node_modules'), join(project, 'node_modules'));
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  for (const [name, args] of Object.entries(RUNS))
    it(name, () => {
      const { status, stdout, stderr, error } = spawnSync(process.execPath, args, {
        cwd: project,
        encoding: 'utf8',
        env: {
          ...process.env,
          CI: 'true',
          HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
          SOLC: require.resolve('solc/soljson.js'),
        },
      });
      assert.equal(error, undefined);
      assert.equal(status, 0, stdout + stderr);
      assert.match(stdout, /\b12 passing\b/);
      // Hardhat 2's artifacts don't tell where immutables are, of which Counter has one.
      if (args[0] === DEVNET) assert.match(stdout, /deployment of Counter\b.*\bCounter\.set\b/s);
    });
});
