import type { Address } from '@ethereumjs/util';
import { type Engine, TRANSACTION_RULES } from '../engine/engine.ts';
import { messageOf, typeOf } from '../engine/message.ts';
import {
  type AddOptions,
  type ExecutedMessage,
  type Included,
  makeIn,
  startOf,
  type Workspace,
} from '../engine/workspace.ts';
import { DevnetError } from '../errors.ts';
import { bloomOf, mergeBlooms } from '../protocol/bloom.ts';
import { DEPOSIT_TYPE } from '../protocol/op-stack/deposit-transaction.ts';
import { type L1Attributes, l1AttributesOf } from '../protocol/op-stack/l1-attributes.ts';
import { daFootprint } from '../protocol/op-stack/rollup-fees.ts';
import type { BlockEnv, CountedGas, Executed, Message, Outcome, Rules } from '../protocol/types.ts';
import { executionGasOf } from '../protocol/validity.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type Awaitable, andThen, type StateView, type StateWrites } from '../state/view.ts';
import { addL1Attributes } from './add-l1-attributes.ts';
import type { Block, Receipt, StoredItems, Transaction, TrieBlock } from './block.ts';
import {
  type BlockContent,
  type BlockDraft,
  type BlockPlan,
  draftBlock,
  finishOf,
  headerGas,
} from './block-draft.ts';
import { assembleBlock, assembleMade, bytesOf } from './block-seal.ts';
import { keepRun } from './counted-runs.ts';
import { EncodedReceipt } from './encoded-receipt.ts';
import { EncodedTransaction } from './encoded-transaction.ts';
import type { OpenBlock } from './open-block.ts';
import { encodeReceipt, receiptItems, transactionItems } from './store/block-codec.ts';

/** The outcome of adding a transaction. */
export type Added = Included | Outcome;

/** EIP-4844 */
const BLOB_TYPE = 3;

/**
 * Executes transactions in order on top of a draft, and collects receipts, gas and writes. Doesn't change the draft, so a
 * closed builder has no lasting effect. All blocks are made here: those of pool transactions, imported ones and simulated
 * ones.
 */
export class BlockBuilder {
  readonly #draft: BlockDraft;
  readonly #workspace: Workspace;
  readonly #transactions: Transaction[] = [];
  readonly #receipts: Receipt[] = [];
  /** cumulative gas of the receipts */
  #gasUsed: bigint;
  #counted: CountedGas;
  #blobGasUsed: bigint;
  /** L1 attributes from the block's first transaction, cached */
  #l1: { readonly attributes: L1Attributes | undefined } | undefined;

  /** @param workspace receives the writes; the draft must be opened in it */
  constructor(draft: BlockDraft, workspace: Workspace) {
    this.#draft = draft;
    this.#workspace = workspace;
    this.#gasUsed = draft.gasUsed;
    this.#counted = draft.counted;
    this.#blobGasUsed = draft.blobGasUsed;
  }

  /**
   * Begins the block after `parent`: fixes its header fields, and makes the protocol's writes at the start of a block. The caller must
   * close the builder.
   * @param hashOf hashes of the blocks before the parent
   * @param options.withL1Attributes on an OP chain: whether the block begins with an L1 attributes deposit
   */
  static begin(
    parent: TrieBlock,
    plan: BlockPlan,
    engine: Engine,
    hashOf: BlockEnv['blockHash'],
    { withL1Attributes }: { withL1Attributes: boolean },
  ): Awaitable<BlockBuilder> {
    const draft = draftBlock(parent, plan, engine, hashOf);
    const workspace = engine.workspace(parent.state, { withStateRoot: true });
    const builder = new BlockBuilder(draft, workspace);
    const fail = (error: unknown) => {
      workspace.discard();
      throw error;
    };
    try {
      const opened = andThen(workspace.open(startOf(draft)), () =>
        withL1Attributes ? addL1Attributes(builder, draft) : undefined,
      );
      return opened instanceof Promise ? opened.then(() => builder, fail) : builder;
    } catch (error) {
      return fail(error);
    }
  }

  /** the state after the transactions added so far */
  get state(): StateView {
    return this.#workspace.state;
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

  /** the header's gas used, for all transactions including the draft's */
  get gasUsed(): bigint {
    return headerGas(this.#counted);
  }

  /** the two gas counters (EIP-8037) from which the header's gas used follows */
  get counted(): CountedGas {
    return this.#counted;
  }

  /** The highest gas limit that certainly fits. With EIP-8037's cap on execution gas, a higher one may fit as well. */
  get gasLeft(): bigint {
    return this.#draft.env.gasLimit - this.gasUsed;
  }

  /**
   * Whether the block has room for a transaction: for its gas limit, its blob gas, and on an OP chain its data.
   * @returns `fits`, or the resource that isn't enough
   */
  room({ tx, raw }: Pick<Transaction, 'tx' | 'raw'>): 'fits' | 'gas' | 'blobs' {
    const { env, hardfork } = this.#draft;
    const { execution, state } = this.#counted;
    if (executionGasOf(tx.gasLimit, hardfork) > env.gasLimit - execution) return 'gas';
    if (tx.gasLimit > env.gasLimit - state) return 'gas';
    if (hardfork.rollup)
      return this.#footprintOf({ type: tx.type, raw }) > env.gasLimit - this.#blobGasUsed ? 'gas' : 'fits';
    if (!hardfork.blobs || tx.type !== BLOB_TYPE) return 'fits';
    const blobGas = BigInt(tx.blobVersionedHashes.length) * hardfork.param('blobGasPerBlob');
    return this.#blobGasUsed + blobGas > hardfork.blobs.max ? 'blobs' : 'fits';
  }

  /**
   * Executes a transaction under the rules of a block. An invalid transaction isn't added and changes nothing. The caller must check
   * {@link room} first, unless the transaction is encoded, see {@link Executable.isEncoded}.
   * @param options.gasCap whether EIP-7825's cap on the gas of one transaction applies
   */
  add(
    transaction: Transaction,
    { gasCap, console = false }: { gasCap: boolean; console?: boolean },
  ): Awaitable<Added> {
    const { nonce, fees, baseFee, transferLogs } = TRANSACTION_RULES;
    const rules = { nonce, fees, baseFee, sender: !transaction.impersonated, gasCap, transferLogs };
    // The sender of an impersonated transaction isn't in its encoding.
    if (transaction.impersonated)
      return this.addMessage(messageOf(transaction), transaction, rules, { console });
    if (transaction.isEncoded && !this.#workspace.decodes && this.room(transaction) !== 'fits')
      return { kind: 'invalid', error: new DevnetError('transactionRejected', { reason: 'no room' }) };
    return andThen(this.#workspace.addSigned(transaction, rules, { console }), (added) => {
      if (added.kind === 'executed') this.#added(transaction.tx, transaction, added);
      if (added.kind !== 'included') return added;
      if (transaction instanceof EncodedTransaction) transaction.accept(added);
      this.#count(added);
      this.#blobGasUsed += added.blobGasUsed;
      this.#transactions.push(transaction);
      const receipt = new EncodedReceipt(typeOf(transaction.raw), this.#gasUsed, added);
      this.#receipts.push(receipt);
      keepRun(receipt, added.ran);
      return added;
    });
  }

  /** Executes any message, and adds `transaction` to the block for it. Otherwise like {@link add}. */
  addMessage(
    message: Message,
    transaction: Transaction,
    rules: Rules,
    options: AddOptions,
  ): Awaitable<Outcome> {
    return andThen(this.#workspace.add(message, transaction.raw, rules, options), (outcome) => {
      if (outcome.kind === 'executed') this.#added(message, transaction, outcome);
      return outcome;
    });
  }

  /** The nonce of an account, after the added transactions. */
  nonceOf(address: Address): Awaitable<bigint> {
    return this.#workspace.nonceOf(address);
  }

  /** Whether an account's storage was written in the workspace. @param address with 0x */
  wroteStorage(address: string): boolean {
    return this.#workspace.writes().storage.has(address);
  }

  /**
   * Seals the block in the workspace, which stays open.
   * @param options.strict see {@link BlockFinish.strict}
   */
  seal(options: { strict: boolean }): Awaitable<Block> {
    const content = this.#content();
    return andThen(this.#workspace.seal(finishOf(content, options)), (made) =>
      made.header ? assembleMade(content, made, made.header) : assembleBlock(this.#drafted(), made),
    );
  }

  /**
   * Seals the block, and ends the workspace.
   * @param options.strict see {@link BlockFinish.strict}
   * @returns the block with its state, and all writes since the builder was created
   */
  sealAndKeep(options: {
    strict: boolean;
  }): Awaitable<{ readonly block: Block & { state: ChainState }; readonly writes: StateWrites }> {
    return andThen(this.seal(options), (block) =>
      andThen(this.#workspace.keep(), ({ state, writes }) => ({
        block: Object.assign(block, { state }),
        writes,
      })),
    );
  }

  /**
   * Leaves the block open, and ends the workspace.
   * @returns the open block with the added transactions, which can be extended, and all writes since the builder was created
   */
  keepOpen(): Awaitable<{ readonly open: OpenBlock; readonly writes: StateWrites }> {
    return andThen(this.#workspace.keep(), ({ state, writes }) => ({
      open: Object.assign(this.#drafted(), { state, storedItems: this.#storedItems() }),
      writes,
    }));
  }

  /** Calls `use`, which fills and keeps the block, and then closes the builder. */
  closing<T>(use: () => Awaitable<T>): Awaitable<T> {
    return makeIn(this.#workspace, use);
  }

  /** Frees the builder's resources. Discards the block if it wasn't kept. */
  close(): void {
    this.#workspace.discard();
  }

  /** The block's content, with the added transactions. */
  #content(): BlockContent {
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
      counted: this.#counted,
      blobGasUsed: this.#blobGasUsed,
      storedItems: this.#transactions.length === 0 ? draft.storedItems : undefined,
    };
  }

  /** The draft with the added transactions, without a state. */
  #drafted(): BlockDraft {
    const draft = this.#draft;
    return Object.assign(this.#content(), {
      transactionBytes: draft.transactionBytes + bytesOf(this.#transactions),
      accesses: this.#workspace.accesses,
      logsBloom: mergeBlooms([draft.logsBloom, ...this.#receipts.map(({ logsBloom }) => logsBloom)]),
      transactionList: draft.transactionList.with(this.#transactions.map(({ raw }) => raw)),
      receiptList: draft.receiptList.with(this.#receipts.map(encodeReceipt)),
    });
  }

  #storedItems(): StoredItems | undefined {
    const { storedItems, transactions } = this.#draft;
    if (this.#transactions.length === 0) return storedItems;
    // The store takes the pieces for the complete block, so they must cover either all transactions or none.
    if (!storedItems && transactions.length > 0) return undefined;
    return {
      transactions: [...(storedItems?.transactions ?? []), transactionItems(this.#transactions)],
      receipts: [...(storedItems?.receipts ?? []), ...receiptItems(this.#receipts)],
    };
  }

  /** A transaction's data footprint, in gas: since Jovian, the header counts it as blob gas. */
  #footprintOf({ type, raw }: Pick<Message, 'type' | 'raw'>): bigint {
    if (this.#draft.hardfork.rollup !== 'jovian' || type === DEPOSIT_TYPE || !raw) return 0n;
    const { transactions } = this.#draft;
    this.#l1 ??= { attributes: l1AttributesOf(transactions.length > 0 ? transactions : this.#transactions) };
    return this.#l1.attributes ? daFootprint(raw, this.#l1.attributes) : 0n;
  }

  #added(message: Pick<Message, 'type'>, transaction: Transaction, outcome: ExecutedMessage): void {
    this.#count(outcome);
    this.#blobGasUsed += this.#draft.hardfork.rollup
      ? this.#footprintOf({ type: message.type, raw: transaction.raw })
      : outcome.blobGasUsed;
    this.#transactions.push(transaction);
    const receipt = this.#receiptOf(message, outcome);
    this.#receipts.push(receipt);
    keepRun(receipt, outcome.ran);
  }

  #count({ gasUsed, counted = { execution: gasUsed, state: 0n } }: Included | Executed): void {
    this.#gasUsed += gasUsed;
    const { execution, state } = this.#counted;
    this.#counted = { execution: execution + counted.execution, state: state + counted.state };
  }

  #receiptOf({ type }: Pick<Message, 'type'>, outcome: Executed): Receipt {
    const { env } = this.#draft;
    // Receipts don't contain a simulation's logs of ETH transfers.
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
    if (outcome.stateRoot) receipt.stateRoot = outcome.stateRoot;
    else receipt.status = outcome.success;
    if (outcome.createdAddress) receipt.contractAddress = outcome.createdAddress;
    if (type === 3) {
      receipt.blobGasUsed = outcome.blobGasUsed;
      receipt.blobGasPrice = env.blobBaseFee ?? 0n;
    }
    if (outcome.depositNonce !== undefined) receipt.depositNonce = outcome.depositNonce;
    return receipt;
  }
}
