import { setTimeout as sleep } from 'node:timers/promises';
import { OwnTimers } from './own-timers.mjs';

/** Milliseconds within which a node must end. */
const END_MS = 12_000;

/** Nodes that are cut off, but not closed yet. */
const closing = new Set();

/** Waits for killed nodes that are still closing. */
export const allClosed = () => Promise.all(closing);

/**
 * A node in this process. When the node is paused, its timers stop, and the caller holds its connections. When it is killed, the caller cuts
 * its connections.
 */
export class InProcess {
  #timers = new OwnTimers();
  #node;
  port = 0;

  /**
   * @param role `lead` or `follow`
   * @param options as for `createDevnet`
   * @param deps.devnet the exports of the built package
   * @param deps.onText called with the node's messages
   * @param deps.onEnd called with the reason if the node ends by itself
   * @returns whether the node listens
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

  /** @returns whether the node ended in time */
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
