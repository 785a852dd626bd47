import type { WebSocket } from 'ws';
import type { Clock } from '../clock.ts';

/** Milliseconds. */
const INTERVAL = 30_000;

/**
 * Pings connections and cuts those that gave no sign of life for a whole interval: a peer that vanished without a
 * word would hold its buffers for as long as the system believes in it.
 */
export class Heartbeat {
  readonly #interval: number;
  readonly #clock: Clock;
  readonly #peers = new Map<WebSocket, { alive: boolean; buffered: number }>();
  #timer: Disposable | undefined;

  /** @param deps.clock wall time */
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
      // A slow reader's pong waits behind what it still has to read; one that we don't read from can't answer at all.
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
