import type { Chain } from '../chain/chain.ts';
import { asSealed, type BlockPlan, openBlock, type TrieBlock } from '../chain/open-block.ts';
import type { Prepared } from '../chain/stored-states.ts';
import type { Engine } from '../evm/engine.ts';
import type { Awaitable } from '../state/view.ts';
import { TIME_OFFSET } from './chain-time.ts';
import type { Production } from './production.ts';

/** Blocks that are stored at a time: how long others wait, and what a death of the process loses. */
const GROUP = 64;
/** How far back BLOCKHASH looks, in blocks. */
const HASHES = 256n;

/** Makes the block after `parent`; `undefined` where another maker has to. */
type Maker = (parent: TrieBlock, plan: BlockPlan) => Awaitable<Prepared | undefined>;

/**
 * Makes blocks without transactions on the head, and stores many in one batch: each as it would be alone.
 * @param options.interval seconds from one to the next; chain time when absent
 * @returns how many: not all that are asked for where something is sent meanwhile, which gets into the next one
 */
export async function mineEmpty(
  production: Production,
  { most, interval }: { most: bigint; interval?: bigint | undefined },
): Promise<bigint> {
  const { chain, mempool, feed, settings, clock, progress, engine } = production.deps;
  const planAfter = ({ header }: TrieBlock) => {
    if (interval !== undefined) settings.setNext({ timestamp: header.timestamp + interval }, header);
    return settings.plan(header, clock.now());
  };
  const byRules = makerOf(chain, engine);
  let quick: Maker | undefined;
  let made = 0n;
  do {
    if (most - made >= GROUP) quick ??= await chain.emptyBlocks(planAfter(chain.latest), engine);
    const group: Prepared[] = [];
    let timeOffset: number | undefined;
    let parent = chain.latest;
    for (; made < most && group.length < GROUP; made++) {
      await progress?.(0);
      await progress?.(undefined);
      const plan = planAfter(parent);
      settings.fix(plan.timestamp, clock.now());
      const prepared = await (quick ?? byRules)(parent, plan);
      if (!prepared) break;
      timeOffset = settings.sealedTimeOffset;
      settings.consume();
      production.nextPayload();
      parent = prepared.block;
      group.push(prepared);
    }
    if (group.length < GROUP) quick = undefined;
    if (group.length === 0) continue;
    const blocks = await chain.storeAll(group, { [TIME_OFFSET]: timeOffset });
    chain.moveTo(blocks.at(-1)!, undefined);
    for (const block of blocks) feed.emit('sealed', block);
  } while (made < most && mempool.size === 0 && !feed.has('flashblock'));
  return made;
}

/** Makes blocks by all their rules, see `Chain.emptyBlocks` for a quicker one. */
function makerOf(chain: Chain, engine: Engine): Maker {
  const hashes = new Map<bigint, Uint8Array>();
  return async (parent, plan) => {
    hashes.set(parent.header.number, parent.hash);
    hashes.delete(parent.header.number - HASHES);
    const open = await openBlock(parent, plan, engine, (n) => hashes.get(n) ?? chain.blockHash(n));
    return chain.prepare(await asSealed(open, engine));
  };
}
