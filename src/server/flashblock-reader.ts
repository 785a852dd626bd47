import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';
import { closeWebSocket } from './close-web-socket.ts';

interface Frame {
  readonly bytes: Buffer;
  readonly binary: boolean;
}

/** If the socket's buffer has more unsent bytes than this, messages are queued here instead. */
const HIGH_WATER = 256 * 1024;

/** A reader of the stream. Messages from the reader are ignored. A slow reader loses messages, the oldest first, but stays connected. */
export class FlashblockReader {
  readonly #socket: WebSocket;
  readonly #onDropped: ((messages: number) => void) | undefined;
  readonly #buffer: number;
  readonly #clock: Clock;
  readonly #waiting: Frame[] = [];
  readonly #closed: Promise<void>;
  #dropped = 0;

  /**
   * @param options.buffer how many messages are queued for a slow reader before it loses the oldest
   * @param deps.clock the machine's clock
   * @param deps.onDropped called with the number of lost messages when the reader has caught up or left
   */
  constructor(
    socket: WebSocket,
    options: { buffer: number },
    deps: { clock: Clock; onDropped?: ((messages: number) => void) | undefined },
  ) {
    this.#socket = socket;
    this.#buffer = options.buffer;
    this.#clock = deps.clock;
    this.#onDropped = deps.onDropped;
    // ws closes the connection itself.
    socket.on('error', () => {});
    this.#closed = new Promise((resolve) => {
      socket.on('close', () => {
        this.#waiting.length = 0;
        this.#report();
        resolve();
      });
    });
  }

  /** Sends a message without waiting. A slow reader gets it later, or loses it. */
  send(bytes: Buffer, binary: boolean): void {
    this.#waiting.push({ bytes, binary });
    this.#pump();
    if (this.#waiting.length <= this.#buffer) return;
    this.#waiting.shift();
    this.#dropped++;
  }

  async close(): Promise<void> {
    closeWebSocket(this.#socket, this.#clock);
    await this.#closed;
  }

  #pump(): void {
    const socket = this.#socket;
    while (this.#waiting.length > 0 && socket.bufferedAmount < HIGH_WATER) {
      const { bytes, binary } = this.#waiting.shift()!;
      if (socket.readyState === socket.OPEN) socket.send(bytes, { binary }, () => this.#pump());
    }
    if (this.#waiting.length === 0) this.#report();
  }

  #report(): void {
    if (this.#dropped > 0) this.#onDropped?.(this.#dropped);
    this.#dropped = 0;
  }
}
