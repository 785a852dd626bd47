import { equalsBytes } from '@ethereumjs/util';
import { DevnetError } from '../errors.ts';
import type { StateSource } from '../state/node-cache.ts';
import type { Block } from './block.ts';
import type { BlockStore } from './store/block-store.ts';

/**
 * The source of one block's state, on a chain that prunes blocks or that doesn't have the states of its first blocks: the state may
 * never have been stored, or may be pruned while it is read. Missing data is then reported with this cause, not as corruption.
 */
export function prunableSource(
  source: StateSource,
  { header: { number }, hash }: Pick<Block, 'header' | 'hash'>,
  store: Pick<BlockStore, 'first' | 'states' | 'genesis' | 'hashOf'>,
): StateSource {
  const missing = (): undefined => {
    const canonical = number >= store.first || number === store.genesis ? store.hashOf(number) : undefined;
    if (!canonical || !equalsBytes(canonical, hash))
      throw new DevnetError('server', { reason: `block ${number} was pruned while its state was read` });
    if (number < store.states && number !== store.genesis) throw new DevnetError('stateUnknown', { number });
  };
  return {
    getNode: (key) => source.getNode(key) ?? missing(),
    getCode: (key) => source.getCode(key) ?? missing(),
  };
}
