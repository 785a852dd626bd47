import { Address } from '@ethereumjs/util';
import * as halts from '../core/memory/halts.ts';
import * as at from '../core/memory/layout.ts';
import type { BlockFinish } from '../evm/block-maker.ts';
import type { BlockWriter, WriteOptions, WrittenBlock } from '../evm/block-writer.ts';
import { isConsoleText } from '../evm/console-log.ts';
import { haltReason } from '../evm/halt-reason.ts';
import type { HexCall } from '../evm/hex-call.ts';
import { MAINNET_CONTRACT, requestsHash } from '../evm/requests.ts';
import { keyBytes } from '../state/hex-key.ts';
import type { AccountOverride } from '../state/overrides.ts';
import { type Awaitable, andThen } from '../state/view.ts';
import { collectRequests, orTakenBack, payRewards, payWithdrawals } from './blocks.ts';
import { type Executor, Unsupported } from './executor.ts';
import { EXEMPT_IN_CALLS, exemptionsOf } from './outcome.ts';
import type { Run } from './run.ts';

/** Bytes after which the text so far is taken out of that memory. */
const PIECE = 2 ** 20;
/** The core counts gas in signed numbers of 64 bits. */
const MOST_GAS = 2n ** 63n;
/** Accounts and slots that are overridden between two looks at the clock. */
const STRIDE = 64;
const NO_RECEIPTS: readonly never[] = [];
const NO_SLOTS: ReadonlyMap<string, Uint8Array> = new Map();
/** Bytes from which on text is taken out as bytes: to make a string of it would take as long as a simulation. */
const LONG = 4_096;

export interface CoreBlockWriterDeps {
  readonly executor: Executor;
  /** Finishes a run. @returns `undefined` when it was {@link Unsupported} */
  readonly run: <T>(run: Run<T>) => Awaitable<T | undefined>;
  /** Does what may throw. @returns `undefined` when it was {@link Unsupported} */
  readonly attempt: <T>(work: () => T) => T | undefined;
  /** EIP-6110 */
  readonly depositContract: Uint8Array | undefined;
  /** whether somebody listens to the console contract */
  readonly prints: boolean;
}

/** Lets the core write blocks: see src/core/out/block-json.ts. */
export class CoreBlockWriter implements BlockWriter {
  readonly #deps: CoreBlockWriterDeps;
  /** the account whose logs make requests */
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

  override(overrides: ReadonlyMap<string, AccountOverride>): Awaitable<boolean | undefined> {
    // What may leave an account empty, or changes more than fields and slots, isn't done here.
    for (const { balance, nonce, code, state } of overrides.values())
      if (balance === 0n || nonce !== undefined || code !== undefined || state !== undefined) return false;
    return this.#deps.run(this.#override(overrides));
  }

  *#override(overrides: ReadonlyMap<string, AccountOverride>): Run<boolean> {
    const { executor } = this.#deps;
    const { core, memory } = executor;
    let written = 0;
    for (const [key, { balance, stateDiff = NO_SLOTS }] of overrides) {
      const account = yield* executor.loadAccount(keyBytes(key));
      if (!executor.exists(account)) return false;
      if (balance !== undefined) executor.setBalance(account, balance);
      if (++written % STRIDE === 0) yield undefined;
      for (const [slot, value] of stateDiff) {
        const found = yield* executor.loadSlot(account, BigInt(slot));
        memory.setWordBytes(at.SCRATCH, value);
        core.setSlot(found, at.SCRATCH);
        if (++written % STRIDE === 0) yield undefined;
      }
    }
    return true;
  }

  add(call: HexCall, gas: bigint, options: WriteOptions): Awaitable<bigint | undefined> {
    const { prints, attempt } = this.#deps;
    const { to } = call;
    if ((prints && to !== undefined && isConsoleText(to)) || gas >= MOST_GAS) return undefined;
    return attempt(() => this.#add(call, gas, options));
  }

  get blockGasUsed(): bigint {
    return this.#deps.executor.core.headerGas();
  }

  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock | undefined> {
    const { executor, attempt, run } = this.#deps;
    return attempt(() => {
      const isPlain = withdrawals.length === 0 && !hasWork(executor);
      const isSealed = isPlain && executor.core.sealWithoutWithdrawals() === halts.NONE;
      return isSealed ? this.#sealed() : run(this.#seal(withdrawals));
    });
  }

  end(): string | Uint8Array {
    const { executor } = this.#deps;
    if (this.#pieces.length === 0) return writtenBlocks(executor);
    executor.core.endBlocks();
    return Buffer.concat([...this.#pieces, this.#take()]);
  }

  #add(call: HexCall, gas: bigint, { rules, errorText }: WriteOptions): Awaitable<bigint | undefined> {
    const { executor, attempt, run } = this.#deps;
    if (!executor.readHexCall(call)) return undefined;
    const hasNonce = call.amounts?.nonce !== undefined;
    const exempt = exemptionsOf(rules);
    const code = executor.includeUnsigned(gas, exempt, hasNonce);
    // Most calls have ended by now.
    if (code === halts.DONE) return this.#added(errorText);
    const including = function* (): Run<true> {
      let stop = code;
      for (; stop === halts.NONE; stop = executor.includeUnsigned(gas, exempt, hasNonce))
        yield* executor.fillMissing();
      if (stop < 0) throw new Unsupported('an invalid call');
      yield* executor.goOn(stop);
      return true;
    };
    return andThen(run(including()), (done) => done && attempt(() => this.#added(errorText)));
  }

  /** @returns the gas that it used; `undefined` when the block can't be written here */
  #added(errorText: WriteOptions['errorText']): bigint | undefined {
    const { executor } = this.#deps;
    const { core, memory } = executor;
    const halt = executor.haltOf(memory.u32(at.RESULT_HALT));
    let start = 0;
    let length = 0;
    if (halt !== undefined) {
      const returnData = memory.bytes(memory.u32(at.RESULT_DATA), memory.u32(at.RESULT_DATA_LENGTH));
      const failure = { revert: halt === 'revert', reason: haltReason(halt) };
      const text = errorText({ failure, returnData });
      if (text === undefined) return undefined;
      const error = Buffer.from(text);
      start = executor.stage(error);
      length = error.length;
    }
    const depositAccount = executor.rules.prague ? this.#depositAccount : 0;
    return core.addResult(start, length, depositAccount) === 0 ? undefined : memory.u64(at.RESULT_GAS_USED);
  }

  /** EIP-4895, EIP-7685. The state root is zero. */
  *#seal(withdrawals: BlockFinish['withdrawals']): Run<WrittenBlock> {
    const { executor } = this.#deps;
    const { core, memory } = executor;
    core.beginIndex();
    if (hasWork(executor)) {
      const coinbase = new Address(executor.addressOf(core.accountAt(at.BLOCK_COINBASE)));
      yield* payRewards(executor, { number: memory.u64(at.BLOCK_NUMBER), coinbase }, []);
    }
    const withdrawalBytes = yield* payWithdrawals(
      executor,
      withdrawals.map(({ address, ...rest }) => ({ ...rest, address: address.bytes })),
    );
    const requests = yield* orTakenBack(executor, collectRequests(executor, { receipts: NO_RECEIPTS }));
    memory.setU32(at.BLOCK_HAS_REQUESTS, Number(requests !== undefined));
    if (requests) memory.write(at.BLOCK_REQUESTS_HASH, requestsHash(requests));
    const text = Buffer.from(withdrawalsText(withdrawals));
    core.sealWithResults(executor.stage(text), text.length, withdrawalBytes);
    return this.#sealed();
  }

  #sealed(): WrittenBlock {
    const { core, memory } = this.#deps.executor;
    if (core.blocksLength() > PIECE) this.#pieces.push(this.#take());
    return { hash: memory.bytes(at.BLOCK_HASH, 32), gasUsed: core.headerGas() };
  }

  #take(): Uint8Array {
    const { core, memory } = this.#deps.executor;
    const text = Buffer.from(memory.view(core.blocksBase(), core.blocksLength()));
    core.dropBlocks();
    return text;
  }
}

/** Whether the open block is one of proof of work, which is rewarded. */
function hasWork({ memory }: Executor): boolean {
  return memory.word(at.BLOCK_DIFFICULTY) > 0n;
}

/**
 * Writes a block of calls in one step. What it changes is to be taken back.
 * @param gas limit of each call, unless it has one of its own, and of all together
 * @param depositContract 20 bytes; EIP-6110
 * @returns `undefined` where that has to be done call by call
 */
export function writeSingleBlock(
  executor: Executor,
  calls: readonly HexCall[],
  gas: bigint,
  depositContract: Uint8Array,
): string | Uint8Array | undefined {
  const { core, memory } = executor;
  const depositAccount = executor.rules.prague ? executor.account(depositContract) : 0;
  core.startBlocks();
  let left = gas;
  for (const call of calls) {
    const limit = call.amounts?.gas ?? left;
    if (limit > left || limit >= MOST_GAS || !executor.readHexCall(call)) return undefined;
    const hasNonce = call.amounts?.nonce !== undefined;
    if (executor.includeUnsigned(limit, EXEMPT_IN_CALLS, hasNonce) !== halts.DONE) return undefined;
    if (executor.haltOf(memory.u32(at.RESULT_HALT)) !== undefined) return undefined;
    if (core.addResult(0, 0, depositAccount) === 0) return undefined;
    left = gas - core.headerGas();
  }
  return core.sealWithoutWithdrawals() === halts.NONE ? writtenBlocks(executor) : undefined;
}

function writtenBlocks({ core, memory }: Executor): string | Uint8Array {
  core.endBlocks();
  const length = core.blocksLength();
  if (length < LONG) return memory.text(core.blocksBase(), length, 'utf8');
  const text = Buffer.from(memory.view(core.blocksBase(), length));
  core.dropBlocks();
  return text;
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
