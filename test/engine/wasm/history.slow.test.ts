import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messageOf } from '../../../src/engine/message.ts';
import { finishLater, finishNow } from '../../../src/engine/wasm/run.ts';
import type { ExecutorLog } from '../../../src/engine/wasm/types.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import { hasCode } from '../../../src/state/account.ts';
import type { GenesisAccount } from '../../../src/state/genesis.ts';
import {
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  WITHDRAWAL_REQUESTS,
} from '../../../src/state/genesis-code.ts';
import type { MemorySource } from '../../../src/state/node-cache.ts';
import { walkState } from '../../../src/state/walk-state.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { program } from '../ethereumjs/programs.ts';
import { allocOf, CALLED, envFields, spec } from '../ethereumjs/scenarios.ts';
import {
  blockOf,
  engineOf,
  hashOfBlock,
  runStock,
  stockCommon,
  stockSummaryOf,
  stockVm,
} from '../ethereumjs/stock.ts';
import { add, call, openBlock, sealBlock, undoBlock } from './core-blocks.ts';
import { executorOf, sourceOf, writeAlloc } from './executors.ts';
import { signed, summaryOf } from './stock-summary.ts';

/** Without the contracts of EIP-7002 and EIP-7251 a block of Prague is invalid, without those of EIP-8282 one of Amsterdam. */
const QUEUES: readonly (readonly [string, GenesisAccount])[] = [
  WITHDRAWAL_REQUESTS,
  CONSOLIDATION_REQUESTS,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
].map(({ address, code }) => [address, { balance: 0n, nonce: 1n, code: hexToBytes(code) }]);

const giveWay = async () => {};

/** Whether all nodes and codes of a state are stored. */
function expectWhole(stored: MemorySource, root: Uint8Array): void {
  const nodeAt = (hash: Uint8Array) => {
    const node = stored.getNode(hash);
    if (!node) throw new Error(`no node ${bytesToHex(hash)}`);
    return node;
  };
  for (const part of walkState(root, () => true, nodeAt))
    if (part.kind === 'account' && hasCode(part.account))
      expect(stored.getCode(part.account.codeHash)).toBeDefined();
}

const FORKS: readonly (readonly [HardforkName, readonly number[]])[] = [
  ['cancun', [0, 1, 2, 3]],
  ['prague', [0, 1, 2, 3, 4, 4]],
  ['osaka', [0, 1, 2, 3, 4, 4]],
  ['amsterdam', [0, 1, 2, 3, 4, 4]],
];
describe.each(FORKS)('%s', (hardfork, types) => {
  const { fork } = engineOf(hardfork);
  const common = stockCommon(hardfork);
  const executor = executorOf(hardfork);
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    withEmpty: fc.boolean(),
    env: envFields,
    specs: fc.array(spec(types, true, hardfork), { minLength: 4, maxLength: 7 }),
  });

  /** One block of nothing but these writes. */
  function writeGenesis(alloc: ReturnType<typeof allocOf>): void {
    writeAlloc(executor, alloc);
    executor.stateRoot();
    executor.core.closeBlock();
  }

  it('blocks do what the library does, and come back by their journals', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env: fields, specs }) => {
        const alloc = new Map([...allocOf(programs, withEmpty), ...QUEUES]);
        const empty = bytesToHex(executor.stateRoot());
        writeGenesis(alloc);
        const vm = await stockVm(common, alloc);
        const rootOf = async () => bytesToHex(await vm.stateManager.getStateRoot());
        const roots = [empty, await rootOf()];
        expect(bytesToHex(executor.stateRoot())).toBe(roots[1]);
        // The same chain on a store that knows only what is stored block by block.
        const source = sourceOf(alloc);
        const lazy = executorOf(hardfork, source);
        lazy.useState(source.root);
        const { env, block } = blockOf(fields, fork, common);
        const blockFields = {
          ...fields,
          coinbase: fields.coinbase.bytes,
          difficulty: 0n,
          blobBaseFee: env.blobBaseFee!,
          parentHash: hashOfBlock(fields.number - 1n),
          parentBeaconBlockRoot: new Uint8Array(32),
          extraData: new Uint8Array(0),
        };
        for (let first = 0; first < specs.length; first += 2) {
          finishNow(openBlock(executor, blockFields, hashOfBlock));
          await finishLater(openBlock(lazy, blockFields, hashOfBlock), giveWay);
          const logs: ExecutorLog[] = [];
          for (const { from, nonceOff, fields: data } of specs.slice(first, first + 2)) {
            const nonce = ((await vm.stateManager.getAccount(from))?.nonce ?? 0n) + nonceOff;
            const tx = signed(from, { ...data, nonce }, common);
            const raw = tx.serialize();
            // Its effects are taken back: what follows would show them.
            const tried = await finishLater(call(executor, messageOf({ tx, from, raw }), 0), giveWay);
            const outcome = await finishLater(add(executor, raw), giveWay);
            const expected = stockSummaryOf(await runStock(vm, tx, block), tx);
            expect(summaryOf(outcome)).toEqual(expected);
            expect(summaryOf(await finishLater(add(lazy, raw), giveWay))).toEqual(expected);
            expect(summaryOf(tried)).toEqual(expected);
            if (outcome.kind === 'executed') logs.push(...outcome.logs);
          }
          const sealed = finishNow(sealBlock(executor, { withdrawals: [], logs }));
          roots.push(await rootOf());
          expect(bytesToHex(sealed.stateRoot)).toBe(roots.at(-1));
          const lazySealed = await finishLater(sealBlock(lazy, { withdrawals: [], logs }), giveWay);
          expect(lazySealed.hash).toEqual(sealed.hash);
          source.stored.store(lazy.changedNodes().parts);
          expectWhole(source.stored, sealed.stateRoot);
          expect(lazy.dropNodes()).toBe(true);
        }
        while (executor.core.pastBlocks() > 0) {
          roots.pop();
          expect(bytesToHex(finishNow(undoBlock(executor)))).toBe(roots.at(-1));
          if (lazy.core.pastBlocks() > 0)
            expect(bytesToHex(await finishLater(undoBlock(lazy), giveWay))).toBe(roots.at(-1));
        }
        expect(roots).toHaveLength(1);
      }),
      { numRuns: runs(12) },
    );
  });
});
