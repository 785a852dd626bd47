import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Transaction } from '../../src/chain/block.ts';
import { DevnetError } from '../../src/errors.ts';
import { effectiveTip, feesOf } from '../../src/mempool/fees.ts';
import { Mempool } from '../../src/mempool/mempool.ts';
import { runs } from '../fuzz.ts';
import { RICH, RULES, sender, transaction } from './transactions.ts';

const SENDERS = [sender(1), sender(2), sender(3), sender(4)];

const action = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('add' as const),
      who: fc.nat(3),
      nonce: fc.nat(6),
      cap: fc.integer({ min: 1, max: 40 }),
      tip: fc.integer({ min: 0, max: 40 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('remove' as const), who: fc.nat(3), nonce: fc.nat(6) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('nonce' as const), who: fc.nat(3), nonce: fc.nat(6) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('include' as const), baseFee: fc.nat(20), count: fc.nat(4) }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'restore' as const }) },
);

/** What the pool must answer, written the slow way. */
class Model {
  readonly waiting = new Map<string, Map<bigint, { tx: Transaction; arrival: number }>>();
  readonly nonces = new Map<string, bigint>(SENDERS.map((s) => [s.toString(), 0n]));
  arrivals = 0;

  of(who: string) {
    const txs = this.waiting.get(who) ?? new Map<bigint, { tx: Transaction; arrival: number }>();
    this.waiting.set(who, txs);
    return txs;
  }

  setNonce(who: string, nonce: bigint) {
    this.nonces.set(who, nonce);
    for (const n of [...this.of(who).keys()]) if (n < nonce) this.of(who).delete(n);
  }

  select(baseFee: bigint, order: 'fees' | 'fifo'): Transaction[] {
    const next = new Map(this.nonces);
    const picked: Transaction[] = [];
    for (;;) {
      const heads = SENDERS.flatMap((s) => this.of(s.toString()).get(next.get(s.toString())!) ?? [])
        .map((h) => ({ ...h, value: effectiveTip(feesOf(h.tx.tx), baseFee) }))
        .filter((h) => h.value >= 0n)
        .sort((a, b) =>
          order === 'fees' && a.value !== b.value ? (a.value > b.value ? -1 : 1) : a.arrival - b.arrival,
        );
      const [best] = heads;
      if (!best) return picked;
      picked.push(best.tx);
      next.set(best.tx.from.toString(), best.tx.tx.nonce + 1n);
    }
  }
}

it('selection, next nonce and size equal those of a slow model after any history', () => {
  fc.assert(
    fc.property(
      fc.array(action, { maxLength: 60 }),
      fc.constantFrom('fees' as const, 'fifo' as const),
      (actions, order) => {
        const pool = new Mempool();
        const model = new Model();
        for (const a of actions) {
          if (a.kind === 'add') {
            const from = SENDERS[a.who]!;
            const key = from.toString();
            const tx = transaction(from, a.nonce, {
              maxFeePerGas: BigInt(a.cap),
              maxPriorityFeePerGas: BigInt(Math.min(a.tip, a.cap)),
            });
            try {
              pool.add(tx, { ...RICH, nonce: model.nonces.get(key)! }, RULES);
              model.of(key).set(tx.tx.nonce, { tx, arrival: model.arrivals++ });
            } catch (error) {
              expect(error).toBeInstanceOf(DevnetError);
            }
          } else if (a.kind === 'remove') {
            const from = SENDERS[a.who]!;
            const tx = pool.at(from, BigInt(a.nonce));
            if (tx) pool.remove(tx.hash);
            model.of(from.toString()).delete(BigInt(a.nonce));
          } else if (a.kind === 'nonce') {
            const from = SENDERS[a.who]!;
            pool.setNonce(from, BigInt(a.nonce));
            model.setNonce(from.toString(), BigInt(a.nonce));
          } else if (a.kind === 'restore') {
            pool.restore(pool.snapshot());
          } else {
            const pass = pool.select({ baseFee: BigInt(a.baseFee), order });
            const expected = model.select(BigInt(a.baseFee), order);
            for (let i = 0; i < a.count; i++) {
              const tx = pass.next();
              expect(tx).toBe(expected[i]);
              if (!tx) break;
              pool.setNonce(tx.from, tx.tx.nonce + 1n);
              model.setNonce(tx.from.toString(), tx.tx.nonce + 1n);
            }
          }
          for (const baseFee of [0n, 15n]) {
            const pass = pool.select({ baseFee, order });
            const picked: Transaction[] = [];
            for (let tx = pass.next(); tx; tx = pass.next()) picked.push(tx);
            expect(picked).toEqual(model.select(baseFee, order));
          }
          expect(pool.size).toBe([...model.waiting.values()].reduce((n, txs) => n + txs.size, 0));
          for (const from of SENDERS) {
            const key = from.toString();
            let end = model.nonces.get(key)!;
            while (model.of(key).has(end)) end++;
            expect(pool.nextNonce(from, model.nonces.get(key)!)).toBe(end);
          }
        }
      },
    ),
    { numRuns: runs(150) },
  );
});
