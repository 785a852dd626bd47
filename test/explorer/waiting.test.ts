import { expect, it } from 'vitest';
import type { Hex, Transaction } from '../../src/explorer/data/types.ts';
import { reasons } from '../../src/explorer/data/waiting.ts';
import { transaction } from './blocks.ts';

const A: Hex = `0x${'aa'.repeat(20)}`;
const B: Hex = `0x${'bb'.repeat(20)}`;
const waits = (nonce: number, maxFeePerGas: Hex = '0x64'): Transaction => ({
  ...transaction(`${nonce}`),
  nonce: `0x${nonce.toString(16)}`,
  maxFeePerGas,
});

it('a transaction waits for its nonce, for its fee, or for the next flashblock', () => {
  const pool = {
    pending: { [A]: { 1: waits(1), 2: waits(2, '0x1'), 3: waits(3) } },
    queued: { [B]: { 4: waits(4), 5: waits(5), 7: waits(7) } },
  };
  const found = reasons(pool, { baseFee: 10n, nonces: new Map([[B, 2]]), ready: 'flashblock' });
  expect(found.map(({ reason, stuck }) => [reason, stuck])).toEqual([
    ['nonce gap: nonces 2 to 3 are missing', true],
    ['after nonce 4, which waits', true],
    ['nonce gap: nonce 6 is missing', true],
    ['for the next flashblock', false],
    ['fee cap 1 wei is below the base fee, 10 wei', true],
    ['after nonce 2, whose fee cap is too low', true],
  ]);
});
