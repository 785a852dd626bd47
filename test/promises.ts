import { expect } from 'vitest';
import type { Call } from './wire.ts';

/** What a node has announced or answered, and must still have after it was killed. */
export class Promises {
  /** hashes of sealed blocks, by number */
  readonly #blocks = new Map<bigint, string>();
  /** by address, the balances that it may have: the one that was answered last, and those that are being written */
  readonly #balances = new Map<string, Set<string>>();

  /** number of the highest block that was announced, whether it was taken back since or not */
  reached = 0n;

  get hasAny(): boolean {
    return this.#blocks.size + this.#balances.size > 0;
  }

  /** A sealed block was announced. */
  block(number: string, hash: string): void {
    this.#blocks.set(BigInt(number), hash);
    this.passed(number);
  }

  /** A block was announced that may have been taken back by now. */
  passed(number: string): void {
    if (BigInt(number) > this.reached) this.reached = BigInt(number);
  }

  /** Writes a balance by a dev method. */
  async balance(address: string, wei: string, write: () => Promise<unknown>): Promise<void> {
    const possible = this.#balances.get(address);
    possible?.add(wei);
    await write();
    this.#balances.set(address, new Set([wei]));
  }

  /** Takes blocks above one, and dev writes, back. Nothing else may be promised meanwhile. */
  async takeBack(to: bigint, goBack: () => Promise<unknown>): Promise<void> {
    for (const number of this.#blocks.keys()) if (number > to) this.#blocks.delete(number);
    this.#balances.clear();
    await goBack();
  }

  /** @param from number of the first block that pruning can't have removed */
  async expectKept(call: Call, from: bigint): Promise<void> {
    for (const [number, hash] of this.#blocks) {
      if (number < from) continue;
      const block = await call('eth_getBlockByNumber', `0x${number.toString(16)}`, false);
      expect(block?.hash, `hash of block ${number}, which was announced`).toBe(hash);
    }
    for (const [address, possible] of this.#balances)
      expect([...possible], `balance of ${address}`).toContain(
        await call('eth_getBalance', address, 'latest'),
      );
  }
}
