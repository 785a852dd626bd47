import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Instance } from 'prool';
import { createWalletClient, http } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { dropInExample } from '../../scripts/drop-in-examples.mjs';
import { DEVNET, freePort, startDevnet } from './nodes.mjs';

const BURN = '0x000000000000000000000000000000000000dEaD';

describe('the binary under the flags of anvil', () => {
  it('prints "Listening on" and nothing on stderr, and ends with 0 on SIGTERM', async () => {
    const node = await startDevnet(
      '--automine',
      '--chain-id',
      '900',
      '-a',
      '3',
      '--block-base-fee-per-gas',
      '0',
    );
    assert.match(node.stdout, /Chain ID[\s\S]*Available Accounts[\s\S]*Private Keys[\s\S]*Listening on/);
    assert.equal(await node.rpc('eth_chainId'), '0x384');
    assert.equal((await node.rpc('eth_accounts')).length, 3);
    assert.equal(node.stderr, '');
    assert.equal(await node.close(), 0);
  });

  it('is started by prool as an anvil', async () => {
    const port = await freePort();
    const instance = Instance.anvil({
      binary: DEVNET,
      automine: true,
      chainId: 31_337,
      accounts: 4,
      gasLimit: 30_000_000n,
      blockBaseFeePerGas: 7,
      order: 'fifo',
      port,
    });
    await instance.start();
    assert.equal(instance.status, 'started');
    const response = await fetch(`http://127.0.0.1:${port}`, {
      method: 'POST',
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_accounts' }),
    });
    assert.equal((await response.json()).result.length, 4);
    await instance.stop();
    assert.equal(instance.status, 'stopped');
  });

  it("serves as a pool of nodes behind prool's server, one per test worker, as docs/drop-in.md has it", async () => {
    const port = await freePort();
    const folder = mkdtempSync(join(tmpdir(), 'devnet-prool-'));
    symlinkSync(resolve(import.meta.dirname, 'node_modules'), join(folder, 'node_modules'));
    symlinkSync(DEVNET, join(folder, 'devnet'));
    const script = join(folder, 'prool.mjs');
    writeFileSync(
      script,
      `${dropInExample('prool.js').replaceAll('8545', String(port))}process.stdout.write('started');`,
    );
    const path = [folder, dirname(process.execPath), process.env.PATH].join(delimiter);
    const child = spawn(process.execPath, [script], { env: { ...process.env, PATH: path } });
    try {
      await once(child.stdout, 'data');
      await askTwoWorkers(port);
    } finally {
      child.kill();
      await once(child, 'close');
      rmSync(folder, { recursive: true });
    }
  });
});

describe('automine', () => {
  let node;
  before(async () => {
    node = await startDevnet('--automine');
  });
  after(() => node.close());

  it('has the receipt of each of 200 transactions as soon as the send is answered', async () => {
    const account = mnemonicToAccount('test test test test test test test test test test test junk');
    const wallet = createWalletClient({ account, chain: foundry, transport: http(node.url) });
    let found = 0;
    for (let nonce = 0; nonce < 200; nonce++) {
      const raw = await account.signTransaction({
        chainId: 31_337,
        nonce,
        to: BURN,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      });
      const hash = await wallet.sendRawTransaction({ serializedTransaction: raw });
      const receipt = await node.rpc('eth_getTransactionReceipt', hash);
      if (receipt?.status === '0x1' && Number(receipt.blockNumber) === nonce + 1) found++;
    }
    assert.equal(found, 200);
  });

  it('has the receipts of 200 transactions that were sent at once', async () => {
    const [from] = await node.rpc('eth_accounts');
    const receipts = await Promise.all(
      Array.from({ length: 200 }, async () =>
        node.rpc(
          'eth_getTransactionReceipt',
          await node.rpc('eth_sendTransaction', { from, to: BURN, value: '0x1' }),
        ),
      ),
    );
    assert.equal(receipts.filter((receipt) => receipt?.status === '0x1').length, 200);
  });
});

/** Each worker's node is its own: one block on the first, two on the second. */
async function askTwoWorkers(port) {
  const numbers = await Promise.all(
    [1, 2].map(async (worker) => {
      const send = (method, params = []) =>
        fetch(`http://127.0.0.1:${port}/${worker}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
        }).then(async (response) => (await response.json()).result);
      for (let i = 0; i < worker; i++) await send('evm_mine');
      return send('eth_blockNumber');
    }),
  );
  assert.deepEqual(numbers, ['0x1', '0x2']);
}
