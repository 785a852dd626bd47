import { describe, expect, it } from 'vitest';
import { Mempool } from '../../src/mempool/mempool.ts';
import type { Selection } from '../../src/mempool/selection.ts';
import { GWEI, RICH, RULES, sender, transaction } from './transactions.ts';

const FEES = { baseFee: GWEI, order: 'fees' } as const;
const FIFO = { baseFee: GWEI, order: 'fifo' } as const;
const A = sender(0xa);
const B = sender(0xb);

function drain(selection: Selection) {
  const all = [];
  for (let tx = selection.next(); tx; tx = selection.next()) all.push(tx);
  return all;
}

function fixture() {
  const pool = new Mempool();
  const add = (from: typeof A, nonce: number, fields = {}, view = RICH) => {
    const tx = transaction(from, nonce, fields);
    const standing = pool.add(tx, view, RULES);
    return { tx, standing };
  };
  return { pool, add };
}

describe('nonce queues', () => {
  it('a transaction behind a gap is queued until the gap is filled', () => {
    const { pool, add } = fixture();
    expect(add(A, 0).standing).toBe('executable');
    expect(add(A, 2).standing).toBe('queued');
    expect(pool.nextNonce(A, 0n)).toBe(1n);
    expect(add(A, 1).standing).toBe('executable');
    expect(pool.nextNonce(A, 0n)).toBe(3n);
    expect(drain(pool.select(FEES)).map((t) => t.tx.nonce)).toEqual([0n, 1n, 2n]);
  });

  it('next nonce of a sender without transactions is the state nonce', () => {
    const { pool, add } = fixture();
    expect(pool.nextNonce(A, 7n)).toBe(7n);
    add(A, 9, {}, { ...RICH, nonce: 7n });
    expect(pool.nextNonce(A, 7n)).toBe(7n);
    expect(pool.nextNonce(A, 9n)).toBe(10n);
  });

  it('dropping a transaction queues the ones after it', () => {
    const { pool, add } = fixture();
    const first = add(A, 0).tx;
    add(A, 1);
    expect(pool.remove(first.hash)).toBe(true);
    expect(pool.remove(first.hash)).toBe(false);
    expect(pool.nextNonce(A, 0n)).toBe(0n);
    expect(drain(pool.select(FEES))).toEqual([]);
    expect(pool.queued().get(A.toString())).toHaveLength(1);
    expect(pool.pending().size).toBe(0);
    add(A, 0);
    expect(drain(pool.select(FEES)).map((t) => t.tx.nonce)).toEqual([0n, 1n]);
  });

  it('an included transaction moves its sender on', () => {
    const { pool, add } = fixture();
    const first = add(A, 0).tx;
    const second = add(A, 1).tx;
    expect(pool.setNonce(A, 1n)).toEqual([first]);
    expect(pool.has(first.hash)).toBe(false);
    expect(drain(pool.select(FEES))).toEqual([second]);
    expect(pool.nextNonce(A, 1n)).toBe(2n);
  });

  it('prune drops what the state has passed', () => {
    const { pool, add } = fixture();
    for (const nonce of [0, 1, 2]) add(A, nonce);
    add(B, 0);
    expect(pool.prune((address) => (address.equals(A) ? 2n : 0n))).toHaveLength(2);
    expect(pool.size).toBe(2);
    expect(
      drain(pool.select(FEES))
        .map((t) => t.tx.nonce)
        .sort(),
    ).toEqual([0n, 2n]);
  });

  it('a nonce that goes back keeps the order', () => {
    const { pool, add } = fixture();
    const later = add(A, 5, {}, { ...RICH, nonce: 5n }).tx;
    expect(drain(pool.select(FEES))).toEqual([later]);
    pool.setNonce(A, 3n);
    expect(drain(pool.select(FEES))).toEqual([]);
    add(A, 4, {}, { ...RICH, nonce: 3n });
    add(A, 3, {}, { ...RICH, nonce: 3n });
    expect(drain(pool.select(FEES)).map((t) => t.tx.nonce)).toEqual([3n, 4n, 5n]);
  });
});

describe('a nonce that went back', () => {
  it('does not let a former head overtake', () => {
    const { pool, add } = fixture();
    const best = add(B, 0, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 5n * GWEI }).tx;
    const later = add(
      A,
      5,
      { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 4n * GWEI },
      { ...RICH, nonce: 5n },
    ).tx;
    expect(drain(pool.select(FEES))).toEqual([best, later]);
    const view = { ...RICH, nonce: 4n };
    const earlier = add(A, 4, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 1n }, view).tx;
    expect(drain(pool.select(FEES))).toEqual([best, earlier, later]);
  });
});

describe('replacement', () => {
  it('needs ten per cent more of both fees, rounded up', () => {
    const { pool, add } = fixture();
    const old = add(A, 0, { maxFeePerGas: 1001n, maxPriorityFeePerGas: 11n }).tx;
    for (const [cap, tip] of [
      [1101n, 13n],
      [1102n, 12n],
    ])
      expect(() => add(A, 0, { maxFeePerGas: cap, maxPriorityFeePerGas: tip })).toThrow(
        expect.objectContaining({ kind: 'replacementUnderpriced', code: -32003 }),
      );
    const fresh = add(A, 0, { maxFeePerGas: 1102n, maxPriorityFeePerGas: 13n }).tx;
    expect(pool.has(old.hash)).toBe(false);
    expect(pool.size).toBe(1);
    expect(drain(pool.select({ ...FEES, baseFee: 0n }))).toEqual([fresh]);
  });

  it('a free transaction is not replaced by a free one', () => {
    const { add } = fixture();
    const free = { maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
    add(A, 0, free);
    expect(() => add(A, 0, free)).toThrow(expect.objectContaining({ kind: 'replacementUnderpriced' }));
  });

  it('a known transaction is refused as known', () => {
    const { pool } = fixture();
    const tx = transaction(A, 0);
    pool.add(tx, RICH, RULES);
    expect(() => pool.add(tx, RICH, RULES)).toThrow(
      expect.objectContaining({
        kind: 'alreadyKnown',
        message:
          'already known (it is waiting in the mempool; to send another transaction, use a nonce other than 0)',
      }),
    );
  });
});

describe('selection', () => {
  it('the tip at the base fee decides, then arrival', () => {
    const { pool, add } = fixture();
    const low = add(sender(1), 0, { maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: 1n }).tx;
    const capped = add(sender(2), 0, { maxFeePerGas: 3n * GWEI, maxPriorityFeePerGas: 3n * GWEI }).tx;
    const high = add(sender(3), 0, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 2n * GWEI }).tx;
    expect(drain(pool.select(FEES))).toEqual([capped, high, low]);
    expect(drain(pool.select({ ...FEES, baseFee: 2n * GWEI }))).toEqual([high, capped, low]);
    expect(drain(pool.select(FIFO))).toEqual([low, capped, high]);
  });

  it('a fee cap below the base fee waits, and holds its sender back', () => {
    const { pool, add } = fixture();
    const cheap = add(A, 0, { maxFeePerGas: GWEI - 1n, maxPriorityFeePerGas: 1n }).tx;
    const rich = add(A, 1).tx;
    const other = add(B, 0).tx;
    expect(drain(pool.select(FEES))).toEqual([other]);
    expect(drain(pool.select(FIFO))).toEqual([other]);
    expect(drain(pool.select({ ...FEES, baseFee: GWEI - 1n }))).toEqual([other, cheap, rich]);
  });

  it('a skipped sender is left out of this pass only', () => {
    const { pool, add } = fixture();
    const [a0, a1, b0] = [add(A, 0).tx, add(A, 1).tx, add(B, 0).tx];
    const pass = pool.select(FEES);
    expect(pass.next()).toBe(a0);
    pass.skipSender();
    expect(drain(pass)).toEqual([b0]);
    expect(drain(pool.select(FEES))).toEqual([a0, a1, b0]);
  });

  it('including as it goes gives the same as including at the end', () => {
    const { pool, add } = fixture();
    for (const nonce of [0, 1, 2]) add(A, nonce);
    add(B, 0);
    const pass = pool.select(FEES);
    const taken = [];
    for (let tx = pass.next(); tx; tx = pass.next()) {
      taken.push(tx.tx.nonce);
      pool.setNonce(tx.from, tx.tx.nonce + 1n);
    }
    expect(taken).toEqual([0n, 1n, 2n, 0n]);
    expect(pool.size).toBe(0);
  });

  it('a transaction dropped during the pass holds its sender back', () => {
    const { pool, add } = fixture();
    const bad = add(A, 0).tx;
    add(A, 1);
    const pass = pool.select(FEES);
    pass.next();
    pool.remove(bad.hash);
    expect(pass.next()).toBeUndefined();
  });

  it('what arrives during the pass waits for the next one', () => {
    const { pool, add } = fixture();
    const first = add(A, 0).tx;
    const pass = pool.select(FEES);
    const [second, other] = [add(A, 1).tx, add(B, 0).tx];
    expect(drain(pass)).toEqual([first]);
    expect(drain(pool.select(FEES))).toEqual([first, second, other]);
  });
});

function dropSender(pool: Mempool, from: typeof A): void {
  for (const { hash } of pool.ofSender(from)) pool.remove(hash);
}

describe('the pool', () => {
  it('refuses when full, but replaces', () => {
    const pool = new Mempool({ maxSize: 1 });
    pool.add(transaction(A, 0), RICH, RULES);
    expect(() => pool.add(transaction(B, 0), RICH, RULES)).toThrow(
      expect.objectContaining({ kind: 'transactionRejected', code: -32003 }),
    );
    expect(
      pool.add(transaction(A, 0, { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 2n * GWEI }), RICH, RULES),
    ).toBe('executable');
  });

  it('holds so many bytes, whatever leaves it', () => {
    const first = transaction(A, 0);
    const pool = new Mempool({ maxBytes: 2 * first.raw.length + 1 });
    const full = expect.objectContaining({ kind: 'transactionRejected', code: -32003 });
    const add = (tx = first) => pool.add(tx, RICH, RULES);
    for (const leave of [
      () => pool.remove(first.hash),
      () => pool.setNonce(A, 1n),
      () => pool.clear(),
      () => pool.restore({ entries: [], bases: new Map() }),
    ]) {
      add();
      add(transaction(B, 0));
      expect(() => add(transaction(sender(0xc), 0))).toThrow(full);
      leave();
      dropSender(pool, B);
      expect(pool.size).toBe(0);
    }
    add();
    const larger = { data: new Uint8Array(2 * first.raw.length), gasLimit: 10n ** 6n };
    const fees = { maxFeePerGas: 9n * GWEI, maxPriorityFeePerGas: 2n * GWEI };
    expect(() => add(transaction(A, 0, { ...fees, ...larger }))).toThrow(full);
    expect(add(transaction(A, 0, fees))).toBe('executable');
    expect(add(transaction(B, 0))).toBe('executable');
  });

  it('tells listeners of additions until they are disposed', () => {
    const { pool, add } = fixture();
    const heard: string[] = [];
    const subscription = pool.onAdd((tx, standing) => heard.push(`${tx.tx.nonce} ${standing}`));
    add(A, 0);
    add(A, 5);
    subscription[Symbol.dispose]();
    add(A, 1);
    expect(heard).toEqual(['0 executable', '5 queued']);
  });

  it('restores what a snapshot held, in its order', () => {
    const { pool, add } = fixture();
    add(A, 0);
    add(B, 1);
    add(B, 0);
    const snapshot = pool.snapshot();
    const before = drain(pool.select(FIFO));
    dropSender(pool, B);
    pool.setNonce(A, 1n);
    expect(pool.size).toBe(0);
    pool.restore(snapshot);
    expect(drain(pool.select(FIFO))).toEqual(before);
    expect(pool.size).toBe(3);
    add(A, 1);
    expect(pool.nextNonce(A, 0n)).toBe(2n);
  });

  it('finds by sender and nonce, and forgets all on clear', () => {
    const { pool, add } = fixture();
    const { tx } = add(A, 3);
    expect(pool.at(A, 3n)).toBe(tx);
    expect(pool.get(tx.hash)).toBe(tx);
    pool.clear();
    expect([pool.at(A, 3n), pool.get(tx.hash), pool.size]).toEqual([undefined, undefined, 0]);
    expect(drain(pool.select(FEES))).toEqual([]);
  });
});
