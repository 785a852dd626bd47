import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { decodeFunctionResult, encodeFunctionData, getAddress, parseAbi } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fastLzLength } from '../../../src/protocol/op-stack/fast-lz.ts';
import { implementationOf, PREDEPLOYS } from '../../../src/state/predeploys.ts';
import { PREINSTALLS } from '../../../src/state/preinstalls.ts';
import { runs } from '../../fuzz.ts';
import { liveNode } from '../../live-node.ts';

const ABI = parseAbi([
  'function name() view returns (string)',
  'function version() view returns (string)',
  'function balanceOf(address) view returns (uint256)',
  'function deposit() payable',
  'function withdraw(uint256)',
  'function transfer(address, uint256) returns (bool)',
  'function messenger() view returns (address)',
  'function otherBridge() view returns (address)',
  'function bridge() view returns (address)',
  'function sentMessages(bytes32) view returns (bool)',
  'function getL1GasUsed(bytes) view returns (uint256)',
  'function createStandardL2Token(address, string, string) returns (address)',
  'function getL1BlockNumber() view returns (uint256)',
  'function number() view returns (uint64)',
  'function initialize(address)',
  'function getProxyImplementation(address) view returns (address)',
  'function upgrade(address, address)',
  'function owner() view returns (address)',
  'function BRIDGE() view returns (address)',
  'function REMOTE_CHAIN_ID() view returns (uint256)',
  'function getSchemaRegistry() view returns (address)',
  'function register(string, address, bool) returns (bytes32)',
]);
const ETH = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0000';
const BOB = '0x0000000000000000000000000000000000000b0b';

let live: Awaited<ReturnType<typeof liveNode>>;
beforeAll(async () => {
  live = await liveNode({ optimism: true, automine: true });
});
afterAll(() => live.close());

type Name = Extract<(typeof ABI)[number], { type: 'function' }>['name'];
const dataOf = (functionName: Name, args: readonly unknown[] = []) =>
  encodeFunctionData({ abi: ABI, functionName, args } as never);
async function ask(to: string, functionName: Name, ...args: unknown[]): Promise<unknown> {
  const data = await live.call('eth_call', { to, data: dataOf(functionName, args) }, 'latest');
  return decodeFunctionResult({ abi: ABI, functionName, data } as never);
}
async function send(to: string, data: string, fields: object = {}) {
  const from = live.accounts.first;
  const hash = await live.call('eth_sendTransaction', { from, to, data, gas: '0x1e8480', ...fields });
  return live.call('eth_getTransactionReceipt', hash);
}
const codeAt = (address: string) => live.call('eth_getCode', address, 'latest');

describe('the predeployed contracts', () => {
  it.each(Object.entries(PREDEPLOYS))('%s stands in the genesis block', async (_, address) => {
    expect((await live.call('eth_getCode', address, '0x0')).length).toBeGreaterThan(1000);
  });

  it('are left out with --deposits-only, and without --optimism', async () => {
    for (const options of [{ optimism: true, depositsOnly: true }, {}]) {
      const other = await liveNode(options);
      for (const address of Object.values(PREDEPLOYS))
        expect(await other.call('eth_getCode', address, 'latest')).toBe('0x');
      await other.close();
    }
    await expect(liveNode({ depositsOnly: true })).rejects.toThrow(/depositsOnly needs option optimism/);
  });

  it('are reached through proxies, which the first account may point elsewhere', async () => {
    const { first, second } = live.accounts;
    const { proxyAdmin, l1BlockNumber, weth9, ...proxied } = PREDEPLOYS;
    const proxy = await codeAt(proxyAdmin);
    for (const address of Object.values(proxied)) {
      const implementation = implementationOf(address);
      expect([await codeAt(address), await ask(proxyAdmin, 'getProxyImplementation', address)]).toEqual([
        proxy,
        getAddress(implementation),
      ]);
      expect(await codeAt(implementation)).not.toBe('0x');
      expect(await live.call('eth_getTransactionCount', address, 'latest')).toBe('0x0');
    }
    expect(await codeAt(weth9)).not.toBe(proxy);
    expect(await ask(proxyAdmin, 'owner')).toBe(getAddress(first));
    const upgrade = dataOf('upgrade', [l1BlockNumber, implementationOf(PREDEPLOYS.eas)]);
    expect((await send(proxyAdmin, upgrade, { from: second })).status).toBe('0x0');
    expect((await send(proxyAdmin, upgrade)).status).toBe('0x1');
    expect(await ask(l1BlockNumber, 'getSchemaRegistry')).toBe(getAddress(PREDEPLOYS.schemaRegistry));
  });

  it('are initialized, so that nobody else does it', async () => {
    for (const of of [PREDEPLOYS.messenger, PREDEPLOYS.standardBridge, PREDEPLOYS.erc721Bridge])
      for (const to of [of, implementationOf(of)])
        expect((await send(to, dataOf('initialize', [BOB]))).status).toBe('0x0');
  });

  it('bridge NFTs, and register attestations', async () => {
    const { erc721Bridge, mintableErc721Factory, eas, schemaRegistry, messenger } = PREDEPLOYS;
    expect(await ask(erc721Bridge, 'messenger')).toBe(getAddress(messenger));
    expect(await ask(erc721Bridge, 'otherBridge')).toBe('0x608d94945A64503E642E6370Ec598e519a2C1E53');
    expect(await ask(mintableErc721Factory, 'BRIDGE')).toBe(getAddress(erc721Bridge));
    expect(await ask(mintableErc721Factory, 'REMOTE_CHAIN_ID')).toBe(1n);
    expect(await ask(eas, 'getSchemaRegistry')).toBe(getAddress(schemaRegistry));
    expect(await send(schemaRegistry, dataOf('register', ['bool ok', BOB, true]))).toMatchObject({
      status: '0x1',
      logs: [{ address: schemaRegistry }],
    });
  });

  it('stand at their addresses themselves with --bare-predeploys', async () => {
    const other = await liveNode({ optimism: true, barePredeploys: true, automine: true });
    const { l1Block } = PREDEPLOYS;
    expect(await other.call('eth_getCode', l1Block, 'latest')).toBe(await codeAt(implementationOf(l1Block)));
    expect(await other.call('eth_getCode', implementationOf(l1Block), 'latest')).toBe('0x');
    expect(await other.call('eth_getCode', PREINSTALLS.Permit2, 'latest')).toBe('0x');
    await other.close();
    await expect(liveNode({ barePredeploys: true })).rejects.toThrow(/barePredeploys needs option optimism/);
  });

  it('wrap ETH', async () => {
    const { first } = live.accounts;
    expect(await ask(PREDEPLOYS.weth9, 'name')).toBe('Wrapped Ether');
    expect(await send(PREDEPLOYS.weth9, dataOf('deposit'), { value: '0x64' })).toMatchObject({
      status: '0x1',
    });
    await send(PREDEPLOYS.weth9, dataOf('transfer', [BOB, 30n]));
    await send(PREDEPLOYS.weth9, dataOf('withdraw', [20n]));
    expect([
      await ask(PREDEPLOYS.weth9, 'balanceOf', first),
      await ask(PREDEPLOYS.weth9, 'balanceOf', BOB),
    ]).toEqual([50n, 30n]);
    expect(await send(PREDEPLOYS.weth9, dataOf('withdraw', [51n]))).toMatchObject({ status: '0x0' });
    expect(BigInt(await live.call('eth_getBalance', PREDEPLOYS.weth9, 'latest'))).toBe(80n);
  });

  it('withdraw ETH to L1 by bridge, messenger and message passer', async () => {
    expect(await ask(PREDEPLOYS.standardBridge, 'messenger')).toMatch(new RegExp(PREDEPLOYS.messenger, 'i'));
    const withdraw = encodeFunctionData({
      abi: parseAbi(['function withdraw(address,uint256,uint32,bytes) payable']),
      args: [ETH, 7n, 200_000, '0x'],
    });
    const receipt = await send(PREDEPLOYS.standardBridge, withdraw, { value: '0x7' });
    expect(receipt.status).toBe('0x1');
    const passed = receipt.logs.find(
      ({ address }: { address: string }) => address === PREDEPLOYS.messagePasser,
    );
    const withdrawalHash = `0x${passed.data.slice(2 + 3 * 64, 2 + 4 * 64)}`;
    expect(await ask(PREDEPLOYS.messagePasser, 'sentMessages', withdrawalHash)).toBe(true);
    expect(BigInt(await live.call('eth_getBalance', PREDEPLOYS.messagePasser, 'latest'))).toBe(7n);
  });

  it('make tokens that the bridge may mint', async () => {
    expect(await ask(PREDEPLOYS.mintableTokenFactory, 'bridge')).toMatch(
      new RegExp(PREDEPLOYS.standardBridge, 'i'),
    );
    const { logs } = await send(
      PREDEPLOYS.mintableTokenFactory,
      dataOf('createStandardL2Token', [BOB, 'Bob', 'B']),
    );
    const token = `0x${logs[0].topics[2].slice(26)}`;
    expect(await ask(token, 'name')).toBe('Bob');
    expect(await ask(token, 'bridge')).toMatch(new RegExp(PREDEPLOYS.standardBridge, 'i'));
  });

  it('pay the fees of a vault out', async () => {
    await live.call('anvil_setBalance', PREDEPLOYS.l1FeeVault, '0x0');
    await live.call('anvil_setBalance', PREDEPLOYS.operatorFeeVault, '0x64');
    const receipt = await send(PREDEPLOYS.operatorFeeVault, '0x3ccfd60b');
    expect(receipt).toMatchObject({ status: '0x1', logs: [{}, {}] });
    expect(await live.call('eth_getBalance', PREDEPLOYS.operatorFeeVault, 'latest')).toBe('0x0');
  });

  it('compress for the L1 fee as the node does', async () => {
    const repeated = fc
      .array(fc.tuple(fc.uint8Array({ maxLength: 40 }), fc.integer({ min: 1, max: 9 })), { maxLength: 6 })
      .map((parts) =>
        Uint8Array.from(
          parts.flatMap(([part, times]) =>
            Array(times)
              .fill([...part])
              .flat(),
          ),
        ),
      );
    await fc.assert(
      fc.asyncProperty(repeated, async (bytes) => {
        const scaled = 836_500n * BigInt(fastLzLength(bytes) + 68) - 42_585_600n;
        const size = scaled < 100_000_000n ? 100_000_000n : scaled;
        expect(await ask(PREDEPLOYS.gasPriceOracle, 'getL1GasUsed', bytesToHex(bytes))).toBe(
          (size * 16n) / 1_000_000n,
        );
      }),
      { numRuns: runs(8) },
    );
  });

  it('are smaller than the limit on code', async () => {
    for (const address of Object.values(PREDEPLOYS))
      expect(hexToBytes(await codeAt(address)).length).toBeLessThan(24_576);
  });
});
