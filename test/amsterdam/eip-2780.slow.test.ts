import { expect, it } from 'vitest';
import { A, ACCOUNT, at, B, DELEGATION, hex, NEW, onEachEngine, TELL, type Transaction } from './chain.ts';

/** GAS, told by a log: what is left once the intrinsic gas is paid, less the 2 of the opcode. */
const LEFT = `5a${TELL}`;
const GAS = 1_000_000n;
const BLAKE2F = at(9);

onEachEngine('EIP-2780, resource-based intrinsic gas', (chain) => {
  const transactionTo = (to: string): Transaction => ({
    to: { oneself: chain.from, another: chain.other }[to] ?? to,
  });

  it.each<[string, string, bigint, bigint]>([
    ['to oneself, with value: 12,000', 'oneself', 1n, 12_000n],
    ['to oneself, without value: 12,000', 'oneself', 0n, 12_000n],
    ['without value, to an account: 15,000', 'another', 0n, 15_000n],
    ['without value, to an account that does not exist: 15,000', NEW, 0n, 15_000n],
    ['with value, to an account: 21,000', 'another', 1n, 21_000n],
  ])('a transaction %s; with one less it is refused', async (_, to, value, gas) => {
    const transaction = { ...transactionTo(to), value };
    expect(await chain.send({ ...transaction, gas })).toMatchObject({
      status: 1,
      gas,
      execution: gas,
      state: 0n,
      header: gas,
    });
    await expect(chain.send({ ...transaction, gas: gas - 1n })).rejects.toThrow(/intrinsic gas/i);
  });

  it('with value to a new account it is 21,000 and the state gas of an account', async () => {
    const ended = await chain.send({ to: NEW, value: 5n, gas: 21_000n + ACCOUNT });
    expect(ended).toMatchObject({ status: 1, gas: 204_600n, execution: 21_000n, state: ACCOUNT });
    // The header has the larger dimension.
    expect(ended.header).toBe(ACCOUNT);
  });

  it('with one less for the new account it is included and has failed: the gas and the nonce are gone, the value stays', async () => {
    const before = BigInt(await chain.call('eth_getTransactionCount', chain.from, 'latest'));
    const ended = await chain.send({ to: NEW, value: 5n, gas: 21_000n + ACCOUNT - 1n });
    expect(ended).toMatchObject({ status: 0, gas: 204_599n, state: 0n, logs: [] });
    expect(ended.header).toBe(204_599n);
    expect(await chain.call('eth_getBalance', NEW, 'latest')).toBe('0x0');
    expect(BigInt(await chain.call('eth_getTransactionCount', chain.from, 'latest'))).toBe(before + 1n);
  });

  it('an account with a balance and nothing else exists', async () => {
    await chain.call('anvil_setBalance', NEW, '0x1');
    expect(await chain.send({ to: NEW, value: 5n })).toMatchObject({ gas: 21_000n, state: 0n });
  });

  it('data costs 4 a zero byte and 16 another one, before the first opcode', async () => {
    await chain.put(A, LEFT);
    const { told } = await chain.send({ to: A, data: '00ff00ff00', gas: GAS });
    expect(told).toEqual([GAS - 15_000n - 3n * 4n - 2n * 16n - 2n]);
  });

  it('a creation costs 24,000, its data, and 2 a word of init code; then an account', async () => {
    // As init code, 8 bytes with 4 that aren't 0 ... told by GAS: nothing is returned.
    const data = LEFT;
    const bytes = BigInt(data.length / 2);
    const { told, execution, state } = await chain.send({ data, gas: GAS });
    expect(told).toEqual([GAS - 24_000n - 16n * bytes - 2n - ACCOUNT - 2n]);
    // PUSH0, MSTORE, PUSH1, PUSH0, LOG0 and a word of memory
    expect([execution, state]).toEqual([
      24_000n + 16n * bytes + 2n + 2n + 2n + 3n + 3n + 3n + 2n + 375n + 256n,
      ACCOUNT,
    ]);
  });

  it('a creation where the account exists already takes no state gas for it', async () => {
    const nonce = Number(await chain.call('eth_getTransactionCount', chain.from, 'latest'));
    const { created } = await chain.send({ data: '00' });
    await chain.reset();
    await chain.call('anvil_setBalance', created, '0x1');
    expect(Number(await chain.call('eth_getTransactionCount', chain.from, 'latest'))).toBe(nonce);
    expect(await chain.send({ data: '00' })).toMatchObject({ status: 1, created, state: 0n });
  });

  it('a creation that reverts gets its account back', async () => {
    // PUSH0 PUSH0 REVERT
    expect(await chain.send({ data: '5f5ffd' })).toMatchObject({
      status: 0,
      // the floor of 3 bytes (EIP-7976)
      gas: 24_000n + 3n * 64n,
      state: 0n,
    });
  });

  it('a new recipient whose precompile fails: its state gas comes back to the reservoir, and all other gas is gone', async () => {
    // BLAKE2F takes 213 bytes.
    const cap = 2n ** 24n;
    const ended = await chain.send({ to: BLAKE2F, value: 1n, gas: cap + ACCOUNT });
    expect(ended).toMatchObject({ status: 0, state: 0n, gas: cap });
    expect(await chain.send({ to: BLAKE2F, value: 1n, gas: 500_000n })).toMatchObject({ gas: 500_000n });
  });

  it('an entry of the access list makes the recipient no cheaper', async () => {
    await chain.put(A, LEFT);
    const accessList = [{ address: A, storageKeys: [] }];
    const { told } = await chain.send({ to: A, accessList, gas: GAS });
    expect(told).toEqual([GAS - 15_000n - 4_180n - 2n]);
  });

  it('an authorization costs 7,816, though it counts for nothing', async () => {
    await chain.put(A, LEFT);
    // A wrong nonce; the authority exists.
    const authorizationList = [await chain.authorization(chain.other, B, 7)];
    const { told, state } = await chain.send({ to: A, authorizationList, gas: GAS });
    expect([told, state]).toEqual([[GAS - 15_000n - 7_816n - 2n], 0n]);
  });

  it('an authorization of an account: 9,000 for its first write, 35,190 of state gas for the delegation', async () => {
    await chain.put(A, LEFT);
    const authorizationList = [await chain.authorization(chain.other, B)];
    const ended = await chain.send({ to: A, authorizationList, gas: GAS });
    expect(ended.told).toEqual([GAS - 15_000n - 7_816n - 9_000n - DELEGATION - 2n]);
    expect(ended.state).toBe(DELEGATION);
  });

  it('an authority that gets the value of the transaction pays no first write', async () => {
    await chain.put(B, '00');
    const authorizationList = [await chain.authorization(chain.other, B)];
    // 3,000 for the code of the delegation's target
    expect(await chain.send({ to: chain.other, value: 1n, authorizationList })).toMatchObject({
      execution: 21_000n + 7_816n + 3_000n,
      state: DELEGATION,
    });
  });

  it('the sender as an authority pays no first write', async () => {
    const nonce = Number(await chain.call('eth_getTransactionCount', chain.from, 'latest'));
    const authorizationList = [await chain.authorization(chain.from, B, nonce + 1)];
    expect(await chain.send({ to: A, authorizationList })).toMatchObject({
      execution: 15_000n + 7_816n,
      state: DELEGATION,
    });
  });

  it('a second authorization of one authority pays no first write and no delegation again', async () => {
    const authorizationList = [
      await chain.authorization(chain.other, B),
      await chain.authorization(chain.other, A, 1),
    ];
    expect(await chain.send({ to: A, authorizationList })).toMatchObject({
      execution: 15_000n + 2n * 7_816n + 9_000n,
      state: DELEGATION,
    });
  });

  it('delegations stay, and stay paid, where the frame fails', async () => {
    // INVALID
    await chain.put(A, 'fe');
    const authorizationList = [await chain.authorization(chain.other, B)];
    const ended = await chain.send({ to: A, authorizationList, gas: GAS });
    expect(ended).toMatchObject({ status: 0, state: DELEGATION, gas: GAS });
    expect(await chain.call('eth_getCode', chain.other, 'latest')).toBe(`0xef0100${B.slice(2)}`);
  });

  it('where the gas ends before the first frame, the delegations are undone', async () => {
    const authorizationList = [await chain.authorization(chain.other, B)];
    const gas = 15_000n + 7_816n + 9_000n + DELEGATION;
    await expect(chain.send({ to: A, authorizationList, gas })).resolves.toMatchObject({ status: 1, gas });
    await chain.reset();
    const again = [await chain.authorization(chain.other, B)];
    const ended = await chain.send({ to: A, authorizationList: again, gas: gas - 1n });
    expect(ended).toMatchObject({ status: 0, gas: gas - 1n, state: 0n });
    expect(await chain.call('eth_getCode', chain.other, 'latest')).toBe('0x');
    expect(await chain.call('eth_getTransactionCount', chain.other, 'latest')).toBe('0x0');
  });

  it.each<[string, bigint, object[]]>([
    ['3,000', 3_000n, []],
    ['100 where the access list has it', 100n + 4_180n, [{ address: A, storageKeys: [] }]],
  ])('the code to which the recipient delegates costs %s', async (_, more, accessList) => {
    await chain.put(A, '00');
    await chain.put(B, `ef0100${A.slice(2)}`);
    const ended = await chain.send({ to: B, accessList });
    expect(ended).toMatchObject({ status: 1, execution: 15_000n + more, state: 0n });
  });

  it('a delegated recipient for whose target the gas does not suffice: included, failed', async () => {
    await chain.put(A, '00');
    await chain.put(B, `ef0100${A.slice(2)}`);
    expect(await chain.send({ to: B, gas: 18_000n })).toMatchObject({ status: 1 });
    expect(await chain.send({ to: B, gas: 17_999n })).toMatchObject({ status: 0, gas: 17_999n });
  });

  it('the sender pays for the whole limit, also above 2^24', async () => {
    const gasPrice = 10n ** 10n;
    const poor = async (balance: bigint) => {
      await chain.call('anvil_setBalance', chain.other, hex(balance));
      return chain.call('eth_sendTransaction', {
        from: chain.other,
        to: A,
        gas: hex(30_000_000),
        gasPrice: hex(gasPrice),
      });
    };
    await expect(poor(30_000_000n * gasPrice - 1n)).rejects.toThrow(/insufficient funds/i);
    expect(await poor(30_000_000n * gasPrice)).toMatch(/^0x/);
  });
});
