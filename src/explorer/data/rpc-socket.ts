import { type Signal, signal } from '@preact/signals';
import type { Clock } from '../../clock.ts';

/** The members of a browser's WebSocket that are used here. */
export interface Socket {
  onopen: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  onclose: (() => void) | null;
  send(text: string): void;
  close(): void;
}

export interface RpcSocketDeps {
  /** Opens a connection. */
  readonly open: () => Socket;
  readonly clock: Pick<Clock, 'after'>;
}

/** An error response of the node. */
export class RpcError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor({ code, message, data }: { code: number; message: string; data?: unknown }) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

interface Waiting {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Delay before the first attempt to reconnect, milliseconds; it doubles up to MAX_RETRY_MS. */
const FIRST_RETRY_MS = 250;
const MAX_RETRY_MS = 4_000;

/** JSON-RPC calls and subscriptions over one WebSocket, which reconnects when the connection ends. */
export class RpcSocket {
  readonly #deps: RpcSocketDeps;
  readonly #waiting = new Map<number, Waiting>();
  #socket: Socket | undefined;
  #id = 0;
  #retry = FIRST_RETRY_MS;
  readonly state: Signal<'connecting' | 'open' | 'closed'> = signal('connecting');
  /** Called with the subscription's id and the notification's result. */
  onNotification: (subscription: string, result: unknown) => void = () => {};
  /** Called after each connection has been opened. */
  onOpen: () => void = () => {};

  constructor(deps: RpcSocketDeps) {
    this.#deps = deps;
  }

  /** Opens the connection, and reconnects from now on. */
  connect(): void {
    const socket = this.#deps.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#retry = FIRST_RETRY_MS;
      this.state.value = 'open';
      this.onOpen();
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(String(data)));
    socket.onclose = () => {
      this.state.value = 'closed';
      const waiting = [...this.#waiting.values()];
      this.#waiting.clear();
      for (const { reject } of waiting) reject(new Error('the connection to the node ended'));
      this.#deps.clock.after(this.#retry, () => this.connect());
      this.#retry = Math.min(2 * this.#retry, MAX_RETRY_MS);
    };
  }

  /** @throws RpcError with the node's code and message; Error while there is no connection */
  call<T>(method: string, ...params: unknown[]): Promise<T> {
    const { request, answer } = this.#prepare<T>(method, params);
    return this.#send(request) ?? answer;
  }

  /** Several calls in one batch, which see the same state of the chain. Throws like {@link RpcSocket.call}, the first error. */
  batch<T>(calls: readonly (readonly [method: string, ...params: unknown[]])[]): Promise<T[]> {
    if (calls.length === 0) return Promise.resolve([]);
    const all = calls.map(([method, ...params]) => this.#prepare<T>(method, params));
    return this.#send(all.map(({ request }) => request)) ?? Promise.all(all.map(({ answer }) => answer));
  }

  #prepare<T>(method: string, params: readonly unknown[]) {
    const id = ++this.#id;
    const answer = new Promise<T>((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as (result: unknown) => void, reject });
    });
    return { request: { jsonrpc: '2.0', id, method, params }, answer };
  }

  /** @returns a rejection if there is no connection */
  #send(message: object): Promise<never> | undefined {
    if (this.#socket && this.state.peek() === 'open') {
      this.#socket.send(JSON.stringify(message));
      return undefined;
    }
    for (const { id } of [message].flat() as { id: number }[]) this.#waiting.delete(id);
    return Promise.reject(new Error('there is no connection to the node'));
  }

  #receive(message: Message | readonly Message[]): void {
    if ('length' in message) for (const one of message) this.#receiveOne(one);
    else this.#receiveOne(message);
  }

  #receiveOne(message: Message): void {
    if (message.method === 'eth_subscription') {
      this.onNotification(message.params.subscription, message.params.result);
      return;
    }
    const waiting = this.#waiting.get(message.id);
    this.#waiting.delete(message.id);
    if (message.error) waiting?.reject(new RpcError(message.error));
    else waiting?.resolve(message.result);
  }
}

type Message = {
  readonly id: number;
  readonly method?: string;
  readonly params: { readonly subscription: string; readonly result: unknown };
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
};
