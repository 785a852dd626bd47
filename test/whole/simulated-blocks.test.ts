import { afterEach, describe, expect, it } from 'vitest';
import { type CallFrame, createDevnet, type DevnetOptions } from '../../src/index.ts';
import { callsOf, type Wire } from '../wire.ts';

const RICH = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
const BOB = '0x0000000000000000000000000000000000000b0b';
/** returns and logs what is in slot 0, and stores its value there */
const STORING = '0x00000000000000000000000000000000000000cc';
const REVERTING = '0x00000000000000000000000000000000000000dd';
const DEPOSITOR = '0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001';
const L1_BLOCK = '0x4200000000000000000000000000000000000015';
const source = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;

const open: Awaited<ReturnType<typeof createDevnet>>[] = [];
afterEach(async () => {
  for (const node of open.splice(0)) await node.close();
});

/** A chain with the two contracts, of which the first has a 7 in its slot. */
async function chain(options: DevnetOptions, onTrace?: (root: CallFrame) => void) {
  const node = await createDevnet(
    { timestamp: 1_700_000_000, automine: true, manualClock: true, ...options },
    { onTrace },
  );
  open.push(node);
  const call = callsOf(node);
  await call('anvil_setCode', STORING, '0x6000546000523460005560206000a060206000f3');
  await call('anvil_setCode', REVERTING, '0x602a60005260206000fd');
  await call('eth_sendTransaction', { from: RICH, to: STORING, value: '0x7' });
  return call;
}

/**
 * What a simulation comes to with the engine that users have, whose core writes the blocks; with EthereumJS they are objects that are
 * formatted. Fails unless both are the same.
 */
async function simulated(options: DevnetOptions, simulation: Wire, tag = 'latest'): Promise<Wire> {
  const own = await (await chain(options))('eth_simulateV1', simulation, tag);
  const reference = await chain({ ...options, engine: 'ethereumjs' });
  expect(own).toEqual(await reference('eth_simulateV1', simulation, tag));
  return own;
}

const CALLS = [
  { from: RICH, to: STORING, value: '0x9' },
  { from: RICH, to: REVERTING },
  { from: RICH, input: '0x6001600055600160005360016000f3' },
  { from: BOB, to: STORING },
].map((call) => ({ ...call, gas: '0x186a0' }));
const TWO_BLOCKS = {
  blockStateCalls: [
    { calls: CALLS, stateOverrides: { [BOB]: { balance: '0x64', nonce: '0x3' } } },
    { calls: CALLS, blockOverrides: { feeRecipient: BOB } },
  ],
  returnFullTransactions: true,
};

describe('simulated blocks with roots of the state', () => {
  it.each(['homestead', 'byzantium', 'berlin', 'paris', 'cancun', 'osaka', 'amsterdam'] as const)(
    'are the same with both engines at %s',
    async (hardfork) => {
      const [first, second] = await simulated({ hardfork, simulateStateRoot: true }, TWO_BLOCKS);
      expect(new Set([first.stateRoot, second.stateRoot, source(0)]).size).toBe(3);
    },
  );

  it('have the root that the block gets in which the calls are sent', async () => {
    const call = await chain({ hardfork: 'shanghai', simulateStateRoot: true });
    const [block] = await call(
      'eth_simulateV1',
      {
        blockStateCalls: [
          { calls: [{ from: RICH, to: STORING, value: '0x9', gas: '0x186a0', gasPrice: '0x77359400' }] },
        ],
        validation: true,
      },
      'latest',
    );
    await call('eth_sendTransaction', {
      from: RICH,
      to: STORING,
      value: '0x9',
      gas: '0x186a0',
      gasPrice: '0x77359400',
    });
    const mined = await call('eth_getBlockByNumber', 'latest', false);
    expect(block).toMatchObject({ number: mined.number, gasUsed: mined.gasUsed, stateRoot: mined.stateRoot });
  });

  it('are continued from the open block', async () => {
    await simulated({ automine: false, simulateStateRoot: true }, TWO_BLOCKS, 'pending');
  });
});

describe('simulated blocks of an OP chain', () => {
  const l1Attributes = (scalar: number) =>
    `0x3db6be2b${'0'.repeat(2 * 172)}${scalar.toString(16).padStart(4, '0')}`;
  const deposits = [
    { from: DEPOSITOR, to: L1_BLOCK, sourceHash: source(1), gas: '0xf4240', data: l1Attributes(400) },
    { from: BOB, to: STORING, sourceHash: source(2), mint: '0x9', value: '0x5', gas: '0x186a0' },
    { from: BOB, sourceHash: source(3), input: '0x6001600055600160005360016000f3' },
    { from: BOB, to: REVERTING, sourceHash: source(4), mint: '0x1' },
  ];

  it.each(['holocene', 'jovian', 'karst'] as const)(
    'have deposits, and are the same with both engines at %s',
    async (hardfork) => {
      for (const simulateStateRoot of [false, true])
        for (const returnFullTransactions of [false, true]) {
          const blockStateCalls = [{ calls: [...deposits, ...CALLS] }, { calls: CALLS }];
          const options = { hardfork, optimism: true, simulateStateRoot };
          const [first] = await simulated(options, { blockStateCalls, returnFullTransactions });
          expect(first.calls.map(({ status }: Wire) => Number(status))).toEqual([1, 1, 1, 0, 1, 0, 1, 1]);
          expect(BigInt(first.blobGasUsed) > 0n).toBe(hardfork !== 'holocene');
        }
    },
  );

  it('refuse a deposit that can not begin, and what its sender can not pay', async () => {
    const errors = [];
    for (const engine of ['fast', 'ethereumjs'] as const) {
      const call = await chain({ optimism: true, engine });
      for (const sent of [
        { ...deposits[1], value: '0xa' },
        { ...deposits[1], gas: '0x1' },
        { from: BOB, to: RICH, value: '0x1' },
      ])
        errors.push(
          await call('eth_simulateV1', { blockStateCalls: [{ calls: [sent] }] }, 'latest').catch(
            ({ code, message }: Wire) => ({ code, message }),
          ),
        );
    }
    expect(errors.slice(0, 3)).toEqual(errors.slice(3));
    expect(errors.map((error) => typeof error.code)).toEqual(Array(6).fill('number'));
  });
});

it('simulated calls are traced as those of transactions, with what they call', async () => {
  const traced: Wire[] = [];
  for (const engine of ['fast', 'ethereumjs'] as const)
    for (const optimism of [false, true]) {
      const frames: CallFrame[] = [];
      const call = await chain({ engine, optimism }, (root) => frames.push(root));
      frames.length = 0;
      await call('eth_simulateV1', TWO_BLOCKS, 'latest');
      traced.push(frames);
    }
  expect(traced[0]).toHaveLength(8);
  expect(traced.slice(0, 2)).toEqual(traced.slice(2));
});
