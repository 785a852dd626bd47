import type { Clock } from '../clock.ts';
import { TaskQueue } from '../sequencer/task-queue.ts';
import type { Follower } from './follower.ts';
import { BadMessage, readMessage } from './message.ts';
import { hashAt, idOf, type WireHeader } from './remote-chain.ts';
import { openSocket, RpcClient, Unreachable } from './rpc-client.ts';

/** Messages that may wait to be executed before the connection is given up and begun anew. */
const MAX_WAITING = 1_000;

/** Milliseconds until another try, doubling from the first to the second. */
const BACKOFF = [1_000, 10_000] as const;

export interface SessionsOptions {
  /** of the stream */
  readonly stream: string;
  /** of its node's JSON-RPC, over WebSocket */
  readonly rpc: string;
}

export interface SessionsDeps {
  readonly follower: Follower;
  readonly genesisHash: Uint8Array;
  /** wall time */
  readonly clock: Clock;
  /** Something to tell people. */
  readonly onLine: (line: string) => void;
  /** It can't go on: another chain, or a store that fails. */
  readonly onFatal: (error: unknown) => void;
}

/** The other node is one of another chain. */
export class OtherChain extends Error {
  override readonly name = 'OtherChain';
}

/** Connects, follows until the connection ends, and connects again. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #deps: SessionsDeps;
  readonly #queue = new TaskQueue();
  #rpc: RpcClient | undefined;
  #end: () => void = () => {};
  #waiting = 0;
  #stopped = false;
  #running: Promise<void> | undefined;
  #retry: (() => void) | undefined;

  constructor(options: SessionsOptions, deps: SessionsDeps) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Resolves when the chain has caught up for the first time. @throws when it can't be reached, OtherChain */
  async start(): Promise<void> {
    const { ended } = await this.#open();
    this.#running = this.#keep(ended);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#retry?.();
    this.#end();
    await this.#running;
    await this.#queue.run(async () => {});
  }

  /** Asks the other node. @throws RpcError */
  request(method: string, params: readonly unknown[] = []): Promise<unknown> {
    return this.#rpc ? this.#rpc.request(method, params) : Promise.reject(new Unreachable());
  }

  async #keep(first: Promise<void>): Promise<void> {
    const { onLine, onFatal, clock } = this.#deps;
    let ended = first;
    while (!this.#stopped) {
      await ended;
      let wait: number = BACKOFF[0];
      while (!this.#stopped) {
        onLine(`the connection to ${this.#options.stream} ended: next try in ${wait / 1_000} s`);
        await new Promise<void>((resolve) => {
          const timer = clock.after(wait, resolve);
          this.#retry = () => {
            timer[Symbol.dispose]();
            resolve();
          };
        });
        wait = Math.min(2 * wait, BACKOFF[1]);
        if (this.#stopped) return;
        try {
          ({ ended } = await this.#open());
          onLine(`following ${this.#options.stream} again`);
          break;
        } catch (error) {
          if (error instanceof OtherChain) return onFatal(error);
        }
      }
    }
  }

  /** @returns what resolves when the connection has ended */
  async #open(): Promise<{ ended: Promise<void> }> {
    const { clock, follower, genesisHash } = this.#deps;
    const rpc = await RpcClient.open(this.#options.rpc, clock, (head) => {
      const id = idOf(head as WireHeader);
      this.#add(() => follower.head(id, ask));
    });
    const ask = (method: string, params?: readonly unknown[]) => rpc.request(method, params);
    let end = () => {};
    const ended = new Promise<void>((resolve) => {
      end = () => {
        rpc.close();
        if (this.#rpc === rpc) this.#rpc = undefined;
        resolve();
      };
    });
    this.#end = end;
    rpc.socket.on('close', end);
    try {
      const theirs = await hashAt(ask, 0n);
      if (!theirs || Buffer.compare(theirs, genesisHash) !== 0)
        throw new OtherChain(`${this.#options.rpc} is another chain now: its genesis block is another one`);
      await rpc.request('eth_subscribe', ['newHeads']);
      this.#rpc = rpc;
      // Before the first message.
      const synced = this.#add(() => follower.restart(ask));
      const stream = await openSocket(this.#options.stream, clock, (frame) => {
        this.#add(async () => follower.message(readMessage(frame), ask));
        if (this.#waiting > MAX_WAITING) end();
      });
      void ended.then(() => stream.close());
      stream.on('close', end);
      await synced;
    } catch (error) {
      end();
      throw error;
    }
    return { ended };
  }

  /** One after the other. What fails ends the connection: the next one begins with what the other node has then. */
  #add(task: () => Promise<void>): Promise<void> {
    const { onLine } = this.#deps;
    this.#waiting++;
    const end = () => this.#end();
    return this.#queue.run(async () => {
      try {
        if (!this.#stopped) await task();
      } catch (error) {
        if (!this.#stopped) onLine((error as Error).message);
        if (!(error instanceof BadMessage)) end();
      } finally {
        this.#waiting--;
      }
    });
  }
}
