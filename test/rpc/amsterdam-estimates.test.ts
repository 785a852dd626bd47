import { expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { Random } from '../random.ts';
import { callsOf } from '../wire.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';
const CALLEE = '0x00000000000000000000000000000000000000c2';
/** accounts that calls send value to: one that exists, and one that doesn't */
const ACCOUNTS = [CALLEE, '0x00000000000000000000000000000000000000ff'];
const PROGRAMS = 25;

/** Code that sets, changes and clears slots, creates contracts, and calls others with value and without; it reverts where one of these fails. */
function programOf(random: Random): string {
  let code = '';
  const orRevert = () => {
    // PUSH2 target JUMPI PUSH0 PUSH0 REVERT JUMPDEST
    code += `61${(code.length / 2 + 7).toString(16).padStart(4, '0')}575f5ffd5b`;
  };
  for (let i = random.below(8); i >= 0; i--) {
    const what = random.below(6);
    // SSTORE(slot, 0..2)
    if (what < 3) code += `60${hex(random.below(3))}60${hex(random.below(3))}55`;
    else if (what === 3) {
      // CREATE(value, 0, 32): a contract with the code STOP, from PUSH1 1 PUSH0 RETURN
      code += `6360015ff360e01b5f526004 5f60${hex(random.below(2))}f0`.replace(' ', '');
      orRevert();
    } else {
      const to = random.pick(ACCOUNTS).slice(2);
      code += `600060006000600060${hex(random.below(2))}73${to}5af1`;
      orRevert();
    }
  }
  return `0x${code}00`;
}

const hex = (value: number) => value.toString(16).padStart(2, '0');
const quantity = (value: bigint) => `0x${value.toString(16)}`;

it('an estimate at amsterdam is enough, and what is 2 % below it is not, where state gas comes and goes', async () => {
  const node = await createDevnet({ hardfork: 'amsterdam', automine: true, manualClock: true });
  try {
    const call = callsOf(node);
    const from = node.accounts[0]!.address;
    await call('anvil_setBalance', CONTRACT, '0x64');
    const random = new Random(8037);
    let peaks = 0;
    for (let n = 0; n < PROGRAMS; n++) {
      await call('anvil_setCode', CONTRACT, programOf(random));
      // Sets two slots and clears one of them: what it used is less than what it needs.
      await call('anvil_setCode', CALLEE, random.pick(['0x6001600055600060005500', '0x6001600155', '0x00']));
      const request = { from, to: CONTRACT };
      const estimate = BigInt(await call('eth_estimateGas', request));
      const snapshot = await call('evm_snapshot');
      const receiptWith = async (gas: bigint) => {
        const hash = await call('eth_sendTransaction', { ...request, gas: quantity(gas) });
        return call('eth_getTransactionReceipt', hash);
      };
      const { status, gasUsed } = await receiptWith(estimate);
      expect(status).toBe('0x1');
      if (estimate - BigInt(gasUsed) > 90_000n) peaks++;
      await call('evm_revert', snapshot);
      const less = await receiptWith((estimate * 98n) / 100n).catch((error) => error);
      expect(less.status ?? '0x0').toBe('0x0');
    }
    expect(peaks).toBeGreaterThan(3);
  } finally {
    await node.close();
  }
});

it.each<[string, Record<string, string>, bigint]>([
  ['to an account, without value', { to: CALLEE }, 15_000n],
  ['to oneself', { to: 'oneself', value: '0x1' }, 12_000n],
  ['to an account that exists, with value', { to: 'another', value: '0x1' }, 21_000n],
  ['to an account that is new, with value', { to: CALLEE, value: '0x1' }, 204_600n],
])('an estimate at amsterdam of a transaction %s is exact', async (_, request, gas) => {
  const node = await createDevnet({ hardfork: 'amsterdam', automine: true, manualClock: true });
  try {
    const call = callsOf(node);
    const [from, another] = await call('eth_accounts');
    const to = { oneself: from, another }[request.to!] ?? request.to;
    expect(await call('eth_estimateGas', { from, ...request, to })).toBe(quantity(gas));
    await expect(
      call('eth_sendTransaction', { from, ...request, to, gas: quantity(gas - 1n) }).then((hash) =>
        call('eth_getTransactionReceipt', hash).then(({ status }) => {
          if (status === '0x0') throw new Error('it failed');
        }),
      ),
    ).rejects.toThrow();
  } finally {
    await node.close();
  }
});
