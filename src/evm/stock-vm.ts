import { createEVM, type EVM, NobleBN254 } from '@ethereumjs/evm';
import { createTxFromRLP } from '@ethereumjs/tx';
import { createVM, runTx, type VM } from '@ethereumjs/vm';
import { DevnetError } from '../errors.ts';
import { Overlay } from '../state/overlay.ts';
import { engineBlock } from './engine-block.ts';
import { EngineState } from './engine-state.ts';
import type { Hardfork, HardforkSchedule } from './hardfork.ts';
import { outcomeOfFrame } from './settlement.ts';
import type { BlockEnv, Executed, Message, Rules } from './types.ts';

/** What the library tells of a transaction that it has executed. */
export type StockExecuted = Pick<
  Executed,
  | 'kind'
  | 'success'
  | 'gasUsed'
  | 'returnData'
  | 'logs'
  | 'createdAddress'
  | 'effectiveGasPrice'
  | 'blobGasUsed'
  | 'failure'
>;

/** The library's words for why a transaction can't be in a block are other ones than this project's. */
export type StockOutcome = StockExecuted | { readonly kind: 'invalid'; readonly reason: string };

/** A VM of one hardfork, and the state that it works on. */
interface Stock {
  readonly vm: VM;
  readonly evm: EVM;
  readonly state: EngineState;
}

/**
 * Executes transactions by `runTx` of @ethereumjs/vm, from the decoding of their bytes to the fees of the coinbase. Of this project it
 * has only the state, and the parameters that a user has changed: a judge of all other ways to execute a transaction.
 */
export class StockVm {
  readonly #schedule: HardforkSchedule;
  /** those that aren't in use */
  readonly #idle = new WeakMap<Hardfork, Stock[]>();

  constructor({ schedule }: { schedule: HardforkSchedule }) {
    this.#schedule = schedule;
  }

  /**
   * Whether the message is a transaction to which all rules apply. The OP Stack's are unknown to the library. Before Byzantium its
   * receipts have state roots, for which it needs the tries.
   */
  executes({ raw, deposit }: Message, env: BlockEnv, rules: Rules): boolean {
    if (raw === undefined || deposit || this.#schedule.optimism) return false;
    const { nonce, fees, sender, gasCap, transferLogs } = rules;
    return nonce && fees && sender && gasCap && !transferLogs && this.#hardforkOf(env).atLeast('byzantium');
  }

  /** Executes a transaction that {@link executes} accepts. @param state receives the writes when it is executed */
  async execute({ raw, from }: Message, env: BlockEnv, state: Overlay): Promise<StockOutcome> {
    const hardfork = this.#hardforkOf(env);
    const stock = this.#idle.get(hardfork)?.pop() ?? (await makeStock(hardfork, env));
    const { vm, evm } = stock;
    const run = new Overlay(state);
    stock.state.overlay = run;
    const { block, blockchain } = engineBlock(env);
    evm.blockchain = blockchain;
    try {
      const tx = createTxFromRLP(raw!, { common: vm.common, freeze: false });
      // An impersonated sender has signed nothing.
      tx.getSenderAddress = () => from;
      const { header } = block;
      // A block of the library has methods for what no transaction needs.
      const result = await runTx(vm, { tx, block: { header, common: vm.common } as never });
      state.apply(run.writes());
      const { totalGasSpent, amountSpent, blobGasUsed = 0n } = result;
      return {
        kind: 'executed',
        gasUsed: totalGasSpent,
        effectiveGasPrice: amountSpent / totalGasSpent,
        blobGasUsed,
        ...outcomeOfFrame(result, tx.to === undefined, hardfork),
      };
    } catch (error) {
      // State of a forked chain couldn't be fetched.
      if (error instanceof DevnetError) throw error;
      return { kind: 'invalid', reason: (error as Error).message };
    } finally {
      stock.state.release();
      const idle = this.#idle.get(hardfork);
      if (idle) idle.push(stock);
      else this.#idle.set(hardfork, [stock]);
    }
  }

  #hardforkOf({ number, timestamp, difficulty }: BlockEnv): Hardfork {
    return this.#schedule.at(number, timestamp, difficulty);
  }
}

async function makeStock({ common: shared, overrides: params }: Hardfork, env: BlockEnv): Promise<Stock> {
  const state = new EngineState();
  const common = shared.copy();
  const { blockchain } = engineBlock(env);
  // The library's parameters are in the Common already. Given again, they would undo the overrides.
  const given = { common, params, blockchain, stateManager: state };
  const evm = await createEVM({ ...given, bn254: new NobleBN254() });
  return { vm: await createVM({ ...given, evm }), evm, state };
}
