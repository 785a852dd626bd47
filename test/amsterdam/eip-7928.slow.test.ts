import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { getContractAddress, toHex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import { expect, it } from 'vitest';
import { ENGINES } from '../../src/engine/engine-name.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import type { Wire } from '../wire.ts';
import {
  A,
  at,
  B,
  Chain,
  callOf,
  hex,
  NEW,
  onEachEngine,
  push,
  pushed,
  SYSTEM,
  TELL,
  word,
} from './chain.ts';

const C = at(0xc001);
/** an account that exists, and does nothing */
const THERE = at(0x1234);
const UNTOUCHED = {
  storageChanges: [],
  storageReads: [],
  balanceChanges: [],
  nonceChanges: [],
  codeChanges: [],
};
/** EIP-4788, EIP-2935; EIP-7002, EIP-7251, EIP-8282 */
const STARTING = ['0x000f3df6d732807ef1319fb7b8bb8522d0beac02', '0x0000f90827f1c53a10cb7a02335b175320002935'];
const ENDING = [
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  '0x0000bff46984e3725691fa540a8c7589300d8282',
  '0x000064d678505ad48f8ccb093bc65613800e8282',
];
const change = (value: number, index = 1) => ({ index: hex(index), value: word(value) });

onEachEngine('EIP-7928, block access lists', (chain) => {
  /** Sends a call of A, and finds what the list has of accounts. */
  const after = async (code: string, ...accounts: string[]): Promise<Wire[]> => {
    await chain.put(A, code, [], 100);
    await chain.send({ to: A });
    return Promise.all(accounts.map((account) => chain.listed(account)));
  };

  it('its hash is in the header, and is that of its RLP', async () => {
    const { block } = await chain.send({ to: chain.other, value: 1n });
    const raw = await chain.call('debug_getRawBlockAccessList', 'latest');
    expect(bytesToHex(keccak256(hexToBytes(raw)))).toBe(block.blockAccessListHash);
    const decoded = RLP.decode(hexToBytes(raw)) as Uint8Array[][];
    const list = await chain.call('eth_getBlockAccessList', 'latest');
    expect(decoded.map(([address]) => bytesToHex(address!))).toEqual(
      list.map(({ address }: Wire) => address),
    );
    const addresses: string[] = list.map(({ address }: Wire) => address);
    expect(addresses).toEqual([...addresses].sort());
  });

  it('of the genesis block is empty', async () => {
    expect(await chain.call('eth_getBlockAccessList', '0x0')).toEqual([]);
    expect(await chain.call('debug_getRawBlockAccessList', '0x0')).toBe('0xc0');
    const { blockAccessListHash } = await chain.call('eth_getBlockByNumber', '0x0', false);
    expect(blockAccessListHash).toBe('0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347');
  });

  it('of a block without transactions has the six contracts of the protocol, and nobody else', async () => {
    await chain.call('evm_mine');
    const list: Wire[] = await chain.call('eth_getBlockAccessList', 'latest');
    expect(list.map(({ address }) => address).sort()).toEqual([...STARTING, ...ENDING].sort());
    for (const address of ENDING) {
      const { storageReads, storageChanges } = list.find((one) => one.address === address);
      expect([storageReads, storageChanges]).toEqual([[0, 1, 2, 3].map(word), []]);
    }
    // The parent's hash is written before the first transaction.
    const { storageChanges } = list.find(({ address }) => address === STARTING[1]);
    expect(storageChanges).toEqual([
      { key: expect.any(String), changes: [{ index: '0x0', value: expect.any(String) }] },
    ]);
    expect(list.some(({ address }) => address === SYSTEM)).toBe(false);
  });

  it.each<[string, string]>([
    ['BALANCE', `${pushed(THERE)}3150`],
    ['EXTCODESIZE', `${pushed(THERE)}3b50`],
    ['EXTCODEHASH', `${pushed(THERE)}3f50`],
    ['EXTCODECOPY', `5f5f5f${pushed(THERE)}3c`],
    ['CALL', callOf(THERE)],
    ['CALLCODE', `5f5f5f5f5f${pushed(THERE)}5af2`],
    ['DELEGATECALL', `5f5f5f5f${pushed(THERE)}5af4`],
    ['STATICCALL', `5f5f5f5f${pushed(THERE)}5afa`],
    ['SELFDESTRUCT without a balance', `${pushed(THERE)}ff`],
  ])('an account that %s touches is in, without changes', async (_, code) => {
    await chain.call('anvil_setBalance', THERE, '0x1');
    await chain.put(A, code);
    await chain.send({ to: A });
    expect(await chain.listed(THERE)).toEqual({ address: THERE, ...UNTOUCHED });
  });

  it('so is one that does not exist', async () => {
    expect(await after(callOf(NEW), NEW)).toEqual([{ address: NEW, ...UNTOUCHED }]);
    expect(await after(`${pushed(NEW)}3150`, NEW)).toEqual([{ address: NEW, ...UNTOUCHED }]);
  });

  it('an access for which the gas does not suffice is not in', async () => {
    await chain.put(B, `${pushed(THERE)}31`);
    const [enough] = await after(callOf(B, { gas: push(3 + 3_000) }), THERE);
    expect(enough).toEqual({ address: THERE, ...UNTOUCHED });
    const [short] = await after(callOf(B, { gas: push(3 + 2_999) }), THERE);
    expect(short).toBeUndefined();
  });

  it('a read for which the gas does not suffice is not in', async () => {
    await chain.put(B, '5f54');
    const [enough] = await after(callOf(B, { gas: push(2 + 2_100) }), B);
    expect(enough.storageReads).toEqual([word(0)]);
    const [short] = await after(callOf(B, { gas: push(2 + 2_099) }), B);
    expect(short).toEqual({ address: B, ...UNTOUCHED });
  });

  it('an SSTORE at which the sentry halts has read nothing', async () => {
    await chain.put(B, '60015f55');
    const [halted] = await after(callOf(B, { gas: push(5 + 2_300) }), B);
    expect(halted).toEqual({ address: B, ...UNTOUCHED });
  });

  it('what a reverted frame has accessed is in, and what it wrote was read', async () => {
    // SSTORE(0, 1), SLOAD(1), BALANCE of an account, REVERT
    await chain.put(B, `60015f5560015450${pushed(THERE)}31505f5ffd`);
    const [reverted, there] = await after(callOf(B), B, THERE);
    expect(reverted).toEqual({ address: B, ...UNTOUCHED, storageReads: [word(0), word(1)] });
    expect(there).toEqual({ address: THERE, ...UNTOUCHED });
  });

  it('of a transaction that fails: what it accessed, the nonce and the fee of its sender', async () => {
    await chain.put(A, `60015f55${pushed(THERE)}3150fe`);
    const { receipt } = await chain.send({ to: A, value: 5n, gas: 300_000n });
    expect(await chain.listed(A)).toEqual({ address: A, ...UNTOUCHED, storageReads: [word(0)] });
    expect(await chain.listed(THERE)).toEqual({ address: THERE, ...UNTOUCHED });
    const sender = await chain.listed(chain.from);
    expect(sender.nonceChanges).toHaveLength(1);
    expect(sender.balanceChanges).toEqual([
      { index: '0x1', value: await chain.call('eth_getBalance', chain.from, receipt.blockNumber) },
    ]);
  });

  it('a slot: what it was set to; the value that it had is a read, and so is a change that is undone', async () => {
    // SSTORE(0, 0); SSTORE(1, 1), SSTORE(1, 0); SSTORE(2, 1), SSTORE(2, 2); SLOAD(3)
    const [contract] = await after('5f5f5560016001555f600155600160025560026002556003545000', A);
    expect(contract).toEqual({
      address: A,
      ...UNTOUCHED,
      storageChanges: [{ key: word(2), changes: [change(2)] }],
      storageReads: [word(0), word(1), word(3)],
    });
  });

  it('a slot that one transaction reads and another one changes is among the changes only, by index', async () => {
    // SLOAD(0); if there is data: SSTORE(0, its first word)
    await chain.put(A, '5f545036600857005b5f355f55');
    await chain.call('evm_setAutomine', false);
    for (const data of ['0x', word(7), word(7), word(0), '0x'])
      await chain.call('eth_sendTransaction', { from: chain.from, to: A, data, gas: hex(300_000) });
    await chain.call('evm_mine');
    await chain.call('evm_setAutomine', true);
    expect(await chain.listed(A)).toEqual({
      address: A,
      ...UNTOUCHED,
      // The third one set the value that was there, the fourth went back: a change of its transaction.
      storageChanges: [{ key: word(0), changes: [change(7, 2), change(0, 4)] }],
    });
  });

  it('balances: what they are after the transaction', async () => {
    await chain.put(C, `${callOf(THERE, { value: 2 })}`, [], 5);
    await chain.send({ to: C });
    expect(await chain.listed(THERE)).toMatchObject({ balanceChanges: [{ index: '0x1', value: '0x2' }] });
    expect(await chain.listed(C)).toMatchObject({ balanceChanges: [{ index: '0x1', value: '0x3' }] });
  });

  it('a balance that comes back within the transaction: the account only', async () => {
    // B sends 3 to CALLER; A, called without value, calls B with 3.
    await chain.put(B, '5f5f5f5f6003335af1');
    const call = callOf(B, { value: 3 });
    await chain.put(A, `34${push(4 + call.length / 2 + 1)}57${call}005b`, [], 10);
    await chain.send({ to: A });
    for (const address of [A, B]) expect(await chain.listed(address)).toEqual({ address, ...UNTOUCHED });
  });

  it('the coinbase: a balance where there are tips, and nothing but its address without', async () => {
    const { block } = await chain.send({ to: A, maxPriorityFeePerGas: hex(10 ** 9) });
    expect((await chain.listed(block.miner)).balanceChanges).toEqual([
      { index: '0x1', value: await chain.call('eth_getBalance', block.miner, 'latest') },
    ]);
    await chain.send({ to: A, maxPriorityFeePerGas: '0x0' });
    expect(await chain.listed(block.miner)).toEqual({ address: block.miner, ...UNTOUCHED });
    await chain.call('evm_mine');
    expect(await chain.listed(block.miner)).toBeUndefined();
  });

  it('a precompile is in where it is called; one of an access list, and its accounts, are not', async () => {
    const accessList = [
      { address: THERE, storageKeys: [word(1)] },
      { address: at(2), storageKeys: [] },
    ];
    await chain.put(A, callOf(at(4)));
    await chain.send({ to: A, accessList });
    expect(await chain.listed(at(4))).toEqual({ address: at(4), ...UNTOUCHED });
    for (const address of [THERE, at(2), at(1)]) expect(await chain.listed(address)).toBeUndefined();
  });

  it('a creation: nonces of both, code; a collision: the address', async () => {
    // CREATE2 of PUSH1 1 PUSH0 RETURN
    const code = `6360015ff360e01b5f525f60045f5ff5${TELL}`;
    await chain.put(A, code);
    const { told } = await chain.send({ to: A });
    const created = `0x${told[0]!.toString(16).padStart(40, '0')}`;
    expect(await chain.listed(created)).toEqual({
      address: created,
      ...UNTOUCHED,
      nonceChanges: [{ index: '0x1', value: '0x1' }],
      codeChanges: [{ index: '0x1', code: '0x00' }],
    });
    const { nonceChanges } = await chain.listed(A);
    expect(nonceChanges).toEqual([
      { index: '0x1', value: await chain.call('eth_getTransactionCount', A, 'latest') },
    ]);
    // Again: it collides, and takes the gas that it was given.
    await chain.send({ to: A, gas: 500_000n });
    expect(await chain.listed(created)).toEqual({ address: created, ...UNTOUCHED });
    expect((await chain.listed(A)).nonceChanges).toHaveLength(1);
  });

  it('a creation for whose value there is no balance touches nobody', async () => {
    await chain.put(A, `5f5f6001f0${TELL}`);
    const { told, block } = await chain.send({ to: A });
    expect(told).toEqual([0n]);
    const list: Wire[] = await chain.call('eth_getBlockAccessList', 'latest');
    const known = [...STARTING, ...ENDING, A, chain.from, block.miner];
    expect(list.map(({ address }) => address).sort()).toEqual(known.map((one) => one.toLowerCase()).sort());
  });

  it('a creation that reverts: its address', async () => {
    const { created, status } = await chain.send({ data: '5f5ffd' });
    expect(status).toBe(0);
    expect(await chain.listed(created)).toEqual({ address: created, ...UNTOUCHED });
  });

  it('a creation that reads and writes its own slots', async () => {
    // SSTORE(0, 1), SLOAD(1)
    const { created } = await chain.send({ data: '60015f5560015450' });
    expect(await chain.listed(created)).toMatchObject({
      storageChanges: [{ key: word(0), changes: [change(1)] }],
      storageReads: [word(1)],
      nonceChanges: [{ index: '0x1', value: '0x1' }],
      codeChanges: [],
    });
  });

  it('an authority: its nonce and its code; the target only where it runs', async () => {
    await chain.put(B, '00');
    const authorizationList = [await chain.authorization(chain.other, B)];
    await chain.send({ to: A, authorizationList });
    const authority = chain.other.toLowerCase();
    expect(await chain.listed(authority)).toEqual({
      address: authority,
      ...UNTOUCHED,
      nonceChanges: [{ index: '0x1', value: '0x1' }],
      codeChanges: [{ index: '0x1', code: `0xef0100${B.slice(2)}` }],
    });
    expect(await chain.listed(B)).toBeUndefined();
    await chain.send({ to: chain.other });
    expect(await chain.listed(B)).toEqual({ address: B, ...UNTOUCHED });
    expect(await chain.listed(authority)).toEqual({ address: authority, ...UNTOUCHED });
    // EXTCODESIZE looks at the authority alone.
    expect((await after(`${pushed(authority)}3b50`, B))[0]).toBeUndefined();
  });

  it('an authority whose nonce is wrong is in, without changes; one for another chain is not', async () => {
    const authority = chain.other.toLowerCase();
    await chain.send({ to: A, authorizationList: [await chain.authorization(chain.other, B, 5)] });
    expect(await chain.listed(authority)).toEqual({ address: authority, ...UNTOUCHED });
    const valid = await chain.authorization(chain.other, B);
    await chain.send({ to: A, authorizationList: [{ ...valid, chainId: '0x1' }] });
    expect(await chain.listed(authority)).toBeUndefined();
  });

  it('the recipient is not in where the gas ends at an authorization before it', async () => {
    // An authority that has never been used: 9,000, and state gas of an account and a delegation.
    const key = `0x${'42'.repeat(32)}`;
    const authorizationList = [await chain.authorization(key, B)];
    const gas = 15_000n + 7_816n + 9_000n + 183_600n + 35_190n;
    expect(await chain.send({ to: A, authorizationList, gas: gas - 1n })).toMatchObject({ status: 0 });
    const authority = privateKeyToAddress(key as `0x${string}`).toLowerCase();
    expect(await chain.listed(authority)).toEqual({ address: authority, ...UNTOUCHED });
    expect(await chain.listed(A)).toBeUndefined();
    expect(await chain.send({ to: A, authorizationList, gas })).toMatchObject({ status: 1 });
    expect(await chain.listed(A)).toEqual({ address: A, ...UNTOUCHED });
  });

  it('what a contract of requests writes at the end of the block has the index behind the last transaction', async () => {
    const exits = ENDING[3]!;
    await chain.send({ to: exits, data: 'ab'.repeat(48), value: 1n });
    const { storageChanges } = await chain.listed(exits);
    // The count is 1 after the transaction, and 0 after the block.
    const count = storageChanges.find(({ key }: Wire) => key === word(1));
    expect(count.changes).toEqual([change(1, 1), change(0, 2)]);
  });

  it('a dev call between blocks is in no list', async () => {
    await chain.call('anvil_setBalance', THERE, '0x5');
    await chain.call('anvil_setStorageAt', A, '0x0', word(3));
    await chain.call('evm_mine');
    expect([await chain.listed(THERE), await chain.listed(A)]).toEqual([undefined, undefined]);
  });

  it('by tag, number and hash, in both forms of a hash', async () => {
    const { block } = await chain.send({ to: chain.other, value: 1n });
    const wanted = await chain.call('eth_getBlockAccessList', 'latest');
    for (const reference of [
      block.number,
      block.hash,
      { blockHash: block.hash },
      { blockNumber: block.number },
    ])
      expect(await chain.call('eth_getBlockAccessList', reference)).toEqual(wanted);
    expect(await chain.call('eth_getBlockAccessList', word(1))).toBeNull();
    expect(await chain.call('eth_getBlockAccessList', '0xffff')).toBeNull();
  });
});

/*
 * EELS, `generic_create` of amsterdam: "Check static context first", before the state gas of the account. EthereumJS 10.1.3 by itself
 * charges that first, and lists the account where it can't be paid.
 */
const CREATED = {
  CREATE: getContractAddress({ from: B as `0x${string}`, nonce: 7n }),
  CREATE2: getContractAddress({
    from: B as `0x${string}`,
    opcode: 'CREATE2',
    bytecode: '0x',
    salt: toHex(0, { size: 32 }),
  }),
};
it.each(
  ENGINES.flatMap((engine) => [
    { engine, opcode: 'CREATE', code: '5f5f5ff0' } as const,
    { engine, opcode: 'CREATE2', code: '5f5f5f5ff5' } as const,
  ]),
)(
  'a creation in a static frame accesses nobody: $opcode, engine $engine',
  async ({ engine, opcode, code }) => {
    const chain = new Chain();
    await chain.start({ engine });
    try {
      await chain.put(B, code);
      await chain.call('anvil_setNonce', B, '0x7');
      // STATICCALL with less than the 183,600 gas of a new account.
      await chain.put(A, `5f5f5f5f${pushed(B)}617530fa${TELL}`);
      const { told } = await chain.send({ to: A, gas: 100_000n });
      expect(told).toEqual([0n]);
      expect(await chain.listed(B)).toBeDefined();
      expect(await chain.listed(CREATED[opcode].toLowerCase())).toBeUndefined();
    } finally {
      await chain.close();
    }
  },
);

it.each(ENGINES)(
  'an empty account that is touched loses its slots, which the list leaves out, engine %s',
  async (engine) => {
    const chain = new Chain();
    await chain.start({ engine });
    try {
      await chain.call('anvil_setStorageAt', NEW, word(0), word(7));
      // So the engine has the slot at hand.
      expect(await chain.call('eth_getStorageAt', NEW, '0x0', 'latest')).toBe(word(7));
      await chain.send({ to: NEW });
      expect(await chain.listed(NEW)).toEqual({ address: NEW, ...UNTOUCHED });
      expect(await chain.call('eth_getStorageAt', NEW, '0x0', 'latest')).toBe(word(0));
    } finally {
      await chain.close();
    }
  },
);
