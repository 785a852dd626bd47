import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Default time between two pings, milliseconds. */
const INTERVAL = 30_000;

/**
 * Pings connections and terminates those that were silent for a whole interval. Otherwise the buffers of a peer that vanished without
 * closing the connection would be kept until the operating system notices.
 */
export class Heartbeat {
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #peers = new Map<WebSocket, { alive: boolean; buffered: number }>();
  #timer: Disposable | undefined;

  /** @param deps.clock the machine's clock */
  constructor(options: { interval?: number | undefined }, deps: { clock: Clock }) {
    this.#interval = options.interval ?? INTERVAL;
    this.#clock = deps.clock;
  }

  watch(socket: WebSocket): void {
    const peer = { alive: true, buffered: 0 };
    const sign = () => {
      peer.alive = true;
    };
    this.#peers.set(socket, peer);
    socket.on('pong', sign).on('ping', sign).on('message', sign);
    socket.on('close', () => {
      this.#peers.delete(socket);
      if (this.#peers.size === 0) this.#stop();
    });
    this.#timer ??= this.#clock.every(this.#interval, () => this.#beat());
  }

  #beat(): void {
    for (const [socket, peer] of this.#peers) {
      const { bufferedAmount } = socket;
      // A slow reader answers a ping only after the data before it; a paused socket's pongs aren't read at all.
      const isReading = bufferedAmount !== peer.buffered || socket.isPaused;
      peer.buffered = bufferedAmount;
      if (peer.alive || isReading) {
        peer.alive = false;
        if (socket.readyState === socket.OPEN) socket.ping();
      } else socket.terminate();
    }
  }

  #stop(): void {
    this.#timer?.[Symbol.dispose]();
    this.#timer = undefined;
  }
}
