import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const BOTH = ['up', 'down'];

/**
 * A TCP proxy on 127.0.0.1. It can go silent, in either direction or both: connections stay open, new ones are accepted, and no data passes
 * until later. It can cut its connections, and refuse new ones.
 */
export class TcpProxy {
  #server;
  /** sockets by the direction of the data read from them: `up` from the client, `down` from the server */
  #sockets = { up: new Set(), down: new Set() };
  #silent = new Set();
  #isHeld = false;
  /** port that connections are forwarded to; `undefined` closes them */
  target;
  port = 0;

  /** @param {number} [target] port */
  constructor(target) {
    this.target = target;
  }

  /** Starts to accept connections, on the same port as before. */
  async open() {
    this.#server = createServer((socket) => this.#accept(socket));
    this.#server.listen(this.port, '127.0.0.1');
    await once(this.#server, 'listening');
    this.port = this.#server.address().port;
  }

  /** @param {readonly ('up' | 'down')[]} directions */
  silence(directions) {
    for (const direction of directions) this.#silent.add(direction);
    this.#let();
  }

  speak() {
    this.#silent.clear();
    this.#let();
  }

  /** Lets no data pass while the node behind the proxy is paused, in addition to {@link silence}. */
  hold() {
    this.#isHeld = true;
    this.#let();
  }

  release() {
    this.#isHeld = false;
    this.#let();
  }

  /** Ends all connections. */
  cut() {
    for (const set of Object.values(this.#sockets)) for (const socket of set) socket.destroy();
  }

  /** Refuses connections until {@link open} is called again. */
  async refuse() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Changes the port: clients of the old port are refused. If connections are refused now, they still are afterwards. */
  async renew() {
    const wasOpen = this.#server.listening;
    if (wasOpen) await this.refuse();
    this.port = 0;
    await this.open();
    if (!wasOpen) await this.refuse();
  }

  #isSilent(direction) {
    return this.#isHeld || this.#silent.has(direction);
  }

  #let() {
    for (const direction of BOTH)
      for (const socket of this.#sockets[direction])
        if (this.#isSilent(direction)) socket.pause();
        else socket.resume();
  }

  #accept(client) {
    if (this.target === undefined) {
      client.on('error', () => {});
      client.destroy();
      return;
    }
    const server = connect(this.target, '127.0.0.1');
    for (const [direction, from, to] of [
      ['up', client, server],
      ['down', server, client],
    ]) {
      const set = this.#sockets[direction];
      set.add(from);
      from.on('data', (bytes) => to.write(bytes));
      from.on('error', () => {});
      from.on('close', () => {
        set.delete(from);
        to.destroy();
      });
      if (this.#isSilent(direction)) from.pause();
    }
  }
}
