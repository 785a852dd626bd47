import { Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/chain/block.ts';
import { BlockBuilder } from '../../src/chain/block-builder.ts';
import type { BlockPlan } from '../../src/chain/block-draft.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import type { GenesisAccount, GenesisAlloc } from '../../src/state/genesis.ts';
import { WITHDRAWAL_REQUESTS } from '../../src/state/genesis-code.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { allocOf, at, RICH } from '../engine/ethereumjs/scenarios.ts';
import { engineOf, hashOfBlock, stockCommon } from '../engine/ethereumjs/stock.ts';
import { FUZZ, runs } from '../fuzz.ts';
import {
  filled,
  hashesFrom,
  madeOf,
  PLAN,
  parentOf,
  SYSTEM,
  scenarioFields,
  signAll,
  signerFor,
  stepwise,
  whole,
} from './both-ways.ts';

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2, 3]],
  ['osaka', [0, 1, 2, 3, 4, 4]],
  ['amsterdam', [0, 1, 2, 3, 4, 4]],
];

describe.each(FORKS)('%s: a block that the fast engine makes whole', (hardfork, types) => {
  const { engine: reference } = engineOf(hardfork);
  const { engine } = engineOf(hardfork, 'fast');
  const scenario = fc.record({
    ...scenarioFields(types, 3, true, hardfork),
    withdrawals: fc.array(
      fc.tuple(fc.constantFrom(at(0x4001), at(0x3001), RICH[0]!.address), fc.bigInt(0n, 99n)),
      {
        maxLength: 2,
      },
    ),
  });

  it('is the one that EthereumJS makes step by step, and so is the next one on it', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs, withdrawals }) => {
        const source = new MemorySource();
        let parent = parentOf(new Map([...allocOf(programs, withEmpty), ...SYSTEM]), source);
        const hashes = hashesFrom(parent);
        for (let first = 0; first < specs.length; first += 4) {
          const plan: BlockPlan = {
            ...PLAN,
            timestamp: PLAN.timestamp + BigInt(first),
            coinbase: env.coinbase,
            baseFeePerGas: env.baseFeePerGas,
            withdrawals: withdrawals.map(([address, amount], i) => ({
              index: BigInt(i),
              validatorIndex: 5n,
              address,
              amount,
            })),
          };
          const before = TrieState.at(source, parent.header.stateRoot);
          const list = signAll(specs.slice(first, first + 4), before, transactionOf);
          const expected = await stepwise({ ...parent, state: before }, plan, reference, list, hashes.hashOf);
          const { block, made } = await whole(parent, plan, engine, list, hashes.hashOf);
          expect(made).toEqual(expected);
          // Stored as the chain stores it, and built on.
          const state = block.state as TrieState;
          source.store(state.unstored());
          hashes.add(block);
          parent = { ...block, sealed: true, state: state.asStored(source) };
        }
      }),
      { numRuns: runs(12) },
    );
  });

  const { transactionOf, transfer } = signerFor(stockCommon(hardfork));

  /** The same transactions on both sides. */
  async function compare(alloc: GenesisAlloc, list: readonly Transaction[], plan = PLAN): Promise<void> {
    const parent = parentOf(alloc, new MemorySource());
    const expected = await stepwise(parent, plan, reference, list);
    const { block, made } = await whole(parent, plan, engine, list);
    expect(made).toEqual(expected);
    expect(block.records).toBeDefined();
  }

  const alloc = new Map([...allocOf([], false), ...SYSTEM]);

  it('has the transactions behind one that the executor refuses', async () => {
    const list = [
      transfer(0n, at(1)),
      transfer(5n, at(2)),
      transfer(1n, at(3), { value: 10n ** 40n }),
      transfer(1n, at(4)),
    ];
    await compare(alloc, list);
  });

  it('is empty', async () => {
    await compare(alloc, []);
  });

  it('removes an empty account with storage (EIP-161)', async () => {
    const emptied = at(0x6001);
    const storage = new Map([[bytesToHex(new Uint8Array(32)), Uint8Array.of(7)]]);
    const odd = new Map([...alloc, [emptied.toString(), { balance: 0n, storage }] as const]);
    const list = [
      transfer(0n, at(0x6002), { value: 5n }),
      transfer(1n, emptied),
      transfer(2n, emptied, { value: 1n }),
      transfer(3n, at(0x6002), { value: 5n }),
    ];
    await compare(odd, list);
  });

  it('calls other code at the addresses of the system contracts', async () => {
    // PUSH1 1, PUSH1 0, SSTORE
    const code = hexToBytes('0x60016000550000');
    const replaced = SYSTEM.map(([address]): [string, GenesisAccount] => [
      address,
      { balance: 0n, nonce: 1n, code },
    ]);
    await compare(new Map([...alloc, ...replaced]), [transfer(0n, at(5))]);
  });

  it('has no requests where their contracts are missing', async () => {
    const without = new Map([...alloc].slice(0, -4));
    await compare(without, [transfer(0n, at(5))]);
  });

  it.runIf(hardfork !== 'cancun')('has the requests of its transactions (EIP-7002)', async () => {
    const to = new Address(hexToBytes(WITHDRAWAL_REQUESTS.address as `0x${string}`));
    const data = new Uint8Array(56).fill(9);
    await compare(alloc, [transfer(0n, to, { data, value: 1n })]);
  });

  it('lacks a transaction that fails in every way, and has those around it', async () => {
    const parent = parentOf(alloc, new MemorySource());
    const failing = () => {
      throw new Error('no hash');
    };
    const builder = await BlockBuilder.begin(parent, PLAN, engine, failing, { withL1Attributes: false });
    const asking = transfer(1n, at(1), { to: undefined, data: hexToBytes('0x600040') });
    await filled(builder, [transfer(0n, at(5), { value: 5n })]);
    expect(() => builder.add(asking, { gasCap: true })).toThrow('no hash');
    await filled(builder, [transfer(1n, at(5))]);
    const { block } = await builder.sealAndKeep({ strict: false });
    builder.close();
    const list = [transfer(0n, at(5), { value: 5n }), transfer(1n, at(5))];
    expect(madeOf(block, [])).toEqual(await stepwise(parent, PLAN, reference, list));
  });

  it('removes an empty account (EIP-161) as often as it is made: for a look at the pending block, and to be mined', async () => {
    const emptied = at(0x3001);
    const parent = parentOf(new Map([...allocOf([], true), ...SYSTEM]), new MemorySource());
    const plan = { ...PLAN, coinbase: emptied };
    const list = [transfer(0n, at(0x6002), { value: 5n, gasPrice: 7n })];
    const expected = await stepwise(parent, plan, reference, list);
    for (let i = 0; i < 2; i++) {
      const { block, made } = await whole(parent, plan, engine, list);
      expect(made).toEqual(expected);
      expect((block.state as TrieState).getAccount(emptied)).toBeUndefined();
    }
  });

  it('takes everything back when it is dropped', async () => {
    const source = new MemorySource();
    const parent = parentOf(alloc, source);
    const builder = await BlockBuilder.begin(parent, PLAN, engine, hashOfBlock, { withL1Attributes: true });
    await filled(builder, [transfer(0n, at(0x6002), { value: 5n })]);
    builder.close();
    const expected = await stepwise(parent, PLAN, reference, [transfer(0n, at(0x6003))]);
    expect((await whole(parent, PLAN, engine, [transfer(0n, at(0x6003))])).made).toEqual(expected);
  });
});
