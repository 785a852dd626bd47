import type { BlockView, Transaction } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import { CALL_RULES, type Engine } from '../evm/engine.ts';
import { messageOf } from '../evm/message.ts';
import type { BlockEnv } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';

/**
 * Runs a transaction that waits, and forgets what came of it: what it reads is fetched by then, so that the tick which
 * includes it doesn't wait for another node.
 */
export async function prefetch(
  transaction: Transaction,
  { header, state }: BlockView,
  { engine, hashOf }: { engine: Engine; hashOf: BlockEnv['blockHash'] },
): Promise<void> {
  const hardfork = engine.schedule.at(header.number, header.timestamp, header.difficulty);
  const env = envOf(header, hardfork, hashOf);
  await engine.execute(messageOf(transaction), env, new Overlay(state), CALL_RULES, { background: true });
}
