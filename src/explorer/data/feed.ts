import type { Clock } from '../../clock.ts';
import type { Status } from '../../rpc/read/status.ts';
import { type FlashblockRecord, Recalled } from './recalled.ts';
import type { RpcSocket } from './rpc-socket.ts';
import { KEPT_BLOCKS, type Store } from './store.ts';
import type { Block, FlashblockDiff, Header, Hex } from './types.ts';

/** Interval at which the node's status is polled, milliseconds. */
const STATUS_MS = 1_000;
const FIRST_BLOCKS = 20;

type Kind = 'newHeads' | 'newFlashblockDiffs' | 'newPendingTransactions';

/** Limit of the attempts to fetch the block being built in the version that the status names. */
const ATTEMPTS = 5;

/**
 * Keeps the store up to date with subscriptions. After each connection, and when blocks or flashblocks are missing
 * between two notifications, it fetches the missing ones. While the page is hidden or paused, it has no subscriptions.
 */
export class Feed {
  readonly #rpc: RpcSocket;
  readonly #store: Store;
  readonly #clock: Pick<Clock, 'after'>;
  readonly #kinds = new Map<string, Kind>();
  /** incremented whenever the feed begins or stops listening: results of requests from earlier rounds are discarded */
  #round = 0;
  #watching = true;
  #timer: Disposable | undefined;
  /** hash of the block that becomes the head, while blocks are being fetched or about to be */
  #target: Hex | undefined;
  #fetching = false;
  /** whether the block being built is being fetched */
  #mending = false;

  constructor(deps: { rpc: RpcSocket; store: Store; clock: Pick<Clock, 'after'> }) {
    this.#rpc = deps.rpc;
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#rpc.onOpen = () => {
      this.#kinds.clear();
      if (this.#watching) this.#begin();
    };
    this.#rpc.onNotification = (subscription, result) => this.#notified(subscription, result);
  }

  /** Starts or stops listening: the tab is hidden, or the user pauses the live view. */
  watch(watching: boolean): void {
    if (watching === this.#watching) return;
    this.#watching = watching;
    if (this.#rpc.state.peek() !== 'open') return;
    if (watching) this.#begin();
    else this.#end();
  }

  /** Fetches the node's status at once, because a request has changed something. */
  refresh(): void {
    if (this.#watching) void this.#look(this.#round);
  }

  #begin(): void {
    const round = ++this.#round;
    this.#store.resume();
    void this.#start(round).catch(() => {
      // If the connection ended, the next one begins anew. Otherwise the status is requested again.
      if (this.#round === round) this.#later(round);
    });
  }

  #end(): void {
    this.#round++;
    this.#timer?.[Symbol.dispose]();
    this.#target = undefined;
    for (const id of this.#kinds.keys()) this.#rpc.call('eth_unsubscribe', id).catch(() => {});
    this.#kinds.clear();
  }

  async #start(round: number): Promise<void> {
    const status = await this.#rpc.call<Status>('devnet_status');
    if (round !== this.#round) return;
    const known = this.#store.status.peek();
    if (known && known.instanceId !== status.instanceId) this.#store.reset();
    this.#store.status.value = status;
    await this.#subscribe(round, status);
    if (round !== this.#round) return;
    this.#reach(status.head.hash);
    await this.#beginPending(round, status);
    if (round === this.#round) this.#later(round);
    if (preconfirms(status)) await this.#recall(round);
  }

  async #recall(round: number): Promise<void> {
    const records = await this.#rpc.call<FlashblockRecord[]>('devnet_flashblocks');
    if (round === this.#round) this.#store.recall(new Recalled(records), this.#interval);
  }

  /** milliseconds between flashblocks; a follower's status doesn't contain them */
  get #interval(): number {
    const mode = this.#store.status.peek()?.mode;
    return mode && 'flashblockInterval' in mode && mode.flashblockInterval > 0
      ? mode.flashblockInterval
      : 200;
  }

  async #subscribe(round: number, status: Status): Promise<void> {
    const kinds: Kind[] = ['newHeads', 'newPendingTransactions'];
    if (preconfirms(status)) kinds.push('newFlashblockDiffs');
    await Promise.all(
      kinds.map(async (kind) => {
        const id = await this.#rpc.call<string>('eth_subscribe', kind);
        if (round === this.#round) this.#kinds.set(id, kind);
        else this.#rpc.call('eth_unsubscribe', id).catch(() => {});
      }),
    );
  }

  /** Fetches the block being built, with the index of its newest flashblock. Both may change between the calls. */
  async #beginPending(round: number, status: Status): Promise<void> {
    if (!preconfirms(status)) {
      this.#store.pending.value = undefined;
      return;
    }
    let newest = status.flashblock;
    for (let attempt = 1; newest && attempt <= ATTEMPTS; attempt++) {
      const block = await this.#rpc.call<Block>('eth_getBlockByNumber', 'pending', true);
      if (round !== this.#round) return;
      if (block.hash === newest.hash) {
        // Notifications may have brought a newer version already.
        const known = this.#store.pending.peek();
        const isNewer =
          !known ||
          Number(known.block.number) < Number(block.number) ||
          (known.block.number === block.number &&
            (known.payloadId !== newest.payloadId || known.index < newest.index));
        if (isNewer) this.#store.begin(block, newest);
        return;
      }
      newest = (await this.#rpc.call<Status>('devnet_status')).flashblock;
      if (round !== this.#round) return;
    }
  }

  /** Fetches the block being built, because flashblocks of it are missing. */
  async #mend(): Promise<void> {
    if (this.#mending) return;
    this.#mending = true;
    try {
      const round = this.#round;
      const status = await this.#rpc.call<Status>('devnet_status');
      if (round === this.#round) await this.#beginPending(round, status);
    } catch {
      // The connection ended; the next one begins anew.
    } finally {
      this.#mending = false;
    }
  }

  #later(round: number): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = this.#clock.after(STATUS_MS, () => this.#look(round));
  }

  async #look(round: number): Promise<void> {
    let status: Status;
    try {
      status = await this.#rpc.call<Status>('devnet_status');
    } catch {
      if (round === this.#round && this.#rpc.state.peek() === 'open') this.#later(round);
      return;
    }
    if (round !== this.#round) return;
    const known = this.#store.status.peek();
    if (known && (known.instanceId !== status.instanceId || !sameMode(known.mode, status.mode))) {
      this.#end();
      this.#begin();
      return;
    }
    this.#store.status.value = status;
    // The head may also have gone back, as after evm_revert: without flashblocks no notification announces that.
    if (this.#store.head?.hash !== status.head.hash) this.#reach(status.head.hash);
    this.#later(round);
  }

  #notified(subscription: string, result: unknown): void {
    const kind = this.#kinds.get(subscription);
    if (kind === 'newHeads') this.#reach((result as Header).hash);
    else if (kind === 'newPendingTransactions') this.#store.sent(result as Hex);
    else if (kind === 'newFlashblockDiffs') this.#grown(result as FlashblockDiff);
  }

  #grown(diff: FlashblockDiff): void {
    if (!this.#store.grown(diff, this.#interval)) void this.#mend();
    // The parent of flashblock 0 is the head. The head may have gone back, as after evm_revert: no other notification announces that.
    else if (diff.index === 0) this.#reach(diff.block.parentHash);
  }

  /** Makes a block the head. If several are announced while blocks are being fetched, the newest one wins. */
  #reach(hash: Hex): void {
    if (!this.#fetching && this.#store.head?.hash === hash) return;
    this.#target = hash;
    // Usually it is the block that was being built, and there is nothing to fetch.
    const pending = this.#store.pending.peek()?.block;
    if (!this.#fetching && pending?.hash === hash && this.#store.knows(pending.parentHash)) {
      this.#target = undefined;
      // Its earlier transactions still have the block hash of their flashblock.
      const transactions = pending.transactions.map((it) => ({ ...it, blockHash: hash }));
      this.#store.seal([{ ...pending, transactions }]);
    } else if (!this.#fetching) void this.#fetch();
  }

  async #fetch(): Promise<void> {
    this.#fetching = true;
    try {
      while (this.#target !== undefined) {
        const hash = this.#target;
        const round = this.#round;
        const blocks = await this.#upTo(hash);
        if (round === this.#round && blocks.length > 0) this.#store.seal(blocks);
        if (this.#target === hash) this.#target = undefined;
      }
    } catch {
      // The connection ended, or a reorg removed the block; the next status names the head.
      this.#target = undefined;
    } finally {
      this.#fetching = false;
    }
  }

  /** A block, preceded by the blocks that the store lacks, the oldest first. Batches keep the number of requests small. */
  async #upTo(hash: Hex): Promise<Block[]> {
    const newest = await this.#rpc.call<Block | null>('eth_getBlockByHash', hash, true);
    const blocks = newest ? [newest] : [];
    const head = this.#store.head;
    const most = head ? KEPT_BLOCKS : FIRST_BLOCKS;
    const isJoined = ({ number, parentHash }: Block) => Number(number) === 0 || this.#store.knows(parentHash);
    // First the blocks after the known head; if more are missing, a reorg replaced earlier ones, and the batches get larger.
    let count = head && newest ? Number(newest.number) - Number(head.number) : most;
    while (blocks[0] && blocks.length < most && !isJoined(blocks[0])) {
      const earlier = await this.#before(blocks[0], Math.min(Math.max(1, count), most - blocks.length));
      if (earlier.length === 0) break;
      blocks.unshift(...earlier);
      count = most;
    }
    return blocks;
  }

  /** Up to `count` blocks before a block, the oldest first, without those that the store has. */
  async #before(block: Block, count: number): Promise<Block[]> {
    const last = Number(block.number) - 1;
    const first = Math.max(0, last - count + 1);
    const numbers = Array.from({ length: last - first + 1 }, (_, i) => `0x${(last - i).toString(16)}`);
    const found = await this.#rpc.batch<Block | null>(
      numbers.map((number) => ['eth_getBlockByNumber', number, true]),
    );
    const blocks: Block[] = [];
    for (let wanted = block.parentHash, i = 0; i < found.length; i++) {
      const earlier = found[i];
      // A reorg may have happened since the block was fetched.
      if (earlier?.hash !== wanted || this.#store.knows(wanted)) break;
      blocks.unshift(earlier);
      wanted = earlier.parentHash;
    }
    return blocks;
  }
}

/** Whether the node shows a block that grows by flashblocks. A follower shows the one of the node that it follows. */
export function preconfirms({ role, mode }: Pick<Status, 'role' | 'mode'>): boolean {
  return role === 'follower' || ('flashblockInterval' in mode && mode.flashblockInterval > 0);
}

function sameMode(a: Status['mode'], b: Status['mode']): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
