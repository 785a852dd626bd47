import { describe, expect, it } from 'vitest';
import { Random } from '../../random.ts';
import { GWEI, type Send, startChain, type TestChain } from '../start-chain.ts';

/** Stores 1 in slot 0 as init code, which makes later transactions of the block cheaper or dearer. */
const STORING = '0x60015f5500';

/** The pending block without what isn't known before it is sealed. */
async function pendingOf(chain: TestChain): Promise<unknown> {
  const block = await chain.call('eth_getBlockByNumber', 'pending', true);
  return { ...(block as object), timestampMs: undefined };
}

/** A chain that grows its pending block, since it is asked for it after each step, and one that builds it at once. */
async function twoChains(options: Parameters<typeof startChain>[0]) {
  return { asked: await startChain(options), fresh: await startChain(options) };
}

describe('a pending block that grows with the mempool is the one that would be built anew', () => {
  it.each([1, 2, 3, 4])(
    'with sends of any price, replacements, drops and dev writes, seed %i',
    async (seed) => {
      const random = new Random(seed);
      const { asked, fresh } = await twoChains({ noMining: true, gasLimit: 500_000 });
      const hashes: string[] = [];
      const nonces = [0, 0, 0];
      for (let step = 0; step < 40; step++) {
        const kind = random.below(10);
        let act: (chain: TestChain) => Promise<unknown>;
        if (kind < 7) {
          const from = random.below(3);
          const isReplacement = kind === 6 && nonces[from]! > 0;
          const nonce = isReplacement ? random.below(nonces[from]!) : nonces[from]!++;
          const tip = BigInt(1 + random.below(4)) * GWEI * (isReplacement ? 4n : 1n);
          const send: Send = { from, nonce, tip, cap: tip * 10n };
          const creation: Send = { ...send, to: null, data: STORING, gas: 100_000n };
          const sent = random.below(3) === 0 ? creation : send;
          act = (chain) => chain.send(sent).catch((error: unknown) => String(error));
        } else if (kind === 7 && hashes.length > 0) {
          const hash = hashes[random.below(hashes.length)]!;
          act = (chain) => chain.call('anvil_dropTransaction', hash);
        } else if (kind === 8) {
          const baseFee = `0x${(GWEI * BigInt(1 + random.below(3))).toString(16)}`;
          act = (chain) => chain.call('anvil_setNextBlockBaseFeePerGas', baseFee);
        } else act = (chain) => chain.call('evm_increaseTime', 1);
        const answer = await act(asked);
        expect(await act(fresh)).toEqual(answer);
        if (kind < 7) hashes.push(answer as string);
        await pendingOf(asked);
      }
      expect(await pendingOf(asked)).toEqual(await pendingOf(fresh));
      // What is mined is what was pending.
      const { transactions } = await asked.block('pending');
      for (const chain of [asked, fresh]) await chain.call('evm_mine');
      expect(await asked.block('latest')).toEqual(await fresh.block('latest'));
      expect((await asked.block('latest')).transactions).toEqual(transactions);
      await asked.close();
      await fresh.close();
    },
  );

  it('on an OP chain, whose block begins with a deposit', async () => {
    const { asked, fresh } = await twoChains({ noMining: true, optimism: true });
    for (const nonce of [0, 1, 2, 3]) {
      for (const chain of [asked, fresh]) await chain.send({ nonce, gas: 30_000n });
      await pendingOf(asked);
    }
    expect(await pendingOf(asked)).toEqual(await pendingOf(fresh));
    expect((await asked.block('pending')).transactions).toHaveLength(5);
    await asked.close();
    await fresh.close();
  });
});
