import type { TrieBlock } from '../../chain/block.ts';
import type { Prepared } from '../../chain/stored-states.ts';
import { timeMeta } from '../chain-time.ts';
import type { ProducerDeps } from './producer.ts';

/** Blocks per stored batch. Other work waits for one batch, and a crash of the process loses at most one. */
const GROUP = 64;

/**
 * Makes blocks without transactions on the head and stores them in batches. Each block is the same as if made alone.
 * @param options.most how many to make
 * @param options.interval seconds between consecutive blocks; when absent, chain time decides the timestamps
 * @returns how many were made: fewer than `most` if a transaction arrives, which then belongs in the next block
 */
export async function mineEmpty(
  { most, interval }: { most: bigint; interval?: bigint | undefined },
  deps: ProducerDeps,
): Promise<bigint> {
  const { assembler, chain, mempool, feed, settings, clock } = deps;
  const planAfter = ({ header }: TrieBlock) => {
    if (interval !== undefined) settings.setNext({ timestamp: header.timestamp + interval }, header);
    return settings.plan(header, clock.now());
  };
  let made = 0n;
  do {
    const group: Prepared[] = [];
    /** hashes of the blocks that aren't stored yet, for the BLOCKHASH opcode */
    const hashes = new Map<bigint, Uint8Array>();
    let timeOffset: number | undefined;
    let parent = chain.latest;
    for (; made < most && group.length < GROUP && mempool.size === 0; made++) {
      // A replay stores each block alone, and each write counts as two steps, so these are counted between two blocks here, too.
      // Only a replay returns promises here: no transaction can arrive between the check above and the block.
      for (const done of group.length > 0 ? ([undefined, undefined, 0] as const) : ([0] as const)) {
        const reached = assembler.progress(done);
        if (reached) await reached;
      }
      const plan = planAfter(parent);
      settings.assignNextToOpenBlock(plan.timestamp, clock.now());
      hashes.set(parent.header.number, parent.hash);
      const prepared = chain.prepare(await assembler.makeEmpty(parent, plan, (number) => hashes.get(number)));
      const ended = assembler.progress(undefined);
      if (ended) await ended;
      timeOffset = settings.sealedTimeOffset;
      settings.onSealed();
      assembler.nextPayload();
      parent = prepared.block;
      group.push(prepared);
    }
    if (group.length === 0) continue;
    const blocks = await chain.storeAll(group, timeMeta(timeOffset));
    chain.moveTo(blocks.at(-1)!, undefined);
    for (const block of blocks) feed.emit('sealed', block);
  } while (made < most && mempool.size === 0 && !feed.has('flashblock'));
  return made;
}
