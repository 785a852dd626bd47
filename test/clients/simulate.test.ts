import { JsonRpcProvider } from 'ethers';
import { encodeFunctionData, type Hash, type Hex, parseEther, type TransactionReceipt, toHex } from 'viem';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TOKEN_ARGS, Token } from './contracts.ts';
import { ALICE, BOB, CAROL, startIntervalNode } from './node.ts';
import { createViemClients, type ViemClients } from './viem-clients.ts';

interface Call {
  readonly to: Hex;
  readonly data: Hex;
  readonly value: bigint;
}

/** Returns the balance of the address that comes as call data. */
const BALANCE_OF_ARGUMENT = '0x6000353160005260206000f3';

describe('simulations on the pending block while transactions flow', () => {
  let node: Awaited<ReturnType<typeof startIntervalNode>>;
  let clients: ViemClients;
  let token: Hex;
  const transfer = (to: Hex, amount: bigint) =>
    encodeFunctionData({ ...Token, functionName: 'transfer', args: [to, amount] });

  beforeAll(async () => {
    node = await startIntervalNode();
    clients = createViemClients(node.url, 200);
    const hash = await clients.wallet.deployContract({ ...Token, args: TOKEN_ARGS });
    token = (await preconfirmed(hash)).contractAddress!;
  });
  beforeEach(() => node.seal());
  afterAll(() => node.close());

  async function preconfirmed(hash: Hash): Promise<TransactionReceipt> {
    await node.preconfirm();
    return clients.reader.getTransactionReceipt({ hash });
  }

  const outcome = ({
    status,
    gasUsed,
    logs,
  }: {
    status: string;
    gasUsed: bigint;
    logs?: readonly { address: string; topics: readonly string[]; data: string }[] | undefined;
  }) => ({
    status,
    gasUsed,
    logs: (logs ?? []).map(({ address, topics, data }) => ({ address, topics, data })),
  });

  it('what simulateBlocks tells of calls is what happens when they are sent', async () => {
    const { reader, wallet } = clients;
    const account = wallet.account.address;
    // Traffic that the simulation must go on from: it changes what a first transfer to Alice costs.
    await wallet.sendTransaction({ to: token, data: transfer(ALICE, 5n) });
    await node.preconfirm();
    await wallet.sendTransaction({ to: BOB, value: 1n });
    await node.preconfirm();

    const calls: Call[] = [
      { to: token, data: transfer(ALICE, 7n), value: 0n },
      { to: token, data: transfer(CAROL, 7n), value: 0n },
      { to: BOB, data: '0x', value: parseEther('2') },
      // more than there is
      { to: token, data: transfer(ALICE, 10n ** 9n), value: 0n },
    ];
    const [block] = await reader.simulateBlocks({
      blockTag: 'pending',
      blocks: [{ calls: calls.map((call) => ({ ...call, account })) }],
    });
    const pending = await reader.getBlock({ blockTag: 'pending' });
    expect(block).toMatchObject({ number: pending.number, timestamp: pending.timestamp });

    const sent: TransactionReceipt[] = [];
    for (const call of calls) {
      sent.push(await preconfirmed(await wallet.sendTransaction({ ...call, gas: 100_000n })));
    }
    expect(block!.calls.map(outcome)).toEqual(
      sent.map((receipt) =>
        outcome({ ...receipt, status: receipt.status === 'reverted' ? 'failure' : 'success' }),
      ),
    );
  });

  it('simulated blocks see what those before them wrote, where pre-confirmed transactions had written too', async () => {
    const { reader, wallet } = clients;
    const account = wallet.account.address;
    await wallet.sendTransaction({ to: token, data: transfer(ALICE, 11n) });
    await node.preconfirm();
    const balanceOf = { to: token, abi: Token.abi, functionName: 'balanceOf', args: [ALICE] } as const;
    const before = await reader.readContract({ ...balanceOf, address: token });
    const blocks = await reader.simulateBlocks({
      blockTag: 'pending',
      blocks: [
        { calls: [{ account, to: token, data: transfer(ALICE, 1n) }] },
        { calls: [{ account, to: token, data: transfer(ALICE, 2n) }, balanceOf] },
      ],
    });
    expect(blocks[1]!.calls[1]!.result).toBe((before as bigint) + 3n);
    expect(await reader.readContract({ ...balanceOf, address: token })).toBe(before);
  });

  it('simulateCalls tells the changes of assets that sending makes', async () => {
    const { reader, wallet } = clients;
    const account = wallet.account.address;
    const assets = async () => ({
      ether: await reader.getBalance({ address: account }),
      token: (await reader.readContract({
        ...Token,
        address: token,
        functionName: 'balanceOf',
        args: [account],
      })) as bigint,
    });
    await wallet.sendTransaction({ to: token, data: transfer(BOB, 3n) });
    await node.preconfirm();
    const before = await assets();
    const calls: Call[] = [
      { to: token, data: transfer(ALICE, 100n), value: 0n },
      { to: BOB, data: '0x', value: parseEther('1') },
    ];
    const { assetChanges, results } = await reader.simulateCalls({
      account,
      calls,
      traceAssetChanges: true,
      blockTag: 'pending',
    });
    expect(results.map(({ status }) => status)).toEqual(['success', 'success']);

    let fees = 0n;
    for (const [i, call] of calls.entries()) {
      const receipt = await preconfirmed(await wallet.sendTransaction(call));
      fees += receipt.gasUsed * receipt.effectiveGasPrice;
      expect(receipt.gasUsed).toBe(results[i]!.gasUsed);
    }
    const after = await assets();
    // Calls offer no fee.
    const diffs = { ether: after.ether + fees - before.ether, token: after.token - before.token };
    expect(diffs).toEqual({ ether: -parseEther('1'), token: -100n });
    expect(assetChanges).toHaveLength(2);
    for (const { token: asset, value } of assetChanges) {
      const own = asset.address.toLowerCase() === token.toLowerCase() ? diffs.token : diffs.ether;
      expect(value.diff).toBe(own);
      expect(value.post - value.pre).toBe(own);
    }
  });

  it('a simulation that was asked for before a tick is not disturbed by it', async () => {
    const { reader, wallet } = clients;
    const simulated = reader.simulateBlocks({
      blockTag: 'latest',
      blocks: Array.from({ length: 50 }, () => ({
        calls: [{ account: wallet.account.address, to: token, data: transfer(CAROL, 1n) }],
      })),
    });
    await wallet.sendTransaction({ to: token, data: transfer(CAROL, 1n) });
    await node.preconfirm();
    await node.seal();
    const blocks = await simulated;
    expect(blocks).toHaveLength(50);
    expect(blocks.flatMap(({ calls }) => calls).every(({ status }) => status === 'success')).toBe(true);
  });
});

describe('overrides', () => {
  let node: Awaited<ReturnType<typeof startIntervalNode>>;
  let clients: ViemClients;
  let provider: JsonRpcProvider;
  const contract = '0x00000000000000000000000000000000000c0de0';

  beforeAll(async () => {
    node = await startIntervalNode();
    clients = createViemClients(node.url, 200);
    provider = new JsonRpcProvider(node.url);
  });
  afterAll(async () => {
    provider.destroy();
    await node.close();
  });

  it('viem: a call sees the code and the balance it brings, and nothing of them stays', async () => {
    const { reader } = clients;
    const { data } = await reader.call({
      to: contract,
      data: `0x${ALICE.slice(2).padStart(64, '0')}`,
      stateOverride: [
        { address: contract, code: BALANCE_OF_ARGUMENT },
        { address: ALICE, balance: 123n },
      ],
    });
    expect(BigInt(data!)).toBe(123n);
    expect(await reader.getCode({ address: contract })).toBeUndefined();
    expect(await reader.getBalance({ address: ALICE })).toBe(0n);
  });

  it('viem: an estimate and an access list are made with the overrides', async () => {
    const { reader } = clients;
    const poor = { account: CAROL, to: BOB, value: parseEther('1'), data: '0x01' } as const;
    const stateOverride = [{ address: CAROL, balance: parseEther('2') }] as const;
    await expect(reader.estimateGas(poor)).rejects.toThrow();
    expect(await reader.estimateGas({ ...poor, stateOverride: [...stateOverride] })).toBeGreaterThan(21_000n);

    // SLOAD of slot 7
    const code = '0x60075460005260206000f3';
    const { accessList } = (await reader.request({
      method: 'eth_createAccessList',
      params: [{ to: contract }, 'pending', { [contract]: { code } }],
      // viem's schema lacks the third parameter.
    } as never)) as { accessList: unknown };
    expect(accessList).toEqual([{ address: contract, storageKeys: [toHex(7n, { size: 32 })] }]);
  });

  it('ethers: calls and estimates take state and block overrides as further parameters', async () => {
    const overrides = { [contract]: { code: BALANCE_OF_ARGUMENT }, [ALICE]: { balance: '0x7b' } };
    const data = `0x${ALICE.slice(2).padStart(64, '0')}`;
    const answer = await provider.send('eth_call', [{ to: contract, data }, 'pending', overrides]);
    expect(BigInt(answer)).toBe(123n);
    // NUMBER
    const number = { [contract]: { code: '0x4360005260206000f3' } };
    const at = await provider.send('eth_call', [{ to: contract }, 'pending', number, { number: '0x3039' }]);
    expect(BigInt(at)).toBe(12_345n);
    const gas = await provider.send('eth_estimateGas', [{ to: contract, data }, 'pending', overrides]);
    expect(BigInt(gas)).toBeGreaterThan(23_000n);
  });
});
