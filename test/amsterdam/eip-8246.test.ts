import { expect, it } from 'vitest';
import { A, B, NEW, onEachEngine, push, pushed, word } from './chain.ts';

/** CREATE with a value of init code that is in one word, then CALL of what was made, with a value. */
const createAndCall = (init: string, { value = 0, later = 0 } = {}) => {
  const size = init.length / 2;
  return `${push(BigInt(`0x${init}`))}5f52${push(size)}${push(32 - size)}${push(value)}f05f5f5f5f${push(later)}855af1`;
};

onEachEngine('EIP-8246, nothing is burnt', (chain) => {
  const balanceOf = async (address: string) => BigInt(await chain.call('eth_getBalance', address, 'latest'));

  it('a contract that destroys itself in its creation, to itself, keeps its balance, and nothing else', async () => {
    // SSTORE(0, 1), ADDRESS SELFDESTRUCT
    const { created, status, state } = await chain.send({ data: '60015f5530ff', value: 9n });
    expect(status).toBe(1);
    expect(await balanceOf(created)).toBe(9n);
    expect(await chain.call('eth_getTransactionCount', created, 'latest')).toBe('0x0');
    expect(await chain.call('eth_getCode', created, 'latest')).toBe('0x');
    expect(await chain.call('eth_getStorageAt', created, '0x0', 'latest')).toBe(word(0));
    // Nothing comes back of the account and the slot.
    expect(state).toBe(183_600n + 97_920n);
    // The list: a balance, no nonce and code; the slot was read.
    expect(await chain.listed(created)).toMatchObject({
      storageChanges: [],
      storageReads: [word(0)],
      balanceChanges: [{ value: '0x9' }],
      nonceChanges: [],
      codeChanges: [],
    });
  });

  it('without a balance the account is not there afterwards', async () => {
    const { created } = await chain.send({ data: '30ff' });
    const { accountProof, ...proof } = await chain.call('eth_getProof', created, [], 'latest');
    expect(accountProof.length).toBeGreaterThan(0);
    expect(proof).toMatchObject({ nonce: '0x0', balance: '0x0' });
    expect(await chain.listed(created)).toMatchObject({
      balanceChanges: [],
      nonceChanges: [],
      codeChanges: [],
    });
  });

  it('what it gets after its SELFDESTRUCT in the same transaction stays too', async () => {
    // Init code deploys ADDRESS SELFDESTRUCT (0x30ff): PUSH2 30ff PUSH0 MSTORE PUSH1 2 PUSH1 30 RETURN
    const init = '6130ff5f526002601ef3';
    // Called twice: the second call's value comes after the first SELFDESTRUCT.
    await chain.put(A, `${createAndCall(init, { later: 3 })}505f5f5f5f6004855af100`, [], 20);
    const { logs, status } = await chain.send({ to: A });
    expect(status).toBe(1);
    expect(logs.map(({ data }: { data: string }) => Number(data))).toEqual([3, 4]);
    const created = `0x${logs[0].topics[2].slice(26)}`;
    expect([await balanceOf(created), await balanceOf(A)]).toEqual([7n, 13n]);
    expect(await chain.call('eth_getCode', created, 'latest')).toBe('0x');
  });

  it('to another account the balance goes there', async () => {
    const { created } = await chain.send({ data: `${pushed(NEW)}ff`, value: 9n });
    expect([await balanceOf(created), await balanceOf(NEW)]).toEqual([0n, 9n]);
  });

  it('a contract of an earlier transaction keeps code, storage and, to itself, its balance', async () => {
    await chain.put(A, '30ff', [5], 7);
    const { status, logs } = await chain.send({ to: A });
    expect([status, logs]).toEqual([1, []]);
    expect(await balanceOf(A)).toBe(7n);
    expect(await chain.call('eth_getCode', A, 'latest')).toBe('0x30ff');
    expect(await chain.call('eth_getStorageAt', A, '0x0', 'latest')).toBe(word(5));
  });

  it('a contract of an earlier transaction that goes to another account keeps code and storage', async () => {
    await chain.put(A, `${pushed(B)}ff`, [5], 7);
    await chain.send({ to: A });
    expect([await balanceOf(A), await balanceOf(B)]).toEqual([0n, 7n]);
    expect(await chain.call('eth_getCode', A, 'latest')).toBe(`0x${pushed(B)}ff`);
  });

  it('the sum of all balances stays, but for fees', async () => {
    const before = await balanceOf(chain.from);
    const { created, receipt } = await chain.send({ data: '30ff', value: 9n });
    const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
    expect((await balanceOf(chain.from)) + (await balanceOf(created))).toBe(before - fee);
  });
});
