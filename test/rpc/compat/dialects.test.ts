import { afterEach, describe, expect, it } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { OptionConflict } from '../../../src/options/errors.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { PRESETS, type Preset } from '../../../src/options/presets.ts';
import { optionsOf, recordedOptions } from '../../../src/options/recorded.ts';
import { ALICE, startNode, type TestNode, TOKEN_HOLDER } from '../dev/node.ts';

let node: TestNode;
afterEach(() => node?.close());

const GENESIS = {
  config: { chainId: 31337, homesteadBlock: 0, eip150Block: 0, byzantiumBlock: 0 },
  alloc: {},
  gasLimit: '0x1c9c380',
  difficulty: '0x0',
};
/** A genesis file has a time of its own. */
const NOW = { timestamp: undefined } as object;
const errorOf = (method: string, ...params: unknown[]) => node.rpc(method, ...params).catch((error) => error);
/** Init code of a contract with this code. */
const creates = (code: string) =>
  `0x60${(code.length / 2).toString(16).padStart(2, '0')}8060095f395ff3${code}`;
async function deploy(code: string): Promise<string> {
  const [from] = node.accounts;
  const hash = await node.rpc('eth_sendTransaction', { from, data: creates(code), gas: '0x100000' });
  return (await node.rpc('eth_getTransactionReceipt', hash)).contractAddress;
}

describe('gas that runs out', () => {
  it.each([
    ['hardhat', {}],
    ['hardhat2', { txHash: null }],
  ] as const)('has data with --compat %s, and the hash where it was mined', async (compat, inCalls) => {
    node = await startNode({ compat });
    const [from] = node.accounts;
    const call = { from, to: await deploy('5b5f56'), gas: '0x10000' };
    const data = { message: 'Transaction ran out of gas', data: '0x' };
    for (const method of ['eth_call', 'eth_estimateGas'])
      expect(await errorOf(method, call), method).toMatchObject({
        code: -32000,
        data: { ...data, ...inCalls },
      });
    const sent = await errorOf('eth_sendTransaction', call);
    expect(sent.code).toBe(-32000);
    const [txHash] = (await node.block()).transactions;
    expect(sent.data).toEqual({ ...data, txHash });
  });

  it('is mined where a send names no gas, as on anvil', async () => {
    node = await startNode();
    const [from] = node.accounts;
    const hash = await node.rpc('eth_sendTransaction', { from, to: await deploy('5b5f56') });
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x0' });
  });
});

describe('a sender without funds', () => {
  const transfer = { from: ALICE, to: `0x${'0b'.repeat(20)}`, value: '0x1' };

  it.each([
    [{}, '0x5208'],
    [{ compat: 'anvil' }, '0x5208'],
    [{ compat: 'hardhat' }, '0x5209'],
    [{ compat: 'hardhat2' }, '0x5209'],
  ] as [DevnetOptions, string][])('has its transfer estimated with %j', async (options, gas) => {
    node = await startNode({ automine: true, ...options });
    expect(await node.rpc('eth_estimateGas', transfer)).toBe(gas);
    expect(await node.rpc('eth_estimateGas', { ...transfer, gasPrice: '0x77359400' })).toBe(gas);
  });

  it('is refused on a chain from outside, as by geth', async () => {
    node = await startNode({ automine: true, init: GENESIS, ...NOW });
    expect(await node.codeOf('eth_estimateGas', transfer)).toBe(-32003);
  });

  it.each(Object.keys(PRESETS) as Preset[])(
    'is refused with preset %s, as by nodes of OP chains',
    async (preset) => {
      node = await startNode({ preset });
      for (const fees of [{}, { gasPrice: '0x77359400' }, { maxPriorityFeePerGas: '0x1' }])
        expect(await errorOf('eth_estimateGas', { ...transfer, ...fees })).toMatchObject({
          code: -32003,
          message: expect.stringContaining('insufficient funds for gas * price + value'),
        });
      // Without a price the sender needs the value only.
      expect(await node.rpc('eth_estimateGas', { ...transfer, value: '0x0' })).toBe('0x5208');
      await node.close();
      node = await startNode({ preset, compat: 'anvil' });
      expect(await node.rpc('eth_estimateGas', transfer)).toBe('0x5208');
    },
  );

  it('calls as Hardhat lets it, with what the call spends; anvil refuses', async () => {
    node = await startNode({ compat: 'hardhat' });
    // The balances of the caller and of the contract.
    const call = { ...transfer, to: await deploy('33315f524760205260405ff3') };
    expect(await node.rpc('eth_call', call, 'latest')).toBe(`0x${'0'.repeat(127)}1`);
    await node.close();
    node = await startNode();
    expect(await node.codeOf('eth_call', transfer, 'latest')).toBe(-32003);
  });
});

// What anvil 1.7.1 says; `-` is what comes before it.
const OF_ANVIL: readonly (readonly [string, string])[] = [
  ['0x', ''],
  ['0xff', '-custom error bytes 0xff'],
  ['0xff112233', '-custom error 0xff112233'],
  ['0xff112233ff', '-custom error 0xff112233: ff'],
  ['0xff11223368656c6c6f', '-custom error 0xff112233: hello'],
  ['0x68656c6c6f', '-hello'],
  ['0x08c379a0', '-custom error 0x08c379a0'],
  [`0x08c379a0${'0'.repeat(62)}20${'0'.repeat(64)}`, '-'],
  [`0x${'0'.repeat(62)}20${'0'.repeat(63)}3${'776879'.padEnd(64, '0')}`, '-why'],
  [`0x4e487b71${'0'.repeat(62)}11`, '-panic: arithmetic underflow or overflow (0x11)'],
  [`0x4e487b71${'0'.repeat(62)}99`, '-panic: unknown code (0x99)'],
];

describe('the words of a revert', () => {
  /** Reverts with its call data. */
  const ECHO = '365f5f37365ffd';

  it("are anvil's", async () => {
    node = await startNode();
    const to = await deploy(ECHO);
    for (const [data, text] of OF_ANVIL)
      for (const method of ['eth_call', 'eth_estimateGas'])
        expect(await errorOf(method, { to, data }), data).toMatchObject({
          code: 3,
          data,
          message: `execution reverted${text.replace(/^-/, ': ')}`,
        });
  });

  it("are geth's on a chain from outside", async () => {
    node = await startNode({ automine: true, init: GENESIS, ...NOW });
    const data = `0x7f4e487b71${'00'.repeat(28)}600052600160235360246000fd`;
    expect(await errorOf('eth_call', { data })).toMatchObject({
      code: 3,
      message: 'execution reverted: assert(false)',
    });
  });

  it('stand in an object of Hardhat 2, with a code and a beginning of its own', async () => {
    node = await startNode({ compat: 'hardhat2' });
    const [from] = node.accounts;
    const call = { from, to: await deploy(ECHO), data: '0xff112233', gas: '0x10000' };
    const message =
      'Error: VM Exception while processing transaction: reverted with an unrecognized custom error (return data: 0xff112233)';
    for (const method of ['eth_call', 'eth_estimateGas']) {
      const error = await errorOf(method, call);
      expect(error).toMatchObject({ code: -32603, message });
      expect(error.data).toEqual({ message, data: '0xff112233' });
    }
    const { data } = await errorOf('eth_sendTransaction', call);
    expect(data).toEqual({ message, data: '0xff112233', txHash: (await node.block()).transactions[0] });
  });
});

describe('--compat hardhat2', () => {
  it('tells a refused call with its method and parameters', async () => {
    node = await startNode({ compat: 'hardhat2' });
    const { code, data } = await errorOf('eth_getBalance', '0x12', 'latest');
    expect(code).toBe(-32602);
    expect(data.data).toEqual({ method: 'eth_getBalance', params: ['0x12', 'latest'] });
    expect((await errorOf('eth_getBalance', ALICE, '0x999')).data.data).toBeNull();
  });

  it('gives a send without gas the most that a transaction may have', async () => {
    node = await startNode({ compat: 'hardhat2' });
    const [from] = node.accounts;
    const hash = await node.rpc('eth_sendTransaction', { from, to: ALICE, value: '0x1' });
    expect((await node.rpc('eth_getTransactionByHash', hash)).gas).toBe('0x1000000');
  });

  it('has struct logs of padded words, with memory and storage at each step', async () => {
    node = await startNode({ compat: 'hardhat2' });
    const [from] = node.accounts;
    const to = await deploy('60026001556001545f5260205ff3');
    const hash = await node.rpc('eth_sendTransaction', { from, to, gas: '0x186a0' });
    const { structLogs, returnValue } = await node.rpc('debug_traceTransaction', hash);
    const word = (value: number) => value.toString(16).padStart(64, '0');
    expect(returnValue).toBe(`0x${word(2)}`);
    expect(structLogs[0]).toEqual({
      ...{ depth: 1, gas: 79_000, gasCost: 3, op: 'PUSH1', pc: 0 },
      ...{ memory: [], stack: [], storage: {} },
    });
    const last = structLogs.at(-1);
    expect(last.op).toBe('RETURN');
    expect(last.memory).toEqual([word(2)]);
    expect(last.stack).toEqual([word(32), word(0)]);
    expect(last.storage).toEqual({ [word(1)]: word(2) });
    const [first] = (await node.rpc('debug_traceTransaction', hash, { disableMemory: true })).structLogs;
    expect(Object.keys(first)).not.toContain('memory');
    const plain = await node.rpc('eth_sendTransaction', { from, to: ALICE, value: '0x1' });
    expect((await node.rpc('debug_traceTransaction', plain)).returnValue).toBe('');
  });
});

describe('a precompile that fails', () => {
  const TEXT = 'Transaction reverted: call to precompile 8 failed';
  // Calls the pairing check (precompile 8) with one word, which it refuses, then reverts without data.
  const CALLER = '60206000602060006000600861fffff15f5ffd';

  it.each(['hardhat', 'hardhat2'] as const)(
    "is named in Hardhat's words with --compat %s",
    async (compat) => {
      node = await startNode({ compat });
      const [from] = node.accounts;
      const message = compat === 'hardhat' ? TEXT : `Error: ${TEXT}`;
      const pairing = '0x0000000000000000000000000000000000000008';
      const direct = { from, to: pairing, data: '0xff', gas: '0x100000' };
      const creation = { from, data: `0x${CALLER}`, gas: '0x100000' };
      const within = { from, to: await deploy(CALLER), gas: '0x100000' };
      for (const call of [direct, creation, within])
        for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
          expect(await errorOf(method, call), `${method} ${JSON.stringify(call)}`).toMatchObject({
            code: compat === 'hardhat' ? 3 : -32603,
            message,
            data: compat === 'hardhat' ? '0x' : { message, data: '0x' },
          });
      // The modulus has more bytes than any gas pays for.
      const endless = {
        from,
        to: '0x0000000000000000000000000000000000000005',
        data: `0x${'ff'.repeat(96)}`,
      };
      for (const method of ['eth_call', 'eth_estimateGas', 'eth_sendTransaction'])
        expect((await errorOf(method, endless)).message, method).toBe(message.replace('8', '5'));
    },
  );

  it('is not named where Hardhat 2 names none: those of BLS12-381', async () => {
    node = await startNode({ compat: 'hardhat2' });
    const to = '0x000000000000000000000000000000000000000b';
    expect((await errorOf('eth_call', { to, data: '0xff', gas: '0x100000' })).message).toBe(
      'Error: Transaction reverted without a reason string',
    );
  });

  it('is not named where the contract fails for a reason of its own', async () => {
    node = await startNode({ compat: 'hardhat2' });
    // As CALLER, but it reverts with one byte.
    const to = await deploy(`${CALLER.slice(0, -6)}60015ffd`);
    expect((await errorOf('eth_call', { to, gas: '0x100000' })).message).toContain(
      'unrecognized custom error',
    );
  });
});

describe('web3_clientVersion begins with the name of the node', () => {
  it.each([
    [{}, /^anvil\/v1\.7\.1\/devnet\/\d/],
    [{ compat: 'hardhat' }, /^HardhatNetwork\/3\.\d+\.\d+\/devnet\/\d/],
    [{ compat: 'hardhat2' }, /^HardhatNetwork\/2\.\d+\.\d+\/devnet\/\d/],
  ] as [DevnetOptions, RegExp][])('with %j', async (options, version) => {
    node = await startNode({ automine: true, ...options });
    expect(await node.rpc('web3_clientVersion')).toMatch(version);
  });
});

describe('the refund in struct logs', () => {
  // Clears slot 0, sets it again, clears it: PUSH0 PUSH0 SSTORE PUSH1 1 PUSH1 0 SSTORE PUSH1 0 STOP.
  const code = '0x5f5f556001600055600100';
  const REFUNDS = [0, 0, 0, 4800, 4800, 4800, 2800, 2800];

  it.each([
    // As Hardhat 3.18 answers, also where it is 0.
    [{ compat: 'hardhat' }, REFUNDS],
    [{ compat: 'hardhat2' }, REFUNDS.map(() => undefined)],
    // As geth, with what the SSTORE itself adds.
    [{}, [undefined, undefined, 4800, 4800, 4800, 2800, 2800, 2800]],
  ] as [DevnetOptions, (number | undefined)[]][])('with %j', async (options, refunds) => {
    node = await startNode({ automine: true, ...options });
    await node.rpc('hardhat_setCode', TOKEN_HOLDER, code);
    await node.rpc('hardhat_setStorageAt', TOKEN_HOLDER, '0x0', `0x${'1'.padStart(64, '0')}`);
    const call = { from: node.accounts[0], to: TOKEN_HOLDER, gas: '0x186a0' };
    const refundsOf = ({ structLogs }: { structLogs: { refund?: number }[] }) =>
      structLogs.map(({ refund }) => refund);
    expect(refundsOf(await node.rpc('debug_traceCall', call, 'latest'))).toEqual(refunds);
    const hash = await node.rpc('eth_sendTransaction', call);
    expect(refundsOf(await node.rpc('debug_traceTransaction', hash))).toEqual(refunds);
  });
});

describe('the refund in struct logs of calls', () => {
  it('is that of the frame under --compat hardhat, as Hardhat 3.18 answers', async () => {
    node = await startNode({ automine: true, compat: 'hardhat' });
    const call = (to: string) => `5f5f5f5f5f73${to.slice(2)}5af150`;
    const [first, second, third] = ['a1', 'b2', 'c3'].map((byte) => `0x${byte.repeat(20)}`);
    const codes = {
      [first!]: `0x5f5f55${call(second!)}${call(third!)}5f6001555f5f5500`,
      [second!]: '0x5f5f555f5000',
      [third!]: '0x5f5f555f505f5ffd',
    };
    for (const [address, code] of Object.entries(codes)) {
      await node.rpc('hardhat_setCode', address, code);
      for (const slot of ['0x0', '0x1'])
        await node.rpc('hardhat_setStorageAt', address, slot, `0x${'1'.padStart(64, '0')}`);
    }
    const request = { from: node.accounts[0], to: first, gas: '0x186a0' };
    const { structLogs } = await node.rpc('debug_traceCall', request, 'latest');
    const shown: string[] = structLogs.map(
      ({ depth, op, refund }: { depth: number; op: string; refund: number }) => `${depth}${op}:${refund}`,
    );
    const around = shown.filter(
      (step, i) => /SSTORE|POP|REVERT|STOP/.test(step) || /SSTORE/.test(shown[i - 1] ?? ''),
    );
    expect(around).toEqual([
      ...['1SSTORE:0', '1PUSH0:4800', '2SSTORE:0', '2PUSH0:4800', '2POP:4800', '2STOP:4800', '1POP:9600'],
      ...['2SSTORE:0', '2PUSH0:4800', '2POP:4800', '2REVERT:4800', '1POP:9600'],
      ...['1SSTORE:9600', '1PUSH0:14400', '1SSTORE:14400', '1STOP:14400'],
    ]);
  });
});

describe('what the genesis block has', () => {
  const CREATE2_DEPLOYER = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
  const MULTICALL3 = '0xca11bde05977b3631167028862be2a173976ca11';

  it.each([
    [{}, true, true],
    [{ noCreate2: true }, false, true],
    [{ multicall3: false }, true, false],
    [{ compat: 'hardhat' }, false, false],
    [{ compat: 'hardhat2' }, false, false],
    [{ compat: 'hardhat', create2: true }, true, false],
    [{ compat: 'hardhat2', multicall3: true }, false, true],
  ] as [DevnetOptions, boolean, boolean][])('with %j', async (options, create2, multicall3) => {
    node = await startNode({ automine: true, ...options });
    const has = async (address: string) => (await node.rpc('eth_getCode', address, 'latest')) !== '0x';
    expect([await has(CREATE2_DEPLOYER), await has(MULTICALL3)]).toEqual([create2, multicall3]);
  });

  it('is written in recordings, and was both in those that were made before', () => {
    const recorded = recordedOptions({ compat: 'hardhat' });
    expect(resolveOptions(optionsOf(recorded))).toMatchObject({ create2Deployer: false, multicall3: false });
    const resolved = (options: Record<string, unknown>) => resolveOptions(optionsOf(options));
    expect(resolved({ compat: 'hardhat' })).toMatchObject({ create2Deployer: true, multicall3: true });
    expect(resolved({ compat: 'hardhat', noCreate2: true })).toMatchObject({
      create2Deployer: false,
      multicall3: true,
    });
  });

  it('is not asked for and refused at once', () => {
    expect(() => resolveOptions({ create2: true, noCreate2: true })).toThrow(OptionConflict);
  });
});

describe('the cap of 2^24 gas a transaction', () => {
  const over = { gas: '0x1000001' };

  it.each([{ compat: 'hardhat' }, { compat: 'hardhat2' }, { enableTxGasLimit: true }] as DevnetOptions[])(
    'names the flag that lifts it, with %j',
    async (options) => {
      node = await startNode({ automine: true, ...options });
      const [from] = node.accounts;
      const error = await errorOf('eth_sendTransaction', { from, to: ALICE, ...over });
      expect([-32000, -32003]).toContain(error.code);
      expect(error.message).toContain('--disable-tx-gas-limit');
    },
  );

  it('is lifted by it', async () => {
    node = await startNode({ compat: 'hardhat', disableTxGasLimit: true });
    const [from] = node.accounts;
    expect(await node.codeOf('eth_sendTransaction', { from, to: ALICE, ...over })).toBeUndefined();
    expect(() => resolveOptions({ enableTxGasLimit: true, disableTxGasLimit: true })).toThrow(OptionConflict);
  });
});
