import type { BlockView } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import type { ChainReader } from '../chain/refs.ts';
import { writeSystemState } from '../chain/system-state.ts';
import { DevnetError } from '../errors.ts';
import { type Engine, TRANSACTION_RULES, type Tracer } from '../evm/engine.ts';
import { messageOf } from '../evm/message.ts';
import type { BlockEnv, Executed } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';

export interface ReplayDeps {
  readonly engine: Engine;
  readonly chain: Pick<ChainReader, 'resolve' | 'genesis'>;
  readonly hashOf: BlockEnv['blockHash'];
}

/** A block to be executed again: sealed, pending, or one that was never part of the chain. */
export type Replayable = Pick<BlockView, 'header' | 'transactions'>;

/**
 * A block's transactions again, one after another, on its parent's state. Works on any block whose parent is known; dev
 * writes between a pending block's transactions show before the first of them.
 */
export class BlockReplay {
  readonly env: BlockEnv;
  /** after the transactions that were executed so far */
  readonly state: Overlay;
  readonly #block: Replayable;
  readonly #engine: Engine;
  #next = 0;

  private constructor(block: Replayable, env: BlockEnv, state: Overlay, engine: Engine) {
    this.#block = block;
    this.env = env;
    this.state = state;
    this.#engine = engine;
  }

  /**
   * Stands before the block's first transaction, after the calls that start a block.
   * @throws DevnetError -32000 for the genesis block and for a block without a parent here
   */
  static async open(block: Replayable, deps: ReplayDeps): Promise<BlockReplay> {
    const { header } = block;
    const parent = await deps.chain.resolve({ hash: header.parentHash });
    if (!parent) {
      const isGenesis = header.number === deps.chain.genesis;
      const reason = isGenesis ? 'genesis is not traceable' : `parent of block ${header.number} not found`;
      throw new DevnetError('server', { reason });
    }
    const { engine } = deps;
    const hardfork = engine.schedule.at(header.number, header.timestamp, header.difficulty);
    const env: BlockEnv = {
      ...envOf(header, hardfork, deps.hashOf),
      blockHash: (number) => (number === parent.header.number ? parent.hash : deps.hashOf(number)),
    };
    const state = new Overlay(parent.state);
    const from = { hash: parent.hash, number: parent.header.number };
    await writeSystemState(from, header.parentBeaconBlockRoot, env, state, engine);
    return new BlockReplay(block, env, state, engine);
  }

  /** Executes up to the transaction at `index`, which is the next one then. */
  async skipTo(index: number): Promise<void> {
    while (this.#next < index) await this.next();
  }

  /** @throws DevnetError -32000 when there is no next one, or when it doesn't execute on this state */
  async next(tracer?: Tracer): Promise<Executed> {
    const index = this.#next;
    const transaction = this.#block.transactions[index];
    if (!transaction) throw new DevnetError('server', { reason: `transaction index ${index} out of range` });
    const outcome = await this.#engine.execute(
      messageOf(transaction),
      this.env,
      this.state,
      // It stands in a block: the cap on new transactions (EIP-7825) is not asked again.
      { ...TRANSACTION_RULES, gasCap: false, sender: !transaction.impersonated },
      { background: true, ...(tracer && { tracer }) },
    );
    if (outcome.kind === 'invalid')
      throw new DevnetError('server', { reason: `transaction ${index}: ${outcome.error.message}` });
    this.#next++;
    return outcome;
  }
}
