import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockView, Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan, OpenBlock } from '../../chain/block-draft.ts';
import { expectSame } from '../../chain/block-fault.ts';
import { decodeBlock } from '../../chain/block-rlp.ts';
import type { Chain } from '../../chain/chain.ts';
import { planOf } from '../../chain/import-block.ts';
import type { Engine } from '../../evm/engine.ts';
import type { Hardfork } from '../../evm/hardfork.ts';
import type { TransactionDecoder } from '../../mempool/decode.ts';
import type { Feed, Flashblock } from '../feed/feed.ts';
import type { BlockAssembler } from '../mining/assembler.ts';
import type { Sequencer } from '../sequencer.ts';

export interface ReplicaDeps {
  readonly assembler: BlockAssembler;
  readonly chain: Chain;
  readonly decoder: TransactionDecoder;
  readonly engine: Engine;
  readonly feed: Feed;
  /** mines nothing; its queue keeps the writers apart */
  readonly sequencer: Sequencer;
}

/** Transactions of an index, raw, and what must come out. */
export interface ReplicaIndex {
  readonly transactions: readonly Uint8Array[];
  /** Senders by transaction hash in hex, where the signature doesn't tell: impersonated ones. */
  readonly senders?: Senders | undefined;
  /** Throws when the block isn't what the other node said; then it doesn't show. */
  readonly check: (view: BlockView) => void;
}

export type Senders = ReadonlyMap<string, Address>;

interface Current {
  readonly open: OpenBlock;
  readonly view: TrieBlock;
}

/**
 * Blocks that another node makes, executed here. Rules of headers aren't checked, since a dev chain may break them
 * (a base fee that was set, equal timestamps): that the hash comes out the same is.
 */
export class Replica {
  readonly #deps: ReplicaDeps;
  #current: Current | undefined;
  #published: Flashblock[] = [];
  #payload = 0n;
  /** blocks that came out otherwise here */
  mismatches = 0;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
  }

  /** The block that is open. */
  get pending(): BlockView | undefined {
    return this.#current?.view;
  }

  /** What was shown of the block that is open, by index. */
  get published(): readonly Flashblock[] {
    return this.#published;
  }

  /**
   * Opens the block after the head, or after the open one, which is sealed as it stands; both show together.
   * @throws what `check` throws, DevnetError and BadBlock; the sealed block stays, and nothing is pending
   */
  begin(plan: BlockPlan, index: ReplicaIndex, { seal = false } = {}): Promise<void> {
    const { assembler, chain, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      const before = this.#current;
      const parent = seal && before ? await chain.store(before.view) : chain.latest;
      const sealed = parent !== chain.latest;
      this.#current = undefined;
      this.#published = [];
      let next: ExecutedIndex;
      try {
        const open = await assembler.openAs(parent, plan);
        next = await this.#execute(open, index);
      } catch (error) {
        chain.moveTo(parent, undefined);
        if (sealed) feed.emit('sealed', parent);
        throw error;
      }
      this.#payload++;
      chain.moveTo(parent, next.view);
      if (sealed) feed.emit('sealed', parent);
      this.#publish(next);
    });
  }

  /** Adds an index to the open block. @throws as {@link begin}; the block then stays as it was */
  extend(index: ReplicaIndex): Promise<void> {
    const { chain, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      if (!this.#current) throw new Error('no block is open');
      const next = await this.#execute(this.#current.open, index);
      chain.showPending(next.view);
      this.#publish(next);
    });
  }

  /** The open block is sealed as it stands, and nothing is pending. */
  seal(): Promise<void> {
    const { chain, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      if (!this.#current) return;
      const head = await chain.store(this.#current.view);
      this.#forget();
      chain.moveTo(head, undefined);
      feed.emit('sealed', head);
    });
  }

  /** Nothing is pending any more. */
  clear(): Promise<void> {
    return this.#deps.sequencer.alone(async () => {
      this.#forget();
      this.#deps.chain.showPending(undefined);
    });
  }

  /**
   * Puts a sealed block on the head; nothing is pending then.
   * @param encoded its RLP
   * @throws BadBlock, DevnetError when it comes out otherwise here
   */
  adopt(encoded: Uint8Array, senders?: Senders): Promise<void> {
    const { assembler, chain, engine, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      const block = decodeBlock(encoded, engine.schedule, (raw, hardfork) =>
        this.#decode(raw, hardfork, senders),
      );
      const { header, transactions, hash } = block;
      const parent = chain.latest;
      expectSame('parentHash', parent.hash, header.parentHash);
      const { baseFeePerGas } = header;
      const plan = { ...planOf(block), ...(baseFeePerGas !== undefined && { baseFeePerGas }) };
      const open = await assembler.openAs(parent, plan);
      const made = await assembler.view(await assembler.include(open, transactions));
      for (const field of ['gasUsed', 'receiptsRoot', 'stateRoot'] as const)
        expectSame(field, header[field], made.header[field]);
      expectSame('hash', hash, made.hash);
      const head = await chain.store(made);
      this.#forget();
      chain.moveTo(head, undefined);
      feed.emit('sealed', head);
    });
  }

  /** Takes sealed blocks back, down to `number`; nothing is pending then. */
  rollback(number: bigint): Promise<void> {
    const { chain, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      const from = chain.latest.header.number;
      const removed = feed.has('removed') ? await chain.above(number) : undefined;
      const head = await chain.rollbackTo(number);
      this.#forget();
      chain.moveTo(head, undefined);
      if (from > number) feed.emit('back', { from, to: number });
      if (removed && from > number) feed.emit('removed', removed);
    });
  }

  #forget(): void {
    this.#current = undefined;
    this.#published = [];
  }

  async #execute(
    before: OpenBlock,
    { transactions: raw, senders, check }: ReplicaIndex,
  ): Promise<ExecutedIndex> {
    const transactions = raw.map((bytes) => this.#decode(bytes, before.hardfork, senders));
    const { assembler } = this.#deps;
    const open = await assembler.include(before, transactions);
    const view = await assembler.view(open);
    check(view);
    return { open, view, transactions };
  }

  #decode(raw: Uint8Array, { common }: Hardfork, senders: Senders | undefined): Transaction {
    const { decoder } = this.#deps;
    if (!senders) return decoder.decode(raw, common);
    const tx = decoder.decodeStored(raw, common);
    const hash = tx.hash();
    const from = senders.get(bytesToHex(hash));
    if (!from) return decoder.decode(raw, common);
    // A signature that says the same is a real one; one that can't be recovered is none.
    let impersonated = true;
    try {
      impersonated = !equalsBytes(decoder.decode(raw, common).from.bytes, from.bytes);
    } catch {}
    return { tx, from, hash, raw: tx.serialize(), impersonated };
  }

  #publish({ open, view, transactions }: ExecutedIndex): void {
    this.#current = { open, view };
    const index = this.#published.length;
    const flashblock = { payload: this.#payload, index, block: view, transactions };
    this.#published.push(flashblock);
    this.#deps.feed.emit('flashblock', flashblock);
    this.#deps.feed.emit('preconfirmed', flashblock);
  }
}

interface ExecutedIndex extends Current {
  readonly transactions: readonly Transaction[];
}
