import type { BlockView, CallView } from '../../chain/block.ts';
import type { BlockRef, ChainReader } from '../../chain/refs.ts';
import { DevnetError } from '../../errors.ts';
import { type Awaitable, andThen, type StateView } from '../../state/view.ts';
import { hex } from '../codec/hex.ts';

/** Returns the block that a block parameter refers to. @throws DevnetError -32000 `header not found` if there is none */
export function blockAt(chain: ChainReader, ref: BlockRef): Awaitable<BlockView> {
  return andThen(chain.resolve(ref), (block) => found(block, chain, ref));
}

/** Returns what is needed to run a call on a block. Throws like {@link blockAt}. */
export function callViewAt(chain: ChainReader, ref: BlockRef): Awaitable<CallView> {
  const view = chain.callView(ref);
  if (view && !(view instanceof Promise)) return view;
  return andThen(view, (late) => found(late, chain, ref));
}

function found<V>(view: V | undefined, chain: ChainReader, ref: BlockRef): V {
  if (view) return view;
  throw new DevnetError('headerNotFound', { asked: nameOf(ref), latest: chain.latest.header.number });
}

/** Reads the state of a block. Throws like {@link blockAt}. */
export function readState<R>(
  chain: ChainReader,
  ref: BlockRef,
  read: (state: StateView) => Awaitable<R>,
): Awaitable<R> {
  return andThen(blockAt(chain, ref), ({ state }) => read(state));
}

/** Returns the answer of a method that answers null if there is no such block. */
export function ofBlock<R>(
  chain: ChainReader,
  ref: BlockRef,
  answer: (block: BlockView) => R,
): Awaitable<R | null> {
  return andThen(chain.resolve(ref), (block) => (block ? answer(block) : null));
}

function nameOf(ref: BlockRef): string {
  if ('hash' in ref) return hex(ref.hash);
  if ('flashblock' in ref) return `${nameOf(ref.of)}.${ref.flashblock}`;
  return 'number' in ref ? String(ref.number) : ref.tag;
}
