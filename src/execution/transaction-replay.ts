import type { BlockView } from '../chain/block.ts';
import { envOf } from '../chain/block-env.ts';
import type { ChainReader } from '../chain/refs.ts';
import { type Engine, TRANSACTION_RULES, type Tracer } from '../engine/engine.ts';
import { messageOf } from '../engine/message.ts';
import { makeIn, startOf } from '../engine/workspace.ts';
import { DevnetError } from '../errors.ts';
import type { BlockEnv, Executed } from '../protocol/types.ts';
import { Overlay } from '../state/overlay.ts';
import { type Pauses, turns } from '../turns.ts';

export interface ReplayDeps {
  readonly engine: Engine;
  readonly chain: Pick<ChainReader, 'resolve' | 'genesis'>;
  readonly hashOf: BlockEnv['blockHash'];
  /** default: those of background work that no caller waits for */
  readonly pauses?: Pauses;
}

/** A block to execute again: sealed, pending, or one that was never part of the chain. */
export type Replayable = Pick<BlockView, 'header' | 'transactions'>;

/**
 * Executes a block's transactions again, in order, on its parent's state. Works for any block whose parent is known. Dev writes
 * that were made between a pending block's transactions take effect before the first transaction.
 */
export class TransactionReplay {
  readonly env: BlockEnv;
  /** the state after the transactions executed so far */
  readonly state: Overlay;
  readonly #block: Replayable;
  readonly #engine: Engine;
  readonly #pauses: Pauses;
  #next = 0;

  private constructor(
    block: Replayable,
    env: BlockEnv,
    state: Overlay,
    { engine, pauses = turns }: Pick<ReplayDeps, 'engine' | 'pauses'>,
  ) {
    this.#block = block;
    this.env = env;
    this.state = state;
    this.#engine = engine;
    this.#pauses = pauses;
  }

  /**
   * Prepares the state before the block's first transaction, after the system calls at the start of the block.
   * @throws DevnetError -32000 for the genesis block, and for a block whose parent is unknown
   */
  static async open(block: Replayable, deps: ReplayDeps): Promise<TransactionReplay> {
    const { header } = block;
    const parent = await deps.chain.resolve({ hash: header.parentHash });
    if (!parent) {
      const isGenesis = header.number === deps.chain.genesis;
      const reason = isGenesis ? 'genesis is not traceable' : `parent of block ${header.number} not found`;
      throw new DevnetError('server', { reason });
    }
    const { engine } = deps;
    const env: BlockEnv = {
      ...envOf(header, engine, deps.hashOf),
      blockHash: (number) => (number === parent.header.number ? parent.hash : deps.hashOf(number)),
    };
    const { parentBeaconBlockRoot, extraData, excessBlobGas } = header;
    const plan = { ...(parentBeaconBlockRoot && { parentBeaconBlockRoot }), extraData };
    const state = new Overlay(parent.state);
    const workspace = engine.workspace(parent.state, { withStateRoot: false });
    await makeIn(workspace, async () => {
      await workspace.open(startOf({ env, parent, plan, excessBlobGas }));
      state.apply(workspace.writes());
    });
    return new TransactionReplay(block, env, state, deps);
  }

  /** Executes the transactions before `index`. */
  async skipTo(index: number): Promise<void> {
    while (this.#next < index) await this.next();
  }

  /** Executes the next transaction. @throws DevnetError -32000 when there is none or it is invalid here */
  async next(tracer?: Tracer): Promise<Executed> {
    const index = this.#next;
    const transaction = this.#block.transactions[index];
    if (!transaction) throw new DevnetError('server', { reason: `transaction index ${index} out of range` });
    const outcome = await this.#engine.execute(
      messageOf(transaction),
      this.env,
      this.state,
      // EIP-7825's cap was checked, or switched off, when the transaction was included.
      { ...TRANSACTION_RULES, gasCap: false, sender: !transaction.impersonated },
      { background: this.#pauses, tracer },
    );
    if (outcome.kind === 'invalid')
      throw new DevnetError('server', { reason: `transaction ${index}: ${outcome.error.message}` });
    this.#next++;
    return outcome;
  }
}
