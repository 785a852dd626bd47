import { type Engine, type ExecuteOptions, TRANSACTION_RULES } from '../evm/engine.ts';
import { messageOf } from '../evm/message.ts';
import type { Executed, Message, Outcome, Rules } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';
import type { Receipt, Transaction } from './block.ts';
import type { BlockDraft, OpenBlock } from './block-draft.ts';
import { bytesOf } from './block-seal.ts';
import { bloomOf, mergeBlooms } from './bloom.ts';
import { encodeReceipt } from './store/block-codec.ts';

/** The part of a message that decides whether it fits into a block. */
type Demand = Pick<Message, 'gasLimit' | 'blobVersionedHashes'>;

/**
 * Executes transactions one after the other on top of a draft and collects what they leave: receipts, gas, writes.
 * The draft stays as it is, so a builder that is dropped leaves no trace. Blocks of pool transactions, imported
 * blocks and simulated blocks are all made here.
 */
export class BlockBuilder {
  /** Receives the writes of the transactions, and of other code that changes the block's state between them. */
  readonly state: Overlay;
  readonly #draft: BlockDraft | OpenBlock;
  readonly #engine: Engine;
  readonly #transactions: Transaction[] = [];
  readonly #receipts: Receipt[] = [];
  #gasUsed: bigint;
  #blobGasUsed: bigint;

  /** @param state on top of the draft's state, or in a simulation on top of the state reached so far */
  constructor(draft: BlockDraft | OpenBlock, state: Overlay, engine: Engine) {
    this.#draft = draft;
    this.state = state;
    this.#engine = engine;
    this.#gasUsed = draft.gasUsed;
    this.#blobGasUsed = draft.blobGasUsed;
  }

  /** A builder that adds to an open block; {@link append} then returns the extended open block. */
  static over(open: OpenBlock, engine: Engine): BlockBuilder {
    return new BlockBuilder(open, new Overlay(open.state), engine);
  }

  /** the transactions that this builder added */
  get transactions(): readonly Transaction[] {
    return this.#transactions;
  }

  /** gas used by the block's transactions, including the draft's */
  get gasUsed(): bigint {
    return this.#gasUsed;
  }

  /** Whether the block has room for a message: for its gas limit and its blob gas. Names what is short. */
  room({ gasLimit, blobVersionedHashes = [] }: Demand): 'fits' | 'gas' | 'blobs' {
    const { env, hardfork } = this.#draft;
    if (gasLimit > env.gasLimit - this.#gasUsed) return 'gas';
    if (!hardfork.blobs) return 'fits';
    const blobGas = BigInt(blobVersionedHashes.length) * hardfork.param('blobGasPerBlob');
    return this.#blobGasUsed + blobGas > hardfork.blobs.max ? 'blobs' : 'fits';
  }

  /**
   * Executes a transaction by the rules of a block. An invalid one is not added and changes nothing.
   * @param options.gasCap whether EIP-7825's cap on the gas of one transaction applies
   * @param options.message result of {@link messageOf} for the transaction, if the caller has it
   */
  add(
    transaction: Transaction,
    options: { gasCap: boolean; console?: boolean; message?: Message },
  ): Promise<Outcome> {
    const { gasCap, console = false, message = messageOf(transaction) } = options;
    const { nonce, fees, transferLogs } = TRANSACTION_RULES;
    const rules = { nonce, fees, sender: !transaction.impersonated, gasCap, transferLogs };
    return this.addMessage(message, () => transaction, rules, { console });
  }

  /** Executes any message; the block then contains `transactionOf()`. Otherwise like {@link add}. */
  async addMessage(
    message: Message,
    transactionOf: () => Transaction,
    rules: Rules,
    options: ExecuteOptions,
  ): Promise<Outcome> {
    const outcome = await this.#engine.execute(message, this.#draft.env, this.state, rules, options);
    if (outcome.kind === 'invalid') return outcome;
    this.#gasUsed += outcome.gasUsed;
    this.#blobGasUsed += outcome.blobGasUsed;
    this.#transactions.push(transactionOf());
    this.#receipts.push(this.#receiptOf(message, outcome));
    return outcome;
  }

  /** The draft with the added transactions, without a state. */
  finish(): BlockDraft {
    const draft = this.#draft;
    const { parent, plan, hardfork, env, excessBlobGas } = draft;
    const [transactions, receipts] = [this.#transactions, this.#receipts];
    return {
      parent,
      plan,
      hardfork,
      env,
      excessBlobGas,
      transactions: [...draft.transactions, ...transactions],
      receipts: [...draft.receipts, ...receipts],
      gasUsed: this.#gasUsed,
      blobGasUsed: this.#blobGasUsed,
      logsBloom: mergeBlooms([draft.logsBloom, ...receipts.map(({ logsBloom }) => logsBloom)]),
      transactionList: draft.transactionList.with(transactions.map(({ raw }) => raw)),
      receiptList: draft.receiptList.with(receipts.map(encodeReceipt)),
      transactionBytes: draft.transactionBytes + bytesOf(transactions),
    };
  }

  #receiptOf({ type }: Message, outcome: Executed): Receipt {
    const { hardfork, env } = this.#draft;
    // A simulation's logs of ETH transfers are in no receipt.
    const logs = outcome.logs.some(({ transfer }) => transfer)
      ? outcome.logs.filter(({ transfer }) => !transfer)
      : outcome.logs;
    const receipt: { -readonly [K in keyof Receipt]: Receipt[K] } = {
      type,
      gasUsed: outcome.gasUsed,
      cumulativeGasUsed: this.#gasUsed,
      logsBloom: bloomOf(logs),
      logs,
      effectiveGasPrice: outcome.effectiveGasPrice,
    };
    // Since EIP-658 (Byzantium) receipts have a status instead of a state root.
    if (hardfork.atLeast('byzantium') || !('state' in this.#draft)) receipt.status = outcome.success;
    else receipt.stateRoot = this.#draft.state.fold(this.state.writes()).root;
    if (outcome.createdAddress) receipt.contractAddress = outcome.createdAddress;
    if (type === 3) {
      receipt.blobGasUsed = outcome.blobGasUsed;
      receipt.blobGasPrice = env.blobBaseFee ?? 0n;
    }
    if (outcome.depositNonce !== undefined) receipt.depositNonce = outcome.depositNonce;
    return receipt;
  }
}

/** The open block extended by what a builder added; the same block when that is nothing. */
export function append(open: OpenBlock, builder: BlockBuilder): OpenBlock {
  if (builder.transactions.length === 0) return open;
  return Object.assign(builder.finish(), { state: open.state.fold(builder.state.writes()) });
}
