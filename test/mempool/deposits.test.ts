import { describe, expect, it } from 'vitest';
import { transactionOf } from '../../src/mempool/decode.ts';
import { Mempool } from '../../src/mempool/mempool.ts';
import type { Selection } from '../../src/mempool/selection.ts';
import { DepositTransaction } from '../../src/protocol/op-stack/deposit-transaction.ts';
import { GWEI, RICH, RULES, sender, transaction } from './transactions.ts';

const FEES = { baseFee: GWEI, order: 'fees' } as const;
const A = sender(0xa);
const B = sender(0xb);

let sources = 0;
function deposit(from: typeof A, fields: object = {}) {
  const sourceHash = new Uint8Array(32).fill(++sources);
  return transactionOf(
    new DepositTransaction({
      sourceHash,
      from,
      to: sender(1),
      mint: 0n,
      value: 0n,
      gasLimit: 21_000n,
      isSystemTransaction: false,
      data: new Uint8Array(),
      ...fields,
    }),
  );
}

function drain(selection: Selection) {
  const all = [];
  for (let tx = selection.next(); tx; tx = selection.next()) all.push(tx);
  return all;
}

describe('a deposit in the pool', () => {
  it('goes before all others, in the order of arrival, whatever they pay', () => {
    const pool = new Mempool();
    const paying = transaction(B, 0, { maxFeePerGas: 9_000n * GWEI, maxPriorityFeePerGas: 9_000n * GWEI });
    const [one, two] = [deposit(A), deposit(B)];
    for (const tx of [paying, one, two]) pool.add(tx, RICH, RULES);
    const selection = pool.select(FEES);
    expect([selection.next(), selection.next()]).toEqual([one, two]);
  });

  it('counts its sender on: the next nonce comes after it, in the same pass', () => {
    const pool = new Mempool();
    expect(pool.add(deposit(A), RICH, RULES)).toBe('executable');
    pool.add(deposit(A), RICH, RULES);
    expect(pool.nextNonce(A, 0n)).toBe(2n);
    // As a view tells it that holds them already.
    expect(pool.nextNonce(A, 2n)).toBe(2n);
    const next = transaction(A, 2);
    expect(pool.add(next, RICH, RULES)).toBe('executable');
    expect(pool.nextNonce(A, 0n)).toBe(3n);
    expect(drain(pool.select(FEES)).at(-1)).toBe(next);
  });

  it('that is dropped gives its nonce back', () => {
    const pool = new Mempool();
    const [first, waiting] = [transaction(A, 0), deposit(A)];
    pool.add(first, RICH, RULES);
    pool.add(waiting, RICH, RULES);
    expect(drain(pool.select(FEES))).toEqual([waiting]);
    expect(pool.queued().get(A.toString())).toEqual([first]);
    expect(pool.remove(waiting.hash)).toBe(true);
    expect(pool.nextNonce(A, 0n)).toBe(1n);
    expect(drain(pool.select(FEES))).toEqual([first]);
    pool.remove(first.hash);
    expect([pool.size, pool.senders()]).toEqual([0, []]);
  });

  it('that is included drops what had its nonce', () => {
    const pool = new Mempool();
    const [first, second, included] = [transaction(A, 0), transaction(A, 1), deposit(A)];
    for (const tx of [first, second, included]) pool.add(tx, RICH, RULES);
    pool.remove(included.hash);
    expect(pool.setNonce(A, 1n)).toEqual([first]);
    expect(drain(pool.select(FEES))).toEqual([second]);
  });

  it('does not fit: those after it wait too, and others go on', () => {
    const pool = new Mempool();
    const other = transaction(B, 0);
    for (const tx of [deposit(A), deposit(B), other]) pool.add(tx, RICH, RULES);
    const selection = pool.select(FEES);
    selection.next();
    selection.skipSender();
    // Its own sender's nonce is one that it doesn't have yet.
    expect(selection.next()).toBeUndefined();
    pool.add(transaction(sender(0xc), 0), RICH, RULES);
    const again = pool.select(FEES);
    again.next();
    again.skipSender();
    expect(again.next()?.from).toEqual(sender(0xc));
  });

  it('comes back with a snapshot, in its place', () => {
    const pool = new Mempool();
    const all = [deposit(A), transaction(A, 1), deposit(B)];
    for (const tx of all) pool.add(tx, RICH, RULES);
    const kept = pool.snapshot();
    pool.clear();
    expect(drain(pool.select(FEES))).toEqual([]);
    pool.restore(kept);
    expect(drain(pool.select(FEES))).toEqual([all[0], all[2], all[1]]);
    expect(pool.ofSender(A)).toEqual([all[0], all[1]]);
  });

  it.each([
    ['twice', {}, /already known/],
    ['with more value than its sender will have', { mint: 1n, value: 2n }, /insufficient funds.*balance 1/],
    ['with less gas than it costs to begin', { gasLimit: 20_999n }, /intrinsic gas too low/],
    ['with more gas than a block has', { gasLimit: 30_000_001n }, /exceeds block gas limit/],
    [
      'with too much init code',
      { to: undefined, gasLimit: 9_000_000n, data: new Uint8Array(49_153) },
      /code/,
    ],
  ])('is refused %s', (_, fields, reason) => {
    const pool = new Mempool();
    const tx = deposit(A, fields);
    const add = () => pool.add(tx, { nonce: 0n, balance: 0n }, RULES);
    if (Object.keys(fields).length === 0) add();
    expect(add).toThrow(reason);
    expect(add).toThrow(expect.objectContaining({ code: -32003 }));
  });

  it('is not asked for a fee', () => {
    const pool = new Mempool();
    const rules = { ...RULES, minGasPrice: GWEI, blockFees: { baseFee: GWEI, blobBaseFee: 1n } };
    expect(pool.add(deposit(A), { nonce: 0n, balance: 0n }, rules)).toBe('executable');
  });
});
