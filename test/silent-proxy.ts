import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

/**
 * A TCP proxy on 127.0.0.1 that can go silent: its sockets stay open, it takes new ones, and nothing passes either way, not
 * even that the other side has closed.
 */
export class SilentProxy {
  readonly #target: number;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  /** the sockets on which clients send */
  readonly #clients = new WeakSet<Socket>();
  #isSilent = false;
  #connections = 0;
  /** called with the number of connections that were made so far, before anything has passed on the newest one */
  onConnection: ((count: number) => void) | undefined;
  /** what has ended meanwhile */
  readonly #ended = new Set<Socket>();

  private constructor(target: number) {
    this.#target = target;
    this.#server = createServer((socket) => this.#accept(socket));
  }

  /** @param url of what it stands before; only its port is used */
  static async before(url: string): Promise<SilentProxy> {
    const proxy = new SilentProxy(Number(new URL(url).port));
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The same URL by way of the proxy. */
  urlOf(url: string): string {
    const through = new URL(url);
    through.port = String(this.port);
    return through.href.replace(/\/$/, '');
  }

  /** @param up whether only what is sent to the target stays away */
  silence({ up = false } = {}): void {
    this.#isSilent = true;
    for (const socket of this.#sockets) if (!up || this.#clients.has(socket)) socket.pause();
  }

  /** What was held passes, late, as after TCP has sent it again. */
  speak(): void {
    this.#isSilent = false;
    for (const socket of this.#ended) socket.destroy();
    this.#ended.clear();
    for (const socket of this.#sockets) socket.resume();
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    const closed = once(this.#server, 'close');
    this.#server.close();
    await closed;
  }

  #accept(socket: Socket): void {
    this.onConnection?.(++this.#connections);
    this.#clients.add(socket);
    const other = connect(this.#target, '127.0.0.1');
    for (const [from, to] of [
      [socket, other],
      [other, socket],
    ] as const) {
      this.#sockets.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        if (this.#isSilent) this.#ended.add(to);
        else to.destroy();
      });
      if (this.#isSilent) from.pause();
    }
  }
}
