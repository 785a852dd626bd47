import type { Node } from '../../../src/boot/node.ts';
import { Follower } from '../../../src/follow/follower.ts';
import { readMessage } from '../../../src/follow/message.ts';
import { type Ask, idOf, type WireHeader } from '../../../src/follow/remote-chain.ts';
import { Unreachable } from '../../../src/remote/rpc-client.ts';
import { flashblockMessage } from '../../../src/sequencer/feed/message.ts';

/**
 * The connection of a follower to the node that makes the blocks, without sockets: what is sent waits here until it is
 * delivered, in its order, one message at a time. As over the network, an error ends the connection, and the next one
 * begins with what the follower missed.
 */
export class FollowerLink {
  readonly #sequencer: Node;
  readonly #follower: Follower;
  readonly #listeners: Disposable[];
  readonly mismatches: string[] = [];
  #waiting: (() => Promise<void>)[] = [];
  #isConnected = false;
  /** messages of the stream that are lost, and sent twice */
  #lost = 0;
  #repeated = 0;
  /** Whether messages wait here until they are released. */
  isHeld = false;
  /** how many requests of the follower fail */
  failing = 0;
  /** Whether the head moved back and nothing was announced since: newHeads says so with the next block only. */
  isBehind = false;
  /** Whether the follower has had every message since it connected, or since the open block's first one. */
  isComplete = false;

  constructor({ sequencer, follower }: { sequencer: Node; follower: Node }) {
    this.#sequencer = sequencer;
    this.#follower = new Follower({
      chain: follower.chain,
      replica: follower.replica,
      onMismatch: ({ number, reason }) => this.mismatches.push(`block ${number}: ${reason}`),
    });
    this.#listeners = [
      sequencer.feed.on('flashblock', (flashblock) => {
        const frame = Buffer.from(JSON.stringify(flashblockMessage(flashblock)));
        if (flashblock.index === 0) this.isComplete = true;
        if (this.#lost > 0) {
          this.#lost--;
          this.isComplete = false;
          return;
        }
        for (let times = this.#repeated-- > 0 ? 2 : 1; times > 0; times--)
          this.#waiting.push(() => this.#follower.message(readMessage(frame), this.#ask));
        this.#repeated = Math.max(0, this.#repeated);
      }),
      sequencer.feed.on('rewound', () => {
        this.isBehind = true;
      }),
      sequencer.feed.on('sealed', ({ header, hash }) => {
        this.isBehind = false;
        const head = { number: header.number, hash, parentHash: header.parentHash };
        this.#waiting.push(() => this.#follower.head(head, this.#ask));
      }),
    ];
  }

  readonly #ask: Ask = async (method, params = []) => {
    if (this.failing > 0) {
      this.failing--;
      throw new Unreachable();
    }
    return this.#sequencer.provider.request({ method, params });
  };

  lose(): void {
    this.#lost++;
  }

  repeat(): void {
    this.#repeated++;
  }

  /** Ends the connection: what waits is lost. */
  cut(): void {
    this.#isConnected = false;
    this.isComplete = false;
    this.#waiting = [];
  }

  /**
   * Delivers what waits, over a new connection if the last one has ended.
   * @throws what the follower's own store says
   */
  async deliver(isFatal: (error: unknown) => boolean): Promise<void> {
    while (!this.isHeld) {
      const task = this.#isConnected ? this.#waiting.shift() : () => this.#connect();
      if (!task) return;
      try {
        await task();
      } catch (error) {
        if (isFatal(error)) throw error;
        this.cut();
      }
    }
  }

  /** As a session does: catches up with the blocks, and has the open block's messages sent once more. */
  async #connect(): Promise<void> {
    this.#waiting = [];
    await this.#follower.restart(this.#ask);
    const head = (await this.#ask('eth_getBlockByNumber', ['latest', false])) as WireHeader;
    this.#waiting.push(
      () => this.#follower.head(idOf(head), this.#ask),
      ...this.#sequencer.sequencer.published.map((flashblock) => {
        const frame = Buffer.from(JSON.stringify(flashblockMessage(flashblock)));
        return () => this.#follower.message(readMessage(frame), this.#ask);
      }),
    );
    this.#isConnected = true;
    this.isBehind = false;
    this.isComplete = true;
  }

  close(): void {
    for (const listener of this.#listeners) listener[Symbol.dispose]();
  }
}
