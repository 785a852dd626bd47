import type { Address } from '@ethereumjs/util';
import type { BlockMaker } from '../evm/block-maker.ts';
import { DEPOSIT_TYPE } from '../evm/deposit-transaction.ts';
import { type Engine, type ExecuteOptions, TRANSACTION_RULES } from '../evm/engine.ts';
import { messageOf } from '../evm/message.ts';
import { daFootprint } from '../evm/rollup-fees.ts';
import type { BlockEnv, Executed, Message, Outcome, Rules } from '../evm/types.ts';
import { Overlay } from '../state/overlay.ts';
import { type Awaitable, andThen, type StateView } from '../state/view.ts';
import type { Block, Receipt, Transaction } from './block.ts';
import type { BlockContent, BlockDraft, OpenBlock } from './block-draft.ts';
import { assembleMade, bytesOf } from './block-seal.ts';
import { bloomOf, mergeBlooms } from './bloom.ts';
import { type L1Attributes, l1AttributesOf } from './l1-attributes.ts';
import { encodeReceipt } from './store/block-codec.ts';

/** The part of a message that decides whether it fits into a block. */
type Demand = Pick<Message, 'type' | 'gasLimit' | 'blobVersionedHashes' | 'raw'>;

/**
 * Executes transactions one after the other on top of a draft and collects what they leave: receipts, gas, writes.
 * The draft stays as it is, so a builder that is dropped leaves no trace. Blocks of pool transactions, imported
 * blocks and simulated blocks are all made here.
 */
export class BlockBuilder {
  readonly #base: StateView;
  #state: Overlay | undefined;
  readonly #draft: BlockDraft | OpenBlock;
  readonly #engine: Engine;
  readonly #transactions: Transaction[] = [];
  readonly #receipts: Receipt[] = [];
  #gasUsed: bigint;
  #blobGasUsed: bigint;
  #maker: BlockMaker | undefined;
  /** what the block's first transaction says of L1, once that is known */
  #l1: { readonly attributes: L1Attributes | undefined } | undefined;

  /**
   * @param state of the draft, or in a simulation the one reached so far; an overlay receives the writes itself
   * @param maker in which the draft has been opened: it then receives the writes, until the builder leaves it
   */
  constructor(draft: BlockDraft | OpenBlock, state: StateView, engine: Engine, maker?: BlockMaker) {
    this.#draft = draft;
    this.#base = state;
    this.#engine = engine;
    this.#maker = maker;
    this.#gasUsed = draft.gasUsed;
    this.#blobGasUsed = draft.blobGasUsed;
  }

  /**
   * Receives the writes of the transactions, and of other code that changes the block's state between them. Made when it
   * is first needed, which it isn't in a maker.
   */
  get state(): Overlay {
    this.#state ??= this.#base instanceof Overlay ? this.#base : new Overlay(this.#base);
    return this.#state;
  }

  get env(): BlockEnv {
    return this.#draft.env;
  }

  /** the transactions that this builder added */
  get transactions(): readonly Transaction[] {
    return this.#transactions;
  }

  /** their receipts */
  get receipts(): readonly Receipt[] {
    return this.#receipts;
  }

  /** gas used by the block's transactions, including the draft's */
  get gasUsed(): bigint {
    return this.#gasUsed;
  }

  /** where the engine makes the block whole; `undefined` once something can't be done there */
  get maker(): BlockMaker | undefined {
    return this.#maker;
  }

  /**
   * Whether the block has room for a message: for its gas limit, its blob gas, and on an OP chain its data. Names what is
   * short.
   */
  room(message: Demand): 'fits' | 'gas' | 'blobs' {
    const { gasLimit, blobVersionedHashes = [] } = message;
    const { env, hardfork } = this.#draft;
    if (gasLimit > env.gasLimit - this.#gasUsed) return 'gas';
    if (hardfork.rollup)
      return this.#footprintOf(message) > env.gasLimit - this.#blobGasUsed ? 'gas' : 'fits';
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
  ): Awaitable<Outcome> {
    const { gasCap, console = false, message = messageOf(transaction) } = options;
    const { nonce, fees, transferLogs } = TRANSACTION_RULES;
    const rules = { nonce, fees, sender: !transaction.impersonated, gasCap, transferLogs };
    return this.addMessage(message, () => transaction, rules, { console });
  }

  /** Executes any message; the block then contains `transactionOf()`. Otherwise like {@link add}. */
  addMessage(
    message: Message,
    transactionOf: () => Transaction,
    rules: Rules,
    options: ExecuteOptions,
  ): Awaitable<Outcome> {
    const execute = () =>
      andThen(this.#engine.execute(message, this.#draft.env, this.state, rules, options), (outcome) =>
        this.#added(message, transactionOf, outcome),
      );
    if (!this.#maker) return execute();
    const transaction = transactionOf();
    return andThen(this.#maker.add(message, transaction.raw, rules, options), (outcome) => {
      if (outcome) return this.#added(message, () => transaction, outcome);
      this.leave();
      return execute();
    });
  }

  /** Goes on without the maker: the engine executes one message at a time, and the overlay receives the writes. */
  leave(): void {
    if (!this.#maker) return;
    this.state.apply(this.#maker.writes());
    this.#maker.discard();
    this.#maker = undefined;
  }

  /** The nonce of an account, after the added transactions. */
  nonceOf(address: Address): Awaitable<bigint> {
    return (
      this.#maker?.nonceOf(address) ??
      andThen(this.state.getAccount(address), (account) => account?.nonce ?? 0n)
    );
  }

  /**
   * Seals the block in the maker. The maker goes on.
   * @param options.strict see {@link sealBlock}
   * @returns `undefined` when that can't be done there: the builder has left it
   */
  sealMade({ strict }: { strict: boolean }): Awaitable<Block | undefined> {
    const content = this.content();
    const logs = content.receipts.flatMap((receipt) =>
      receipt.logs.map(({ address, topics, data }) => ({ address: address.bytes, topics, data })),
    );
    const withdrawals = content.plan.withdrawals ?? [];
    const { blobGasUsed } = content;
    return andThen(this.#maker!.seal({ withdrawals, logs, blobGasUsed, strict }), (made) => {
      if (made) return assembleMade(content, made);
      this.leave();
      return undefined;
    });
  }

  /** What the block consists of, with the added transactions. */
  content(): BlockContent {
    const draft = this.#draft;
    const { parent, plan, hardfork, env, excessBlobGas } = draft;
    return {
      parent,
      plan,
      hardfork,
      env,
      excessBlobGas,
      transactions: [...draft.transactions, ...this.#transactions],
      receipts: [...draft.receipts, ...this.#receipts],
      gasUsed: this.#gasUsed,
      blobGasUsed: this.#blobGasUsed,
      transactionBytes: draft.transactionBytes + bytesOf(this.#transactions),
    };
  }

  /** The draft with the added transactions, without a state. */
  finish(): BlockDraft {
    const draft = this.#draft;
    return Object.assign(this.content(), {
      logsBloom: mergeBlooms([draft.logsBloom, ...this.#receipts.map(({ logsBloom }) => logsBloom)]),
      transactionList: draft.transactionList.with(this.#transactions.map(({ raw }) => raw)),
      receiptList: draft.receiptList.with(this.#receipts.map(encodeReceipt)),
    });
  }

  /** The gas that Jovian's header counts as blob gas for a transaction's data. */
  #footprintOf({ type, raw }: Pick<Message, 'type' | 'raw'>): bigint {
    if (this.#draft.hardfork.rollup !== 'jovian' || type === DEPOSIT_TYPE || !raw) return 0n;
    const { transactions } = this.#draft;
    this.#l1 ??= { attributes: l1AttributesOf(transactions.length > 0 ? transactions : this.#transactions) };
    return this.#l1.attributes ? daFootprint(raw, this.#l1.attributes) : 0n;
  }

  #added(message: Message, transactionOf: () => Transaction, outcome: Outcome): Outcome {
    if (outcome.kind === 'invalid') return outcome;
    this.#gasUsed += outcome.gasUsed;
    const transaction = transactionOf();
    this.#blobGasUsed += this.#draft.hardfork.rollup
      ? this.#footprintOf({ type: message.type, raw: transaction.raw })
      : outcome.blobGasUsed;
    this.#transactions.push(transaction);
    this.#receipts.push(this.#receiptOf(message, outcome));
    return outcome;
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
      logsBloom: outcome.logsBloom ?? bloomOf(logs),
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
