import { type Abi, encodeDeployData, encodeFunctionData, type Hex, toHex, zeroAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import kitchen from '../../../fixtures/contracts/Kitchen.json' with { type: 'json' };
import recipe from '../../../fixtures/contracts/Recipe.json' with { type: 'json' };
import type { ManualClock } from '../../../src/clock.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { closeChainsAfterEachTest, encode, forkOf, hex, original, type TestChain } from './chains.ts';

closeChainsAfterEachTest();

const abi = kitchen.abi as Abi;
const cook = (functionName: string, ...args: unknown[]): Hex =>
  encodeFunctionData({ abi, functionName, args });
const SALT = `0x${'05'.repeat(32)}`;

/** What is the same for a transaction on two chains of which one was forked from the other. */
async function outcomeOf({ call, receipt }: TestChain, hash: string) {
  const { status, gasUsed, logs, contractAddress } = await receipt(hash);
  const { output, error } = await call('debug_traceTransaction', hash, { tracer: 'callTracer' });
  return {
    status,
    gasUsed,
    contractAddress,
    output,
    error,
    logs: logs.map(({ address, topics, data }: Record<string, unknown>) => ({ address, topics, data })),
  };
}

async function kitchenOn(one: TestChain) {
  const deploy = async (contract: { abi: unknown; bytecode: string }, value = '0x0') => {
    const data = encodeDeployData({ abi: contract.abi as Abi, bytecode: contract.bytecode as Hex, args: [] });
    return (await one.receipt(await one.send({ data, value }))).contractAddress as Hex;
  };
  return { kitchen: await deploy(kitchen, '0xde0b6b3a7640000'), recipe: await deploy(recipe) };
}

describe('transactions on a forked chain', () => {
  it.each<DevnetOptions['hardfork']>(['osaka', 'shanghai'])(
    'come out as on the chain that it was forked from, by the rules of %s',
    async (hardfork) => {
      const one = { ...(await original({ hardfork: hardfork! })) };
      const at = await kitchenOn(one);
      const kitchenCall = (data: Hex, value = '0x0') => ({ to: at.kitchen, data, value });
      await one.send(kitchenCall(cook('create2', SALT, 7n), '0x5'));
      const dish = `0x${(await one.call('eth_getStorageAt', at.kitchen, '0x1', 'latest')).slice(26)}`;
      await one.send(kitchenCall(cook('fill', 0n, 5n, 9n)));
      const fork = await forkOf(one, { hardfork: hardfork! });
      const tokenCall = (data: Hex) => ({ to: one.token, data });
      const [, second] = one.accounts;
      const destroy = encodeFunctionData({
        abi: [
          {
            type: 'function',
            name: 'destroy',
            inputs: [{ type: 'address' }],
            outputs: [],
            stateMutability: 'nonpayable',
          },
        ],
        args: [second as Hex],
      });
      const requests: object[] = [
        tokenCall(encode('transfer', second, 1n)),
        tokenCall(encode('approve', second, 10n)),
        { from: second, ...tokenCall(encode('transferFrom', one.accounts[0], one.accounts[7], 4n)) },
        { from: second, ...tokenCall(encode('transferFrom', one.accounts[0], one.accounts[7], 400n)) },
        tokenCall(encode('transfer', second, 10n ** 30n)),
        kitchenCall(cook('create', 3n), '0x2'),
        // The address is taken.
        kitchenCall(cook('create2', SALT, 7n)),
        kitchenCall(cook('relay', dish, '0x3fa4f245')),
        // Slots of the other chain: changed, changed back, cleared, set again.
        kitchenCall(cook('fill', 0n, 5n, 10n)),
        kitchenCall(cook('fill', 0n, 5n, 9n)),
        kitchenCall(cook('fill', 2n, 1n, 0n)),
        kitchenCall(cook('fill', 2n, 1n, 1n)),
        { to: dish, data: destroy },
        kitchenCall(cook('relay', dish, '0x3fa4f245')),
        // Free again where it was destroyed for good.
        kitchenCall(cook('create2', SALT, 8n)),
        kitchenCall(cook('relay', dish, '0x3fa4f245')),
        kitchenCall(cook('createAndDestroy', second)),
        kitchenCall(cook('delegate', at.recipe, 77n)),
        kitchenCall(cook('relay', one.token, encode('transfer', second, 1n))),
        kitchenCall(cook('sizeAndHash', one.token)),
        kitchenCall(cook('burn', 500_000n)),
        kitchenCall(cook('invalid')),
        { to: at.kitchen, value: '0x9' },
        ...(hardfork === 'osaka' ? [kitchenCall(cook('tstoreThenLoad', 1n, 5n))] : []),
      ];
      const statuses = new Set<string>();
      for (const [i, request] of requests.entries()) {
        const expected = await outcomeOf(one, await one.send(request));
        expect([i, await outcomeOf(fork, await fork.send(request))]).toEqual([i, expected]);
        statuses.add(expected.status);
      }
      expect(statuses).toEqual(new Set(['0x0', '0x1']));
      for (const account of [at.kitchen, dish, one.token, at.recipe])
        for (const method of ['eth_getCode', 'eth_getBalance', 'eth_getTransactionCount'])
          expect(await fork.call(method, account, 'latest')).toBe(await one.call(method, account, 'latest'));
      for (const slot of [0n, 1n, 2n ** 128n, 2n ** 128n + 2n])
        expect(await fork.call('eth_getStorageAt', at.kitchen, hex(slot), 'latest')).toBe(
          await one.call('eth_getStorageAt', at.kitchen, hex(slot), 'latest'),
        );
    },
  );

  it('are taken back by snapshots, rollbacks, reorgs and resets to the fork block', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const balance = async (n: number) =>
      BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[n]) }));
    const transfer = (value: bigint) =>
      fork.send({ to: one.token, data: encode('transfer', one.accounts[1], value) });
    const snapshot = await fork.call('evm_snapshot');
    await transfer(1n);
    await transfer(2n);
    expect(await balance(1)).toBe(703n);
    await fork.call('anvil_rollback', 1);
    expect(await balance(1)).toBe(701n);
    await fork.call('anvil_reorg', 1, []);
    expect(await balance(1)).toBe(700n);
    await transfer(5n);
    expect(await fork.call('evm_revert', snapshot)).toBe(true);
    expect(await balance(1)).toBe(700n);
    expect(await fork.call('eth_blockNumber')).toBe('0x3');
    await expect(fork.call('anvil_rollback', 1)).rejects.toMatchObject({ code: -32602 });
    expect(await fork.call('eth_getTransactionCount', fork.accounts[0], 'latest')).toBe('0x3');
    await transfer(9n);
    expect(await balance(1)).toBe(709n);
  });

  it('may be those of any account of the other chain, and dev writes change its state', async () => {
    const one = await original();
    const whale = '0x00000000000000000000000000000000000000aa';
    await one.send({ to: whale, value: hex(10n ** 18n) });
    await one.send({ to: one.token, data: encode('transfer', whale, 1000n) });
    const fork = await forkOf(one);
    await fork.call('anvil_impersonateAccount', whale);
    const hash = await fork.send({
      from: whale,
      to: one.token,
      data: encode('transfer', one.accounts[8], 999n),
    });
    expect(await fork.receipt(hash)).toMatchObject({ status: '0x1' });
    const balance = async (who: string) =>
      BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', who) }));
    expect(await balance(one.accounts[8]!)).toBe(999n);
    expect(await balance(whale)).toBe(1n);
    await fork.call('anvil_dealERC20', one.accounts[9], one.token, hex(55n));
    expect(await balance(one.accounts[9]!)).toBe(55n);
    // Slot 2: the supply. What is set to zero is not read from the other chain.
    const supply = async () => BigInt(await fork.call('eth_getStorageAt', one.token, '0x2', 'latest'));
    expect(await supply()).toBe(10n ** 24n);
    await fork.call('anvil_setStorageAt', one.token, '0x2', `0x${'0'.repeat(64)}`);
    expect(await supply()).toBe(0n);
    await fork.call('anvil_setBalance', whale, '0x7');
    await fork.call('anvil_setNonce', whale, '0x20');
    await fork.call('anvil_setCode', one.token, '0x00');
    expect(await fork.call('eth_getBalance', whale, 'latest')).toBe('0x7');
    expect(await fork.call('eth_getTransactionCount', whale, 'latest')).toBe('0x20');
    expect(await fork.call('eth_getCode', one.token, 'latest')).toBe('0x00');
    expect(await fork.call('eth_getCode', one.token, '0x3')).not.toBe('0x00');
  });

  it('are simulated, called and traced on the state of both chains', async () => {
    const one = await original();
    const fork = await forkOf(one);
    const [first, second] = one.accounts;
    const transfer = { from: second, to: one.token, data: encode('transfer', first, 699n) };
    const payload = { blockStateCalls: [{ calls: [transfer] }, { calls: [transfer] }], traceTransfers: true };
    const [block, after] = await fork.call('eth_simulateV1', payload, 'latest');
    expect([block.number, block.calls[0].status, after.calls[0].status]).toEqual(['0x4', '0x1', '0x0']);
    const parent = await one.block('0x3');
    expect(block.parentHash).toBe(parent.hash);
    const gas = await fork.call('eth_estimateGas', transfer);
    expect(gas).toBe(await one.call('eth_estimateGas', transfer));
    const traced = (node: TestChain, config?: object) =>
      node.call('debug_traceCall', transfer, 'latest', config);
    expect(await traced(fork)).toEqual(await traced(one));
    const pre = { tracer: 'prestateTracer' };
    const { [one.token]: prestate } = await traced(fork, pre);
    expect(prestate).toEqual((await traced(one, pre))[one.token]);
    const list = await fork.call('eth_createAccessList', transfer);
    expect(list).toEqual(await one.call('eth_createAccessList', transfer));
    const override = { [one.token]: { stateDiff: { [`0x${'0'.repeat(63)}2`]: `0x${'0'.repeat(63)}1` } } };
    const supply = { to: one.token, data: encode('totalSupply') };
    expect(BigInt(await fork.call('eth_call', supply, 'latest', override))).toBe(1n);
  });

  it('are pre-confirmed in flashblocks', async () => {
    const one = await original();
    const fork = await forkOf(one, { automine: false, blockTime: 2, flashblockInterval: 200 });
    const clock = fork.node.clock as ManualClock;
    const data = encode('transfer', one.accounts[1], 11n);
    const hash = await fork.send({ to: one.token, data });
    await clock.advance(200);
    const balance = async (tag: string) =>
      BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[1]) }, tag));
    expect(await fork.receipt(hash)).toMatchObject({ status: '0x1', blockNumber: '0x4' });
    expect([await balance('pending'), await balance('latest')]).toEqual([711n, 700n]);
    expect((await fork.block('pending')).transactions).toEqual([hash]);
    await clock.advance(2000);
    expect(await balance('latest')).toBe(711n);
    const sealed = await fork.block('0x4');
    expect(sealed.transactions).toEqual([hash]);
    expect(sealed.parentHash).toBe((await one.block('0x3')).hash);
  });

  it('give the same hashes for the same fork block and the same inputs', async () => {
    const one = await original();
    const heads: unknown[] = [];
    for (const reads of [false, true]) {
      const fork = await forkOf(one);
      if (reads) for (const account of one.accounts) await fork.call('eth_getBalance', account, 'latest');
      await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 1n) });
      await fork.call('anvil_setStorageAt', one.token, '0x2', `0x${'0'.repeat(64)}`);
      await fork.call('evm_mine');
      heads.push(await fork.block('latest'));
    }
    expect(heads[0]).toEqual(heads[1]);
  });

  it('keep to the blocks that are kept, with --prune-history', async () => {
    const one = await original();
    const fork = await forkOf(one, { pruneHistory: 3 });
    for (let i = 0; i < 80; i++)
      await fork.send({ to: one.token, data: encode('transfer', one.accounts[1], 1n) });
    const balance = async (ref: string) =>
      BigInt(await fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[1]) }, ref));
    expect(await balance('latest')).toBe(780n);
    expect(await balance('0x2')).toBe(700n);
    await expect(balance('0x8')).rejects.toMatchObject({ code: -32000 });
    expect((await fork.block('0x3')).number).toBe('0x3');
    await fork.call('anvil_rollback', 2);
    expect(await balance('latest')).toBe(778n);
  });
});

it.each(['fast', 'ethereumjs', 'shadow'] as const)(
  'an account whose delegation ended before the fork still has the slots that were written by it, on %s',
  async (engine) => {
    const one = await original({});
    // Account 3 of the default mnemonic.
    const owner = privateKeyToAccount('0x7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6');
    const delegate = async (to: TestChain, nonce: number, address: Hex) => {
      const chainId = Number(await to.call('eth_chainId'));
      const { r, s, yParity } = await owner.signAuthorization({ chainId, nonce, address });
      const authorization = {
        chainId: toHex(chainId),
        nonce: toHex(nonce),
        address,
        r,
        s,
        yParity: toHex(yParity!),
      };
      return to.send({ to: owner.address, authorizationList: [authorization] });
    };
    const [writer, reader] = [`0x${'77'.repeat(20)}`, `0x${'78'.repeat(20)}`] as const;
    // PUSH1 5, PUSH0, SSTORE
    await one.call('anvil_setCode', writer, '0x60055f55');
    // PUSH0, SLOAD, PUSH0, MSTORE, PUSH1 32, PUSH0, LOG0
    await one.call('anvil_setCode', reader, '0x5f545f5260205fa0');
    await delegate(one, 0, writer);
    await delegate(one, 1, zeroAddress);
    const fork = await forkOf(one, { engine });
    const { logs } = await fork.receipt(await delegate(fork, 2, reader));
    expect(BigInt(logs[0].data)).toBe(5n);
  },
);
