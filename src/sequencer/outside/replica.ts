import { type Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import type { BlockView, Transaction, TrieBlock } from '../../chain/block.ts';
import type { BlockPlan } from '../../chain/block-draft.ts';
import { expectSame } from '../../chain/block-fault.ts';
import { decodeBlock } from '../../chain/block-rlp.ts';
import type { Chain } from '../../chain/chain.ts';
import { planOf } from '../../chain/import-block.ts';
import { type OpenBlock, openBlock } from '../../chain/open-block.ts';
import type { Engine } from '../../engine/engine.ts';
import type { TransactionDecoder } from '../../mempool/decode.ts';
import type { Hardfork } from '../../protocol/hardfork.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { Awaitable } from '../../state/view.ts';
import type { Feed, Flashblock } from '../feed/feed.ts';
import type { Assembler } from '../mining/assembler.ts';
import type { Sequencer } from '../sequencer.ts';

/** The other node's transactions already contain the L1 attributes deposit. */
const AS_GIVEN = { withL1Attributes: false, strict: false };

export interface ReplicaDeps {
  readonly assembler: Assembler;
  readonly chain: Chain;
  readonly decoder: TransactionDecoder;
  readonly engine: Engine;
  readonly feed: Feed;
  /** used for its queue only, so that writes don't overlap; it mines nothing */
  readonly sequencer: Sequencer;
}

/** A flashblock of the other node: its transactions, and a check of the result. */
export interface ReplicaFlashblock {
  readonly transactions: readonly Uint8Array[];
  /** the impersonated senders, which the signatures don't give; by transaction hash in `0x` hex */
  readonly senders?: Senders | undefined;
  /** Throws when the executed block differs from the other node's; it is then not shown. */
  readonly check: (view: BlockView) => void;
}

export type Senders = ReadonlyMap<string, Address>;

interface Current {
  readonly open: OpenBlock;
  readonly view: TrieBlock;
}

/**
 * Follows another node: executes the blocks that it makes. Doesn't check header rules, because a dev chain may break
 * them (a base fee that was set, equal timestamps). The block hash must be the same.
 */
export class Replica {
  readonly #deps: ReplicaDeps;
  #current: Current | undefined;
  #published: Flashblock[] = [];
  #payload = 0n;
  /** number of blocks whose result differed from the other node's */
  mismatches = 0;

  constructor(deps: ReplicaDeps) {
    this.#deps = deps;
  }

  /** The open block. */
  get pending(): BlockView | undefined {
    return this.#current?.view;
  }

  /** The open block's flashblocks, by index. */
  get published(): readonly Flashblock[] {
    return this.#published;
  }

  /**
   * Opens the block after the head. With `seal`, seals the open block first, unchanged; readers see both at the same
   * time.
   * @throws DevnetError, BadBlock, or the error of `check`; the sealed block stays, and no block is pending
   */
  begin(plan: BlockPlan, flashblock: ReplicaFlashblock, { seal = false } = {}): Promise<void> {
    const { chain, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      const before = this.#current;
      const parent = seal && before ? await chain.store(before.view) : chain.latest;
      const sealed = parent !== chain.latest;
      this.#current = undefined;
      this.#published = [];
      let next: ExecutedFlashblock;
      try {
        next = await this.#execute(await this.#open(parent, plan), flashblock);
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

  /** Adds a flashblock to the open block. @throws like {@link begin}; the open block then stays as it was */
  extend(flashblock: ReplicaFlashblock): Promise<void> {
    const { chain, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      if (!this.#current) throw new Error('no block is open');
      const next = await this.#execute(this.#current.open, flashblock);
      chain.showPending(next.view);
      this.#publish(next);
    });
  }

  /** Seals the open block, unchanged; no block is pending then. */
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

  /** Drops the open block; no block is pending then. */
  clear(): Promise<void> {
    return this.#deps.sequencer.alone(async () => {
      this.#forget();
      this.#deps.chain.showPending(undefined);
    });
  }

  /**
   * Executes a sealed block and appends it to the head; no block is pending then.
   * @param encoded the block's RLP
   * @throws BadBlock, DevnetError when the result differs from the other node's
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
      const made = await assembler.makeOf(transactions, parent, plan, AS_GIVEN);
      for (const field of ['gasUsed', 'receiptsRoot', 'stateRoot'] as const)
        expectSame(field, header[field], made.header[field]);
      expectSame('hash', hash, made.hash);
      const head = await chain.store(made);
      this.#forget();
      chain.moveTo(head, undefined);
      feed.emit('sealed', head);
    });
  }

  /** Removes the sealed blocks above `number`; no block is pending then. */
  rollback(number: bigint): Promise<void> {
    const { chain, feed, sequencer } = this.#deps;
    return sequencer.alone(async () => {
      const from = chain.latest.header.number;
      const removed = feed.has('removed') ? await chain.above(number) : undefined;
      const head = await chain.rollbackTo(number);
      this.#forget();
      chain.moveTo(head, undefined);
      if (from > number) feed.emit('rewound', { from, to: number });
      if (removed && from > number) feed.emit('removed', removed);
    });
  }

  #open(parent: TrieBlock, plan: BlockPlan): Awaitable<OpenBlock> {
    const { chain, engine } = this.#deps;
    return openBlock(parent, plan, engine, (number) => chain.blockHash(number), AS_GIVEN);
  }

  #forget(): void {
    this.#current = undefined;
    this.#published = [];
  }

  async #execute(
    before: OpenBlock,
    { transactions: raw, senders, check }: ReplicaFlashblock,
  ): Promise<ExecutedFlashblock> {
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
    const stored = decoder.decodeStored(raw, common);
    const hash = keccak256(stored.raw);
    const from = senders.get(bytesToHex(hash));
    if (!from) return decoder.decode(raw, common);
    // If the signature recovers to this sender, the sender isn't impersonated after all. A signature from which no sender can be
    // recovered belongs to an impersonated sender.
    let impersonated = true;
    try {
      impersonated = !equalsBytes(decoder.decode(raw, common).from.bytes, from.bytes);
    } catch {}
    return { ...stored, from, hash, impersonated };
  }

  #publish({ open, view, transactions }: ExecutedFlashblock): void {
    this.#current = { open, view };
    const index = this.#published.length;
    const flashblock = { payload: this.#payload, index, block: view, transactions };
    this.#published.push(flashblock);
    this.#deps.feed.emit('flashblock', flashblock);
    this.#deps.feed.emit('preconfirmed', flashblock);
  }
}

interface ExecutedFlashblock extends Current {
  readonly transactions: readonly Transaction[];
}
