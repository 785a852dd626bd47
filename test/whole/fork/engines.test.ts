import { expect, it } from 'vitest';
import { closeChainsAfterEachTest, forkOf, hex, original } from './chains.ts';

closeChainsAfterEachTest();

/** Stores in slot 0 what is there, and in slot 1 what comes as data: PUSH0, SLOAD, PUSH0, SSTORE, PUSH0, CALLDATALOAD, PUSH1 1, SSTORE. */
const STORES = '0x5f545f555f3560015500';
const AT = '0x00000000000000000000000000000000000057e0';
/** An account that nobody has. */
const NOBODY = '0x00000000000000000000000000000000000c0ffe';
/** Returns no code: PUSH0, PUSH0, RETURN. */
const CREATES = '0x5f5ff3';
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

it('both engines make the same blocks of a forked chain: what keeps its value is no difference', async () => {
  const one = await original();
  await one.call('anvil_setCode', AT, STORES);
  await one.call('anvil_setStorageAt', AT, '0x0', word(7));
  await one.call('anvil_setStorageAt', AT, '0x1', word(5));
  await one.call('evm_mine');
  const hashes: string[][] = [];
  for (const engine of ['fast', 'ethereumjs'] as const) {
    const fork = await forkOf(one, { engine, coinbase: NOBODY });
    const baseFee = BigInt((await fork.block('pending')).baseFeePerGas);
    const unpaid = { maxFeePerGas: hex(baseFee), maxPriorityFeePerGas: '0x0' };
    await fork.send({ to: AT, data: word(5) });
    await fork.send({ to: AT, data: word(6) });
    await fork.send({ data: CREATES });
    await fork.call('evm_setAutomine', false);
    // The first pays its block's coinbase nothing, the second does.
    await fork.send({ to: fork.accounts[1], ...unpaid, nonce: '0x6' });
    await fork.send({ to: fork.accounts[1], from: fork.accounts[2] });
    await fork.call('evm_mine');
    const count = Number(await fork.call('eth_blockNumber'));
    const blocks = await Promise.all(
      Array.from({ length: count + 1 }, (_, number) => fork.block(hex(number), true)),
    );
    hashes.push(blocks.map(({ stateRoot }) => stateRoot));
    expect(blocks.at(-1)!.number).toBe('0x8');
  }
  expect(hashes[1]).toEqual(hashes[0]);
});

/** Contracts of EIP-2935 and of EIP-7002. */
const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935';
const WITHDRAWALS = '0x00000961ef480eb55e80d19ad83579a64c007002';

it.each([
  ['the other chain has no contract for hashes of blocks', HISTORY, '0x', '0x0'],
  ['its contract for withdrawals has code of its own, which does nothing', WITHDRAWALS, '0x00', '0x1'],
])('all engines make the same blocks of a forked chain where %s', async (_, at, code, nonce) => {
  const one = await original();
  await one.call('anvil_setCode', at, code);
  await one.call('anvil_setNonce', at, nonce);
  await one.call('evm_mine');
  const roots: string[][] = [];
  for (const engine of ['fast', 'ethereumjs', 'shadow'] as const) {
    const fork = await forkOf(one, { engine });
    await fork.send({ to: fork.accounts[1] });
    await fork.call('evm_mine');
    const blocks = await Promise.all(['0x5', '0x6'].map((number) => fork.block(number)));
    roots.push(blocks.map(({ stateRoot }) => stateRoot));
  }
  expect(roots[1]).toEqual(roots[0]);
  expect(roots[2]).toEqual(roots[0]);
});
