import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hexToBytes } from '@ethereumjs/util';
import { encodeFunctionData, parseAbi, toHex } from 'viem';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type DevnetOptions } from '../../../src/index.ts';
import { resolveOptions } from '../../../src/options/options.ts';
import { fastLzLength } from '../../../src/protocol/op-stack/fast-lz.ts';
import { encodeLine } from '../../../src/recorder/lines.ts';
import { exportChain } from '../../../src/replay/export-chain.ts';
import { replayRecording } from '../../../src/replay/replay-recording.ts';
import { PREDEPLOYS } from '../../../src/state/predeploys.ts';
import { agree, closeNodesAfterEachTest, follower, sequencer } from '../../follow/nodes.ts';
import { listen, liveNode } from '../../live-node.ts';
import { callsOf, type Wire } from '../../wire.ts';

closeNodesAfterEachTest();

type Live = Awaited<ReturnType<typeof liveNode>>;
let open: Live[] = [];
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-rollup-'));
});
afterEach(async () => {
  for (const live of open) await live.close();
  open = [];
  rmSync(dir, { recursive: true });
});

async function rollup(options: DevnetOptions = {}): Promise<Live> {
  const live = await liveNode({ optimism: true, ...options });
  open.push(live);
  return live;
}

const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const L1_BLOCK = PREDEPLOYS.l1Block;
const word = (value: bigint | number) => toHex(value, { size: 32 });
const block = ({ call }: Pick<Live, 'call'>, at = 'latest', full = true) =>
  call('eth_getBlockByNumber', at, full);

/** What the L1Block contract says at a block. */
async function l1At({ call }: Pick<Live, 'call'>, at = 'latest') {
  const read = async (slot: number) =>
    BigInt(await call('eth_getStorageAt', L1_BLOCK, `0x${slot.toString(16)}`, at));
  const place = await read(0);
  return {
    number: place & (2n ** 64n - 1n),
    timestamp: place >> 64n,
    sequence: (await read(3)) & (2n ** 64n - 1n),
    baseFee: await read(1),
    hash: await read(2),
  };
}

/** Fails unless the block begins with the deposit of L1 attributes that the contract then shows. */
async function expectLed(live: Pick<Live, 'call'>, at = 'latest') {
  const { transactions, timestamp } = await block(live, at);
  const [first, ...rest] = transactions;
  expect(first).toMatchObject({ type: '0x7e', from: DEPOSITOR, to: L1_BLOCK, gas: '0xf4240' });
  expect(rest.filter(({ from }: Wire) => from === DEPOSITOR)).toEqual([]);
  const { number, timestamp: l1Time, sequence } = await l1At(live, at);
  const data = first.input as string;
  const field = (start: number, end: number) => BigInt(`0x${data.slice(2 + 2 * start, 2 + 2 * end)}`);
  expect([field(12, 20), field(20, 28), field(28, 36)]).toEqual([sequence, l1Time, number]);
  expect(BigInt(timestamp) - l1Time).toBeLessThan(12n);
  return { number, sequence };
}

describe('L1 attributes', () => {
  it('lead the block being built from its first flashblock on, in interval mode', async () => {
    const live = await rollup();
    const stream = await listen(`${live.url}/flashblocks?backfill=1`);
    expect((await block(live, 'pending')).transactions).toHaveLength(1);
    await expectLed(live, 'pending');
    const hash = await live.send();
    await live.tick();
    expect((await block(live, 'pending', false)).transactions[1]).toBe(hash);
    await live.seal();
    await expectLed(live);
    const [first, second] = await stream.take(2);
    expect([first.diff.transactions.length, second.diff.transactions.length]).toEqual([1, 1]);
    expect(first.diff.transactions[0]).toMatch(/^0x7e/);
  });

  it.each([{ automine: true }, { noMining: true }, { mixedMining: true }, { flashblockInterval: 0 }])(
    'lead each block with %o',
    async (mode) => {
      const live = await rollup(mode);
      const hash = await live.send();
      if (!('automine' in mode) && !('mixedMining' in mode)) await live.call('evm_mine');
      const { transactions } = await block(live, '0x1', false);
      expect(transactions).toHaveLength(2);
      expect(transactions[1]).toBe(hash);
      await expectLed(live);
      await live.call('evm_mine');
      await expectLed(live);
      expect((await block(live, 'pending')).transactions[0].from).toBe(DEPOSITOR);
    },
  );

  it('make no block where a send makes none, and count for no limit on transactions', async () => {
    const live = await rollup({ maxTransactions: 1 });
    const hash = await live.send();
    await live.seal();
    expect((await block(live, 'latest', false)).transactions[1]).toBe(hash);
    // An open block with nothing else isn't sealed at the end, and takes settings for the next block.
    await live.call('evm_setNextBlockTimestamp', 1_700_009_999);
    await live.seal();
    expect(BigInt((await block(live)).timestamp)).toBe(1_700_009_999n);
  });

  it('count the blocks of one block of L1, which come every 12 seconds', async () => {
    const live = await rollup({ noMining: true });
    const seen: unknown[] = [];
    for (let i = 0; i < 8; i++) {
      await live.call('evm_setNextBlockTimestamp', 1_700_000_100 + 4 * i);
      await live.call('evm_mine');
      const { number, sequence } = await expectLed(live);
      seen.push([number, sequence]);
    }
    expect(seen).toEqual([
      [0n, 0n],
      [0n, 1n],
      [0n, 2n],
      [1n, 0n],
      [1n, 1n],
      [1n, 2n],
      [2n, 0n],
      [2n, 1n],
    ]);
    await live.call('evm_increaseTime', 3_600);
    await live.call('evm_mine');
    expect((await expectLed(live)).number).toBeGreaterThanOrEqual(301n);
  });

  it('keep what is written to the contract, from the next block on that is opened', async () => {
    const live = await rollup();
    const said = async (at: string) => {
      const { input } = (await block(live, at)).transactions[0];
      return BigInt(`0x${input.slice(2 + 72, 2 + 136)}`);
    };
    // Nothing was sent to the open block yet: it is opened again.
    await live.call('anvil_setStorageAt', L1_BLOCK, '0x1', word(7n));
    expect([(await l1At(live, 'pending')).baseFee, await said('pending')]).toEqual([7n, 7n]);
    await live.send();
    await live.tick();
    await live.call('anvil_setStorageAt', L1_BLOCK, '0x1', word(8n));
    expect([(await l1At(live, 'pending')).baseFee, await said('pending')]).toEqual([8n, 7n]);
    expect((await block(live, 'pending')).transactions).toHaveLength(2);
    await live.seal();
    expect([(await l1At(live)).baseFee, await said('latest')]).toEqual([8n, 7n]);
    await live.seal();
    expect([(await l1At(live)).baseFee, await said('latest')]).toEqual([8n, 8n]);
  });

  it('go on whatever is written to the contract', async () => {
    const live = await rollup({ noMining: true });
    for (const slot of [0, 1, 2, 3, 4, 7, 8])
      await live.call('anvil_setStorageAt', L1_BLOCK, word(slot), `0x${'ff'.repeat(32)}`);
    for (let i = 0; i < 2; i++) await live.call('evm_mine');
    const { transactions } = await block(live);
    expect(await live.call('eth_getTransactionReceipt', transactions[0].hash)).toMatchObject({
      status: '0x1',
    });
    expect((await l1At(live)).sequence).toBe(1n);
  });

  it('are in each of thousands of empty blocks, the same as in blocks made one by one', async () => {
    const options = { noMining: true };
    const [bulk, single] = [await rollup(options), await rollup(options)];
    await bulk.call('hardhat_mine', '0x96', '0x1');
    for (let i = 0; i < 150; i++) {
      const { timestamp } = await block(single, 'latest', false);
      await single.call(
        'evm_setNextBlockTimestamp',
        i === 0 ? Number((await block(bulk, '0x1')).timestamp) : Number(timestamp) + 1,
      );
      await single.call('evm_mine');
    }
    expect((await block(bulk)).hash).toBe((await block(single)).hash);
    for (const at of ['0x1', '0x40', '0x41', '0x96'])
      expect((await block(bulk, at)).transactions).toHaveLength(1);
    await expectLed(bulk);
  });

  it('are not in simulated blocks, which see those of the block before', async () => {
    const live = await rollup();
    const [simulated] = await live.call(
      'eth_simulateV1',
      { blockStateCalls: [{ calls: [{ to: L1_BLOCK, data: '0x64ca23ef' }] }] },
      'latest',
    );
    expect(simulated.transactions).toHaveLength(1);
    expect(simulated.calls[0]).toMatchObject({ status: '0x1', returnData: word(0) });
    const { extraData } = await block(live);
    expect(simulated.extraData).toBe(extraData);
  });

  it('lead no block where the contract has no code', async () => {
    const live = await rollup({ noMining: true });
    await live.call('anvil_setCode', L1_BLOCK, '0x');
    await live.call('evm_mine');
    expect((await block(live)).transactions).toEqual([]);
  });

  it('come anew in the blocks of a reorg, and after a revert', async () => {
    const live = await rollup();
    const hash = await live.send();
    await live.seal();
    const snapshot = await live.call('evm_snapshot');
    await live.seal();
    await live.call('devnet_reorg', 2);
    await expectLed(live);
    await live.seal();
    await expectLed(live, '0x1');
    expect(await live.call('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    expect(await live.call('txpool_status')).toEqual({ pending: '0x0', queued: '0x0' });
    expect(await live.call('evm_revert', snapshot)).toBe(false);
    const other = await live.call('evm_snapshot');
    await live.send();
    await live.tick();
    await live.call('evm_revert', other);
    await expectLed(live, 'pending');
  });

  it('stay when a pre-confirmed transaction is dropped', async () => {
    const live = await rollup();
    const [first, second] = [await live.send(), await live.send(live.accounts.second)];
    await live.tick();
    await live.call('devnet_dropPreconfirmed', first);
    const { transactions } = await block(live, 'pending', false);
    expect(transactions.slice(1)).toEqual([second]);
    await expectLed(live, 'pending');
    await expect(live.call('devnet_dropPreconfirmed', transactions[0])).rejects.toMatchObject({
      code: -32000,
    });
  });

  it('are the same for a follower, and after a restart from the directory', async () => {
    const live = await sequencer({ optimism: true });
    const other = await follower(live);
    await live.send();
    await live.tick();
    await agree(live, other);
    await live.seal();
    await live.seal();
    await agree(live, other);
    await agree(live, await follower(live));

    const options = { noMining: true, dataDir: join(dir, 'data') };
    const first = await rollup(options);
    await first.send();
    await first.seal();
    const before = await block(first);
    await first.close();
    open.pop();
    const again = await rollup(options);
    expect(await block(again)).toEqual(before);
    await again.seal();
    expect((await expectLed(again)).sequence).toBe(1n);
  });

  it('go on from those of the chain that is forked, and so do the fee parameters', async () => {
    const origin = await rollup({ preset: 'base-flashblocks' });
    await origin.seal();
    await origin.call('evm_increaseTime', 100);
    await origin.call('anvil_setStorageAt', L1_BLOCK, '0x1', word(5n));
    await origin.seal();
    await origin.seal();
    const before = await l1At(origin);
    expect(before.number).toBeGreaterThan(7n);
    const forkUrl = origin.node.url!;
    const fork = await rollup({ forkUrl, noMining: true, timestamp: undefined as never });
    const { timestamp, extraData, baseFeePerGas, gasUsed, gasLimit } = await block(origin);
    await fork.call('evm_setNextBlockTimestamp', Number(timestamp) + 2);
    await fork.call('evm_mine');
    const { number, sequence } = await expectLed(fork);
    expect([number, sequence]).toEqual([before.number, before.sequence + 1n]);
    expect((await l1At(fork)).baseFee).toBe(5n);
    const made = await block(fork);
    expect(made.extraData).toBe(extraData);
    const target = BigInt(gasLimit) / 6n;
    const fall = (BigInt(baseFeePerGas) * (target - BigInt(gasUsed))) / target / 125n;
    expect(BigInt(made.baseFeePerGas)).toBe(BigInt(baseFeePerGas) - fall);
  });

  it('are traced as a part of their block', async () => {
    const live = await rollup({ automine: true });
    await live.send();
    const traces = await live.call('debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' });
    expect(traces.map(({ result }: Wire) => result.from)).toEqual([DEPOSITOR, live.accounts.first]);
    expect(traces[0].result).toMatchObject({ to: L1_BLOCK, type: 'CALL' });
  });
});

describe('a chain of the OP Stack', () => {
  it('goes through a state file, with the fees of its receipts', async () => {
    const state = join(dir, 'state.json');
    const live = await rollup({ automine: true, dumpState: state });
    await live.send();
    const before = [await block(live), await live.call('eth_getBlockReceipts', 'latest')];
    expect(before[1][1]).toHaveProperty('l1Fee');
    await live.close();
    open.pop();
    const other = await rollup({ automine: true, loadState: state, timestamp: undefined as never });
    expect([await block(other), await other.call('eth_getBlockReceipts', 'latest')]).toEqual(before);
    await other.call('evm_mine');
    expect((await expectLed(other)).number).toBeGreaterThanOrEqual(0n);
  });

  it('takes a state file of a chain that had deposits only, and goes on as one of its own kind', async () => {
    const state = join(dir, 'state.json');
    const live = await liveNode({ optimism: true, depositsOnly: true, automine: true, dumpState: state });
    await live.send();
    await live.call('anvil_setCode', PREDEPLOYS.weth9, '0x6001');
    await live.close();
    const other = await rollup({ automine: true, loadState: state, timestamp: undefined as never });
    // What the file holds replaces what a new chain has.
    expect(await other.call('eth_getCode', PREDEPLOYS.weth9, 'latest')).toBe('0x6001');
    await other.call('evm_mine');
    await expectLed(other);
  });

  it('is not exported for clients of Ethereum', async () => {
    const options = { dataDir: join(dir, 'data'), timestamp: 1_700_000_000, optimism: true };
    const live = await liveNode({ ...options, noMining: true });
    await live.seal();
    await live.close();
    const exported = exportChain(resolveOptions(options), join(dir, 'out'), { version: '' });
    await expect(exported).rejects.toThrow(/transaction 0 is a deposit/);
  });

  it('refuses at once who can pay for gas and value, but not the L1 fee', async () => {
    const live = await rollup({ automine: true });
    const from = `0x${'12'.repeat(20)}`;
    const fee = 10n ** 10n;
    await live.call('anvil_impersonateAccount', from);
    await live.call('anvil_setBalance', from, toHex(21_000n * fee + 5n));
    const request = { from, to: from, value: '0x5', gas: '0x5208', maxFeePerGas: toHex(fee) };
    await expect(live.call('eth_sendTransaction', request)).rejects.toThrow(/insufficient funds/);
    await live.call('anvil_addBalance', from, toHex(10n ** 12n));
    const receipt = await live.call(
      'eth_getTransactionReceipt',
      await live.call('eth_sendTransaction', request),
    );
    expect(receipt.status).toBe('0x1');
    expect(BigInt(receipt.l1Fee)).toBeGreaterThan(0n);
  });

  it('of Cancun has the attributes of Ecotone', async () => {
    const live = await rollup({ hardfork: 'cancun', automine: true });
    await live.send();
    await expectLed(live);
    const { transactions, blobGasUsed } = await block(live);
    expect([transactions[0].input.slice(0, 10), transactions[0].input.length]).toEqual([
      '0x440a5e20',
      2 + 2 * 164,
    ]);
    expect(blobGasUsed).toBe('0x0');
    const [, receipt] = await live.call('eth_getBlockReceipts', 'latest');
    expect(BigInt(receipt.l1Fee)).toBe(3_630_400_105n);
    expect(receipt).not.toHaveProperty('daFootprintGasScalar');
  });

  it('is the same in each engine', async () => {
    const hashes = [];
    for (const engine of ['fast', 'ethereumjs', 'shadow'] as const) {
      const live = await rollup({ engine, automine: true });
      await live.send();
      await live.call('evm_mine');
      hashes.push((await block(live)).hash);
    }
    expect(new Set(hashes).size).toBe(1);
  });
});

describe('the header', () => {
  const PARAMETERS = '0x01000000020000000300000000000f4240';

  it.each<[string, DevnetOptions, string]>([
    ['OP Mainnet', {}, '0x01000000fa000000060000000000000000'],
    ['Base', { preset: 'base' }, '0x010000007d0000000600000000004c4b40'],
    ['Base before Denim', { preset: 'base-flashblocks' }, '0x010000007d0000000600000000001e8480'],
    ['Holocene', { hardfork: 'cancun' }, '0x00000000fa00000006'],
    ['the user', { extraData: PARAMETERS }, PARAMETERS],
    ['Ethereum before Cancun', { hardfork: 'shanghai' }, '0x'],
  ])('has the fee parameters of %s', async (_, options, extraData) => {
    const live = await rollup(options);
    await live.seal();
    for (const at of ['0x0', 'latest', 'pending']) expect((await block(live, at)).extraData).toBe(extraData);
  });

  it.each([
    ['base', '0x4c4b40'],
    ['base-flashblocks', '0x1e8480'],
  ] as const)('lets the base fee of --preset %s fall to %s wei', async (preset, least) => {
    const live = await rollup({ preset, baseFee: Number(least) + 1 });
    await live.seal();
    await live.seal();
    expect((await block(live)).baseFeePerGas).toBe(least);
  });

  it('refuses other extra data', async () => {
    for (const extraData of ['0x00', '0x000000000000000006', `${PARAMETERS}00`])
      await expect(rollup({ extraData })).rejects.toThrow(/extraData.*base fee/);
  });

  it('makes the base fee follow from them: denominator 2, elasticity 3, at least 1,000,000 wei', async () => {
    const live = await rollup({
      noMining: true,
      extraData: PARAMETERS,
      baseFee: 2_000_000,
      gasLimit: 3_000_000,
    });
    await live.call('evm_mine');
    const { baseFeePerGas, gasUsed } = await block(live);
    // The genesis block used nothing: the fee falls by one half, to the least one.
    expect(BigInt(baseFeePerGas)).toBe(1_000_000n);
    expect(BigInt((await block(live, 'pending')).baseFeePerGas)).toBe(1_000_000n);
    expect(BigInt(gasUsed)).toBeLessThan(1_000_000n);
    await live.send(live.accounts.first, { gas: '0x1e8480', data: `0x${'ff'.repeat(40_000)}` });
    await live.call('evm_mine');
    const full = await block(live);
    const metered = BigInt(full.gasUsed) > BigInt(full.blobGasUsed) ? full.gasUsed : full.blobGasUsed;
    const rise = (1_000_000n * (BigInt(metered) - 1_000_000n)) / 1_000_000n / 2n;
    expect(rise).toBeGreaterThan(0n);
    expect(BigInt((await block(live, 'pending')).baseFeePerGas)).toBe(1_000_000n + rise);
    const history = await live.call('eth_feeHistory', '0x1', 'latest', []);
    expect(BigInt(history.baseFeePerGas[1])).toBe(1_000_000n + rise);
  });

  it('counts the footprint of the data as blob gas, and no more of it than the gas limit', async () => {
    const live = await rollup({ noMining: true, gasLimit: 2_000_000 });
    const { first } = live.accounts;
    let seed = 1;
    const noise = Array.from({ length: 3_000 }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return (seed & 255).toString(16).padStart(2, '0');
    }).join('');
    const hashes = [];
    for (let i = 0; i < 3; i++) hashes.push(await live.send(first, { data: `0x${noise}`, gas: '0x30d40' }));
    await live.call('evm_mine');
    const { transactions, blobGasUsed } = await block(live);
    let footprint = 0n;
    for (const { hash } of transactions.slice(1)) {
      const raw = hexToBytes(await live.call('eth_getRawTransactionByHash', hash));
      footprint += 400n * ((836_500n * BigInt(fastLzLength(raw)) - 42_585_600n) / 1_000_000n);
    }
    expect(footprint).toBeGreaterThan(900_000n);
    expect(BigInt(blobGasUsed)).toBe(footprint);
    expect(transactions.slice(1).map(({ hash }: Wire) => hash)).toEqual(hashes.slice(0, 1));
    await live.call('evm_mine');
    expect((await block(live)).transactions[1].hash).toBe(hashes[1]);
  });

  it('has the storage root of the message passer, and no requests', async () => {
    const live = await rollup({ automine: true });
    const passer = PREDEPLOYS.messagePasser;
    const before = (await block(live)).withdrawalsRoot;
    const data = encodeFunctionData({
      abi: parseAbi(['function initiateWithdrawal(address,uint256,bytes) payable']),
      args: [live.accounts.first as `0x${string}`, 100_000n, '0x'],
    });
    await live.send(live.accounts.first, { to: passer, data, value: '0x1', gas: '0x30d40' });
    const { withdrawalsRoot, requestsHash } = await block(live);
    expect(withdrawalsRoot).not.toBe(before);
    expect(withdrawalsRoot).toBe((await live.call('eth_getProof', passer, [], 'latest')).storageHash);
    expect(requestsHash).toBe('0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
    const [simulated] = await live.call('eth_simulateV1', { blockStateCalls: [{}] }, 'latest');
    expect(simulated.withdrawalsRoot).toBe(word(0));
    const withRoots = await rollup({ automine: true, simulateStateRoot: true });
    const [rooted] = await withRoots.call('eth_simulateV1', { blockStateCalls: [{}] }, 'latest');
    expect(rooted.withdrawalsRoot).toBe((await block(withRoots)).withdrawalsRoot);
  });

  it('has tips go to the vault of the sequencer', async () => {
    const live = await rollup({ automine: true });
    await live.send();
    expect((await block(live)).miner).toBe(PREDEPLOYS.sequencerFeeVault);
    expect(BigInt(await live.call('eth_getBalance', PREDEPLOYS.sequencerFeeVault, 'latest'))).toBe(
      21_000n * 10n ** 9n,
    );
  });

  it('goes with blocks that are imported, each rule checked', async () => {
    const live = await rollup({ noMining: true });
    await live.send();
    await live.seal();
    await live.seal();
    const genesis = await block(live, '0x0');
    const encoded = await Promise.all(['0x1', '0x2'].map((at) => live.call('debug_getRawBlock', at)));
    const file = join(dir, 'chain.rlp');
    writeFileSync(file, Buffer.from(encoded.map((text) => text.slice(2)).join(''), 'hex'));
    const options = { port: 0, timestamp: Number(genesis.timestamp), import: file, optimism: true };
    const node = await createDevnet(options);
    expect((await callsOf(node)('eth_getBlockByNumber', '0x2', false)).hash).toBe((await block(live)).hash);
    await node.close();
    await expect(createDevnet({ ...options, extraData: '0x00000000fa00000006' })).rejects.toThrow(/block 1/);
  });
});

it('blob transactions are refused', async () => {
  const live = await rollup({ automine: true });
  const blob = {
    from: live.accounts.first,
    to: L1_BLOCK,
    maxFeePerBlobGas: '0x5f5e100',
    blobVersionedHashes: [`0x01${'1'.repeat(62)}`],
  };
  await expect(live.call('eth_call', blob, 'latest')).rejects.toThrow(/no blobs/);
});

describe('what was made before', () => {
  /** Removes an option from a recording: older versions didn't write it. */
  const without = (file: string, name: string) => {
    const [first, ...rest] = readFileSync(file, 'utf8').split('\n');
    const { sum, ...line } = JSON.parse(first!);
    expect(line.options).toHaveProperty(name);
    delete line.options[name];
    writeFileSync(file, [encodeLine(line), ...rest].join('\n'));
  };

  it.each<[string, DevnetOptions, string]>([
    ['--optimism', { optimism: true, depositsOnly: true }, 'depositsOnly'],
    ['--preset', { preset: 'base-flashblocks', optimism: false }, 'optimism'],
  ])('a recording with %s is replayed to the same hashes', async (_, options, name) => {
    const record = join(dir, 'chain.jsonl');
    const live = await liveNode({ ...options, record });
    await live.send();
    await live.tick();
    await live.seal();
    const { hash, extraData, transactions } = await block(live);
    expect([extraData, transactions.length]).toEqual(['0x', 1]);
    await live.close();
    without(record, name);
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
  });

  it('a recording with --preset base-denim of a version before Denim is replayed to the same hashes', async () => {
    const record = join(dir, 'chain.jsonl');
    const then = { disableTxGasLimit: true, extraData: '0x010000007d0000000600000000001e8480' } as const;
    const live = await liveNode({ preset: 'base', ...then, record });
    // More gas than EIP-7825 lets a transaction have.
    await live.call('eth_sendTransaction', { from: live.accounts.first, to: L1_BLOCK, gas: '0x1000001' });
    await live.tick(600);
    const { hash, transactions } = await block(live, '0x1');
    expect(transactions).toHaveLength(2);
    const { hash: last } = await block(live);
    await live.close();
    for (const name of ['disableTxGasLimit', 'enableTxGasLimit', 'extraData']) without(record, name);
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: last });
    expect(hash).not.toBe(last);
  });

  it.each<[DevnetOptions, DevnetOptions]>([
    [{ optimism: true, depositsOnly: true }, { optimism: true }],
    [{ preset: 'base-flashblocks', optimism: false }, { preset: 'base-flashblocks' }],
  ])('a directory made with %o goes on with its rules when opened with %o', async (made, opened) => {
    const dataDir = join(dir, 'data');
    const first = await liveNode({ ...made, dataDir });
    await first.seal();
    await first.close();
    const again = await liveNode({ ...opened, dataDir });
    open.push(again);
    await again.seal();
    const { extraData, transactions } = await block(again, '0x2');
    expect([extraData, transactions.length]).toEqual(['0x', 0]);
  });

  /** Of version 0.1.0 before it had proxies, with the timestamp of {@link liveNode}. */
  const BARE_GENESIS = '0xc3a03394e9723af1564f79a7a1eefdbca95aa68c454192c9698cd14b1d6453cf';

  it('a recording of a chain without proxies is replayed to the same hashes', async () => {
    const record = join(dir, 'chain.jsonl');
    const live = await rollup({ barePredeploys: true, automine: true, record });
    await live.send();
    expect((await block(live, '0x0')).hash).toBe(BARE_GENESIS);
    const { hash } = await block(live);
    await live.close();
    open.pop();
    without(record, 'barePredeploys');
    expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
  });

  it('a directory of a chain without proxies goes on', async () => {
    const dataDir = join(dir, 'data');
    const live = await rollup({ barePredeploys: true, dataDir });
    await live.seal();
    await live.close();
    open.pop();
    const again = await rollup({ dataDir });
    await again.seal();
    expect((await block(again, '0x0')).hash).toBe(BARE_GENESIS);
    await expectLed(again, '0x2');
  });

  it('a directory is not opened with other rules that were asked for', async () => {
    const dataDir = join(dir, 'data');
    const first = await liveNode({ optimism: true, dataDir });
    await first.close();
    expect(existsSync(dataDir)).toBe(true);
    await expect(liveNode({ optimism: true, depositsOnly: true, dataDir })).rejects.toThrow(
      /made without --deposits-only/,
    );
  });

  it('a recording of now is replayed to the same hashes', async () => {
    for (const options of [{ preset: 'base-flashblocks' as const }, { optimism: true, automine: true }]) {
      const record = join(dir, `${Object.keys(options)[0]}.jsonl`);
      const live = await liveNode({ ...options, record });
      await live.call('anvil_setStorageAt', L1_BLOCK, '0x7', word(3n));
      await live.send();
      if (!('automine' in options)) await live.tick();
      await live.call('anvil_setStorageAt', L1_BLOCK, '0x1', word(9n));
      await live.call('evm_mine');
      const { hash } = await block(live);
      await live.close();
      expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: hash });
    }
  });
});
