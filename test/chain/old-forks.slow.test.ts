import type { Address } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BlockPlan } from '../../src/chain/block-draft.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { allocOf } from '../engine/ethereumjs/scenarios.ts';
import { engineOf, stockCommon } from '../engine/ethereumjs/stock.ts';
import { FUZZ, runs } from '../fuzz.ts';
import {
  hashesFrom,
  PLAN,
  parentOf,
  scenarioFields,
  signAll,
  signerFor,
  stepwise,
  whole,
} from './both-ways.ts';

/** The hardforks before Cancun, with their types of transactions; those since Cancun have tests of their own. */
const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['chainstart', [0]],
  ['homestead', [0]],
  ['tangerineWhistle', [0]],
  ['spuriousDragon', [0]],
  ['byzantium', [0]],
  ['constantinople', [0]],
  ['petersburg', [0]],
  ['istanbul', [0]],
  ['berlin', [0, 1]],
  ['london', [0, 1, 2]],
  ['paris', [0, 1, 2]],
  ['shanghai', [0, 1, 2]],
];
const DIFFICULTY = 131_072n;

describe.each(FORKS)('%s: blocks that the fast engine makes', (hardfork, types) => {
  const { engine: reference, fork } = engineOf(hardfork);
  const { engine } = engineOf(hardfork, 'fast');
  const { transactionOf } = signerFor(stockCommon(hardfork));
  const scenario = fc.record({
    ...scenarioFields(types, 3, fork.atLeast('constantinople')),
    hasWork: fc.constantFrom(true, !fork.atLeast('paris')),
  });

  const planOf = (
    { hasWork, env }: { hasWork: boolean; env: { coinbase: Address; baseFeePerGas: bigint } },
    i: number,
  ): BlockPlan => {
    const isWork = hasWork && !fork.atLeast('paris');
    const { coinbase, baseFeePerGas } = env;
    const work = isWork ? { difficulty: DIFFICULTY + BigInt(i), nonce: new Uint8Array(8).fill(i) } : {};
    return { ...PLAN, ...work, timestamp: PLAN.timestamp + BigInt(i), coinbase, baseFeePerGas };
  };

  it('are those that EthereumJS makes step by step, also when they are taken back and made again', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, specs, ...given }) => {
        const source = new MemorySource();
        let parent = parentOf(allocOf(programs, withEmpty), source);
        const hashes = hashesFrom(parent);
        for (let first = 0; first < specs.length; first += 3) {
          const plan = planOf(given, first);
          const before = TrieState.at(source, parent.header.stateRoot);
          const list = signAll(specs.slice(first, first + 3), before, transactionOf);
          const expected = await stepwise({ ...parent, state: before }, plan, reference, list, hashes.hashOf);
          const { block, made } = await whole(parent, plan, engine, list, hashes.hashOf);
          expect(made).toEqual(expected);
          const state = block.state as TrieState;
          source.store(state.unstored());
          const stored = state.asStored(source);
          if (first % 2 === 0) {
            // What comes next is made on the state after it, and it is made again on the one before.
            await whole(
              { ...block, sealed: true, state: stored },
              planOf(given, first + 1),
              engine,
              [],
              hashes.hashOf,
            );
            engine.returnTo(parent.state);
            expect((await whole(parent, plan, engine, list, hashes.hashOf)).made).toEqual(expected);
          }
          hashes.add(block);
          parent = { ...block, sealed: true, state: stored };
        }
      }),
      { numRuns: runs(4) },
    );
  });
});
