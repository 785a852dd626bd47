import type { BlockView, Transaction } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import { CALL_RULES, type Engine } from '../engine/engine.ts';
import { messageOf } from '../engine/message.ts';
import type { BlockEnv } from '../protocol/types.ts';
import { Overlay } from '../state/overlay.ts';
import { turns } from '../turns.ts';

/**
 * On a forked chain, executes a pool transaction in the background and discards the result. This fetches the state that the
 * transaction reads from the forked node, so that the tick that includes it doesn't have to wait.
 */
export async function prefetch(
  transaction: Transaction,
  { header, state }: BlockView,
  { engine, hashOf }: { engine: Engine; hashOf: BlockEnv['blockHash'] },
): Promise<void> {
  const env = envOf(header, engine, hashOf);
  await engine.execute(messageOf(transaction), env, new Overlay(state), CALL_RULES, { background: turns });
}
