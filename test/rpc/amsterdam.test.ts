import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES } from '../../src/engine/engine-name.ts';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { callsOf } from '../wire.ts';

const EMPTY_LIST_HASH = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
const NEW = '0x00000000000000000000000000000000000000aa';
/** contracts that the protocol calls in each block */
const CALLED = [
  '0x00000961ef480eb55e80d19ad83579a64c007002',
  '0x000064d678505ad48f8ccb093bc65613800e8282',
  '0x0000bbddc7ce488642fb579f8b00f3a590007251',
  '0x0000bff46984e3725691fa540a8c7589300d8282',
  '0x0000f90827f1c53a10cb7a02335b175320002935',
  '0x000f3df6d732807ef1319fb7b8bb8522d0beac02',
];

interface Account {
  readonly address: string;
  readonly balanceChanges: readonly { index: string; value: string }[];
}

describe.each(ENGINES)('a node with --hardfork amsterdam, engine %s', (engine) => {
  let node: Devnet;
  let rpc: ReturnType<typeof callsOf>;
  let from: string;
  beforeAll(async () => {
    node = await createDevnet({ engine, hardfork: 'amsterdam', automine: true, manualClock: true });
    rpc = callsOf(node);
    from = node.accounts[0]!.address.toLowerCase();
    await rpc('eth_sendTransaction', { from, to: NEW, value: '0x1' });
    await rpc('evm_mine');
  });
  afterAll(() => node.close());

  it('begins with the hash of an empty access list, and slot 0', async () => {
    const genesis = await rpc('eth_getBlockByNumber', '0x0', false);
    expect(genesis).toMatchObject({
      blockAccessListHash: EMPTY_LIST_HASH,
      slotNumber: '0x0',
      gasLimit: '0xbebc200',
    });
    expect(await rpc('debug_getRawBlockAccessList', '0x0')).toBe('0xc0');
  });

  it('counts a transfer to a new account by the dimension that used more', async () => {
    const { gasUsed } = await rpc('eth_getBlockByNumber', '0x1', false);
    const [receipt] = await rpc('eth_getBlockReceipts', '0x1');
    expect(BigInt(gasUsed)).toBe(183_600n);
    expect(BigInt(receipt.gasUsed)).toBe(204_600n);
    expect(BigInt(receipt.cumulativeGasUsed)).toBe(204_600n);
    expect(receipt.logs).toHaveLength(1);
    expect(await rpc('eth_getLogs', { fromBlock: '0x1', toBlock: '0x1' })).toEqual(receipt.logs);
  });

  it.each(['0x1', '0x2', 'latest', 'pending'])(
    'has the list whose hash is in the header of block %s',
    async (tag) => {
      const { blockAccessListHash, number } = await rpc('eth_getBlockByNumber', tag, false);
      const raw = await rpc('debug_getRawBlockAccessList', tag);
      expect(bytesToHex(keccak256(hexToBytes(raw)))).toBe(blockAccessListHash);
      const list: Account[] = await rpc('eth_getBlockAccessList', tag);
      expect(list.map(({ address }) => address)).toEqual(
        (RLP.decode(hexToBytes(raw)) as Uint8Array[][]).map(([address]) => bytesToHex(address!)),
      );
      for (const address of CALLED) expect(list.map((account) => account.address)).toContain(address);
      expect(BigInt((await rpc('eth_getBlockByNumber', tag, false)).slotNumber)).toBe(BigInt(number));
    },
  );

  it('lists the recipient with its balance after the transaction, by index', async () => {
    const list: Account[] = await rpc('eth_getBlockAccessList', '0x1');
    expect(list.find(({ address }) => address === NEW)?.balanceChanges).toEqual([
      { index: '0x1', value: '0x1' },
    ]);
    const changed: Account[] = await rpc('devnet_blockAccesses', '0x1', '0x1');
    expect(changed.map(({ address }) => address)).toContain(NEW);
    expect(
      (await rpc('devnet_blockAccesses', '0x1', '0x0')).map((account: Account) => account.address),
    ).toEqual(['0x0000f90827f1c53a10cb7a02335b175320002935', '0x000f3df6d732807ef1319fb7b8bb8522d0beac02']);
  });

  it('answers null for a block that is not there', async () => {
    expect(await rpc('eth_getBlockAccessList', '0x99')).toBeNull();
    expect(await rpc('debug_getRawBlockAccessList', `0x${'11'.repeat(32)}`)).toBeNull();
  });

  it.each<[string, object, bigint]>([
    ['a transfer', { to: '0x70997970c51812dc3a010c7d01b50e0d17dc79c8', value: '0x1' }, 21_000n],
    [
      'a transfer to a new account',
      { to: '0x00000000000000000000000000000000000000ab', value: '0x1' },
      204_600n,
    ],
  ])('estimates %s exactly', async (_, call, expected) => {
    expect(BigInt(await rpc('eth_estimateGas', { from, ...call }))).toBe(expected);
  });

  it('estimates the peak where state gas comes back', async () => {
    // a creation that sets a slot and clears it again: PUSH1 1 PUSH0 SSTORE PUSH0 PUSH0 SSTORE STOP
    const call = { from, data: '0x60015f555f5f5500' };
    const estimate = BigInt(await rpc('eth_estimateGas', call));
    const { gasUsed } = (await rpc('eth_simulateV1', { blockStateCalls: [{ calls: [call] }] }, 'latest'))[0]
      .calls[0];
    expect(estimate).toBeGreaterThan(BigInt(gasUsed) + 90_000n);
    await rpc('eth_call', { ...call, gas: `0x${estimate.toString(16)}` }, 'latest');
    await expect(
      rpc('eth_call', { ...call, gas: `0x${(estimate - 10_000n).toString(16)}` }, 'latest'),
    ).rejects.toThrow();
  });

  it('deploys the largest code', async () => {
    // PUSH3 65536 PUSH0 RETURN
    const hash = await rpc('eth_sendTransaction', { from, data: '0x620100005ff3' });
    const { status, contractAddress } = await rpc('eth_getTransactionReceipt', hash);
    expect(status).toBe('0x1');
    expect(await rpc('eth_getCode', contractAddress, 'latest')).toHaveLength(2 + 2 * 65_536);
  });

  it('simulates with one log for each transfer, also with traceTransfers, and a list', async () => {
    const calls = [
      { from, to: NEW, value: '0x1' },
      { from, to: '0x00000000000000000000000000000000000000ba', value: '0x1' },
      { from, to: NEW, value: '0x1' },
    ];
    const [byText, byObjects] = await Promise.all(
      [false, true].map((returnFullTransactions) =>
        rpc(
          'eth_simulateV1',
          { blockStateCalls: [{ calls }], traceTransfers: true, returnFullTransactions },
          'latest',
        ),
      ),
    );
    expect(byText[0].hash).toBe(byObjects[0].hash);
    for (const [block] of [byText, byObjects]) {
      expect(block.calls[0].logs.map(({ address }: { address: string }) => address)).toEqual([
        '0xfffffffffffffffffffffffffffffffffffffffe',
      ]);
      expect(block.blockAccessListHash).toMatch(/^0x[0-9a-f]{64}$/);
      expect(block.slotNumber).toBe(block.number);
    }
  });

  it('traces execution and state gas', async () => {
    const hash = await rpc('eth_sendTransaction', { from, data: '0x60015f5500' });
    const { structLogs, ...totals } = await rpc('debug_traceTransaction', hash);
    expect(totals).toMatchObject({ executionGasUsed: 36_175, stateGasUsed: 281_520, gasRefund: 0 });
    expect(structLogs[2]).toMatchObject({
      op: 'SSTORE',
      gasCost: 12_100,
      stateGasCost: 97_920,
      stateGasReservoir: 0,
    });
    expect(await rpc('debug_traceTransaction', hash, { tracer: 'callTracer' })).toMatchObject({
      executionGasUsed: '0x8d4f',
      stateGasUsed: '0x44bb0',
      gasRefund: '0x0',
    });
  });
});

it('the lists are there after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'devnet-amsterdam-'));
  const options = { hardfork: 'amsterdam', automine: true, manualClock: true, dataDir } as const;
  try {
    const lists = [];
    for (let start = 0; start < 2; start++) {
      const node = await createDevnet(options);
      const rpc = callsOf(node);
      const [from, to] = node.accounts.map(({ address }) => address);
      if (start === 0) await rpc('eth_sendTransaction', { from, to, value: '0x1' });
      lists.push([await rpc('eth_getBlockAccessList', '0x0'), await rpc('eth_getBlockAccessList', '0x1')]);
      await node.close();
    }
    expect(lists[0]![0]).toEqual([]);
    expect(lists[0]![1]).not.toEqual([]);
    expect(lists[1]).toEqual(lists[0]);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

it.each(ENGINES)('an open block tells what each of its indexes has accessed, engine %s', async (engine) => {
  const node = await createDevnet({ engine, hardfork: 'amsterdam', blockTime: 2, manualClock: true });
  try {
    const rpc = callsOf(node);
    const [from, to] = node.accounts.map(({ address }) => address);
    await rpc('eth_sendTransaction', { from, to, value: '0x1' });
    await rpc('devnet_tick');
    const pending = await rpc('devnet_blockAccesses', 'pending', '0x1');
    expect(pending.map(({ address }: Account) => address)).toContain(to!.toLowerCase());
    await rpc('devnet_seal');
    const list: Account[] = await rpc('eth_getBlockAccessList', '0x1');
    expect(list.map(({ address }) => address)).toEqual(
      expect.arrayContaining([to!.toLowerCase(), ...CALLED]),
    );
  } finally {
    await node.close();
  }
});

it.each(ENGINES)('blocks are traced with --print-traces, engine %s', async (engine) => {
  const lines: string[] = [];
  const node = await createDevnet(
    { engine, hardfork: 'amsterdam', automine: true, manualClock: true, printTraces: true, silent: false },
    { onLog: (line) => lines.push(line) },
  );
  try {
    const [from, to] = node.accounts.map(({ address }) => address);
    const hash = await callsOf(node)('eth_sendTransaction', { from, to, value: '0x1' });
    expect(await callsOf(node)('eth_getTransactionReceipt', hash)).toMatchObject({ gasUsed: '0x5208' });
    expect(lines.join('\n')).toContain(`${to}::fallback{value: 1}`);
  } finally {
    await node.close();
  }
});

it('an older block has no access list: -32001', async () => {
  const node = await createDevnet({ automine: true, manualClock: true });
  try {
    await expect(callsOf(node)('eth_getBlockAccessList', 'latest')).rejects.toMatchObject({ code: -32001 });
  } finally {
    await node.close();
  }
});

it('amsterdam is refused on an OP chain', async () => {
  await expect(createDevnet({ hardfork: 'amsterdam', optimism: true })).rejects.toThrow(/hardfork/);
});
