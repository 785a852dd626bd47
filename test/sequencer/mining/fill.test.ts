import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logCountOf, type Receipt } from '../../../src/chain/block.ts';
import type { BlockPlan } from '../../../src/chain/block-draft.ts';
import { termsOf } from '../../../src/chain/log-terms.ts';
import { type OpenBlock, openBlock, sealBlock } from '../../../src/chain/open-block.ts';
import { ManualClock } from '../../../src/clock.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import { CurrentTask } from '../../../src/sequencer/current-task.ts';
import { type FilledOpenBlock, fill, fromList } from '../../../src/sequencer/mining/fill.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import {
  hashesFrom,
  madeOf,
  PLAN,
  parentOf,
  SYSTEM,
  scenarioFields,
  signAll,
  signerFor,
} from '../../chain/both-ways.ts';
import { allocOf, at } from '../../engine/ethereumjs/scenarios.ts';
import { engineOf, hashOfBlock, stockCommon } from '../../engine/ethereumjs/stock.ts';
import { FUZZ, runs } from '../../fuzz.ts';

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2, 3]],
  ['osaka', [0, 1, 2, 3, 4, 4]],
  ['amsterdam', [0, 1, 2, 3, 4, 4]],
];
const PER_PART = 2;
/** without a deposit of L1 attributes */
const ALONE = { withL1Attributes: false };
const LIMITS = { order: 'fifo', gasCap: true, gas: 30_000_000n, transactions: 100 } as const;

/** Adds transactions to an open block, as a tick does. */
function add(open: OpenBlock, list: Parameters<typeof fromList>[0], engine: Engine) {
  const deps = { engine, current: new CurrentTask(), wall: new ManualClock(0), pause: async () => {} };
  return fill(open, LIMITS, fromList(list), deps);
}

/** All fields, those too that are decoded when they are read. */
function readReceipt(receipt: Receipt) {
  const { type, status, gasUsed, cumulativeGasUsed, logsBloom, logs, effectiveGasPrice } = receipt;
  const { stateRoot, contractAddress, blobGasUsed, blobGasPrice, depositNonce } = receipt;
  const always = { type, status, gasUsed, cumulativeGasUsed, logsBloom, logs, effectiveGasPrice };
  return { ...always, stateRoot, contractAddress, blobGasUsed, blobGasPrice, depositNonce };
}

function messagesOf({ dropped }: FilledOpenBlock): string[] {
  return dropped.map(({ error }) => error.message);
}

describe.each(FORKS)('%s: the partial blocks that the fast engine fills', (hardfork, types) => {
  const { engine: reference } = engineOf(hardfork);
  const { engine } = engineOf(hardfork, 'fast');
  const { transactionOf, transfer } = signerFor(stockCommon(hardfork));
  const scenario = fc.record(scenarioFields(types, 4, true, hardfork));

  it('are those that EthereumJS makes one message at a time, and so is the block that is built on them', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs }) => {
        const source = new MemorySource();
        let parent = parentOf(new Map([...allocOf(programs, withEmpty), ...SYSTEM]), source);
        const { hashOf, add: addHash } = hashesFrom(parent);
        for (const half of [specs.slice(0, specs.length / 2), specs.slice(specs.length / 2)]) {
          const { coinbase, baseFeePerGas } = env;
          const plan: BlockPlan = {
            ...PLAN,
            timestamp: parent.header.timestamp + 1n,
            coinbase,
            baseFeePerGas,
          };
          let open = await openBlock(parent, plan, engine, hashOf, ALONE);
          const before = { ...parent, state: TrieState.at(source, parent.header.stateRoot) };
          let expected = await openBlock(before, plan, reference, hashOf, ALONE);
          for (let first = 0; first < half.length; first += PER_PART) {
            const part = half.slice(first, first + PER_PART);
            const list = signAll(part, expected.state as TrieState, transactionOf);
            const wanted = await add(expected, list, reference);
            const got = await add(open, list, engine);
            expect(got.transactions).toEqual(wanted.transactions);
            expect(messagesOf(got)).toEqual(messagesOf(wanted));
            expect(got.open.receipts.map(readReceipt)).toEqual(wanted.open.receipts.map(readReceipt));
            expect(got.open.receipts.map(logCountOf)).toEqual(wanted.open.receipts.map(logCountOf));
            expect(termsOf(got.open.receipts)).toEqual(termsOf(wanted.open.receipts));
            expected = wanted.open;
            open = got.open;
            expect(madeOf(await sealBlock(open, engine), [])).toEqual(
              madeOf(await sealBlock(expected, reference), []),
            );
          }
          // Stored as the chain stores it, and built on.
          const block = await sealBlock(open, engine);
          source.store((block.state as TrieState).unstored());
          addHash(block);
          parent = { ...block, sealed: true, state: (block.state as TrieState).asStored(source) };
        }
      }),
      { numRuns: runs(10) },
    );
  });

  it('leave nothing in the block that they extend, and run again on it', async () => {
    const parent = parentOf(new Map([...allocOf([], false), ...SYSTEM]), new MemorySource());
    const open = await openBlock(parent, PLAN, engine, hashOfBlock, ALONE);
    const [one, other] = [transfer(0n, at(1), { value: 1n }), transfer(0n, at(2), { value: 2n })];
    const seal = async (list: readonly ReturnType<typeof transfer>[]) =>
      madeOf(await sealBlock((await add(open, list, engine)).open, engine), []);
    const first = await seal([one]);
    expect(await seal([other])).not.toEqual(first);
    expect(await seal([one])).toEqual(first);
    expect((await add(open, [], engine)).open).toBe(open);
  });
});
