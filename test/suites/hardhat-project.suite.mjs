import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { installPackages } from './install-packages.mjs';
import { HARDHAT, startDevnet } from './nodes.mjs';

const require = createRequire(import.meta.url);

describe('a Hardhat 3 project', () => {
  let project;
  before(() => {
    project = mkdtempSync(join(tmpdir(), 'devnet-hardhat-'));
    cpSync(resolve(import.meta.dirname, 'hardhat-project'), project, { recursive: true });
    cpSync(resolve(import.meta.dirname, 'Counter.sol'), join(project, 'contracts/Counter.sol'));
    installPackages(project);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  for (const flags of [['--automine'], ['--compat', 'anvil'], ['--compat', 'hardhat']])
    it(`that names devnet by its URL passes its tests on a node with ${flags.join(' ')}`, async () => {
      const node = await startDevnet(...flags);
      await passes(project, dropInExample('hardhat.config.js', node.url));
      await node.close();
      assertPrintedOnce(node.stdout);
    });

  it('with the plugin passes its tests on chains in its own process', async () => {
    assertPrintedOnce(
      await passes(project, dropInExample('hardhat-plugin.config.js'), { DEVNET_IN_PROCESS: '1' }),
    );
  });
});

/** Lines of console.log, of a transaction that was estimated before it was sent, and of an estimate that failed. */
function assertPrintedOnce(output) {
  for (const line of ['Printer says 7', 'Printer refuses 8'])
    assert.equal(output.split('\n').filter((printed) => printed.trim().endsWith(line)).length, 1, output);
}

/** @returns what was printed */

async function passes(project, configuration, env = {}) {
  writeFileSync(join(project, 'drop-in.config.js'), configuration);
  const run = spawn(process.execPath, [HARDHAT, 'test', 'mocha', '--network', 'devnet'], {
    cwd: project,
    env: {
      ...process.env,
      ...env,
      CI: 'true',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
      SOLC: require.resolve('solc/soljson.js'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [run.stdout, run.stderr])
    stream.setEncoding('utf8').on('data', (chunk) => {
      text += chunk;
    });
  const [code] = await once(run, 'close');
  assert.equal(code, 0, text);
  const [, passing] = /(\d+) passing/.exec(text) ?? [];
  assert.ok(Number(passing) >= 30, text);
  return text;
}
