import type { Engine } from '../../../src/engine/engine.ts';
import type { ChainState } from '../../../src/state/chain-state.ts';
import type { StateWrites } from '../../../src/state/view.ts';

/** The state after writes. Its root is computed by the engine, where that can. */
export async function foldIn(engine: Engine, state: ChainState, writes: StateWrites): Promise<ChainState> {
  const kept = await engine.workspace(state.fold(writes), { withStateRoot: true }).keep();
  return kept.state;
}
