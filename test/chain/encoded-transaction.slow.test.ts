import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Block, Transaction, TrieBlock } from '../../src/chain/block.ts';
import { type BlockPlan, draftBlock } from '../../src/chain/block-draft.ts';
import { EncodedTransaction } from '../../src/chain/encoded-transaction.ts';
import { termsOf } from '../../src/chain/log-terms.ts';
import { decodeReceipts, encodeReceipts } from '../../src/chain/store/block-codec.ts';
import { blockEntries } from '../../src/chain/store/block-entries.ts';
import { CALL_RULES, type Engine, TRANSACTION_RULES } from '../../src/engine/engine.ts';
import { messageOf } from '../../src/engine/message.ts';
import { TransactionDecoder } from '../../src/mempool/decode.ts';
import { SentTransactionDecoder } from '../../src/mempool/decode-sent.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { allocOf, at } from '../engine/ethereumjs/scenarios.ts';
import { engineOf, hashOfBlock, stockCommon } from '../engine/ethereumjs/stock.ts';
import { FUZZ, runs } from '../fuzz.ts';
import {
  hashesFrom,
  PLAN,
  parentOf,
  SYSTEM,
  scenarioFields,
  signerFor,
  stepwise,
  whole,
} from './both-ways.ts';

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2]],
  ['osaka', [0, 1, 2]],
  ['amsterdam', [0, 1, 2]],
];

/** A block of one transaction; `undefined` where it is refused. */
async function blockOf(
  transaction: Transaction,
  parent: TrieBlock,
  { plan = PLAN, engine, hashOf = hashOfBlock }: { plan?: BlockPlan; engine: Engine; hashOf?: HashOf },
) {
  const { block, made } = await whole(parent, plan, engine, [transaction], hashOf);
  return made.refused.length > 0 ? undefined : { block, made };
}

type HashOf = (number: bigint) => Uint8Array;

/** The records of a block, by their keys. */
function recordsOf(block: Block): [string, string][] {
  return blockEntries(block).map(([key, value]) => [bytesToHex(key), bytesToHex(value)]);
}

describe.each(FORKS)(
  '%s: a block of a transaction of which only the encoding is known',
  (hardfork, types) => {
    const { engine: reference } = engineOf(hardfork);
    const { engine } = engineOf(hardfork, 'fast');
    const common = stockCommon(hardfork);
    const { transactionOf, transfer } = signerFor(common);
    const decoder = new SentTransactionDecoder({
      decoder: new TransactionDecoder({ transactionGasCap: true }),
      next: () => common,
    });
    const alloc = new Map([...allocOf([], false), ...SYSTEM]);
    const scenario = fc.record(scenarioFields(types, 3));

    it('is the one that EthereumJS makes step by step of the decoded one, with the same records and terms', {
      timeout: 120_000 * FUZZ,
    }, async () => {
      let included = 0;
      let refused = 0;
      await fc.assert(
        fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs }) => {
          const source = new MemorySource();
          let parent = parentOf(new Map([...allocOf(programs, withEmpty), ...SYSTEM]), source);
          const hashes = hashesFrom(parent);
          for (const [i, spec] of specs.entries()) {
            const { coinbase, baseFeePerGas } = env;
            const plan = { ...PLAN, timestamp: PLAN.timestamp + BigInt(i), coinbase, baseFeePerGas };
            const before = TrieState.at(source, parent.header.stateRoot);
            const nonce = (before.getAccount(spec.from)?.nonce ?? 0n) + spec.nonceOff;
            const transaction = transactionOf(spec.from, { ...spec.fields, nonce });
            const expected = await stepwise(
              { ...parent, state: before },
              plan,
              reference,
              [transaction],
              hashes.hashOf,
            );
            const encoded = decoder.decodeLater(transaction.raw);
            const found = await blockOf(encoded, parent, { plan, engine, hashOf: hashes.hashOf });
            expect(found === undefined).toBe(expected.refused.length > 0);
            if (!found) {
              refused++;
              continue;
            }
            included++;
            const { block, made } = found;
            expect(made).toEqual(expected);
            expect(recordsOf(block)).toEqual(recordsOf({ ...block, transactions: [transaction] }));
            expect(termsOf(block.receipts)).toEqual(termsOf(decodeReceipts(encodeReceipts(block))));
            const state = block.state as TrieState;
            source.store(state.unstored());
            hashes.add(block);
            parent = { ...block, sealed: true, state: state.asStored(source) };
          }
        }),
        { numRuns: runs(12) },
      );
      expect(included).toBeGreaterThan(runs(12));
      expect(refused).toBeGreaterThan(0);
    });

    it('is made only of bytes that are a transaction, with its hash and sender', {
      timeout: 60_000 * FUZZ,
    }, async () => {
      const parent = parentOf(alloc, new MemorySource());
      // Whoever the sender of changed bytes is can pay for them.
      const plan = { ...PLAN, baseFeePerGas: 0n };
      const fees = { gasPrice: 0n, maxFeePerGas: 0n, maxPriorityFeePerGas: 0n };
      const accessList = [{ address: at(1).toString(), storageKeys: [bytesToHex(new Uint8Array(32))] }];
      let made = 0;
      let malformed = 0;
      const decoded = (raw: Uint8Array) => {
        try {
          return decoder.decode(raw);
        } catch {
          malformed++;
          return undefined;
        }
      };
      const change = fc.record({
        at: fc.nat(),
        byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xf8, 0xff), fc.nat(255)),
        kind: fc.constantFrom('set', 'insert', 'delete', 'none'),
      });
      const fields = fc.record({
        type: fc.constantFrom(0, 1, 2),
        data: fc.uint8Array({ maxLength: 70 }),
        hasList: fc.boolean(),
        creates: fc.boolean(),
      });
      await fc.assert(
        fc.asyncProperty(
          fields,
          change,
          async ({ type, data, hasList, creates }, { at: place, byte, kind }) => {
            const given = { ...fees, type, data, ...(type > 0 && hasList && { accessList }) };
            const { raw } = transfer(0n, at(2), creates ? { ...given, to: undefined } : given);
            const bytes = [...raw];
            const start = place % (bytes.length + Number(kind === 'insert'));
            if (kind !== 'none')
              bytes.splice(start, Number(kind !== 'insert'), ...(kind === 'delete' ? [] : [byte]));
            const changed = Uint8Array.from(bytes);
            const sent = new EncodedTransaction(changed, decoder);
            const found = changed[0] === 3 ? undefined : await blockOf(sent, parent, { plan, engine });
            const expected = decoded(changed);
            if (!found) return;
            made++;
            const { from, hash, tx } = expected!;
            expect(found.block.transactions).toEqual([sent]);
            expect({ from: sent.from, hash: sent.hash, tx: sent.tx }).toEqual({ from, hash, tx });
          },
        ),
        { numRuns: runs(400) },
      );
      expect(made).toBeGreaterThan(runs(60));
      expect(malformed).toBeGreaterThan(runs(60));
    });

    it('is not made where the transaction is refused, or has more gas than the block, which changes nothing', async () => {
      const parent = parentOf(alloc, new MemorySource());
      const plan = { ...PLAN, gasLimit: 290_000n };
      for (const refused of [
        transfer(5n, at(1)),
        transfer(0n, at(1), { value: 10n ** 40n }),
        transfer(0n, at(1)),
      ])
        expect(await blockOf(decoder.decodeLater(refused.raw), parent, { plan, engine })).toBeUndefined();
      const sent = transfer(0n, at(2), { value: 1n });
      const found = await blockOf(decoder.decodeLater(sent.raw), parent, { engine });
      expect(found!.made).toEqual(await stepwise(parent, PLAN, reference, [sent]));
    });

    it('keeps none of the states before it in memory', async () => {
      const source = new MemorySource();
      let parent = parentOf(alloc, source);
      const earlier: WeakRef<object>[] = [];
      for (let nonce = 0n; nonce < 30n; nonce++) {
        const plan = { ...PLAN, timestamp: PLAN.timestamp + nonce };
        const sent = transfer(nonce, at(2), { value: 1n });
        const { block } = (await blockOf(sent, parent, { plan, engine }))!;
        source.store(block.state.unstored());
        earlier.push(new WeakRef(parent.state), new WeakRef(block.state));
        parent = { ...block, sealed: true, state: block.state.asStored(source) };
      }
      setFlagsFromString('--expose-gc');
      const collect = runInNewContext('gc') as () => void;
      await new Promise((resolve) => setImmediate(resolve));
      collect();
      const kept = earlier.filter((state) => state.deref() !== undefined);
      // The tables have the last two.
      expect(kept.length).toBeLessThanOrEqual(4);
      expect(await parent.state.getAccount(at(2))).toMatchObject({ balance: 30n });
    });

    it('leaves nothing behind of its creations where other tables have looked at it', async () => {
      const { engine: fresh } = engineOf(hardfork, 'fast');
      const source = new MemorySource();
      const parent = parentOf(alloc, source);
      // PUSH1 1, PUSH1 0, SSTORE
      const creation = transfer(0n, at(1), {
        to: undefined,
        data: hexToBytes('0x6001600055'),
        gasLimit: 400_000n,
      });
      const { state } = (await blockOf(creation, parent, { engine: fresh }))!.block;
      source.store(state.unstored());
      const { env } = draftBlock(parent, PLAN, fresh, hashOfBlock);
      // The tables that have made the block are in use: others read its state, and then that of its parent.
      const workspace = fresh.workspace(parent.state, { withStateRoot: true })!;
      const call = messageOf(transfer(1n, at(2)));
      await fresh.execute(call, env, new Overlay(state), CALL_RULES, { discards: true });
      const message = messageOf(creation);
      const outcome = await fresh.execute(message, env, new Overlay(parent.state), TRANSACTION_RULES);
      expect(outcome).toMatchObject({ kind: 'executed', success: true });
      workspace.discard();
    });

    it('leaves the tables as they were for the next block on the same parent', async () => {
      const parent = parentOf(alloc, new MemorySource());
      for (const value of [1n, 2n]) {
        const sent = transfer(0n, at(0x6002), { value });
        const found = await blockOf(decoder.decodeLater(sent.raw), parent, { engine });
        expect(found!.made).toEqual(await stepwise(parent, PLAN, reference, [sent]));
      }
    });
  },
);
