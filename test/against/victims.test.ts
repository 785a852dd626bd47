import { expect, test } from 'vitest';
import { callWith, comparedNode, orRevert, push } from './compared.ts';

const CALLER = '0x00000000000000000000000000000000000000c1';
const CALLEE = '0x00000000000000000000000000000000000000c2';
/** bytes of `callWith` */
const CALL_LENGTH = 8 + 1 + 21 + 4 + 1;

test('a transfer() whose recipient reads slots with 2,300 gas fails with any limit where SLOAD is dearer (EIP-1884)', async () => {
  const { place, send, end } = await comparedNode('petersburg', 'istanbul');
  // Three times SLOAD: 600 gas at petersburg, 2,400 at istanbul.
  await place(CALLEE, '0x60005460015460025400');
  await place(CALLER, `0x${callWith(0, CALLEE)}${orRevert(CALL_LENGTH)}00`);
  const hash = await send({ to: CALLER, value: '0x1' });
  const fields = await end();
  expect(fields).toMatchObject({ now: ['petersburg'], against: 'istanbul', transactions: 1, notCompared: 0 });
  expect(fields.different).toEqual([
    {
      kind: 'transaction',
      block: 1,
      hash,
      contract: CALLER,
      function: 'no function',
      verdict: 'fails with any',
      gasNow: expect.any(Number),
      gasThen: expect.any(Number),
      gasLimit: 200_000,
      reason: 'reverted with no reason',
      at: {
        ...{ address: CALLEE, pc: 8, opcode: 'SLOAD', depth: 1, endsThen: 'out of gas' },
        given: { address: CALLER, pc: CALL_LENGTH - 1, opcode: 'CALL', depth: 0, gas: 2_300 },
      },
    },
  ]);
});

test('a call with fixed gas fails with any limit where cold slots are dearer (EIP-2929), at the opcode that ran out', async () => {
  const { place, send, end } = await comparedNode('istanbul', 'berlin');
  // Three times SLOAD: 2,400 gas at istanbul, 6,300 at berlin.
  await place(CALLEE, '0x60005460015460025400');
  await place(CALLER, `0x${callWith(5_000, CALLEE)}${orRevert(CALL_LENGTH)}00`);
  await send({ to: CALLER });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'fails with any',
      at: {
        ...{ address: CALLEE, pc: 8, opcode: 'SLOAD', endsThen: 'out of gas' },
        given: { address: CALLER, opcode: 'CALL', gas: 5_000 },
      },
    },
  ]);
});

test('the call that fixes the gas is named also where calls in between pass on all of it, and none where nobody fixes it', async () => {
  const { place, send, end } = await comparedNode('istanbul', 'berlin');
  const middle = '0x00000000000000000000000000000000000000c3';
  await place(CALLEE, '0x60005460015460025400');
  // CALL(GAS, CALLEE, 0, 0, 0, 0, 0)
  await place(middle, `0x60006000600060006000${push(CALLEE)}5af1${orRevert(33)}00`);
  await place(CALLER, `0x${callWith(5_000, middle)}${orRevert(CALL_LENGTH)}00`);
  await send({ to: CALLER });
  await send({ to: middle, gas: '0x6018' });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'fails with any',
      at: { address: CALLEE, opcode: 'SLOAD', depth: 2, given: { address: CALLER, depth: 0, gas: 5_000 } },
    },
    { verdict: 'fails with this limit', at: { address: CALLEE, opcode: 'SLOAD', depth: 1 } },
  ]);
  expect(different[1]!.at).not.toHaveProperty('given');
});

test('a fixed limit that covers the data alone fails with this limit where data has a floor (EIP-7623), and needs more', async () => {
  const { send, end } = await comparedNode('cancun', 'prague');
  // 100 zero bytes: 21,400 gas at cancun, at least 22,000 at prague.
  await send({ to: CALLEE, data: `0x${'00'.repeat(100)}`, gas: '0x5398' });
  const { different, verdicts } = await end();
  expect(verdicts).toMatchObject({ 'fails with this limit': 1, same: 0 });
  const [only] = different;
  expect(only).toMatchObject({
    contract: null,
    function: 'transfer of ETH',
    gasNow: 21_400,
    gasLimit: 21_400,
    reason: expect.stringContaining('22000'),
  });
  expect(only).not.toHaveProperty('gasThen');
  expect(only!.needs).toBeGreaterThanOrEqual(22_000);
  expect(only!.needs).toBeLessThan(22_400);
});

test('a deployment with a tight limit fails with this limit where init code costs gas (EIP-3860)', async () => {
  const { call, send, end } = await comparedNode('paris', 'shanghai');
  // Init code of 3,200 bytes that deploys nothing: 2 gas for each of 100 words at shanghai.
  const data = `0x00${'01'.repeat(3_199)}`;
  const exact = 53_000 + 4 + 16 * 3_199;
  const hash = await send({ data, gas: `0x${exact.toString(16)}` });
  expect((await call('eth_getTransactionReceipt', hash)).status).toBe('0x1');
  const { different } = await end();
  expect(different).toMatchObject([
    {
      function: 'deployment',
      verdict: 'fails with this limit',
      gasNow: exact,
      gasLimit: exact,
      reason: expect.stringContaining(String(exact + 200)),
    },
  ]);
  expect(different[0]!.needs).toBeGreaterThanOrEqual(exact + 200);
});

test('a deployment whose init code is too large fails with any limit (EIP-3860)', async () => {
  const { send, end } = await comparedNode('paris', 'shanghai');
  await send({ data: `0x00${'00'.repeat(49_152)}`, gas: '0x7a1200' });
  const { different } = await end();
  expect(different).toMatchObject([
    { function: 'deployment', verdict: 'fails with any', reason: expect.stringContaining('49153') },
  ]);
});

test('a gas limit above 2^24 fails with this limit where one transaction has a cap (EIP-7825)', async () => {
  const { send, end } = await comparedNode('prague', 'osaka');
  await send({ to: CALLEE, gas: `0x${(2 ** 24 + 1).toString(16)}` });
  await send({ to: CALLEE, gas: `0x${(2 ** 24).toString(16)}` });
  const { different, verdicts } = await end();
  expect(verdicts).toMatchObject({ 'fails with this limit': 1, same: 1 });
  expect(different).toMatchObject([
    { gasLimit: 2 ** 24 + 1, needs: 21_000, reason: expect.stringMatching(/16777216/) },
  ]);
});

test('a call of MODEXP with fixed gas fails where that is dearer (EIP-7883), at the call', async () => {
  const { place, send, end } = await comparedNode('prague', 'osaka');
  // Lengths of 0: 200 gas at prague, 500 at osaka.
  await place(CALLER, `0x${callWith(300, `0x${'5'.padStart(40, '0')}`)}${orRevert(CALL_LENGTH)}00`);
  await send({ to: CALLER });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'fails with any',
      at: {
        ...{ address: CALLER, opcode: 'CALL', depth: 0, endsThen: 'out of gas' },
        given: { address: CALLER, opcode: 'CALL', depth: 0, gas: 300 },
      },
    },
  ]);
});

test('a contract that logs the failure of an opcode has other logs where the opcode exists (EIP-3855)', async () => {
  const { place, send, end } = await comparedNode('paris', 'shanghai');
  // PUSH0, STOP
  await place(CALLEE, '0x5f00');
  // Jumps over LOG0 where the call succeeds.
  await place(CALLER, `0x${callWith(1_000, CALLEE)}60${(CALL_LENGTH + 8).toString(16)}5760006000a05b00`);
  await send({ to: CALLER });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'other logs',
      reason: '1 log now, 0 logs then',
      at: {
        address: CALLEE,
        pc: 0,
        opcode: 'PUSH0',
        depth: 1,
        endsNow: 'invalid opcode: opcode 0x5f not defined',
      },
    },
  ]);
});

test('what a contract stores of the gas that is left is another result, by GAS', async () => {
  const { place, send, end } = await comparedNode('istanbul', 'berlin');
  // SLOAD(1), POP, SSTORE(0, GAS)
  await place(CALLER, '0x600154505a60005500');
  await send({ to: CALLER });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'other result',
      reason: expect.stringMatching(`^the slot 0x0 of ${CALLER}: 0x[0-9a-f]+ now, 0x[0-9a-f]+ then$`),
      at: { address: CALLER, pc: 4, opcode: 'GAS' },
    },
  ]);
});

test('a jump by the result of an opcode names that opcode: SELFBALANCE read by a failing call', async () => {
  const { place, send, end } = await comparedNode('petersburg', 'istanbul');
  // CHAINID, MSTORE(0), RETURN(0, 32): where there is no such opcode the call fails and returns nothing.
  await place(CALLEE, '0x4660005260206000f3');
  // Reverts where RETURNDATASIZE isn't 0.
  await place(CALLER, `0x${callWith(10_000, CALLEE)}503d15${orRevert(CALL_LENGTH + 3)}00`);
  await send({ to: CALLER });
  const { different } = await end();
  expect(different).toMatchObject([
    {
      verdict: 'fails with any',
      at: { address: CALLEE, pc: 0, opcode: 'CHAINID', endsNow: expect.any(String) },
    },
  ]);
});

test('what costs another amount of gas alone is dearer or cheaper, by function', async () => {
  const { place, send, end } = await comparedNode('istanbul', 'berlin');
  await place(CALLER, '0x60015400');
  await place(CALLEE, `0x${'600154'.repeat(20)}00`);
  await send({ to: CALLER });
  await send({ to: CALLER });
  await send({ to: CALLEE });
  await send({ to: '0x00000000000000000000000000000000000000c9', value: '0x1' });
  const { functions, different, verdicts } = await end();
  expect(different).toEqual([]);
  expect(verdicts).toMatchObject({ dearer: 2, cheaper: 1, same: 1 });
  expect(functions).toMatchObject([
    {
      contract: CALLER,
      verdict: 'dearer',
      count: 2,
      gasNow: { min: 21_803, average: 21_803, max: 21_803 },
      gasThen: { min: 23_103, average: 23_103, max: 23_103 },
      gasLimit: { min: 200_000, average: 200_000, max: 200_000 },
    },
    { contract: CALLEE, verdict: 'cheaper', count: 1 },
    { contract: null, function: 'transfer of ETH', verdict: 'same', gasNow: { average: 21_000 } },
  ]);
});
