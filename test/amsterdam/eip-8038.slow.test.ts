import { expect, it } from 'vitest';
import { A, at, B, callOf, NEW, onEachEngine, push, pushed, SLOT } from './chain.ts';

const BASE = 15_000n;
/** an account that exists, without code */
const THERE = at(0x1234);

onEachEngine('EIP-8038, what access to state costs', (chain) => {
  const executionOf = async (code: string, slots: number[] = [], transaction: object = {}) => {
    await chain.put(A, code, slots, 100);
    await chain.call('anvil_setBalance', THERE, '0x1');
    const ended = await chain.send({ to: A, ...transaction });
    expect(ended.status).toBe(1);
    return ended.execution - BASE;
  };

  // Twice each: cold, then warm.
  it.each<[string, string, bigint, bigint]>([
    ['BALANCE', '31', 3_000n, 100n],
    ['EXTCODEHASH', '3f', 3_000n, 100n],
    ['EXTCODESIZE, which reads the code', '3b', 3_100n, 200n],
  ])('%s', async (_, opcode, cold, warm) => {
    const once = `${pushed(THERE)}${opcode}50`;
    expect(await executionOf(once)).toBe(3n + cold + 2n);
    expect(await executionOf(once + once)).toBe(6n + cold + warm + 4n);
  });

  it('EXTCODECOPY, which reads the code: 3,100 cold, 200 warm', async () => {
    const once = `5f5f5f${pushed(THERE)}3c`;
    expect(await executionOf(once)).toBe(6n + 3n + 3_100n);
    expect(await executionOf(once + once)).toBe(2n * 9n + 3_300n);
  });

  it.each<[string, string, bigint]>([
    ['CALL', 'f1', 5n * 2n],
    ['CALLCODE', 'f2', 5n * 2n],
    ['DELEGATECALL', 'f4', 4n * 2n],
    ['STATICCALL', 'fa', 4n * 2n],
  ])('%s: 3,000 cold, 100 warm', async (_, opcode, pushes) => {
    const once = `${'5f'.repeat(Number(pushes / 2n))}${pushed(THERE)}5a${opcode}50`;
    const around = pushes + 3n + 2n + 2n;
    expect(await executionOf(once)).toBe(around + 3_000n);
    expect(await executionOf(once + once)).toBe(2n * around + 3_100n);
  });

  it('a call with value: 11,300 besides, of which the callee has 2,300', async () => {
    // The callee is given no other gas: what it doesn't use comes back.
    const execution = await executionOf(callOf(THERE, { value: 1, gas: '5f' }));
    expect(execution).toBe(8n + 3n + 3n + 2n + 3_000n + 11_300n - 2_300n);
    // 2,300 suffice for LOG0, and not for a cold account.
    await chain.put(B, `${pushed(THERE)}31`);
    await chain.put(A, `${callOf(B, { value: 1, gas: '5f' })}5f5260205fa0`, [], 100);
    const { logs } = await chain.send({ to: A });
    expect(logs.map(({ data }: { data: string }) => BigInt(data))).toEqual([0n]);
  });

  it('a call of a delegated account: the access to its target besides', async () => {
    await chain.put(B, `ef0100${THERE.slice(2)}`);
    const around = 5n * 2n + 3n + 2n;
    expect(await executionOf(callOf(B))).toBe(around + 3_000n + 3_000n);
    expect(await executionOf(`${callOf(B)}${callOf(B)}`)).toBe(2n * around + 6_000n + 200n);
  });

  it.each<[string, string, number, bigint, bigint]>([
    ['SLOAD, cold: 2,100', '5f54', 0, 2n + 2_100n, 0n],
    ['SLOAD, warm: 100', '5f545f54', 0, 4n + 2_200n, 0n],
    ['SSTORE of the value that is there, cold: 2,100', '60015f55', 1, 5n + 2_100n, 0n],
    ['SSTORE, cold, first change: 12,100', '60025f55', 1, 5n + 12_100n, 0n],
    ['SSTORE, warm, first change: 10,100', '5f5460025f55', 1, 2n + 2_100n + 5n + 10_100n, 0n],
    ['SSTORE, a second change: 100', '60025f5560035f55', 1, 10n + 12_200n, 0n],
    ['SSTORE from 0: state gas besides', '60015f55', 0, 5n + 12_100n, SLOT],
  ])('%s', async (_, code, before, execution, state) => {
    await chain.put(A, code, [before]);
    expect(await chain.send({ to: A })).toMatchObject({ execution: BASE + execution, state });
  });

  // What a refund comes to is seen where it is below a fifth: an expensive transaction.
  it.each<[string, string, bigint]>([
    ['clearing a slot: 11,616', '5f5f55', 11_616n],
    ['clearing it and setting it again: 0', '5f5f5560025f55', 0n],
    ['clearing it and going back to its value: 10,000', '5f5f5560015f55', 10_000n],
    ['changing it and going back to its value: 10,000', '60025f5560015f55', 10_000n],
    ['changing it, then clearing it: 11,616', '60025f555f5f55', 11_616n],
    ['0 -> 1 -> 0: 10,000, and the state gas', '600160015560005f6001555050', 0n],
  ])('a refund for %s', async (name, code, refund) => {
    const program = name.startsWith('0') ? '60016001555f600155' : code;
    const wanted = name.startsWith('0') ? 10_000n : refund;
    // A creation is 12,000, and takes 6 of PUSH0: three of them make refunds a part that isn't capped.
    await chain.put(A, `${program}${'5f5f5ff050'.repeat(5)}`, [1]);
    const { gas, execution, state } = await chain.send({ to: A });
    expect(execution + state - gas).toBe(wanted);
  });

  it.each<[string, string, number, bigint, bigint]>([
    ['to a cold account that exists: 8,000', THERE, 1, 8_000n, 0n],
    ['to itself: 5,000', A, 1, 5_000n, 0n],
    [
      'to a cold account that does not exist, with a balance: 17,000 and an account',
      NEW,
      1,
      17_000n,
      183_600n,
    ],
    ['to a cold account that does not exist, without a balance: 8,000', NEW, 0, 8_000n, 0n],
  ])('SELFDESTRUCT %s', async (_, beneficiary, balance, execution, state) => {
    await chain.call('anvil_setBalance', THERE, '0x1');
    await chain.put(A, `${pushed(beneficiary)}ff`);
    await chain.call('anvil_setBalance', A, `0x${balance.toString(16)}`);
    expect(await chain.send({ to: A })).toMatchObject({ execution: BASE + 3n + execution, state });
  });

  it('SELFDESTRUCT to a warm account: 5,000', async () => {
    expect(await executionOf(`${pushed(THERE)}3150${pushed(THERE)}ff`)).toBe(3n + 3_000n + 2n + 3n + 5_000n);
  });

  it('CREATE: 12,000 and 2 a word of init code; CREATE2: 6 a word besides', async () => {
    expect(await executionOf('5f5f5ff0')).toBe(6n + 12_000n);
    // 64 bytes of init code: two words of memory
    expect(await executionOf(`${push(64)}5f5ff0`)).toBe(3n + 4n + 6n + 12_000n + 4n);
    expect(await executionOf(`5f${push(64)}5f5ff5`)).toBe(2n + 3n + 4n + 6n + 12_000n + 4n + 12n);
  });

  it('the coinbase and the transaction’s own accounts are warm', async () => {
    // COINBASE BALANCE, ORIGIN BALANCE, ADDRESS BALANCE
    expect(await executionOf('41315032315030315000')).toBe(3n * (2n + 100n + 2n));
  });
});
