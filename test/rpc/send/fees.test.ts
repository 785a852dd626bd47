import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { ALICE, MODES, startNode, type TestNode } from '../dev/node.ts';

let node: TestNode;
afterEach(() => node?.close());

const GENESIS = {
  config: {
    chainId: 31337,
    ...Object.fromEntries(
      ['homestead', 'eip150', 'eip155', 'eip158', 'byzantium', 'constantinople', 'petersburg', 'istanbul']
        .concat(['berlin', 'london'])
        .map((fork) => [`${fork}Block`, 0]),
    ),
    terminalTotalDifficulty: 0,
    shanghaiTime: 0,
    cancunTime: 0,
    pragueTime: 0,
    blobSchedule: {
      cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3338477 },
      prague: { target: 6, max: 9, baseFeeUpdateFraction: 5007716 },
    },
  },
  alloc: { '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266': { balance: '0xde0b6b3a7640000' } },
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
  baseFeePerGas: '0x3b9aca00',
};
/** A chain from outside, which answers as geth. Its genesis file has a time of its own. */
const OUTSIDE = { automine: true, init: GENESIS, timestamp: undefined } as unknown as DevnetOptions;
const DIALECTS: Readonly<Record<string, DevnetOptions>> = {
  anvil: MODES.automine,
  'anvil, as asked': { compat: 'anvil' },
  hardhat: { compat: 'hardhat' },
  hardhat2: { compat: 'hardhat2' },
  geth: OUTSIDE,
};
const ENGINES = ['fast', 'ethereumjs', 'shadow'] as const;

const TIP = '0x3b9aca00';
/** Stores the gas price in slot 0: a new slot costs more gas if the price isn't zero. */
const STORES_PRICE = { address: `0x${'5e'.repeat(20)}`, code: '0x3a5f5500' };
/** Initcode that returns the gas price and the base fee. */
const PRICES = '0x3a5f524860205260405ff3';
const word = (value: bigint) => value.toString(16).padStart(64, '0');
const prices = (price: bigint, baseFee: bigint) => `0x${word(price)}${word(baseFee)}`;
const errorOf = (method: string, ...params: unknown[]) => node.rpc(method, ...params).catch((error) => error);
const GWEI = 10n ** 9n;

describe.each(Object.entries(DIALECTS))('a transaction with only a tip, as %s', (_, options) => {
  it.each([
    'eth_sendTransaction',
    'eth_sendUnsignedTransaction',
    'eth_sendTransactionSync',
    'personal_sendTransaction',
  ])('%s fills in cap and gas', async (method) => {
    node = await startNode(options);
    const [from] = node.accounts;
    await node.rpc('anvil_setCode', STORES_PRICE.address, STORES_PRICE.code);
    for (const to of [ALICE, STORES_PRICE.address]) {
      const sent = await node.rpc(method, { from, to, maxPriorityFeePerGas: TIP });
      const hash = typeof sent === 'string' ? sent : sent.transactionHash;
      const { maxFeePerGas, maxPriorityFeePerGas } = await node.rpc('eth_getTransactionByHash', hash);
      expect(maxPriorityFeePerGas).toBe(TIP);
      expect(BigInt(maxFeePerGas)).toBeGreaterThan(GWEI);
      // The estimate is of the transaction with the fees that it gets.
      expect((await node.rpc('eth_getTransactionReceipt', hash)).status).toBe('0x1');
    }
  });

  it.each(['eth_signTransaction', 'personal_signTransaction', 'eth_fillTransaction'])(
    '%s fills in cap and gas',
    async (method) => {
      node = await startNode(options);
      const [from] = node.accounts;
      const answer = await node.rpc(method, { from, to: ALICE, value: '0x1', maxPriorityFeePerGas: TIP });
      expect(answer.raw ?? answer).toMatch(/^0x02/);
    },
  );
});

describe.each(ENGINES)('calls without enough fees, in the engine %s', (engine) => {
  const LOW = [
    { gasPrice: '0x1' },
    { maxFeePerGas: '0x1' },
    { maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x1' },
  ];
  const ALL = [{ maxPriorityFeePerGas: TIP }, ...LOW];
  const METHODS: Readonly<Record<string, (call: object) => unknown[]>> = {
    eth_call: (call) => [call, 'latest'],
    eth_estimateGas: (call) => [call],
    eth_createAccessList: (call) => [call, 'latest'],
    eth_callMany: (call) => [[{ transactions: [call] }]],
    debug_traceCall: (call) => [call, 'latest', { tracer: 'callTracer' }],
    trace_call: (call) => [call, ['trace'], 'latest'],
  };

  it.each([
    ['anvil', MODES.automine],
    ['hardhat', { compat: 'hardhat' }],
    ['hardhat2', { compat: 'hardhat2' }],
  ] as [string, DevnetOptions][])('are answered as %s does', async (_, options) => {
    node = await startNode({ ...options, engine });
    const [from] = node.accounts;
    await node.rpc('anvil_setCode', STORES_PRICE.address, STORES_PRICE.code);
    for (const [method, params] of Object.entries(METHODS))
      for (const fees of ALL)
        for (const to of [ALICE, STORES_PRICE.address])
          expect(
            await node.codeOf(method, ...params({ from, to, ...fees })),
            `${method} ${JSON.stringify(fees)}`,
          ).toBe(undefined);
  });

  it('are refused on a chain from outside, as by geth', async () => {
    node = await startNode({ ...OUTSIDE, engine });
    const [from] = node.accounts;
    for (const [method, params] of Object.entries(METHODS))
      for (const fees of ALL)
        expect(
          await node.codeOf(method, ...params({ from, to: ALICE, ...fees })),
          `${method} ${JSON.stringify(fees)}`,
        ).toBe(-32003);
  });

  // Prices and base fees as anvil 1.7.1, Hardhat 3 and Hardhat 2 have them. A base fee of 1 gwei at `latest`.
  it.each([
    ['anvil', MODES.automine, { gasPrice: '0x1' }, 1n, GWEI],
    ['anvil', MODES.automine, { maxFeePerGas: '0x1' }, 1n, GWEI],
    ['anvil', MODES.automine, { gasPrice: '0xee6b2800' }, 4n * GWEI, GWEI],
    ['anvil', MODES.automine, { maxPriorityFeePerGas: TIP }, 0n, 0n],
    ['hardhat', { compat: 'hardhat' }, { gasPrice: '0x1' }, 1n, 0n],
    ['hardhat', { compat: 'hardhat' }, { maxFeePerGas: '0x1' }, 0n, 0n],
    ['hardhat', { compat: 'hardhat' }, { maxPriorityFeePerGas: TIP }, GWEI, 0n],
    ['hardhat2', { compat: 'hardhat2' }, { maxFeePerGas: '0xee6b2800' }, 0n, 0n],
    ['hardhat2', { compat: 'hardhat2' }, {}, 0n, 0n],
  ] as [string, DevnetOptions, object, bigint, bigint][])(
    'see prices of %s with %j, fees %j',
    async (_, options, fees, price, baseFee) => {
      node = await startNode({ ...options, engine, baseFee: 1_000_000_000n } as DevnetOptions);
      const [from] = node.accounts;
      expect(await node.rpc('eth_call', { from, data: PRICES, ...fees }, 'latest')).toBe(
        prices(price, baseFee),
      );
    },
  );
});

describe('a tip above the cap', () => {
  const fees = { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0xee6b2800' };

  it.each(Object.entries(DIALECTS))('is refused as %s', async (_, options) => {
    node = await startNode(options);
    const code = 'compat' in options && options.compat !== 'anvil' ? -32000 : -32003;
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(await node.codeOf(method, { from: node.accounts[0], to: ALICE, ...fees }), method).toBe(code);
  });
});

describe('eth_fillTransaction', () => {
  /** Its next block has a base fee of 1 gwei. @returns a transfer */
  const withBaseFee = async (options: DevnetOptions) => {
    node = await startNode(options);
    await node.rpc('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
    return { from: node.accounts[0], to: ALICE, value: '0x1' };
  };
  const fill = (request: object) => node.rpc('eth_fillTransaction', request);
  const NO_PLACE = { blockHash: null, blockNumber: null, transactionIndex: null };

  // Without the second member the answer isn't made in one step.
  it.each([{}, { accessList: [] }])('answers as anvil, with %j', async (more) => {
    const transfer = await withBaseFee(MODES.automine);
    const { raw, tx } = await fill({ ...transfer, ...more });
    expect(tx).toEqual({
      type: '0x2',
      chainId: '0x7a69',
      nonce: '0x0',
      gas: '0x5208',
      maxFeePerGas: '0x77359400',
      maxPriorityFeePerGas: TIP,
      gasPrice: '0x77359400',
      to: ALICE,
      value: '0x1',
      accessList: [],
      input: '0x',
      r: '0x0',
      s: '0x0',
      yParity: '0x0',
      v: '0x0',
      hash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      from: transfer.from,
      ...NO_PLACE,
    });
    expect(raw).toBe(`0x02ec827a6980843b9aca00847735940082520894${ALICE.slice(2)}0180c0808080`);
  });

  it('answers a legacy transaction with its chain id and `v`, as anvil', async () => {
    const transfer = await withBaseFee(MODES.automine);
    const { raw, tx } = await fill({ ...transfer, gasPrice: '0x77359400' });
    expect(tx).toMatchObject({
      type: '0x0',
      chainId: '0x7a69',
      v: '0xf4f5',
      r: '0x0',
      s: '0x0',
      ...NO_PLACE,
    });
    expect(tx).not.toHaveProperty('maxFeePerGas');
    expect(raw).toBe(`0xe580847735940082520894${ALICE.slice(2)}018082f4f58080`);
  });

  it.each([
    [{ maxFeePerGas: '0x1' }, { maxFeePerGas: '0x1', gasPrice: '0x1', maxPriorityFeePerGas: '0x1' }],
    [{ maxFeePerGas: '0x0' }, { maxFeePerGas: '0x0', gasPrice: '0x0' }],
    [{ maxPriorityFeePerGas: '0x0' }, { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x0' }],
    // anvil fills in a cap below this tip.
    [{ maxPriorityFeePerGas: '0xee6b2800' }, { maxFeePerGas: '0x12a05f200' }],
    [{ gasPrice: '0x1' }, { gasPrice: '0x1', type: '0x0' }],
    [
      { gasPrice: '0x77359400', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: TIP },
      { gasPrice: '0x77359400', type: '0x0' },
    ],
  ])('fills %j as anvil', async (fees, expected) => {
    const transfer = await withBaseFee(MODES.automine);
    expect((await fill({ ...transfer, ...fees })).tx).toMatchObject(expected);
  });

  it('asks the sender only for fees that were given, as anvil', async () => {
    await withBaseFee(MODES.automine);
    await node.rpc('anvil_setCode', STORES_PRICE.address, STORES_PRICE.code);
    const call = { from: ALICE, to: STORES_PRICE.address };
    expect((await fill(call)).tx.gas).toMatch(/^0x5[0-9a-f]{3}$/);
    expect(await node.codeOf('eth_fillTransaction', { ...call, maxFeePerGas: '0x77359400' })).toBe(-32000);
    expect(await errorOf('eth_fillTransaction', { ...call, value: '0x1' })).toMatchObject({
      code: -32003,
      message: 'Insufficient funds for gas * price + value',
    });
  });

  it.each([{}, { accessList: [] }])('is as specified on a chain from outside, with %j', async (more) => {
    node = await startNode(OUTSIDE);
    const [from] = node.accounts;
    const { tx } = await fill({ from, to: ALICE, value: '0x1', ...more });
    // The gas price is the fee cap: Transaction1559Unsigned of execution-apis.
    const { baseFeePerGas } = await node.block('pending');
    const cap = `0x${(2n * BigInt(baseFeePerGas) + GWEI).toString(16)}`;
    expect(tx).toMatchObject({
      type: '0x2',
      gasPrice: cap,
      maxFeePerGas: cap,
      chainId: '0x7a69',
      accessList: [],
    });
    for (const name of ['blockHash', 'blockNumber', 'blockTimestamp', 'transactionIndex'])
      expect(tx).not.toHaveProperty(name);
    const legacy = await fill({ from, to: ALICE, gasPrice: '0x77359400' });
    expect(legacy.tx).toMatchObject({ type: '0x0', gasPrice: '0x77359400', v: '0x0' });
  });

  it('is refused on a chain from outside where the sender cannot pay, as by geth', async () => {
    node = await startNode(OUTSIDE);
    expect(
      await node.codeOf('eth_fillTransaction', { from: ALICE, to: STORES_PRICE.address, value: '0x1' }),
    ).toBe(-32003);
    expect(await node.codeOf('eth_fillTransaction', { from: ALICE, data: '0x00' })).toBe(-32000);
  });

  it('gives gas for the fees that it fills in', async () => {
    for (const more of [
      {},
      { nonce: '0x0' },
      { maxFeePerGas: '0xee6b2800' },
      { maxPriorityFeePerGas: TIP },
    ]) {
      const { from } = await withBaseFee(MODES.automine);
      await node.rpc('anvil_setCode', STORES_PRICE.address, STORES_PRICE.code);
      const { tx } = await fill({ from, to: STORES_PRICE.address, ...more });
      expect(Number(tx.gas), JSON.stringify(more)).toBeGreaterThan(43_000);
      await node.close();
    }
  });
});
