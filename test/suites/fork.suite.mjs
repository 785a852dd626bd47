// anvil forks devnet, and devnet forks anvil: what one tells of its chain is enough for the other to go on from it.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { createPublicClient, createTestClient, createWalletClient, http, parseEther } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { startAnvil, startDevnet } from './nodes.mjs';

const { abi, bytecode } = JSON.parse(
  readFileSync(new URL('../../fixtures/contracts/Token.json', import.meta.url), 'utf8'),
);
const [account, other] = [0, 1].map((addressIndex) =>
  mnemonicToAccount('test test test test test test test test test test test junk', { addressIndex }),
);

function clientsOf({ url }) {
  const transport = http(url);
  return {
    reads: createPublicClient({ chain: foundry, transport, pollingInterval: 20 }),
    writes: createWalletClient({ chain: foundry, transport, account }),
    test: createTestClient({ mode: 'anvil', chain: foundry, transport }),
  };
}

async function mined({ reads }, hash) {
  const receipt = await reads.waitForTransactionReceipt({ hash });
  assert.equal(receipt.status, 'success');
  return receipt;
}

const DEVNET = ['devnet', (...flags) => startDevnet('--automine', ...flags)];
const ANVIL = ['anvil', startAnvil];

for (const [[name, start], [forker, fork]] of [
  [DEVNET, ANVIL],
  [ANVIL, DEVNET],
  [DEVNET, DEVNET],
])
  describe(`${forker} forks ${name}`, () => {
    it('goes on from its state, logs and blocks, and is reset to another block', {
      timeout: 60_000,
    }, async () => {
      const first = await start();
      let second;
      try {
        const one = clientsOf(first);
        const deployed = await one.writes.deployContract({
          abi,
          bytecode,
          args: ['Token', 'TKN', parseEther('5')],
        });
        const { contractAddress: address } = await mined(one, deployed);
        const transfer = (clients, value) =>
          clients.writes.writeContract({
            abi,
            address,
            functionName: 'transfer',
            args: [other.address, value],
          });
        const sent = await transfer(one, 7n);
        const { blockNumber } = await mined(one, sent);

        second = await fork('--fork-url', first.url);
        const two = clientsOf(second);
        const balance = () =>
          two.reads.readContract({ abi, address, functionName: 'balanceOf', args: [other.address] });
        assert.equal(await two.reads.getBlockNumber({ cacheTime: 0 }), blockNumber);
        assert.equal(await balance(), 7n);
        const { hash } = await one.reads.getBlock({ blockNumber });
        assert.equal((await two.reads.getBlock({ blockNumber })).hash, hash);
        const { from, logs } = await two.reads.getTransactionReceipt({ hash: sent });
        assert.equal(from, account.address.toLowerCase());
        assert.equal(logs.length, 1);

        const proof = (node, ...keys) =>
          node.rpc('eth_getProof', address, keys, `0x${blockNumber.toString(16)}`);
        const slot = `0x${'2'.padStart(64, '0')}`;
        assert.deepEqual(await proof(second, slot), await proof(first, slot));
        // anvil takes no shorter names of slots.
        if (forker === 'devnet')
          assert.equal(
            (await proof(second, '0x2')).storageProof[0].value,
            (await proof(first, slot)).storageProof[0].value,
          );
        // What the first chain has after the fork isn't a part of the second.
        if (forker === 'devnet') {
          const later = await transfer(one, 0n);
          const { blockHash } = await mined(one, later);
          assert.equal(await second.rpc('eth_getTransactionReceipt', later), null);
          assert.equal(await second.rpc('eth_getTransactionByHash', later), null);
          assert.equal(await second.rpc('eth_getBlockByHash', blockHash, false), null);
          await assert.rejects(second.rpc('eth_getBalance', address, { blockHash }), { code: -32000 });
        }

        const receipt = await mined(two, await transfer(two, 5n));
        assert.equal(receipt.blockNumber, blockNumber + 1n);
        assert.equal(await balance(), 12n);
        const events = await two.reads.getContractEvents({
          abi,
          address,
          eventName: 'Transfer',
          fromBlock: 0n,
        });
        assert.deepEqual(
          events.map(({ args }) => args.value),
          [parseEther('5'), 7n, 5n],
        );
        await two.test.reset({ jsonRpcUrl: first.url, blockNumber: blockNumber - 1n });
        assert.equal(await balance(), 0n);
        assert.equal(await two.reads.getBlockNumber({ cacheTime: 0 }), blockNumber - 1n);
      } finally {
        await second?.close();
        await first.close();
      }
    });
  });
