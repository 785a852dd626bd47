import { isStoreFailure } from '../chain/store/data-dir-error.ts';
import type { Clock } from '../clock.ts';
import { Liveness, secondsOf } from '../remote/liveness.ts';
import { openSocket, RpcClient, Unreachable } from '../remote/rpc-client.ts';
import type { ConnectionState } from '../rpc/member.ts';
import { TaskQueue } from '../task-queue.ts';
import type { Follower } from './follower.ts';
import { BadMessage, readMessage } from './message.ts';
import { askerOf, hashAt, idOf, PrunedAway, type WireHeader } from './remote-chain.ts';
import type { BlockId } from './sequence.ts';

/** Maximum number of queued messages; beyond it the connection is closed and reopened. */
const MAX_WAITING = 1_000;

/** Minimum and maximum wait before reconnecting, in milliseconds; the wait doubles in between. */
const BACKOFF = [1_000, 10_000] as const;

/** After this many milliseconds without a message or a pong this chain may be outdated: two pings have been lost by then. */
const SILENT_MS = 10_000;

export interface SessionsOptions {
  /** address of the stream */
  readonly stream: string;
  /** address of the same node's JSON-RPC, over WebSocket */
  readonly rpc: string;
}

export interface SessionsDeps {
  readonly follower: Pick<Follower, 'restart' | 'message' | 'head'>;
  readonly genesis: BlockId;
  /** the machine's clock */
  readonly clock: Clock;
  /** Called with lines to print. */
  readonly onLine: (line: string) => void;
  /** Called when following can't continue: another chain, blocks pruned at the other node, or a failing store. */
  readonly onFatal: (error: unknown) => void;
}

/** The other node has a different chain. */
export class OtherChain extends Error {
  override readonly name = 'OtherChain';
}

/** Connects to the other node, follows it until the connection ends, and reconnects. */
export class Sessions {
  readonly #options: SessionsOptions;
  readonly #deps: SessionsDeps;
  readonly #queue = new TaskQueue();
  readonly #liveness: Liveness;
  #rpc: RpcClient | undefined;
  #end: () => void = () => {};
  #waiting = 0;
  #stopped = false;
  #running: Promise<void> | undefined;
  #retry: (() => void) | undefined;

  constructor(options: SessionsOptions, deps: SessionsDeps) {
    this.#options = options;
    this.#deps = deps;
    const { clock, onLine } = deps;
    this.#liveness = new Liveness(
      { limit: SILENT_MS },
      {
        clock,
        onSilent: (ms) => onLine(this.#unheard(ms)),
        onAlive: (ms) => onLine(`this node hears of ${this.#options.stream} again, after ${secondsOf(ms)}`),
      },
    );
  }

  /** Whether the other node is responsive. */
  readonly connectionState = (): ConnectionState => {
    const { ms, isSilent } = this.#liveness;
    return { heardMs: ms, problem: isSilent ? this.#unheard(ms) : null };
  };

  /** Resolves when the chain has caught up for the first time. @throws OtherChain; Error if the connection fails */
  async start(): Promise<void> {
    const { ended } = await this.#open();
    this.#running = this.#keep(ended);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#liveness.close();
    this.#retry?.();
    this.#end();
    await this.#running;
    await this.#queue.run(async () => {});
  }

  /** Sends a request to the other node. @throws RpcError */
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

  /** @param ms milliseconds since the last sign of the other node */
  #unheard(ms: number): string {
    return `this node has not heard of ${this.#options.stream} for ${secondsOf(ms)}, so its chain may be old`;
  }

  /** Opens a connection and catches up. @returns `ended`, which resolves when the connection has ended */
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
      // Queued before the first message of the stream.
      const synced = add(() => follower.restart(ask));
      const stream = await openSocket(this.#options.stream, clock, (frame) => {
        add(async () => follower.message(readMessage(frame), ask));
        if (this.#waiting > MAX_WAITING) end();
      });
      void connection.ended.then(() => stream.close());
      const hear = () => this.#liveness.sawSign();
      hear();
      stream.on('close', end).on('pong', hear).on('message', hear);
      await synced;
    } catch (error) {
      end();
      throw error;
    }
    // `stop` was called meanwhile.
    if (this.#stopped) end();
    return connection;
  }

  /** Queues a task. An error ends the connection, except an unreadable message. */
  #add(connection: Connection, task: () => Promise<void>): Promise<void> {
    const { onLine, onFatal } = this.#deps;
    this.#waiting++;
    // The remaining tasks of an ended connection are skipped: the next connection catches up with the other node first.
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

/** The stream and JSON-RPC connections to the other node. If one ends, both are ended. */
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
