import { bytesToHex } from '@ethereumjs/util';
import { expect } from 'vitest';
import type { Node } from '../../../src/boot/node.ts';
import type { BlockView } from '../../../src/chain/block.ts';
import type { Promises } from '../../promises.ts';
import { type Call, callsOf, type Wire } from '../../wire.ts';

const hashesOf = ({ transactions }: Pick<BlockView, 'transactions'>) =>
  transactions.map(({ hash }) => bytesToHex(hash));

/** A client that listens to all that a node announces, and holds it against what the node answers. */
export class Observer {
  readonly #call: Call;
  readonly #listeners: Disposable[];
  /** the open block as its partial blocks grew */
  #open: { readonly payload: bigint; readonly hashes: string[] } | undefined;
  /** what is wrong with the order of announcements */
  readonly #faults: string[] = [];

  constructor(node: Node, promises: Promises) {
    this.#call = callsOf(node);
    this.#listeners = [
      node.feed.on('preconfirmed', ({ payload, index, block, transactions }) => {
        if (index === 0 || this.#open?.payload !== payload) this.#open = { payload, hashes: [] };
        this.#open.hashes.push(...hashesOf({ transactions }));
        if (this.#open.hashes.join() !== hashesOf(block).join())
          this.#faults.push(
            `partial block ${index} of block ${block.header.number} isn't the sum of its deltas`,
          );
      }),
      node.feed.on('sealed', (block) => promises.block(`${block.header.number}`, bytesToHex(block.hash))),
    ];
  }

  close(): void {
    for (const listener of this.#listeners) listener[Symbol.dispose]();
  }

  async check(): Promise<void> {
    expect(this.#faults).toEqual([]);
    const call = this.#call;
    const latest = await call('eth_getBlockByNumber', 'latest', true);
    const pending = await call('eth_getBlockByNumber', 'pending', true);
    expect(BigInt(pending.number), 'the pending block is the next one').toBe(BigInt(latest.number) + 1n);
    expect(pending.parentHash, 'the pending block is on the latest one').toBe(latest.hash);
    for (const [tag, block] of [
      ['latest', latest],
      ['pending', pending],
    ] as const) {
      const receipts: Wire[] = await call('eth_getBlockReceipts', tag);
      expect(receipts.map(({ transactionHash }) => transactionHash)).toEqual(
        block.transactions.map(({ hash }: Wire) => hash),
      );
      const logs = await call('eth_getLogs', { fromBlock: tag, toBlock: tag });
      expect(logs, `logs at ${tag}`).toEqual(receipts.flatMap(({ logs: own }) => own));
      const gas = receipts.reduce((sum, { gasUsed }) => sum + BigInt(gasUsed), 0n);
      expect(gas, `gas used at ${tag}`).toBe(BigInt(block.gasUsed));
      await this.#expectNonces(block, tag);
    }
  }

  /** Each sender's nonces follow one another, and the count is behind the last one. */
  async #expectNonces(block: Wire, tag: string): Promise<void> {
    const next = new Map<string, bigint>();
    for (const { from, nonce } of block.transactions) {
      const expected = next.get(from);
      if (expected !== undefined) expect(BigInt(nonce)).toBe(expected);
      next.set(from, BigInt(nonce) + 1n);
    }
    for (const [from, expected] of next) {
      const count = BigInt(await this.#call('eth_getTransactionCount', from, tag));
      // At pending those that wait in the mempool count too.
      if (tag === 'pending') expect(count).toBeGreaterThanOrEqual(expected);
      else expect(count, `nonce of ${from}`).toBe(expected);
    }
  }
}
