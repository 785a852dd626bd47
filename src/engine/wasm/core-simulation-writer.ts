import * as halts from '../../core/memory/halts.ts';
import * as at from '../../core/memory/layout.ts';
import { asSimulated, DevnetError } from '../../errors.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { type L1Attributes, l1AttributesIn } from '../../protocol/op-stack/l1-attributes.ts';
import { isDeposit } from '../../protocol/op-stack/optimism.ts';
import { daFootprint } from '../../protocol/op-stack/rollup-fees.ts';
import { type LoggingReceipt, MAINNET_CONTRACT, requestsHash } from '../../protocol/requests.ts';
import type { CountedGas, Executed, Message } from '../../protocol/types.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../../state/view.ts';
import type { Precompiles } from '../engine.ts';
import { haltReason } from '../halt-reason.ts';
import type { SimulationWriter, WriteOptions, WrittenBlock } from '../simulation-writer.ts';
import { type Accesses, type BlockFinish, type PlannedStart, startOf } from '../workspace.ts';
import { orRollBack } from './blocks.ts';
import type { CoreWorkspace } from './core-workspace.ts';
import type { Executor } from './executor.ts';
import type { Refused } from './optimism.ts';
import { outcomeOf } from './outcome.ts';
import { type Run, Unfinished } from './run.ts';
import type { Refusal } from './types.ts';

/** Size in bytes at which the JSON so far is moved out of the core's memory. */
const PIECE = 2 ** 20;
/** Size in bytes from which on the JSON is returned as bytes: decoding it to a string would take as long as a simulation. */
const LONG = 4_096;

/** Makes the core write simulated blocks: see src/core/out/block-json.ts. */
export class CoreSimulationWriter implements SimulationWriter {
  readonly #workspace: CoreWorkspace;
  readonly #executor: Executor;
  readonly #options: WriteOptions;
  /** the account whose logs are deposit requests (EIP-6110) */
  readonly #depositAccount: number;
  readonly #pieces: Uint8Array[] = [];
  /** receipts of the open block's transactions that contain deposit requests */
  #receipts: LoggingReceipt[] = [];
  /** the L1 attributes at the start of the open block, on an OP chain with Jovian's rules */
  #l1: L1Attributes | undefined;
  /** gas that the transactions of the open block consume for their size on L1 (DA footprint) */
  #footprint = 0n;

  /** @param depositContract see EIP-6110; absent = mainnet's */
  constructor(
    workspace: CoreWorkspace,
    options: WriteOptions,
    depositContract: Uint8Array = MAINNET_CONTRACT,
  ) {
    const { executor } = workspace;
    this.#workspace = workspace;
    this.#executor = executor;
    this.#options = options;
    this.#depositAccount = executor.account(depositContract);
    executor.core.startBlocks(Number(options.fullTransactions));
    workspace.watchConsole();
  }

  get state(): StateView {
    return this.#workspace.state;
  }

  get counted(): CountedGas {
    const { memory } = this.#executor;
    return { execution: memory.u64(at.BLOCK_EXECUTION_GAS), state: memory.u64(at.BLOCK_STATE_GAS) };
  }

  apply(writes: StateWrites): Awaitable<void> {
    return this.#workspace.apply(writes);
  }

  open(planned: PlannedStart, precompiles: Precompiles | undefined): Awaitable<void> {
    return andThen(this.#workspace.open(startOf(planned)), () => {
      this.#l1 = undefined;
      this.#footprint = 0n;
      this.#executor.movePrecompiles(precompiles);
    });
  }

  add(message: Message, hasNonce: boolean): Awaitable<bigint> {
    const workspace = this.#workspace;
    if (workspace.refuses(message)) return this.#refuse(message, hasNonce);
    return andThen(workspace.addUnsigned(message, this.#options.rules, hasNonce), (refused) =>
      refused ? this.#refuse(message, hasNonce, refused) : this.#added(message),
    );
  }

  /** The outcome of the last message. */
  get last(): Executed {
    const { memory } = this.#executor;
    const nonce = memory.u32(at.TX_TYPE) === DEPOSIT_TYPE ? memory.u64(at.TX_NONCE) : undefined;
    const result = this.#executor.result();
    return outcomeOf(nonce === undefined ? result : { ...result, depositNonce: nonce }, true);
  }

  /** the accounts and slots that the open block has accessed so far (EIP-7928) */
  get accesses(): Accesses | undefined {
    return this.#workspace.accesses;
  }

  /** All writes so far. */
  writes(): StateWrites {
    return this.#workspace.writes();
  }

  seal(withdrawals: BlockFinish['withdrawals']): Awaitable<WrittenBlock> {
    const { core, rules } = this.#executor;
    return this.#workspace.run(() => {
      const isPlain =
        withdrawals.length === 0 &&
        this.#receipts.length === 0 &&
        !hasWork(this.#executor) &&
        !this.#options.withStateRoot &&
        rules.hardfork.rollup === undefined;
      return isPlain && core.sealWithoutWithdrawals() === halts.NONE
        ? this.#sealed()
        : new Unfinished(this.#seal(withdrawals));
    });
  }

  end(): string | Uint8Array {
    const { core, memory } = this.#executor;
    core.endBlocks();
    const length = core.blocksLength();
    if (this.#pieces.length === 0 && length < LONG) return memory.text(core.blocksBase(), length, 'utf8');
    return Buffer.concat([...this.#pieces, this.#take()]);
  }

  discard(): void {
    this.#executor.movePrecompiles(undefined);
    this.#workspace.discard();
  }

  /** @throws DevnetError with the reason for the rejection */
  async #refuse(message: Message, hasNonce: boolean, refused?: Refused | Refusal): Promise<never> {
    if (refused && 'error' in refused && refused.error) throw asSimulated(refused.error);
    const nonce = hasNonce ? message.nonce : await this.#workspace.nonceOf(message.from);
    const { error } = await this.#workspace.refusal({ ...message, nonce }, this.#options.rules);
    throw asSimulated(error);
  }

  #added(message: Message): Awaitable<bigint> {
    const executor = this.#executor;
    const { memory, rules } = executor;
    const halt = executor.haltOf(memory.u32(at.RESULT_HALT));
    this.#workspace.tellConsole(message, halt !== undefined);
    if (rules.hardfork.rollup === 'jovian') this.#addFootprint(message);
    if (rules.hasRequests && executor.core.hasLogOf(this.#depositAccount) !== 0)
      this.#receipts.push({ logs: outcomeOf(executor.result(), false).logs, logsBloom: executor.lastBloom });
    if (halt === undefined) return this.#result(undefined);
    const returnData = memory.bytes(memory.u32(at.RESULT_DATA), memory.u32(at.RESULT_DATA_LENGTH));
    const failure = { revert: halt === 'revert', reason: haltReason(halt) };
    return andThen(this.#options.errorText({ failure, returnData }), (text) => this.#result(text));
  }

  /** Adds the DA footprint of the last transaction, by the L1 attributes at the start of the block. */
  #addFootprint(message: Message): void {
    const executor = this.#executor;
    if (executor.core.transactionCount() === 1) this.#l1 = l1AttributesIn(message);
    if (this.#l1 && !isDeposit(message)) this.#footprint += daFootprint(executor.raw, this.#l1);
  }

  /** Writes the result of the last transaction. @param error JSON @returns the gas used */
  #result(error: string | undefined): bigint {
    const executor = this.#executor;
    const bytes = error === undefined ? undefined : Buffer.from(error);
    if (executor.core.addResult(bytes ? executor.stage(bytes) : 0, bytes?.length ?? 0) === 0)
      throw new DevnetError('clientLimit', { reason: 'the results of one block are longer than 64 MiB' });
    return executor.memory.u64(at.RESULT_GAS_USED);
  }

  *#seal(withdrawals: BlockFinish['withdrawals']): Run<WrittenBlock> {
    const executor = this.#executor;
    const { core, memory, rules } = executor;
    const isJovian = rules.hardfork.rollup === 'jovian';
    const blobGasUsed = isJovian ? this.#footprint : memory.u64(at.BLOCK_BLOB_GAS_USED);
    const finish = { withdrawals, uncles: [], receipts: this.#receipts, blobGasUsed, strict: true };
    const { list, requests } = yield* orRollBack(executor, this.#workspace.finish(finish));
    memory.setU32(at.BLOCK_HAS_REQUESTS, Number(requests !== undefined));
    if (requests) memory.write(at.BLOCK_REQUESTS_HASH, requestsHash(requests));
    const root = yield* this.#workspace.rootState();
    const text = Buffer.from(withdrawalsText(withdrawals));
    const staged = executor.stage(Buffer.concat([root, text]));
    core.sealWithResults(staged, staged + root.length, text.length, list.length);
    return this.#sealed();
  }

  #sealed(): WrittenBlock {
    const { core, memory } = this.#executor;
    this.#receipts = [];
    if (core.blocksLength() > PIECE) this.#pieces.push(this.#take());
    return {
      hash: memory.bytes(at.BLOCK_HASH, 32),
      gasUsed: core.headerGas(),
      blobGasUsed: memory.u64(at.BLOCK_BLOB_GAS_USED),
    };
  }

  #take(): Uint8Array {
    const { core, memory } = this.#executor;
    const text = Buffer.from(memory.view(core.blocksBase(), core.blocksLength()));
    core.dropBlocks();
    return text;
  }
}

/** Whether the open block is a proof-of-work block, which is rewarded. */
function hasWork({ memory }: Executor): boolean {
  return memory.word(at.BLOCK_DIFFICULTY) > 0n;
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
