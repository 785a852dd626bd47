import { once } from 'node:events';
import { connect, createServer } from 'node:net';

const BOTH = ['up', 'down'];

/**
 * A TCP proxy on 127.0.0.1. It can go silent, in either direction or both: sockets stay open, new ones are taken, and nothing passes; what
 * was held passes later. It can cut its connections, and refuse new ones.
 */
export class TcpProxy {
  #server;
  /** what is read from whom: `up` from the client, `down` from the server */
  #sockets = { up: new Set(), down: new Set() };
  #silent = new Set();
  #isHeld = false;
  /** port that connections go to; `undefined`: nobody is there, and they end */
  target;
  port = 0;

  /** @param {number} [target] port */
  constructor(target) {
    this.target = target;
  }

  /** Begins to take connections, at the port that it had before. */
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

  /** Nothing passes while the node behind it stands still, whatever else is silent. */
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

  /** Refuses connections, until it is opened again. */
  async refuse() {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cut();
    await closed;
  }

  /** Has another port from now on: whoever knows the one before is refused. Where connections are refused, they still are. */
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
