import type { IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';

/** A client's handshake (RFC 6455, 1.3). */
export const UPGRADE = {
  method: 'GET',
  url: '/',
  headers: {
    connection: 'upgrade',
    upgrade: 'websocket',
    'sec-websocket-version': '13',
    'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
  },
} as unknown as IncomingMessage;

/** A server's socket without a network: the peer reads one write at a time, when told to. */
export class Pipe extends Duplex {
  readonly #written: Buffer[] = [];
  readonly #unread: (() => void)[] = [];
  #opened = false;

  override _read() {}

  override _write(chunk: Buffer, _encoding: string, done: () => void) {
    this.#written.push(chunk);
    // The answer to the handshake is read at once.
    if (this.#opened) this.#unread.push(done);
    else done();
    this.#opened = true;
  }

  /** ws corks a frame's header and payload: both are one write. */
  override _writev(chunks: { chunk: Buffer }[], done: () => void) {
    for (const { chunk } of chunks) this.#written.push(chunk);
    this.#unread.push(done);
  }

  /** What the peer got. */
  get text(): string {
    return String(Buffer.concat(this.#written));
  }

  read1() {
    this.#unread.shift()?.();
  }

  /** All that can happen without another read has happened. */
  async settle() {
    for (let turn = 0; turn < 20; turn++) await setImmediate();
  }
}
