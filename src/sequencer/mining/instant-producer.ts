import type { Transaction, TrieBlock } from '../../chain/block.ts';
import type { PendingBlock } from '../../chain/refs.ts';
import { typeOf } from '../../engine/message.ts';
import { DEPOSIT_TYPE } from '../../protocol/op-stack/deposit-transaction.ts';
import { type Awaitable, andThen } from '../../state/view.ts';
import type { NextFees } from '../next-fees.ts';
import { checkFields, type NextSettings } from '../settings.ts';
import type { FillOutcome } from './fill.ts';
import { mineEmpty } from './mine-empty.ts';
import type { MiningMode, Timing } from './mode.ts';
import { NextBlockPreview } from './next-block-preview.ts';
import type { OpenRecord, PatchHead, PreparedStart, Producer, ProducerDeps, Timestamps } from './producer.ts';
import { reserveEmpty } from './reserve-empty.ts';
import { ProducerTimer } from './timer.ts';

/** EIP-4844 */
const BLOB_TYPE = 3;

/** Makes each block when it is sealed, without flashblocks; `pending` is the block that would be mined now. */
export class InstantProducer implements Producer {
  readonly mode: MiningMode;
  readonly preconfirmed = undefined;
  readonly #deps: ProducerDeps;
  readonly #timer: ProducerTimer;
  readonly #next: NextBlockPreview;
  /** when the next block is due, milliseconds on the clock; `undefined` in modes without an interval */
  #due: number | undefined;
  #stopped = false;

  constructor(mode: MiningMode, deps: ProducerDeps) {
    this.mode = mode;
    this.#deps = deps;
    this.#timer = new ProducerTimer(mode, deps);
    this.#next = new NextBlockPreview(deps);
  }

  get resting(): OpenRecord {
    return { transactions: [], age: 0, slot: 1, due: this.#due };
  }

  get sealDue(): number | undefined {
    return this.#due;
  }

  prepare(head: TrieBlock, open?: OpenRecord): PreparedStart {
    const show = (onShown?: () => void) => {
      this.#stopped = false;
      this.#deps.chain.moveTo(head, undefined);
      onShown?.();
      this.#schedule(open?.due);
    };
    return { left: open?.transactions ?? [], show };
  }

  keep(): PreparedStart {
    return this.prepare(this.#deps.chain.latest, this.resting);
  }

  start(head: TrieBlock, open?: OpenRecord): void {
    this.prepare(head, open).show();
  }

  async stop(): Promise<void> {
    this.#timer.stop();
    this.#due = undefined;
    this.#stopped = true;
  }

  seal(timestamp?: bigint): Awaitable<TrieBlock> {
    if (timestamp !== undefined) this.setNext({ timestamp });
    const sealing = andThen(this.#sealOne(undefined), (isSealed) => (isSealed ? undefined : this.#mine()));
    return andThen(sealing, () => {
      this.#schedule();
      return this.#deps.chain.latest;
    });
  }

  sealWaiting(): Promise<FillOutcome> {
    return this.#mine({ skipEmpty: true });
  }

  sealSent(transaction: Transaction, added: () => void): Awaitable<boolean> {
    return needsAdmission(transaction) ? false : this.#sealOne(transaction, added);
  }

  /**
   * Seals a block of one transaction, or an empty block, without using the mempool.
   * @returns false if that isn't possible and nothing has changed, see {@link sealSent}
   */
  #sealOne(transaction: Transaction | undefined, added?: () => void): Awaitable<boolean> {
    const { assembler, chain, mempool, feed, settings, clock } = this.#deps;
    // A pending transaction may come first, and the flashblock stream needs the block as it was opened, too.
    if (mempool.size > 0 || feed.has('flashblock')) return false;
    const at = clock.now();
    const making = assembler.makeOfOne(chain.latest, this.#next.plan(at), transaction, added);
    return andThen(making, (made) => {
      if (!made) return false;
      settings.assignNextToOpenBlock(made.header.timestamp, at);
      return andThen(assembler.store(made), (block) => {
        this.#next.forget();
        assembler.nextPayload();
        // The block is shown in the same synchronous step, so that listeners find the transaction.
        if (transaction) mempool.pass(transaction);
        chain.moveTo(block, undefined);
        feed.emit('sealed', block);
        return true;
      });
    });
  }

  async sealEmpty(most: bigint, interval?: bigint): Promise<bigint> {
    const made = await mineEmpty({ most, interval }, this.#deps);
    this.#next.forget();
    this.#schedule();
    return made;
  }

  async reserve(most: bigint, times: Timestamps): Promise<bigint> {
    const { assembler, chain, feed, clock } = this.#deps;
    const before = chain.latest.header.number;
    const head = await reserveEmpty({ most, times, sealAt: clock.now() }, this.#deps);
    if (!head) return 0n;
    this.#next.forget();
    assembler.nextPayload();
    chain.moveTo(head, undefined);
    feed.emit('sealed', head);
    this.#schedule();
    return head.header.number - before;
  }

  setNext(next: NextSettings): void {
    checkFields(next, this.nextFees().hardfork);
    this.#deps.settings.setNext(next, this.#deps.chain.latest.header);
  }

  settingsChanged(): void {}

  catchUp(): void {
    const { chain, settings, clock } = this.#deps;
    settings.time.reach(chain.latest.header.timestamp, clock.now());
  }

  nextFees(): NextFees {
    return this.#next.fees();
  }

  pendingNow(): PendingBlock {
    return this.#next.pendingNow();
  }

  hold(ms: number): void {
    if (this.#due !== undefined) this.#schedule(this.#due, this.#deps.clock.now() + ms);
  }

  patch(write: PatchHead): Awaitable<void> {
    const { assembler, chain } = this.#deps;
    return andThen(write(chain.patched), (writes) => {
      if (chain.gathered(writes)) return assembler.renewNonces(writes);
      return andThen(chain.patchHead(writes), (head) => {
        chain.moveTo(head, undefined);
        assembler.renewNonces(writes);
      });
    });
  }

  async rebuild(): Promise<never> {
    throw new Error('no block is open');
  }

  /**
   * Sets the timer for the next block, in modes with a block time.
   * @param due milliseconds on the clock; one block time from now when absent
   * @param until earliest time to fire, milliseconds on the clock
   */
  #schedule(due?: number, until?: number): void {
    const { mode } = this;
    if (!('blockTime' in mode)) return;
    const { clock, wall, metrics, onTick } = this.#deps;
    const blockTime = this.#nextBlockTime(mode);
    const at = due ?? clock.now() + blockTime;
    this.#due = at;
    this.#timer.arm(at, until, async () => {
      if (this.#stopped) return;
      onTick();
      const begun = wall.precise();
      // A tick that is late by a block time or more makes the block of the last boundary before now; earlier blocks are skipped.
      const merged = Math.floor(Math.max(0, clock.now() - at) / blockTime);
      const boundary = at + merged * blockTime;
      await this.#mine({ at: boundary });
      const drift = clock.precise() - boundary;
      metrics.count({ drift, length: wall.precise() - begun, merged, interval: blockTime });
      this.#schedule(boundary + this.#nextBlockTime(mode));
    });
  }

  #nextBlockTime(mode: Timing): number {
    const { chain, settings } = this.#deps;
    return settings.timing(mode, chain.latest.header).blockTime;
  }

  /**
   * Makes, stores and shows a block.
   * @param options.at when the block is sealed, milliseconds on the clock; now by default
   * @param options.skipEmpty makes no block if there is no transaction for it
   * @returns the included and the dropped transactions
   */
  async #mine(options: { at?: number; skipEmpty?: boolean } = {}): Promise<FillOutcome> {
    const { assembler, chain, settings, feed, clock } = this.#deps;
    const { at = clock.now(), skipEmpty = false } = options;
    // The flashblock stream needs the block as it was opened, too.
    const opened = feed.has('flashblock') ? await this.#fillOpen(at, skipEmpty) : undefined;
    const filled = opened ?? (await assembler.make(chain.latest, this.#next.plan(at), { skipEmpty }));
    if (!filled.block) {
      assembler.show(filled, () => {});
      return filled;
    }
    settings.assignNextToOpenBlock(filled.block.header.timestamp, at);
    const storing = assembler.store(filled.block);
    const block = storing instanceof Promise ? await storing : storing;
    this.#next.forget();
    assembler.nextPayload();
    assembler.show(filled, () => chain.moveTo(block, undefined));
    if (opened?.empty && feed.has('flashblock')) this.#publish(opened.empty, block);
    feed.emit('sealed', block);
    return filled;
  }

  /** Opens a block and fills it in two steps, because the flashblock stream shows the block after each of them. */
  async #fillOpen(at: number, skipEmpty: boolean) {
    const { assembler } = this.#deps;
    const empty = await this.#next.open(at);
    const filled = await assembler.fill(empty, { gas: empty.env.gasLimit });
    const isSkipped = skipEmpty && filled.transactions.length === 0;
    if (isSkipped) return { ...filled, empty: undefined, block: undefined };
    // Both views are made before the block is stored, because they may need state from the forked node, which may fail.
    return { ...filled, empty: await assembler.view(empty), block: await assembler.view(filled.open) };
  }

  /** Publishes a finished block as two flashblocks: 0 is the block as it was opened, 1 adds all sent transactions. */
  #publish(empty: TrieBlock, block: TrieBlock): void {
    const { assembler, feed } = this.#deps;
    const { payload } = assembler;
    const { transactions } = empty;
    feed.emit('flashblock', { payload, index: 0, block: empty, transactions });
    const added = block.transactions.slice(transactions.length);
    feed.emit('flashblock', { payload, index: 1, block, transactions: added });
  }
}

/** Whether admission to the mempool checks rules that the engine doesn't: for blobs, deposits and impersonated senders. */
function needsAdmission({ raw, impersonated }: Transaction): boolean {
  const type = typeOf(raw);
  return impersonated || type === BLOB_TYPE || type === DEPOSIT_TYPE;
}
