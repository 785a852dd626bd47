import type { TypedTxData } from '@ethereumjs/tx';
import { type Address, bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction } from '../../src/chain/block.ts';
import type { BlockPlan } from '../../src/chain/block-draft.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { DepositTransaction } from '../../src/protocol/op-stack/deposit-transaction.ts';
import type { GenesisAccount } from '../../src/state/genesis.ts';
import { integerBytes, integerWord } from '../../src/state/integers.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { PREDEPLOYS, predeployAlloc } from '../../src/state/predeploys.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { program } from '../engine/ethereumjs/programs.ts';
import { allocOf, at, CALLED, CALLS, envFields, RICH, spec } from '../engine/ethereumjs/scenarios.ts';
import { engineOf, stockCommon } from '../engine/ethereumjs/stock.ts';
import { signed } from '../engine/wasm/stock-summary.ts';
import { FUZZ, runs } from '../fuzz.ts';
import { hashesFrom, PLAN, parentOf, SYSTEM, stepwise, whole } from './both-ways.ts';

const CHAINS: readonly (readonly [HardforkName, 'deposits' | 'rollup'])[] = [
  ['cancun', 'rollup'],
  ['prague', 'rollup'],
  ['osaka', 'rollup'],
  ['osaka', 'deposits'],
];

const deposit = fc.record({
  from: fc.constantFrom(RICH[0]!.address, RICH[1]!.address, at(0x9001), at(0x2001)),
  destination: fc.oneof(
    fc.constantFrom(...CALLS).map(([to, data]) => ({ to, data })),
    fc.constantFrom({ to: at(0x9002), data: new Uint8Array() }, { to: at(2), data: new Uint8Array(40) }),
    program(CALLED, true).map((data) => ({ data })),
  ),
  mint: fc.constantFrom(0n, 0n, 5n, 10n ** 18n, 2n ** 256n - 1n),
  value: fc.constantFrom(0n, 0n, 1n, 10n ** 18n, 10n ** 40n),
  gasLimit: fc.constantFrom(0n, 21_000n, 60_000n, 300_000n, 2_000_000n),
  isSystemTransaction: fc.constantFrom(false, false, false, false, false, true),
});

/** What the L1Block contract says of fees, in the slots that it packs them in. */
const l1Fees = fc
  .record({
    baseFee: fc.constantFrom(0n, 1n, 10n ** 10n),
    blobBaseFee: fc.constantFrom(0n, 1n, 10n ** 9n),
    scalars: fc.constantFrom(0n, 5_227n, 2n ** 32n - 1n),
    blobScalars: fc.constantFrom(0n, 1_014_213n),
    operatorScalar: fc.constantFrom(0n, 3n, 10n ** 6n),
    operatorConstant: fc.constantFrom(0n, 7n, 10n ** 15n),
    footprint: fc.constantFrom(0n, 400n, 65_535n),
  })
  .map(
    (fees) =>
      new Map<bigint, bigint>([
        [1n, fees.baseFee],
        [3n, (fees.scalars << 96n) | (fees.blobScalars << 64n)],
        [7n, fees.blobBaseFee],
        [8n, (fees.footprint << 96n) | (fees.operatorScalar << 64n) | fees.operatorConstant],
      ]),
  );

/** The predeploys, with these fees. */
function contracts(fees: ReadonlyMap<bigint, bigint>): Map<string, GenesisAccount> {
  const alloc = new Map(predeployAlloc());
  const l1Block = alloc.get(PREDEPLOYS.l1Block)!;
  const slots = [...fees].map(
    ([slot, value]) => [bytesToHex(integerWord(slot)), integerBytes(value)] as const,
  );
  return alloc.set(PREDEPLOYS.l1Block, {
    ...l1Block,
    storage: new Map([...(l1Block.storage ?? []), ...slots]),
  });
}

describe.each(CHAINS)('%s, %s: a block of an OP chain that the fast engine makes whole', (hardfork, kind) => {
  const common = stockCommon(hardfork);
  const { engine: reference } = engineOf(hardfork, 'ethereumjs', kind);
  const { engine } = engineOf(hardfork, 'fast', kind);
  const transactionOf = (tx: Transaction['tx'] & { serialize(): Uint8Array }, from: Address): Transaction => {
    const raw = tx.serialize();
    return { tx, from, raw, hash: keccak256(raw), impersonated: false };
  };
  const types = hardfork === 'cancun' ? [0, 1, 2, 3] : [0, 1, 2, 3, 4];
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    fees: l1Fees,
    env: envFields,
    list: fc.array(
      fc.oneof(
        { weight: 2, arbitrary: spec(types, true).map((sent) => ({ sent })) },
        { weight: 1, arbitrary: deposit.map((deposit) => ({ deposit })) },
      ) as fc.Arbitrary<{
        sent?: { from: Address; nonceOff: bigint; fields: TypedTxData };
        deposit?: typeof deposit extends fc.Arbitrary<infer T> ? T : never;
      }>,
      { minLength: 2, maxLength: 8 },
    ),
  });

  it('is the one that EthereumJS makes step by step, and so is the next one on it', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, fees, env, list }) => {
        const source = new MemorySource();
        let parent = parentOf(new Map([...allocOf(programs, true), ...SYSTEM, ...contracts(fees)]), source);
        const { hashOf, add } = hashesFrom(parent);
        for (let first = 0; first < list.length; first += 4) {
          const plan: BlockPlan = {
            ...PLAN,
            timestamp: PLAN.timestamp + BigInt(first),
            coinbase: env.coinbase,
            baseFeePerGas: env.baseFeePerGas,
          };
          const before = TrieState.at(source, parent.header.stateRoot);
          const nonces = new Map<string, bigint>();
          const next = (from: Address) => nonces.get(from.toString()) ?? before.getAccount(from)?.nonce ?? 0n;
          const transactions = list.slice(first, first + 4).map(({ sent, deposit }, i) => {
            const from = (sent ?? deposit)!.from;
            const nonce = next(from);
            if (!sent || sent.nonceOff === 0n) nonces.set(from.toString(), nonce + 1n);
            if (sent)
              return transactionOf(
                signed(from, { ...sent.fields, nonce: nonce + sent.nonceOff }, common),
                from,
              );
            const { destination, ...rest } = deposit!;
            const sourceHash = keccak256(Uint8Array.of(first + i));
            return transactionOf(new DepositTransaction({ ...rest, ...destination, sourceHash }), from);
          });
          const stored = { ...parent, state: before };
          const expected = await stepwise(stored, plan, reference, transactions, hashOf);
          const { block, made } = await whole(parent, plan, engine, transactions, hashOf);
          expect(made).toEqual(expected);
          const state = block.state as TrieState;
          source.store(state.unstored());
          add(block);
          parent = { ...block, sealed: true, state: state.asStored(source) };
        }
      }),
      { numRuns: runs(8) },
    );
  });
});
