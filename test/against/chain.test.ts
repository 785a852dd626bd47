import { join } from 'node:path';
import { expect, test } from 'vitest';
import token from '../../fixtures/contracts/Token.json' with { type: 'json' };
import { comparedNode } from './compared.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';
const CALLEE = '0x00000000000000000000000000000000000000c2';
/** Five times SLOAD: 4,000 gas at istanbul, 10,500 at berlin. */
const READS = '0x6000546001546002546003546004545000';
const word = (hex: string) => hex.padStart(64, '0');

test('eth_call is compared by what it returns and by its gas: with a fixed gas limit it may fail', async () => {
  const { call, from, place, end } = await comparedNode('istanbul', 'berlin');
  await place(CONTRACT, READS);
  await call('eth_call', { from, to: CONTRACT, gas: '0x7530' }, 'latest');
  await call('eth_call', { from, to: CONTRACT }, 'latest');
  await call('eth_call', { from, to: CALLEE }, 'latest');
  // An estimate is no call.
  await call('eth_estimateGas', { from, to: CONTRACT }, 'latest');
  const { calls, transactions, functions, different } = await end();
  expect([calls, transactions]).toEqual([3, 0]);
  expect(functions).toMatchObject([
    { kind: 'call', contract: CONTRACT, verdict: 'fails with this limit', gasLimit: { max: 30_000 } },
    { kind: 'call', contract: CONTRACT, verdict: 'dearer' },
    { kind: 'call', contract: null, verdict: 'same' },
  ]);
  const [only] = different;
  expect(only).toMatchObject({
    reason: 'out of gas',
    at: { opcode: 'SLOAD', depth: 0, endsThen: 'out of gas' },
  });
  expect(only).not.toHaveProperty('hash');
  expect(only!.needs).toBeGreaterThan(31_500);
  expect(only!.needs).toBeLessThan(32_500);
});

test('eth_call that reverts runs on the state and with the overrides of its request', async () => {
  const { call, from, end } = await comparedNode('paris', 'shanghai');
  // PUSH0 where it exists, else an invalid opcode.
  const overrides = { [CONTRACT]: { code: '0x5f5ff3' } };
  await expect(call('eth_call', { from, to: CONTRACT }, 'latest', overrides)).rejects.toThrow();
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'other result',
      reason: expect.stringMatching(/^it succeeds then/),
      at: { opcode: 'PUSH0', pc: 0 },
    },
  ]);
});

test('blocks that are taken back are compared, and those after them', async () => {
  const { call, place, send, end } = await comparedNode('istanbul', 'berlin');
  await place(CONTRACT, READS);
  const snapshot = await call('evm_snapshot');
  for (let i = 0; i < 3; i++) await send({ to: CONTRACT });
  await call('evm_revert', snapshot);
  await send({ to: CONTRACT });
  const { verdicts, notCompared } = await end();
  expect(verdicts).toMatchObject({ dearer: 4 });
  expect(notCompared).toBe(0);
});

test('a transaction runs from the state that those before it in its block have left', async () => {
  const { call, place, send, end } = await comparedNode('istanbul', 'berlin', {
    automine: false,
    noMining: true,
  });
  // SSTORE(0, SLOAD(0) + 1); a jump to where there is no JUMPDEST, where that is 2.
  await place(CONTRACT, '0x600054600101806000556002146000570000');
  const sent = [await send({ to: CONTRACT }), await send({ to: CONTRACT }), await send({ to: CONTRACT })];
  await call('evm_mine');
  const statuses = await Promise.all(
    sent.map(async (hash) => (await call('eth_getTransactionReceipt', hash)).status),
  );
  expect(statuses).toEqual(['0x1', '0x0', '0x0']);
  const { verdicts, different } = await end();
  expect(different).toEqual([]);
  expect(verdicts.same + verdicts.dearer + verdicts.cheaper).toBe(3);
});

test('names are those of the artifacts, also of the contract in which the runs part', async () => {
  const artifacts = join(import.meta.dirname, '../../fixtures/contracts');
  const { call, from, send, end } = await comparedNode('istanbul', 'berlin', { artifacts });
  const name = word('1') + '54'.padEnd(64, '0');
  const data = `${token.bytecode}${word('60')}${word('a0')}${word('7')}${name}${name}`;
  const hash = await send({ data, gas: '0x400000' });
  const { contractAddress: to } = await call('eth_getTransactionReceipt', hash);
  const transfer = `0xa9059cbb${word('77')}${word('1')}`;
  const { gasUsed } = await call('eth_getTransactionReceipt', await send({ to, data: transfer }));
  // As the limit what it takes now.
  await send({ to, data: `0xa9059cbb${word('78')}${word('1')}`, gas: gasUsed });
  await call('eth_call', { from, to, data: `0x70a08231${word('77')}` }, 'latest');
  const { functions, different } = await end();
  expect(functions.map(({ contract, function: name, verdict }) => [contract, name, verdict])).toEqual([
    ['Token', 'transfer', 'fails with this limit'],
    ['Token', 'deployment', 'dearer'],
    ['Token', 'balanceOf', 'dearer'],
    ['Token', 'transfer', 'dearer'],
  ]);
  expect(different).toMatchObject([{ at: { contract: 'Token', address: to, endsThen: 'out of gas' } }]);
});

test('an impersonated sender needs no signature by the other rules either', async () => {
  const { call, send, end } = await comparedNode('istanbul', 'berlin');
  await call('anvil_setCode', CONTRACT, '0x00');
  await call('anvil_setBalance', CONTRACT, '0xde0b6b3a7640000');
  await call('anvil_impersonateAccount', CONTRACT);
  await send({ from: CONTRACT, to: CALLEE, value: '0x1' });
  const { verdicts, notComparedBecause } = await end();
  expect(notComparedBecause).toEqual([]);
  expect(verdicts.same).toBe(1);
});

test('a chain of the OP Stack: deposits of L1 attributes are left out, and fees are no difference', async () => {
  const { place, send, end } = await comparedNode('cancun', 'prague', { optimism: true });
  await place(CONTRACT, READS);
  await send({ to: CONTRACT });
  await send({ to: CONTRACT, value: '0x1' });
  const { transactions, verdicts, notComparedBecause } = await end();
  expect(notComparedBecause).toEqual([]);
  expect(transactions).toBe(2);
  expect(verdicts.same).toBe(2);
});

test('a jump by a word that differs names the opcode that it comes from', async () => {
  const { place, send, end } = await comparedNode('istanbul', 'berlin');
  // GAS before and after SLOAD(0): the difference is 817 at istanbul. Reverts where it is more than 1,000.
  await place(CONTRACT, '0x5a600054505a90036103e8106011570000005b60006000fd');
  await send({ to: CONTRACT });
  const { different } = await end();
  expect(different).toMatchObject([
    { verdict: 'fails with any', at: { opcode: 'JUMPI', pc: 14, because: { opcode: 'GAS' } } },
  ]);
});
