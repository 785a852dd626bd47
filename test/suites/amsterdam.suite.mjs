// What devnet run --against amsterdam says of suites, and what becomes of them on a chain of amsterdam.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { confirm } from './amsterdam/confirm.mjs';
import { installPackages } from './install-packages.mjs';
import { foundryBinary, HARDHAT, HARDHAT2 } from './nodes.mjs';

const require = createRequire(import.meta.url);
const here = (path) => resolve(import.meta.dirname, path);
const HARDHAT_ENV = {
  CI: 'true',
  HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
  SOLC: require.resolve('solc/soljson.js'),
};
const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';

describe('a report against amsterdam says what becomes of', () => {
  let folder;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'devnet-amsterdam-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  it('what amsterdam is known to break, and what it is not', async () => {
    const { pairs } = await confirmed({ command: [process.execPath, here('amsterdam/victims.mjs')] });
    const verdicts = pairs.slice(4).map(({ told, happened }) => told?.verdict ?? happened);
    assert.deepEqual(verdicts, [
      // a first deposit with a limit of 150,000; with an estimated one; a second one with 150,000
      ...['fails with this limit', 'other logs', 'other logs'],
      // transfer() to a contract that reads a slot; call(); transfer() to an account
      ...['fails with any', 'other logs', 'other logs'],
      // {gas: 30000} and all gas
      ...['fails with this limit', 'dearer'],
      // 21,000 to a new account; an estimated limit; 21,000 to an account that exists; without ETH
      ...['fails with this limit', 'other logs', 'other logs', 'cheaper'],
    ]);
  });

  it('the transactions of the picture in docs/amsterdam.md', async () => {
    await confirmed({ command: [process.execPath, here('../../scripts/against-sample.mjs')] });
  });

  // On blocks as large as those of amsterdam: there the limit of 8 million, which the suite has by itself, is too low for most deployments.
  it("OpenZeppelin's contracts, where each transaction has a limit of 60 million", async () => {
    const { pairs } = await confirmed({
      command: [process.execPath, '--test', here('openzeppelin.suite.mjs')],
      flags: ['--gas-limit', '200000000', '--timestamp', '1700000000'],
      // Not a part of the run of tests that this file is.
      env: { GAS: '60000000', NODE_TEST_CONTEXT: undefined },
    });
    assert.ok(pairs.length > 40);
  });

  it('a Hardhat 3 project', async () => {
    const project = join(folder, 'hardhat');
    cpSync(here('hardhat-project'), project, { recursive: true });
    cpSync(here('Counter.sol'), join(project, 'contracts/Counter.sol'));
    installPackages(project);
    const configuration = dropInExample('hardhat.config.js', 'DEVNET');
    writeFileSync(
      join(project, 'drop-in.config.js'),
      configuration.replace("'DEVNET'", 'process.env.DEVNET_URL'),
    );
    const command = [process.execPath, HARDHAT, 'test', 'mocha', '--network', 'devnet'];
    const { pairs } = await confirmed({ command, cwd: project, env: HARDHAT_ENV });
    assert.ok(pairs.length > 20);
  });

  it('a Hardhat 2 project', async () => {
    const project = join(folder, 'hardhat2');
    cpSync(here('hardhat2-project'), project, { recursive: true });
    cpSync(here('hardhat-project/contracts/Lock.sol'), join(project, 'contracts/Lock.sol'));
    cpSync(here('Counter.sol'), join(project, 'contracts/Counter.sol'));
    symlinkSync(here('hardhat2/node_modules'), join(project, 'node_modules'));
    const command = [process.execPath, HARDHAT2, 'test', '--network', 'devnet'];
    const { pairs } = await confirmed({ command, cwd: project, env: HARDHAT_ENV });
    assert.ok(pairs.length > 10, `${pairs.length}`);
  });

  it('a project of Foundry that is deployed by forge create and called by cast', async () => {
    const project = join(folder, 'foundry');
    cpSync(here('foundry-project'), project, { recursive: true });
    cpSync(here('Counter.sol'), join(project, 'src/Counter.sol'));
    const script = `
      export ETH_RPC_URL=$DEVNET_URL
      $FORGE create src/Counter.sol:Counter --rpc-url $DEVNET_URL --private-key $KEY --use $SOLC --broadcast --constructor-args 5
      deployed=0x5FbDB2315678afecb367f032d93F642f64180aa3
      send="$CAST send --private-key $KEY"
      $send $deployed 'increment()'
      $send $deployed 'set(uint256)' 7
      $send --gas-limit 60000 $deployed 'set(uint256)' 8
      $send --value 1ether 0x0000000000000000000000000000000000000b0b
      $send --value 1ether 0x0000000000000000000000000000000000000b0b`;
    const env = {
      KEY,
      FORGE: foundryBinary('forge'),
      CAST: foundryBinary('cast'),
      SOLC: here('solc.mjs'),
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
    };
    const { pairs } = await confirmed({ command: ['sh', '-ec', script], cwd: project, env });
    assert.equal(pairs.length, 6);
  });
});

/** Runs a suite on both chains, and compares each transaction. */
async function confirmed(suite) {
  const result = await confirm(suite);
  const { pairs, report, status, differences, output } = result;
  assert.deepEqual(differences, []);
  assert.equal(report.notCompared, 0);
  assert.equal(report.transactions, pairs.length);
  // No more than single transactions fail: the suite sends all of them at amsterdam, too.
  assert.equal(status, 0, output);
  assert.ok(
    pairs.every(({ after }) => after),
    output,
  );
  return result;
}
