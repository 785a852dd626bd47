import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createBlockFromRLP } from '@ethereumjs/block';
import { createBlockchain } from '@ethereumjs/blockchain';
import { createCommonFromGethGenesis } from '@ethereumjs/common';
import { bytesToHex, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import { runBlock } from '@ethereumjs/vm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createNode } from '../../src/boot/node.ts';
import { createDevnet, type DevnetOptions } from '../../src/index.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { ExportError, exportChain } from '../../src/replay/export-chain.ts';
import { rlpItems } from '../../src/replay/rlp-stream.ts';
import { parseAlloc } from '../../src/state/genesis.ts';
import { CHAIN_ID, Counter, ETHER } from '../engine/ethereumjs/accounts.ts';
import { stockVm } from '../engine/ethereumjs/stock.ts';
import { hooks } from './sample-chain.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-export-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

const OPTIONS: DevnetOptions = { chainId: CHAIN_ID, timestamp: 1_700_000_000, manualClock: true };

/** A chain in `dir`, made by `work`. */
async function made(
  options: DevnetOptions,
  work: (
    ask: (method: string, ...params: unknown[]) => Promise<unknown>,
    node: Awaited<ReturnType<typeof createNode>>,
  ) => Promise<void>,
) {
  const config = resolveOptions({ ...OPTIONS, ...options, dataDir: join(dir, 'data') });
  const node = await createNode(config, hooks);
  await work((method, ...params) => node.dispatcher.request(method, params), node);
  const head = node.chain.latest.hash;
  await node.close();
  return { config, head: bytesToHex(head), out: join(dir, 'out') };
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error) => error as ExportError,
  );

async function blocksIn(out: string): Promise<Uint8Array[]> {
  const blocks: Uint8Array[] = [];
  for await (const encoded of rlpItems(join(out, 'chain.rlp'))) blocks.push(encoded);
  return blocks;
}

describe('an export', () => {
  it.each(['london', 'shanghai', 'cancun', 'prague', 'osaka'] as const)(
    'of a %s chain is imported to the same head, by this node and by the library',
    async (hardfork) => {
      const { config, head, out } = await made({ noMining: true, hardfork }, async (ask, node) => {
        const [from, to] = node.accounts.map(({ address }) => address.toString());
        await ask('eth_sendTransaction', { from, to, value: '0x1' });
        await ask('eth_sendTransaction', { from, data: bytesToHex(Counter.initCode), gas: '0xf4240' });
        for (let i = 0; i < 3; i++) await ask('evm_mine');
      });
      expect(await exportChain(config, out, { version: 'test' })).toEqual({ number: 3n, hash: head });

      const init = JSON.parse(readFileSync(join(out, 'genesis.json'), 'utf8'));
      const again = await createDevnet({ init, import: join(out, 'chain.rlp') });
      expect(
        await again.provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
      ).toMatchObject({ hash: head });
      const genesis = (await again.provider.request({
        method: 'debug_getRawBlock',
        params: ['0x0'],
      })) as PrefixedHexString;
      await again.close();

      const common = createCommonFromGethGenesis(init, { chain: 'export' });
      // Before the merge the library pays rewards, which a chain without difficulty doesn't.
      if (hardfork === 'london') common.consensusType = () => 'pos';
      common.setHardforkBy({ blockNumber: 0n, timestamp: BigInt(init.timestamp) });
      const genesisBlock = createBlockFromRLP(hexToBytes(genesis), { common });
      const blockchain = await createBlockchain({ common, genesisBlock, validateConsensus: false });
      const vm = await stockVm(common, parseAlloc(init.alloc), blockchain);
      for (const encoded of await blocksIn(out)) {
        const block = createBlockFromRLP(encoded, { common });
        await blockchain.putBlock(block);
        // Header, transactions, receipts, gas and state root are all checked.
        await runBlock(vm, { block, root: await vm.stateManager.getStateRoot() });
      }
      expect(bytesToHex((await blockchain.getCanonicalHeadHeader()).hash())).toBe(head);
    },
  );

  it('stops at the block after a dev write, and names it', async () => {
    const { config, out } = await made({ noMining: true }, async (ask, node) => {
      await ask('evm_mine');
      await node.sequencer.patch('outside', async ({ state }) => ({
        accounts: new Map([
          [
            node.accounts[1]!.address.toString(),
            { ...(await state.getAccount(node.accounts[1]!.address))!, balance: ETHER },
          ],
        ]),
        storage: new Map(),
        code: new Map(),
      }));
      await ask('evm_mine');
    });
    const error = await refusal(exportChain(config, out, { version: 'test' }));
    expect(error).toBeInstanceOf(ExportError);
    expect(error).toMatchObject({ number: 2n });
    expect((await blocksIn(out)).length).toBe(1);
  });

  it("stops at a block of its parent's time", async () => {
    const { config, out } = await made({ noMining: true, allowEqualTimestamps: true }, async (ask) => {
      await ask('evm_mine');
      await ask('evm_mine');
    });
    expect(await refusal(exportChain(config, out, { version: 'test' }))).toMatchObject({ number: 1n });
  });

  it('stops at a transaction over the cap of EIP-7825', async () => {
    const { config, out } = await made({ noMining: true }, async (ask, node) => {
      const from = node.accounts[0]!.address.toString() as PrefixedHexString;
      await ask('eth_sendTransaction', { from, to: from, gas: '0x1000001' });
      await ask('evm_mine');
    });
    expect(await refusal(exportChain(config, out, { version: 'test' }))).toMatchObject({ number: 1n });
  });

  it('stops before the genesis block where that has a number, which other clients refuse', async () => {
    const { config, out } = await made({ noMining: true, number: 5 }, async (ask) => {
      await ask('evm_mine');
    });
    expect(await refusal(exportChain(config, out, { version: 'test' }))).toMatchObject({ number: 5n });
    const { hash } = await exportChain(config, out, { version: 'test', from: 6n });
    expect(hash).toMatch(/^0x/);
  });

  it('of the state at a block makes a genesis of it, dev writes included', async () => {
    let root = '';
    const { config, out } = await made({ noMining: true }, async (ask, node) => {
      const [from, to] = node.accounts.map(({ address }) => address.toString());
      await ask('eth_sendTransaction', { from, data: bytesToHex(Counter.initCode), gas: '0xf4240' });
      await ask('evm_mine');
      await ask('anvil_setStorageAt', to, '0x5', `0x${'00'.repeat(31)}07`);
      await ask('anvil_setBalance', to, '0x99');
      root = bytesToHex(node.chain.latest.state.root);
      await ask('evm_mine');
    });
    const { hash } = await exportChain(config, out, { version: 'test', from: 1n });
    const init = JSON.parse(readFileSync(join(out, 'genesis.json'), 'utf8'));
    const again = await createDevnet({ init, import: join(out, 'chain.rlp') });
    expect(
      await again.provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
    ).toMatchObject({ number: '0x0', hash, stateRoot: root });
    await again.close();
    expect(await refusal(exportChain(config, out, { version: 'test', from: 9n }))).toBeInstanceOf(Error);
  });

  it('refuses a directory without a chain', async () => {
    const config = resolveOptions({ ...OPTIONS, dataDir: join(dir, 'nothing') });
    expect(await refusal(exportChain(config, dir, { version: 'test' }))).toBeInstanceOf(Error);
  });
});
