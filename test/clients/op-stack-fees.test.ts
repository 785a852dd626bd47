import {
  createPublicClient,
  createWalletClient,
  defineChain,
  http,
  keccak256,
  parseEther,
  parseGwei,
  toHex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { chainConfig, publicActionsL2, walletActionsL2 } from 'viem/op-stack';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { callsOf, type Wire } from '../wire.ts';
import { PATIENT } from './viem-clients.ts';

const ALICE = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const BOB = '0x0000000000000000000000000000000000000b0b';
const VAULTS = {
  l1: '0x420000000000000000000000000000000000001a',
  operator: '0x420000000000000000000000000000000000001b',
} as const;
const L1_BLOCK = '0x4200000000000000000000000000000000000015';

describe("viem's fees of OP chains", () => {
  let node: Devnet;
  let call: (method: string, ...params: unknown[]) => Promise<Wire>;
  beforeAll(async () => {
    node = await createDevnet({ port: 0, optimism: true, automine: true, timestamp: 1_700_000_000 });
    call = callsOf(node);
    // 30 hundreds of wei for each gas, and 1 gwei for each transaction.
    const operator = (400n << 96n) | (30n << 64n) | parseGwei('1');
    await call('anvil_setStorageAt', L1_BLOCK, '0x8', toHex(operator, { size: 32 }));
    await call('evm_mine');
  });
  afterAll(() => node.close());

  const clients = () => {
    const chain = defineChain({
      ...chainConfig,
      id: 31337,
      name: 'devnet',
      nativeCurrency: { name: 'Ether', symbol: 'ETH', decimals: 18 },
      rpcUrls: { default: { http: [node.url!] } },
    });
    const transport = http(undefined, PATIENT);
    return {
      reader: createPublicClient({ chain, transport }).extend(publicActionsL2()),
      wallet: createWalletClient({ account: ALICE, chain, transport }).extend(walletActionsL2()),
    };
  };
  const balance = async (of: string) => BigInt(await call('eth_getBalance', of, 'latest'));

  it('are answered by the oracle', async () => {
    const { reader } = clients();
    expect(await reader.getL1BaseFee()).toBe(parseGwei('1'));
    const request = { account: ALICE, to: BOB, value: 1n } as const;
    expect(await reader.estimateL1Gas(request)).toBe(1600n);
    // 100 bytes: 16 * 2269 * 1 gwei + 1055762 * 1 wei, for millionths of a byte each
    expect(await reader.estimateL1Fee(request)).toBe(3_630_400_105n);
    expect(await reader.estimateOperatorFee(request)).toBe(21_000n * 30n * 100n + parseGwei('1'));
    const price = BigInt(await call('eth_gasPrice'));
    expect(await reader.estimateTotalFee(request)).toBe(
      3_630_400_105n + 63_000_000n + parseGwei('1') + 21_000n * price,
    );
  });

  it.each([
    ['a transfer', '0x', true],
    ['much data', toHex(Uint8Array.from({ length: 2_000 }, (_, i) => (i * i * 7 + (i % 13)) & 255)), false],
  ] as const)('are what %s is charged, and what its receipt says', async (_, data, isExact) => {
    const { reader, wallet } = clients();
    const fields = { to: BOB, value: 1n, data, gas: 200_000n } as const;
    const estimated = await reader.estimateL1Fee({ account: ALICE, ...fields });
    const before = {
      l1: await balance(VAULTS.l1),
      operator: await balance(VAULTS.operator),
      alice: await balance(ALICE.address),
    };
    const hash = await wallet.sendTransaction(fields);
    const receipt = await call('eth_getTransactionReceipt', hash);
    const [l1Fee, gasUsed] = [BigInt(receipt.l1Fee), BigInt(receipt.gasUsed)];
    expect((await balance(VAULTS.l1)) - before.l1).toBe(l1Fee);
    const operatorFee = gasUsed * 3_000n + parseGwei('1');
    expect((await balance(VAULTS.operator)) - before.operator).toBe(operatorFee);
    const gas = gasUsed * BigInt(receipt.effectiveGasPrice);
    expect(before.alice - (await balance(ALICE.address))).toBe(1n + gas + l1Fee + operatorFee);
    // For an unsigned transaction the oracle counts 68 bytes for the signature. That is exact where 100 bytes are the least.
    if (isExact) expect(estimated).toBe(l1Fee);
    else expect(Number(estimated) / Number(l1Fee)).toBeCloseTo(1, 1);
    expect(receipt).toMatchObject({
      l1GasPrice: toHex(parseGwei('1')),
      l1BaseFeeScalar: toHex(2_269),
      l1BlobBaseFee: '0x1',
      l1BlobBaseFeeScalar: toHex(1_055_762),
      operatorFeeScalar: toHex(30),
      operatorFeeConstant: toHex(parseGwei('1')),
      daFootprintGasScalar: toHex(400),
      blobGasUsed: (await call('eth_getBlockByNumber', 'latest', false)).blobGasUsed,
    });
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({
      l1Fee,
      l1GasPrice: parseGwei('1'),
      l1GasUsed: (l1Fee * 16n) / 36_304_001n,
    });
  });

  it('are none for deposits', async () => {
    const { reader } = clients();
    const [attributes] = (await reader.getBlock({ includeTransactions: true })).transactions;
    expect(attributes).toMatchObject({ type: 'deposit', to: L1_BLOCK });
    const receipt = await reader.getTransactionReceipt({ hash: attributes!.hash });
    expect(receipt).toMatchObject({ l1Fee: null, effectiveGasPrice: 0n });
  });

  it('have an upper bound', async () => {
    const { reader } = clients();
    const abi = [
      {
        type: 'function',
        name: 'getL1FeeUpperBound',
        stateMutability: 'view',
        inputs: [{ type: 'uint256' }],
        outputs: [{ type: 'uint256' }],
      },
    ] as const;
    const address = '0x420000000000000000000000000000000000000F';
    const bound = await reader.readContract({
      abi,
      address,
      functionName: 'getL1FeeUpperBound',
      args: [2_000n],
    });
    // 836500 * (2068 + 2068 / 255 + 16) - 42585600 millionths of a byte
    expect(bound).toBe(
      ((836_500n * 2_092n - 42_585_600n) * (16n * 2_269n * 10n ** 9n + 1_055_762n)) / 10n ** 12n,
    );
  });

  it('are paid for a withdrawal that is initiated', async () => {
    const { reader, wallet } = clients();
    const hash = await wallet.initiateWithdrawal({
      request: { gas: 21_000n, to: BOB, value: parseEther('1') },
    });
    const receipt = await reader.waitForTransactionReceipt({ hash });
    expect(receipt.status).toBe('success');
    expect(receipt.logs[0]!.topics[0]).toBe(
      keccak256(toHex('MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)')),
    );
  });
});
