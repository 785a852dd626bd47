import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Address, bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Transaction, TrieBlock } from '../../src/chain/block.ts';
import { type BlockPlan, draftBlock } from '../../src/chain/block-draft.ts';
import { EncodedBlockView } from '../../src/chain/encoded-block.ts';
import { EncodedTransaction } from '../../src/chain/encoded-transaction.ts';
import { termsOf } from '../../src/chain/log-terms.ts';
import { makeSingle, type RecordedBlock } from '../../src/chain/single-block.ts';
import { blockEntries } from '../../src/chain/store/block-entries.ts';
import { PREFIX } from '../../src/chain/store/keys.ts';
import { CALL_RULES, type Engine, TRANSACTION_RULES } from '../../src/evm/engine.ts';
import type { HardforkName } from '../../src/evm/hardfork.ts';
import { messageOf } from '../../src/evm/message.ts';
import { TransactionDecoder } from '../../src/mempool/decode.ts';
import { SentTransactionDecoder } from '../../src/mempool/decode-sent.ts';
import { formatReceipt } from '../../src/rpc/format/receipt.ts';
import type { GenesisAccount } from '../../src/state/genesis.ts';
import { WITHDRAWAL_REQUESTS } from '../../src/state/genesis-code.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Overlay } from '../../src/state/overlay.ts';
import { TrieState } from '../../src/state/trie-state.ts';
import { allocOf, at } from '../evm/scenarios.ts';
import { engineOf, hashOfBlock, stockCommon } from '../evm/stock.ts';
import { FUZZ, runs } from '../fuzz.ts';
import {
  hashesFrom,
  madeOf,
  PLAN,
  parentOf,
  SYSTEM,
  scenarioFields,
  signerFor,
  stepwise,
} from './both-ways.ts';

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2]],
  ['prague', [0, 1, 2, 4]],
  ['osaka', [0, 1, 2, 4]],
];

const single = (
  parent: TrieBlock,
  plan: BlockPlan,
  transaction: Transaction | undefined,
  engine: Engine,
  hashOf: (number: bigint) => Uint8Array = hashOfBlock,
) => makeSingle(parent, plan, transaction, { engine, gasCap: true, hashOf });

/** The records of a block as they would be encoded one by one, by their keys. */
function recordsOf({ block }: RecordedBlock): [string, string][] {
  return blockEntries(block)
    .filter(([key]) => key[0] !== PREFIX.number)
    .map(([key, value]) => [bytesToHex(key), bytesToHex(value)]);
}

/** Those that the engine has written, without what the state adds. */
async function writtenRecords({ entries }: RecordedBlock): Promise<[string, string][]> {
  const kinds = [PREFIX.header, PREFIX.body, PREFIX.receipts, PREFIX.transaction];
  return [...entries]
    .filter(([key]) => kinds.some((known) => known === key[0]))
    .map(([key, value]) => [bytesToHex(key), bytesToHex(value)]);
}

describe.each(FORKS)(
  '%s: a block of one transaction, or of none, that the engine makes in one step',
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

    it('is the one that EthereumJS makes step by step, with the same records, state and accounts', {
      timeout: 120_000 * FUZZ,
    }, async () => {
      let made = 0;
      let refused = 0;
      let empty = 0;
      await fc.assert(
        fc.asyncProperty(scenario, async ({ programs, withEmpty, env, specs }) => {
          const source = new MemorySource();
          const known = new Map([...allocOf(programs, withEmpty), ...SYSTEM]);
          let parent = parentOf(known, source);
          const hashes = hashesFrom(parent);
          const blocks = specs.flatMap((spec) => (spec.nonceOff === 0n ? [spec, undefined] : [spec]));
          for (const [i, spec] of blocks.entries()) {
            const { coinbase, baseFeePerGas } = env;
            const plan = { ...PLAN, timestamp: PLAN.timestamp + BigInt(i), coinbase, baseFeePerGas };
            const before = TrieState.at(source, parent.header.stateRoot);
            const nonceOf = (sender: Address) => before.getAccount(sender)?.nonce ?? 0n;
            const transaction =
              spec && transactionOf(spec.from, { ...spec.fields, nonce: nonceOf(spec.from) + spec.nonceOff });
            const own = { ...parent, state: before };
            const list = transaction ? [transaction] : [];
            const expected = await stepwise(own, plan, reference, list, hashes.hashOf);
            const encoded =
              transaction && transaction.tx.type < 3 ? decoder.decodeLater(transaction.raw) : transaction;
            const recorded = await single(parent, plan, encoded, engine, hashes.hashOf);
            if (!recorded) {
              refused += expected.refused.length;
              continue;
            }
            made++;
            recorded.entries.own();
            source.store(recorded.entries.parts);
            const { block, state, logTerms } = recorded;
            expect(madeOf(new EncodedBlockView(block, state), [])).toEqual(expected);
            expect(await writtenRecords(recorded)).toEqual(recordsOf(recorded));
            expect(logTerms).toEqual(termsOf(block.receipts));
            if (transaction) {
              const receipt = JSON.stringify(formatReceipt(block, 0));
              // One with more than 16 KiB of logs isn't written ahead.
              if (block.receiptJson === undefined) expect(receipt.length).toBeGreaterThan(2 ** 14);
              else expect(block.receiptJson).toBe(receipt);
            } else empty++;
            expect(block.succeeded).toBe(block.receipts[0]?.status);
            hashes.add(block);
            parent = new EncodedBlockView(block, state);
            const stored = TrieState.at(source, block.header.stateRoot);
            const senders = spec ? [spec.from.toString()] : [];
            for (const address of [...known.keys(), coinbase.toString(), ...senders]) {
              const account = new Address(hexToBytes(address as `0x${string}`));
              expect(parent.state.getAccount(account)).toEqual(stored.getAccount(account));
            }
          }
        }),
        { numRuns: runs(12) },
      );
      expect(made).toBeGreaterThan(runs(12));
      expect(refused).toBeGreaterThan(0);
      expect(empty).toBeGreaterThan(0);
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
            const recorded = changed[0] === 3 ? undefined : await single(parent, plan, sent, engine);
            const expected = decoded(changed);
            if (!recorded) return;
            made++;
            const { from, hash, tx } = expected!;
            expect(recorded.block.transactions).toEqual([sent]);
            expect({ from: sent.from, hash: sent.hash, tx: sent.tx }).toEqual({ from, hash, tx });
          },
        ),
        { numRuns: runs(400) },
      );
      expect(made).toBeGreaterThan(runs(60));
      expect(malformed).toBeGreaterThan(runs(60));
    });

    it('is not made of a transaction that is refused, which changes nothing', async () => {
      const parent = parentOf(alloc, new MemorySource());
      for (const refused of [transfer(5n, at(1)), transfer(0n, at(1), { value: 10n ** 40n })])
        expect(await single(parent, PLAN, refused, engine)).toBeUndefined();
      const sent = transfer(0n, at(2), { value: 1n });
      const { block, state } = (await single(parent, PLAN, sent, engine))!;
      expect(madeOf(new EncodedBlockView(block, state), [])).toEqual(
        await stepwise(parent, PLAN, reference, [sent]),
      );
    });

    it('is not made of what is not in the encoding, or has more fields in its receipt', async () => {
      const parent = parentOf(alloc, new MemorySource());
      const sent = transfer(0n, at(1));
      expect(await single(parent, PLAN, { ...sent, impersonated: true }, engine)).toBeUndefined();
      const withdrawals = [{ index: 0n, validatorIndex: 0n, address: at(1), amount: 1n }];
      expect(await single(parent, { ...PLAN, withdrawals }, sent, engine)).toBeUndefined();
    });

    it('removes an empty account with storage (EIP-161)', async () => {
      const storage = new Map([[bytesToHex(new Uint8Array(32)), Uint8Array.of(7)]]);
      const odd = new Map([...alloc, [at(0x6001).toString(), { balance: 0n, storage }] as const]);
      const source = new MemorySource();
      const parent = parentOf(odd, source);
      const list = [transfer(0n, at(0x6001))];
      const recorded = (await single(parent, PLAN, list[0], engine))!;
      const { block, state, entries } = recorded;
      entries.own();
      source.store(entries.parts);
      const view = new EncodedBlockView(block, state);
      expect(madeOf(view, [])).toEqual(await stepwise(parent, PLAN, reference, list));
      expect(state.getAccount(at(0x6001))).toBeUndefined();
    });

    it.runIf(hardfork !== 'cancun')('is not made where the transaction requests something', async () => {
      const to = new Address(hexToBytes(WITHDRAWAL_REQUESTS.address as `0x${string}`));
      const data = new Uint8Array(56).fill(9);
      const parent = parentOf(alloc, new MemorySource());
      expect(await single(parent, PLAN, transfer(0n, to, { data, value: 1n }), engine)).toBeUndefined();
      // Nor where the contracts that are asked for requests aren't those of the EIPs.
      const without = parentOf(new Map([...alloc].slice(0, -4)), new MemorySource());
      expect(await single(without, PLAN, transfer(0n, at(1)), engine)).toBeUndefined();
    });

    it('has what other code at the addresses of the contracts of EIP-4788 and EIP-2935 does', async () => {
      // PUSH1 1, PUSH1 0, SSTORE
      const code = hexToBytes('0x60016000550000');
      const replaced = SYSTEM.slice(0, 2).map(([address]): [string, GenesisAccount] => [
        address,
        { balance: 0n, nonce: 1n, code },
      ]);
      const parent = parentOf(new Map([...alloc, ...replaced]), new MemorySource());
      const sent = transfer(0n, at(2), { value: 1n });
      const { block, state } = (await single(parent, PLAN, sent, engine))!;
      expect(madeOf(new EncodedBlockView(block, state), [])).toEqual(
        await stepwise(parent, PLAN, reference, [sent]),
      );
    });

    it('keeps none of the states before it in memory', async () => {
      const source = new MemorySource();
      let parent = parentOf(alloc, source);
      const earlier: WeakRef<object>[] = [];
      for (let nonce = 0n; nonce < 30n; nonce++) {
        const plan = { ...PLAN, timestamp: PLAN.timestamp + nonce };
        const { block, state } = (await single(parent, plan, transfer(nonce, at(2), { value: 1n }), engine))!;
        source.store(state.unstored());
        earlier.push(new WeakRef(parent.state), new WeakRef(state));
        parent = new EncodedBlockView(block, state.settled(source));
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
      const creation = transfer(0n, at(1), { to: undefined, data: hexToBytes('0x6001600055') });
      const { state, entries } = (await single(parent, PLAN, creation, fresh))!;
      source.store(entries.parts);
      const { env } = draftBlock(parent, PLAN, fresh, hashOfBlock);
      // The tables that have made the block are in use: others read its state, and then that of its parent.
      const maker = fresh.blockMaker(parent.state, { withStateRoot: true })!;
      const call = messageOf(transfer(1n, at(2)));
      await fresh.execute(call, env, new Overlay(state), CALL_RULES, { discards: true });
      const message = messageOf(creation);
      const outcome = await fresh.execute(message, env, new Overlay(parent.state), TRANSACTION_RULES);
      expect(outcome).toMatchObject({ kind: 'executed', success: true });
      maker.discard();
    });

    it('leaves the tables as they were for the next block on the same parent', async () => {
      const parent = parentOf(alloc, new MemorySource());
      for (const value of [1n, 2n]) {
        const sent = transfer(0n, at(0x6002), { value });
        const { block, state } = (await single(parent, PLAN, sent, engine))!;
        expect(madeOf(new EncodedBlockView(block, state), [])).toEqual(
          await stepwise(parent, PLAN, reference, [sent]),
        );
      }
    });
  },
);
