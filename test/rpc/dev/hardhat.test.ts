import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ALICE, startNode, type TestNode } from './node.ts';

/** Init code that reverts with Panic(code). */
const panics = (code: number) =>
  `0x7f4e487b71${'00'.repeat(28)}5f5260${code.toString(16).padStart(2, '0')}60235360245ffd`;
const REVERTED = 'VM Exception while processing transaction: reverted with';
const NOWHERE = `0x${'ab'.repeat(32)}`;

// The texts are those of Hardhat 3.18; test/suites/hardhat-node.suite.mjs compares them with a running one.
describe('--compat hardhat words errors as Hardhat does', () => {
  let node: TestNode;
  let from: string;
  beforeAll(async () => {
    node = await startNode({ compat: 'hardhat' });
    from = node.accounts[0]!;
  });
  afterAll(() => node.close());
  const errorOf = (method: string, ...params: unknown[]) =>
    node.rpc(method, ...params).catch((error) => error);

  it.each([
    [0x01, 'panic code 0x1 (Assertion error)'],
    [0x11, 'panic code 0x11 (Arithmetic operation overflowed outside of an unchecked block)'],
    [0x12, 'panic code 0x12 (Division or modulo division by zero)'],
    [0x32, 'panic code 0x32 (Array accessed at an out-of-bounds or negative index)'],
    [0x99, 'unknown panic code 0x99'],
  ])('panic 0x%x', async (code, text) => {
    const error = await errorOf('eth_call', { from, data: panics(code) }, 'latest');
    expect(error).toMatchObject({ code: 3, message: `${REVERTED} ${text}` });
    expect(error.data).toMatch(/^0x4e487b71/);
  });

  const OUT_OF_GAS = { code: -32000, message: 'Transaction ran out of gas' };
  it.each([
    [
      'an unknown opcode',
      '0x0c',
      { code: 3, message: /processing transaction: invalid opcode$/, data: '0x' },
    ],
    [
      'a bad jump',
      '0x5f56',
      { code: 3, message: /^Transaction reverted without a reason string$/, data: '0x' },
    ],
    ['too much code', '0x6160015ff3', { code: 3, message: /whose code is too large$/, data: '0x' }],
  ])('%s in a call, an estimate and a send', async (_, data, { code, message, data: returned }) => {
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction']) {
      const error = await errorOf(method, { from, data, gas: '0x900000' });
      expect(error, method).toMatchObject({ code, data: returned, message: expect.stringMatching(message) });
    }
  });

  it('gas that runs out', async () => {
    const data = '0x5b5f56';
    for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
      expect(await errorOf(method, { from, data, gas: '0x20000' }), method).toMatchObject(OUT_OF_GAS);
  });

  it.each([
    [{ gas: '0x1' }, 'Transaction requires at least 21000 gas but got 1'],
    [
      { gas: '0x5c00', data: `0x${'11'.repeat(100)}` },
      'Transaction requires gas floor of 25000 but got limit of 23552',
    ],
    [{ to: undefined }, 'Contract creation without any data provided'],
    [{ from: ALICE }, `Unknown account ${ALICE}`],
    [
      { gas: '0x5208', value: `0x1${'0'.repeat(30)}` },
      /^Sender doesn't have enough funds to send tx\. The max/,
    ],
    [
      { value: `0x1${'0'.repeat(30)}` },
      /^Sender doesn't have enough funds to send tx\. The max upfront cost is/,
    ],
    [{ gas: '0x1312d00' }, /^Transaction gas limit is 20000000 .*--disable-tx-gas-limit/],
  ])('a send with %j', async (fields, message) => {
    const error = await errorOf('eth_sendTransaction', { from, to: ALICE, ...fields });
    expect(error.code).toBe(-32000);
    expect(error.message).toMatch(message);
    // What is no revert has its message in the data too.
    expect(error.data).toEqual({ message: error.message });
  });

  it('nonces and replacements, where sends are mined at once and where they wait', async () => {
    const send = (fields: object) =>
      errorOf('eth_sendTransaction', {
        ...{ from, to: ALICE, gas: '0x5208', maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1' },
        ...fields,
      });
    await send({ maxFeePerGas: '0xb2d05e00' });
    const nonce = Number(await node.rpc('eth_getTransactionCount', from, 'latest'));
    expect((await send({ nonce: '0x0' })).message).toBe(
      `Nonce too low. Expected nonce to be ${nonce} but got 0. Note that transactions can't be queued when automining.`,
    );
    await node.rpc('evm_setAutomine', false);
    expect((await send({ nonce: '0x0' })).message).toBe(
      `Transaction nonce too low. Expected nonce to be at least ${nonce} but got 0.`,
    );
    const next = `0x${nonce.toString(16)}`;
    const hash = await send({ nonce: next });
    expect((await send({ nonce: next })).message).toBe(`Known transaction: ${hash}`);
    expect((await send({ nonce: next, value: '0x1' })).message).toBe(
      `Replacement transaction underpriced. A gasPrice/maxFeePerGas of at least 2200000000 is necessary to replace the existing transaction with nonce ${nonce}.`,
    );
    expect(await node.rpc('hardhat_dropTransaction', hash)).toBe(true);
    await node.rpc('evm_setAutomine', true);
  });

  it('a block that is not there', async () => {
    const number = await node.number();
    for (const [block, name] of [
      ['0x999', '2457'],
      [{ blockHash: NOWHERE }, NOWHERE],
    ])
      expect((await errorOf('eth_getBalance', ALICE, block)).message).toBe(
        `Received invalid block tag ${name}. Latest block number is ${number}`,
      );
  });

  it('a transaction that is mined can not be dropped', async () => {
    const hash = await node.transfer();
    const { code, message } = await errorOf('hardhat_dropTransaction', hash);
    expect(code).toBe(-32602);
    expect(message).toMatch(/cannot be dropped because it's already mined$/);
  });

  it('the end of an impersonation is true where there was one', async () => {
    await node.rpc('hardhat_impersonateAccount', ALICE);
    expect(await node.rpc('hardhat_stopImpersonatingAccount', ALICE)).toBe(true);
    expect(await node.rpc('hardhat_stopImpersonatingAccount', ALICE)).toBe(false);
  });
});

describe('the defaults', () => {
  it.each([
    ['hardhat', 20, '0x3938700', '0xc014ba5ec014ba5ec014ba5ec014ba5ec014ba5e', 1],
    ['anvil', 10, '0x1c9c380', `0x${'00'.repeat(20)}`, 0],
  ] as const)('with --compat %s are its own', async (compat, accounts, gasLimit, miner, finalized) => {
    const node = await startNode({ compat });
    expect(node.accounts).toHaveLength(accounts);
    await node.transfer();
    expect(await node.block()).toMatchObject({ gasLimit, miner });
    for (const tag of ['safe', 'finalized']) expect(Number((await node.block(tag)).number)).toBe(finalized);
    await node.close();
  });

  it('give way to what is asked for', async () => {
    const node = await startNode({ compat: 'hardhat', accounts: 2, gasLimit: 40_000_000, slotsInAnEpoch: 3 });
    expect(node.accounts).toHaveLength(2);
    await node.transfer();
    expect((await node.block()).gasLimit).toBe('0x2625a00');
    expect((await node.block('safe')).number).toBe('0x0');
    await node.close();
  });
});
