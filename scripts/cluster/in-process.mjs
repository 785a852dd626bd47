import { setTimeout as sleep } from 'node:timers/promises';
import { OwnTimers } from './own-timers.mjs';

/** Milliseconds that a node has to end. */
const END_MS = 12_000;

/** Nodes that are cut off, and not closed yet. */
const closing = new Set();

/** Waits for nodes that were killed, and are still closing. */
export const allClosed = () => Promise.all(closing);

/**
 * A node in this process. It stands still with its timers, while nothing reaches it, and it is killed by cutting it off from everything and
 * everybody: its caller does both with its connections.
 */
export class InProcess {
  #timers = new OwnTimers();
  #node;
  port = 0;

  /**
   * @param role `lead` or `follow`
   * @param options as of `createDevnet`
   * @param deps.devnet what the built package exports
   * @param deps.onText called with what it says
   * @param deps.onEnd called with the reason when it ends by itself
   * @returns whether it listens
   */
  async start(role, options, { devnet, onText, onEnd }) {
    const hooks = { onFollow: (line) => onText(`${line}\n`) };
    const { redis, ...own } = options;
    const begin = () =>
      role === 'follow'
        ? devnet.followDevnet(redis, { ...own, port: 0 }, hooks)
        : devnet.createDevnet({ ...options, port: 0 }, hooks);
    this.#node = this.#timers.run(begin);
    const ended = (error) => {
      onText(`${error.message}\n`);
      onEnd(`exit 1: ${error.message.slice(0, 400)}`);
    };
    try {
      const node = await this.#node;
      this.port = Number(new URL(node.url).port);
      node.closed.catch(ended);
      return true;
    } catch (error) {
      ended(error);
      return false;
    }
  }

  stop() {
    this.#timers.stop();
  }

  continue() {
    this.#timers.continue();
  }

  async kill() {
    this.#timers.end();
    const closed = this.#close().finally(() => closing.delete(closed));
    closing.add(closed);
  }

  /** @returns whether it has ended in time */
  async end() {
    const closed = this.#close();
    if (await Promise.race([closed, sleep(END_MS, false)])) return true;
    await this.kill();
    return false;
  }

  async #close() {
    const node = await this.#node.catch(() => undefined);
    await node?.close().catch(() => {});
    return true;
  }
}
