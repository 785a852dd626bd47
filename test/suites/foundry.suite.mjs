import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { foundryBinary, startDevnet } from './nodes.mjs';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const SENDER = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
const BOB = '0x0000000000000000000000000000000000000B0b';
const SOLC = resolve(import.meta.dirname, 'solc.mjs');

let project;
before(() => {
  project = mkdtempSync(join(tmpdir(), 'devnet-forge-'));
  cpSync(resolve(import.meta.dirname, 'foundry-project'), project, { recursive: true });
  cpSync(resolve(import.meta.dirname, 'Counter.sol'), join(project, 'src/Counter.sol'));
});
after(() => rmSync(project, { recursive: true, force: true }));

const MODES = {
  automine: ['--automine'],
  // What anvil calls interval mining.
  interval: ['--block-time', '0.5', '--flashblock-interval', '0'],
  'pre-confirming': ['--block-time', '0.5', '--flashblock-interval', '100'],
};

for (const [mode, flags] of Object.entries(MODES))
  describe(`cast and forge with ${mode} mode`, () => {
    let node;
    let counter;
    before(async () => {
      node = await startDevnet(...flags);
    });
    after(() => node.close());

    // Both take a sender's nonce from `latest`, where pre-confirmed transactions aren't yet.
    const sealed = async () => {
      const nonces = () =>
        Promise.all(['latest', 'pending'].map((tag) => node.rpc('eth_getTransactionCount', SENDER, tag)));
      for (let [latest, pending] = await nonces(); latest !== pending; [latest, pending] = await nonces());
    };
    const run = async (tool, ...args) => {
      await sealed();
      const { stdout } = await promisify(execFile)(foundryBinary(tool), args, {
        cwd: project,
        env: { ...process.env, ETH_RPC_URL: node.url, FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' },
      });
      return stdout.trim();
    };
    const cast = (...args) => run('cast', ...args);
    const castJson = async (...args) => JSON.parse(await cast(...args, '--json'));
    const forge = (...args) => run('forge', ...args);
    const signed = ['--private-key', KEY];

    it('forge create deploys a contract', async () => {
      const { deployedTo, deployer, transactionHash } = JSON.parse(
        (
          await forge(
            ...['create', 'src/Counter.sol:Counter', '--rpc-url', node.url, ...signed],
            ...['--use', SOLC, '--broadcast', '--json', '--constructor-args', '5'],
          )
        ).replace(/^[^{]*/, ''),
      );
      counter = deployedTo;
      assert.equal(deployer, SENDER);
      assert.equal((await castJson('receipt', transactionHash)).contractAddress, counter.toLowerCase());
      assert.equal(await cast('call', counter, 'number()(uint256)'), '5');
    });

    const scripts = {
      'forge script --broadcast --slow': () =>
        forge(
          ...['script', 'script/Deploy.s.sol:Deploy', '--rpc-url', node.url, ...signed],
          ...['--use', SOLC, '--broadcast', '--slow'],
        ),
      'the forge script of docs/drop-in.md': async () => {
        await sealed();
        const path = [dirname(foundryBinary('forge')), process.env.PATH].join(delimiter);
        await promisify(execFile)('sh', ['-ec', dropInExample('deploy.sh', node.url)], {
          cwd: project,
          env: { ...process.env, PATH: path, KEY, FOUNDRY_SOLC: SOLC },
        });
      },
    };
    for (const [salt, [name, run]] of Object.entries(scripts).entries())
      it(`${name} sends its transactions and reads their receipts`, async () => {
        const before = BigInt(await cast('balance', BOB));
        process.env.SALT = String(salt);
        await run();
        const { receipts, transactions } = JSON.parse(
          readFileSync(join(project, 'broadcast/Deploy.s.sol/31337/run-latest.json'), 'utf8'),
        );
        assert.equal(transactions.length, 10);
        assert.deepEqual([...new Set(receipts.map(({ status }) => status))], ['0x1']);
        const [first, second] = transactions.map(({ contractAddress }) => contractAddress);
        assert.equal(await cast('call', first, 'number()(uint256)'), '42');
        assert.equal(await cast('call', second, 'number()(uint256)'), '15');
        assert.equal(BigInt(await cast('balance', BOB)) - before, 3n * 10n ** 18n);
      });

    it('cast send, receipt, tx and logs', async () => {
      const receipt = await castJson('send', counter, 'increment()', ...signed);
      assert.equal(receipt.status, '0x1');
      assert.equal(receipt.logs.length, 1);
      const hash = receipt.transactionHash;
      assert.equal((await castJson('receipt', hash)).transactionHash, hash);
      assert.equal((await castJson('tx', hash)).hash, hash);
      assert.equal(await cast('receipt', hash, 'status'), 'true');
      const logs = await castJson(
        ...['logs', '--from-block', receipt.blockNumber, '--address', counter, 'Changed(address,uint256)'],
      );
      assert.deepEqual(
        logs.map(({ transactionHash }) => transactionHash),
        [hash],
      );
    });

    it('cast send of an unlocked account, of a value and with --async', async () => {
      const before = BigInt(await cast('balance', BOB));
      const receipt = await castJson('send', BOB, '--value', '1ether', '--unlocked', '--from', SENDER);
      assert.equal(receipt.status, '0x1');
      const hash = await cast('send', BOB, '--value', '2', '--async', ...signed);
      assert.equal((await castJson('receipt', hash)).status, '0x1');
      assert.equal(BigInt(await cast('balance', BOB, '--block', 'pending')) - before, 10n ** 18n + 2n);
    });

    it('cast send of each type of transaction', async () => {
      for (const flags of [
        ['--legacy'],
        ['--access-list'],
        ['--gas-limit', '100000', '--priority-gas-price', '1gwei', '--gas-price', '5gwei'],
      ])
        assert.equal((await castJson('send', counter, 'increment()', ...signed, ...flags)).status, '0x1');
      const delegated = await castJson('send', BOB, '--auth', counter, ...signed);
      assert.equal(delegated.type, '0x4');
      const undone = '0x0000000000000000000000000000000000000000';
      assert.equal((await castJson('send', BOB, '--auth', undone, ...signed)).status, '0x1');
    });

    it('cast estimate, nonce, gas-price, base-fee, chain-id, code, storage, proof and client', async () => {
      assert.ok(BigInt(await cast('estimate', counter, 'increment()', '--from', SENDER)) > 21_000n);
      assert.ok(Number(await cast('nonce', SENDER)) > 5);
      assert.ok(BigInt(await cast('gas-price')) > 0n);
      assert.ok(BigInt(await cast('base-fee')) > 0n);
      assert.equal(await cast('chain-id'), '31337');
      assert.match(await cast('client'), /^anvil\//);
      assert.match(await cast('code', counter), /^0x60/);
      assert.equal((await castJson('proof', counter, '0')).storageProof.length, 1);
      assert.equal(
        BigInt(await cast('storage', counter, '0')),
        BigInt((await cast('call', counter, 'number()(uint256)')).split(' ')[0]),
      );
    });

    it('cast block in its forms', async () => {
      const block = await castJson('block', 'latest');
      assert.match(block.hash, /^0x[\da-f]{64}$/);
      assert.match(await cast('block', 'latest', '--field', 'timestamp'), /^\d+/);
      assert.equal((await castJson('block', '0', '--full')).number, '0x0');
      assert.match(await cast('block', 'pending'), /transactions/);
      assert.ok(Number(await cast('age', 'latest', '--rpc-url', node.url).then(() => 1)));
      assert.equal(await cast('find-block', String(Number(block.timestamp))).then(Boolean), true);
    });

    it('cast rpc and the switches of anvil', async () => {
      await cast('rpc', 'anvil_setBalance', BOB, '0x64');
      assert.equal(await cast('balance', BOB), '100');
      await cast('rpc', 'anvil_impersonateAccount', BOB);
      await cast('rpc', 'anvil_setBalance', BOB, '0xde0b6b3a7640000');
      const { status } = await castJson('send', SENDER, '--value', '1', '--from', BOB, '--unlocked');
      assert.equal(status, '0x1');
    });

    it('cast call decodes a revert', async () => {
      await assert.rejects(cast('call', counter, 'fail(string)', 'no way'), /no way/);
      await assert.rejects(cast('call', counter, 'set(uint256)', '1', '--from', BOB), /execution reverted/);
      await assert.rejects(cast('estimate', counter, 'fail(string)', 'no way'), /no way/);
    });

    it('cast call --trace and cast run replay what happened', async () => {
      assert.match(
        await cast('call', counter, 'increment()', '--trace'),
        /Gas used|Transaction successfully/,
      );
      const { transactionHash } = await castJson('send', counter, 'increment()', ...signed);
      assert.match(await cast('run', transactionHash, '--quick'), /Gas used: \d+/);
      assert.match(await cast('run', transactionHash), /Gas used: \d+/);
    });

    it('cast access-list, publish, mktx, compute-address, txpool and storage of a past block', async () => {
      assert.match(await cast('access-list', counter, 'increment()', '--from', SENDER), /access list/i);
      const raw = await cast('mktx', BOB, '--value', '1', ...signed);
      assert.match(await cast('publish', raw), /0x[\da-f]{64}/);
      assert.match(await cast('tx-pool', 'status'), /pending/);
      assert.match(await cast('decode-transaction', raw), /0x/);
      assert.equal(await cast('balance', BOB, '--block', '0'), '0');
    });
  });

describe('cast and forge before the block of a pre-confirmed transaction is sealed', () => {
  const BOTH = /nonce too low.* at latest.* at pending.* --automine or --flashblock-interval 0/;
  let node;
  before(async () => {
    node = await startDevnet('--block-time', '3600', '--flashblock-interval', '100');
  });
  after(() => node.close());

  const run = async (tool, ...args) =>
    (
      await promisify(execFile)(foundryBinary(tool), args, {
        cwd: project,
        env: { ...process.env, ETH_RPC_URL: node.url, SALT: '0', FOUNDRY_DISABLE_NIGHTLY_WARNING: '1' },
      })
    ).stdout.trim();

  it('a second cast send is refused with what to do, and works with the nonce at pending', async () => {
    const send = (...more) =>
      run('cast', 'send', BOB, '--value', '1', '--private-key', KEY, '--json', ...more);
    assert.equal(JSON.parse(await send()).status, '0x1');
    await assert.rejects(send(), BOTH);
    const nonce = await run('cast', 'nonce', SENDER, '--block', 'pending');
    assert.equal(JSON.parse(await send('--nonce', nonce)).status, '0x1');
  });

  it('a script of ten transactions works, and a second script is refused with what to do', async () => {
    // The second account of the mnemonic.
    const key = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';
    const script = () =>
      run(
        ...['forge', 'script', 'script/Deploy.s.sol:Deploy', '--rpc-url', node.url, '--private-key', key],
        ...['--use', SOLC, '--broadcast'],
      );
    assert.match(await script(), /ONCHAIN EXECUTION COMPLETE & SUCCESSFUL/);
    await assert.rejects(script(), BOTH);
  });
});
