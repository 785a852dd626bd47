import { expect, it } from 'vitest';
import type { BlockView, Transaction } from '../../src/chain/block.ts';
import { ManualClock } from '../../src/clock.ts';
import type { AddListener } from '../../src/mempool/mempool.ts';
import { TransactionLifecycles } from '../../src/rpc/read/transaction-lifecycles.ts';
import { Feed } from '../../src/sequencer/feed/feed.ts';

/** A memory of so many transactions, and what tells it of them; the clock says 1 s. */
function remembering(most: number) {
  const feed = new Feed({
    onError: (error) => {
      throw error;
    },
  });
  let add: AddListener = () => {};
  const mempool = {
    onAdd: (listener: AddListener) => {
      add = listener;
      return { [Symbol.dispose]: () => {} };
    },
  };
  const lifecycles = new TransactionLifecycles({ most }, { feed, mempool, clock: new ManualClock(1_000) });
  const transaction = (n: number) => ({ hash: new Uint8Array(32).fill(n) }) as Transaction;
  return {
    feed,
    receive: (n: number) => add(transaction(n), 'executable'),
    seal: (number: bigint, ...transactions: number[]) =>
      feed.emit('sealed', {
        header: { number },
        transactions: transactions.map(transaction),
      } as unknown as BlockView),
    of: (n: number) => lifecycles.of(transaction(n).hash).map(({ event }) => event),
  };
}

it('the newest transactions are remembered, by when they were received last', () => {
  const { receive, of } = remembering(3);
  for (const n of [1, 2, 3, 4]) receive(n);
  receive(1);
  for (const n of [5, 6]) receive(n);
  expect([1, 2, 3, 4, 5, 6].map((n) => of(n).length)).toEqual([2, 0, 0, 1, 1, 1]);
});

it('blocks are taken back from the newest down to the one that stays', () => {
  const { feed, receive, seal, of } = remembering(10);
  for (const n of [1, 2, 3]) receive(n);
  seal(1n, 1);
  seal(2n);
  seal(3n, 2, 3);
  feed.emit('rewound', { from: 3n, to: 2n });
  expect([1, 2, 3].map((n) => of(n).at(-1))).toEqual(['sealed', 'reorged', 'reorged']);
  feed.emit('begun', undefined);
  expect(of(1)).toEqual(['received', 'sealed', 'reorged']);
  expect(of(2)).toEqual(['received', 'sealed', 'reorged']);
});

it('blocks whose transactions are forgotten are forgotten, too', () => {
  const { feed, seal, of } = remembering(2);
  for (const n of [1, 2, 3, 4, 5, 6]) seal(BigInt(n), n);
  feed.emit('rewound', { from: 6n, to: 0n });
  const both = ['sealed', 'reorged'];
  expect([1, 2, 3, 4, 5, 6].map(of)).toEqual([[], [], ['sealed'], ['sealed'], both, both]);
});
