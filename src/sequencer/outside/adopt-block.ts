import { BadBlock, expectSame } from '../../chain/block-fault.ts';
import { decodeBlock } from '../../chain/block-rlp.ts';
import type { Chain } from '../../chain/chain.ts';
import { importBlock } from '../../chain/import-block.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TransactionDecoder } from '../../mempool/decode.ts';
import type { Mempool } from '../../mempool/mempool.ts';
import type { Feed } from '../feed/feed.ts';
import { noncesIn } from '../nonces-in.ts';
import type { Sequencer } from '../sequencer.ts';

/**
 * Executes an imported block, validates it completely and appends it to the head. Skips a block that the chain already has.
 * @param encoded the block's RLP
 * @returns the block's number
 * @throws BadBlock when it breaks a consensus rule, or differs from the chain's block of the same number
 */
export async function adoptBlock(
  encoded: Uint8Array,
  deps: {
    chain: Chain;
    decoder: TransactionDecoder;
    engine: Engine;
    feed: Feed;
    mempool: Mempool;
    sequencer: Sequencer;
  },
): Promise<bigint> {
  const { chain, decoder, engine, feed, mempool, sequencer } = deps;
  const block = decodeBlock(encoded, engine.schedule, (raw, hardfork) =>
    decoder.decode(raw, hardfork.common),
  );
  const { number } = block.header;
  const hashOf = (n: bigint) => chain.hashOf(n);
  try {
    const known = hashOf(number);
    if (known) expectSame('hash', known, block.hash);
    // Blocks below `chain.first` were pruned (`pruneHistory`), so there is no block to compare with.
    else if (number >= chain.first) {
      await sequencer.alone(async () => {
        const head = await chain.store(await importBlock(block, chain.latest, engine, hashOf));
        const nonceOf = await noncesIn(head.state, mempool);
        chain.moveTo(head, undefined);
        const passed = mempool.prune(nonceOf);
        feed.emit('sealed', head);
        for (const transaction of passed)
          if (!chain.findTransaction(transaction.hash))
            feed.emit('dropped', { transaction, reason: 'nonce too low' });
      });
    }
  } catch (error) {
    if (error instanceof BadBlock) error.number = number;
    throw error;
  }
  return number;
}
