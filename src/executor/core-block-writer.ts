import * as at from '../core/layout.ts';
import type { BlockFinish } from '../evm/block-maker.ts';
import type { BlockWriter, UnsignedCall, WriteOptions, WrittenBlock } from '../evm/block-writer.ts';
import { isConsole } from '../evm/console-log.ts';
import { haltReason } from '../evm/halt-reason.ts';
import { MAINNET_CONTRACT, requestsHash } from '../evm/requests.ts';
import { ZERO_HASH } from '../state/account.ts';
import type { Awaitable } from '../state/view.ts';
import { collectRequests, orTakenBack, payWithdrawals } from './blocks.ts';
import { type Executor, Unsupported } from './executor.ts';
import { exemptionsOf } from './outcome.ts';
import type { Run } from './run.ts';

/** Bytes of a block's results above which it isn't written here: the core's buffers for them would hold some eight times as many. */
const MOST_RESULTS = 2 ** 22;
/** Bytes after which the text so far is taken out of that memory. */
const PIECE = 2 ** 20;
/** The core counts gas in signed numbers of 64 bits. */
const MOST_GAS = 2n ** 63n;
const NO_LOGS: readonly never[] = [];
const NO_WITHDRAWALS = Buffer.from('[]');

export interface CoreBlockWriterDeps {
  readonly executor: Executor;
  /** Finishes a run. @returns `undefined` when it was {@link Unsupported} */
  readonly run: <T>(run: Run<T>) => Awaitable<T | undefined>;
  /** EIP-6110 */
  readonly depositContract: Uint8Array | undefined;
  /** whether somebody listens to the console contract */
  readonly prints: boolean;
}

/** Lets the core write blocks: see src/core/block-json.ts. */
export class CoreBlockWriter implements BlockWriter {
  readonly #deps: CoreBlockWriterDeps;
  readonly #depositAccount: number;
  readonly #pieces: Uint8Array[] = [];

  constructor(deps: CoreBlockWriterDeps) {
    const { executor, depositContract = MAINNET_CONTRACT, prints } = deps;
    this.#deps = deps;
    this.#depositAccount = executor.account(depositContract);
    executor.core.startBlocks();
    // What is printed can't be taken back, but the blocks may have to be made anew.
    if (prints) executor.refuseConsole();
    else executor.watchConsole(false);
  }

  add(call: UnsignedCall, gas: bigint, options: WriteOptions): Awaitable<bigint | undefined> {
    return this.#deps.run(this.#add(call, gas, options));
  }

  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock | undefined> {
    return this.#deps.run(this.#seal(withdrawals));
  }

  end(): Uint8Array {
    this.#deps.executor.core.endBlocks();
    const last = this.#take();
    return this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]);
  }

  *#add(call: UnsignedCall, gas: bigint, { rules, errorText }: WriteOptions): Run<bigint> {
    const { executor, prints } = this.#deps;
    const { core, memory } = executor;
    if (prints && call.to && isConsole(call.to)) throw new Unsupported('a call of the console contract');
    if (gas >= MOST_GAS) throw new Unsupported('more gas than the core counts');
    const refusal = yield* executor.includeCall(call, gas, exemptionsOf(rules));
    if (refusal) throw new Unsupported('an invalid call');
    this.#check();
    const halt = executor.haltOf(memory.u32(at.RESULT_HALT));
    if (halt === undefined) core.addResult(0, 0);
    else {
      const returnData = memory.bytes(memory.u32(at.RESULT_DATA), memory.u32(at.RESULT_DATA_LENGTH));
      const failure = { revert: halt === 'revert', reason: haltReason(halt) };
      const error = Buffer.from(errorText({ failure, returnData }));
      core.addResult(executor.stage(error), error.length);
    }
    return memory.u64(at.RESULT_GAS_USED);
  }

  /** EIP-4895, EIP-7685. The state root is zero. */
  *#seal(withdrawals: BlockFinish['withdrawals']): Run<WrittenBlock> {
    const { executor } = this.#deps;
    const { core, memory } = executor;
    const withdrawalBytes = yield* payWithdrawals(
      executor,
      withdrawals.map(({ address, ...rest }) => ({ ...rest, address: address.bytes })),
    );
    const requests = yield* orTakenBack(executor, collectRequests(executor, { logs: NO_LOGS }));
    memory.setU32(at.BLOCK_HAS_REQUESTS, Number(requests !== undefined));
    if (requests) memory.write(at.BLOCK_REQUESTS_HASH, requestsHash(requests));
    const text = withdrawals.length === 0 ? NO_WITHDRAWALS : Buffer.from(withdrawalsText(withdrawals));
    // The root of the tries stands there, and they go on with it.
    const root = memory.bytes(at.BLOCK_STATE_ROOT, 32);
    memory.write(at.BLOCK_STATE_ROOT, ZERO_HASH);
    core.sealWithResults(executor.stage(text), text.length, withdrawalBytes);
    memory.write(at.BLOCK_STATE_ROOT, root);
    if (core.blocksLength() > PIECE) this.#pieces.push(this.#take());
    return { hash: memory.bytes(at.BLOCK_HASH, 32), gasUsed: memory.u64(at.BLOCK_GAS_USED) };
  }

  /** @throws Unsupported */
  #check(): void {
    const { core, memory, removedStorage, rules } = this.#deps.executor;
    if (removedStorage) throw new Unsupported('an account with storage was removed');
    const logs = core.logsLength();
    if (logs > 0 && rules.prague && core.hasLogOf(this.#depositAccount))
      throw new Unsupported('a deposit, which makes a request');
    if (core.resultsLength() + 2 * (memory.u32(at.RESULT_DATA_LENGTH) + logs) > MOST_RESULTS)
      throw new Unsupported('results that are too long');
  }

  #take(): Uint8Array {
    const { core, memory } = this.#deps.executor;
    const text = Buffer.from(memory.view(core.blocksBase(), core.blocksLength()));
    core.dropBlocks();
    return text;
  }
}

function withdrawalsText(withdrawals: BlockFinish['withdrawals']): string {
  const quantity = (value: bigint) => `0x${value.toString(16)}`;
  return JSON.stringify(
    withdrawals.map(({ index, validatorIndex, address, amount }) => ({
      index: quantity(index),
      validatorIndex: quantity(validatorIndex),
      address: address.toString(),
      amount: quantity(amount),
    })),
  );
}
