import { isStoreFailure } from '../chain/store/data-dir-error.ts';
import type { Clock } from '../clock.ts';
import { openSocket, RpcClient, Unreachable } from '../remote/rpc-client.ts';
import { TaskQueue } from '../sequencer/task-queue.ts';
import type { Follower } from './follower.ts';
import { BadMessage, readMessage } from './message.ts';
import { askerOf, hashAt, idOf, PrunedAway, type WireHeader } from './remote-chain.ts';
import type { BlockId } from './sequence.ts';

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
  readonly follower: Pick<Follower, 'restart' | 'message' | 'head'>;
  readonly genesis: BlockId;
  /** wall time */
  readonly clock: Clock;
  /** Something to tell people. */
  readonly onLine: (line: string) => void;
  /** It can't go on: another chain, blocks that are pruned there, or a store that fails. */
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
      let reason = `the connection to ${this.#options.stream} ended`;
      while (!this.#stopped) {
        onLine(`${reason}: next try in ${wait / 1_000} s`);
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
          reason = (error as Error).message;
        }
      }
    }
  }

  /** @returns what resolves when the connection has ended */
  async #open(): Promise<{ ended: Promise<void> }> {
    const { clock, follower, genesis } = this.#deps;
    const connection = new Connection();
    const add = (task: () => Promise<void>) => this.#add(connection, task);
    const rpc = await RpcClient.open(this.#options.rpc, clock, (head) => {
      add(async () => follower.head(idOf(head as WireHeader), ask));
    });
    const ask = askerOf(rpc);
    const end = () => connection.end();
    this.#end = end;
    rpc.socket.on('close', end);
    void connection.ended.then(() => {
      rpc.close();
      if (this.#rpc === rpc) this.#rpc = undefined;
    });
    try {
      const theirs = await hashAt(ask, genesis.number);
      if (!theirs || Buffer.compare(theirs, genesis.hash) !== 0)
        throw new OtherChain(`${this.#options.rpc} is another chain now: its genesis block is another one`);
      await ask('eth_subscribe', ['newHeads']);
      this.#rpc = rpc;
      // Before the first message.
      const synced = add(() => follower.restart(ask));
      const stream = await openSocket(this.#options.stream, clock, (frame) => {
        add(async () => follower.message(readMessage(frame), ask));
        if (this.#waiting > MAX_WAITING) end();
      });
      void connection.ended.then(() => stream.close());
      stream.on('close', end);
      await synced;
    } catch (error) {
      end();
      throw error;
    }
    // Stopped while it was opened.
    if (this.#stopped) end();
    return connection;
  }

  /** One after the other. What fails ends the connection. */
  #add(connection: Connection, task: () => Promise<void>): Promise<void> {
    const { onLine, onFatal } = this.#deps;
    this.#waiting++;
    // What is left of a connection that has ended is passed over: the next one begins with what the other node has then.
    const isOver = () => this.#stopped || connection.over;
    return this.#queue.run(async () => {
      try {
        if (!isOver()) await task();
      } catch (error) {
        if (isStoreFailure(error) || error instanceof PrunedAway) onFatal(error);
        else if (!isOver()) onLine((error as Error).message);
        if (!(error instanceof BadMessage)) connection.end();
      } finally {
        this.#waiting--;
      }
    });
  }
}

/** Stream and JSON-RPC of the other node, from when both are opened until one of them ends. */
class Connection {
  over = false;
  readonly ended: Promise<void>;
  #resolve = () => {};

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#resolve = resolve;
    });
  }

  end(): void {
    this.over = true;
    this.#resolve();
  }
}
