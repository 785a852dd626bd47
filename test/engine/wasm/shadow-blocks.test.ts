// Blocks of random transactions on both engines at once: what comes of each transaction, what a block writes, what it accesses
// (EIP-7928) and what it requests is the same. `FUZZ=2000 npx vitest run test/engine/wasm/shadow-blocks.test.ts -t amsterdam` tries 100,000.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TrieBlock } from '../../../src/chain/block.ts';
import { newEngine } from '../../../src/engine/new-engine.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import { type HardforkName, singleHardfork } from '../../../src/protocol/hardfork.ts';
import { MemorySource } from '../../../src/state/node-cache.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import {
  PLAN,
  parentOf,
  SYSTEM,
  scenarioFields,
  signAll,
  signerFor,
  stepwise,
  whole,
} from '../../chain/both-ways.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { CHAIN_ID, GWEI } from '../ethereumjs/accounts.ts';
import { allocOf, at, type Spec } from '../ethereumjs/scenarios.ts';
import { stockCommon } from '../ethereumjs/stock.ts';

const crypto = await chooseCrypto();
/** Blocks in a row. */
const BLOCKS = 2;

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['osaka', [0, 1, 2, 3, 4, 4]],
  ['amsterdam', [0, 1, 2, 3, 4, 4]],
];

/** With fees above most base fees, and more gas than a transaction costs that brings an account into being (EIP-8037). */
function affordable({ fields, ...rest }: Spec): Spec {
  const { gasPrice, maxFeePerGas, gasLimit, ...others } = fields as Record<string, bigint>;
  const fees =
    gasPrice === undefined ? { maxFeePerGas: maxFeePerGas! + 2n * GWEI } : { gasPrice: gasPrice + 2n * GWEI };
  return { ...rest, fields: { ...others, ...fees, gasLimit: gasLimit! + 200_000n } };
}

describe.each(FORKS)('%s', (hardfork, types) => {
  const { transactionOf } = signerFor(stockCommon(hardfork));
  const scenario = fc.record({
    ...scenarioFields(types, 5, true, hardfork),
    withdrawn: fc.array(fc.constantFrom(0n, 5n), { maxLength: 2 }),
    isStepwise: fc.boolean(),
  });

  it('blocks come to the same on both engines', { timeout: 120_000 * FUZZ }, async () => {
    let included = 0;
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs, withdrawn, isStepwise }) => {
        const differences: string[] = [];
        const engine = newEngine('shadow', {
          schedule: singleHardfork(CHAIN_ID, hardfork, crypto),
          crypto,
          onDifference: ({ message }) => differences.push(message),
        });
        const source = new MemorySource();
        let parent: TrieBlock = parentOf(new Map([...allocOf(programs, withEmpty), ...SYSTEM]), source);
        const { coinbase, baseFeePerGas } = env;
        const withdrawals = withdrawn.map((amount, i) => ({
          index: BigInt(i),
          validatorIndex: 1n,
          address: at(0x4001 + i),
          amount,
        }));
        for (let i = 0; i < BLOCKS; i++) {
          const plan = {
            ...PLAN,
            timestamp: PLAN.timestamp + BigInt(i),
            coinbase,
            baseFeePerGas,
            withdrawals,
          };
          const list = signAll(specs.map(affordable), parent.state as TrieState, transactionOf);
          if (isStepwise) await stepwise(parent, plan, engine, list);
          const { block, made } = await whole(parent, plan, engine, list);
          expect(differences).toEqual([]);
          included += list.length - made.refused.length;
          source.store((block.state as TrieState).unstored());
          parent = { ...block, sealed: true, state: TrieState.at(source, block.header.stateRoot) };
        }
        engine.close();
      }),
      { numRuns: runs(6) },
    );
    expect(included).toBeGreaterThan(6 * runs(6));
  });
});
