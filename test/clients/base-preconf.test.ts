import { createPublicClient, createWalletClient, http } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { base, basePreconf } from 'viem/chains';
import { afterEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { callsOf } from '../wire.ts';
import { PATIENT } from './viem-clients.ts';

const account = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const BOB = '0x0000000000000000000000000000000000000b0b';

let node: Devnet | undefined;
afterEach(async () => {
  await node?.close();
  node = undefined;
});

async function started(options: DevnetOptions) {
  node = await createDevnet({ port: 0, manualClock: true, chainId: 8453, ...options });
  const call = callsOf(node);
  return { pass: (ms: number) => call('devnet_tick', ms), transport: http(node.url!, PATIENT) };
}

describe("viem's chains of Base", () => {
  it.each<[DevnetOptions]>([[{ preset: 'base-flashblocks' }], [{}]])(
    'basePreconf reads pre-confirmed state with %o',
    async (options) => {
      const { pass, transport } = await started(options);
      const reader = createPublicClient({ chain: basePreconf, transport });
      const wallet = createWalletClient({ account, chain: basePreconf, transport });
      const hash = await wallet.sendTransaction({ to: BOB, value: 5n });
      const waiting = reader.waitForTransactionReceipt({ hash });
      await pass(400);
      expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n });
      expect(await reader.getBlockNumber()).toBe(0n);
      expect(await reader.getBalance({ address: BOB })).toBe(5n);
      expect(await reader.getBalance({ address: BOB, blockTag: 'latest' })).toBe(0n);
    },
  );

  it('base reads sealed blocks with --preset base', async () => {
    const { pass, transport } = await started({ preset: 'base' });
    const reader = createPublicClient({ chain: base, transport, pollingInterval: 20 });
    const wallet = createWalletClient({ account, chain: base, transport });
    const hash = await wallet.sendTransaction({ to: BOB, value: 5n });
    const waiting = reader.waitForTransactionReceipt({ hash });
    await pass(200);
    expect(await waiting).toMatchObject({ status: 'success', blockNumber: 1n });
    expect(await reader.getBlockNumber({ cacheTime: 0 })).toBe(1n);
    expect(await reader.getBalance({ address: BOB })).toBe(5n);
  });
});
