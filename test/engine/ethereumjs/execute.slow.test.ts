import type { TypedTransaction } from '@ethereumjs/tx';
import { type Address, bytesToHex } from '@ethereumjs/util';
import type { RunTxResult, VM } from '@ethereumjs/vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TRANSACTION_RULES } from '../../../src/engine/engine.ts';
import { messageOf } from '../../../src/engine/message.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type { Executed, Outcome } from '../../../src/protocol/types.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import type { StateView } from '../../../src/state/view.ts';
import { runs } from '../../fuzz.ts';
import { callData, GWEI, Kitchen } from './accounts.ts';
import { program } from './programs.ts';
import { allocOf, CALLED, CALLS, envFields, KITCHEN, RICH, spec, stockAllocOf } from './scenarios.ts';
import {
  blockOf,
  engineOf,
  messageFrom,
  PLAIN_BLOCK,
  runStock,
  stockCommon,
  stockSummaryOf,
  stockVm,
  transactionFrom,
  trieStateOf,
} from './stock.ts';

/** What both sides must agree on. */
function summaryOf(outcome: Outcome) {
  if (outcome.kind === 'invalid') return 'refused';
  return {
    success: outcome.success,
    gasUsed: outcome.gasUsed,
    returnData: bytesToHex(outcome.returnData),
    created: outcome.createdAddress?.toString(),
    logs: outcome.logs.map(({ address, topics, data }) => [
      address.toString(),
      topics.map(bytesToHex),
      bytesToHex(data),
    ]),
  };
}

function stockSuccessOf(result: RunTxResult | Error, vm: VM, tx: TypedTransaction) {
  const summary = stockSummaryOf(result, tx);
  if (summary === 'refused') return summary;
  const { halt, ...rest } = summary;
  // Before Homestead a contract whose code can't be paid for is created without code.
  const success = !halt || (vm.common.hardfork() === 'chainstart' && halt.startsWith('code store'));
  return { success, ...rest };
}

const FORKS: readonly (readonly [HardforkName, readonly number[], number])[] = [
  ['chainstart', [0], 15],
  ['homestead', [0], 15],
  ['tangerineWhistle', [0], 12],
  ['spuriousDragon', [0], 15],
  ['byzantium', [0], 12],
  ['constantinople', [0], 10],
  ['petersburg', [0], 10],
  ['istanbul', [0], 12],
  ['berlin', [0, 1], 15],
  ['london', [0, 1, 2], 20],
  ['paris', [0, 1, 2], 15],
  ['shanghai', [0, 1, 2], 15],
  ['cancun', [0, 1, 2, 3], 16],
  ['prague', [0, 1, 2, 3, 4, 4], 20],
  ['osaka', [0, 1, 2, 3, 4, 4], 20],
  ['amsterdam', [0, 1, 2, 3, 4, 4], 20],
];
const ENGINES = [
  ...FORKS.map(([hardfork, types, count]) => ({ hardfork, types, count, name: 'ethereumjs' as const })),
  ...FORKS.map(([hardfork, types, count]) => ({
    hardfork,
    types,
    count,
    name: 'fast' as const,
  })),
];
describe.each(ENGINES)('$hardfork, engine $name', ({ hardfork, types, count, name }) => {
  const { engine, fork } = engineOf(hardfork, name);
  const common = stockCommon(hardfork);
  const modern = fork.atLeast('constantinople');
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, modern), program(CALLED, modern), program(CALLED, modern)),
    withEmpty: fc.boolean(),
    env: envFields,
    specs: fc.array(spec(types, modern, hardfork), { minLength: 4, maxLength: 7 }),
  });

  it('transactions in a row do what the library does with them', async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, withEmpty, env: fields, specs }) => {
        const alloc = stockAllocOf(hardfork, programs, withEmpty);
        const state = trieStateOf(alloc);
        const overlay = new Overlay(state);
        const vm = await stockVm(common, alloc);
        expect(bytesToHex(state.root)).toBe(bytesToHex(await vm.stateManager.getStateRoot()));
        const { env, block } = blockOf(fields, fork, common);
        for (const { from, nonceOff, fields } of specs) {
          const nonce = ((await overlay.getAccount(from))?.nonce ?? 0n) + nonceOff;
          const tx = transactionFrom(from, { ...fields, nonce }, common);
          const message = messageOf({ tx, from, raw: tx.serialize() });
          const outcome = await engine.execute(message, env, overlay, TRANSACTION_RULES);
          const result = await runStock(vm, tx, block);
          expect(summaryOf(outcome)).toEqual(stockSuccessOf(result, vm, tx));
          for (const address of [from, env.coinbase, ...(tx.to ? [tx.to] : [])]) {
            const theirs = await vm.stateManager.getAccount(address);
            expect((await overlay.getAccount(address))?.balance).toBe(theirs?.balance);
          }
        }
        const root = bytesToHex(await vm.stateManager.getStateRoot());
        expect(bytesToHex(state.fold(overlay.writes()).root)).toBe(root);
      }),
      { numRuns: runs(count) },
    );
  });
});

describe('one engine', () => {
  const { engine, fork } = engineOf('osaka');
  const common = stockCommon('osaka');
  const state = trieStateOf(allocOf([], false));
  const { env } = blockOf(PLAIN_BLOCK, fork, common);

  async function run(rounds: number, callOf: (round: number) => readonly [Address, Uint8Array]) {
    const overlay = new Overlay(state);
    const from = RICH[0]!.address;
    for (let nonce = 0; nonce < rounds; nonce++) {
      const [to, data] = callOf(nonce);
      const fields = { nonce, gasLimit: 1_000_000n, gasPrice: 2n * GWEI, to, data };
      const message = messageFrom(from, fields, common);
      await engine.execute(message, env, overlay, TRANSACTION_RULES);
    }
    return bytesToHex(state.fold(overlay.writes()).root);
  }

  it('runs many states at a time and mixes none of them up', async () => {
    const tasks = Array.from(
      { length: 20 },
      (_, task) => () => run(8, (round) => CALLS[(task * 3 + round) % CALLS.length]!),
    );
    const alone: string[] = [];
    for (const task of tasks) alone.push(await task());
    expect(await Promise.all(tasks.map((task) => task()))).toEqual(alone);
  });

  it('is as new after a run that ended with an internal error', async () => {
    const unreadable: StateView = {
      getAccount: (address) => state.getAccount(address),
      getCode: (address) => state.getCode(address),
      getStorage: () => Promise.reject(new Error('the disk is gone')),
    };
    const from = RICH[0]!.address;
    const execute = (data: Uint8Array, view: StateView) => {
      const fields = { nonce: 0, gasLimit: 1_000_000n, gasPrice: 2n * GWEI, to: KITCHEN, data };
      const message = messageFrom(from, fields, common);
      return engine.execute(message, env, new Overlay(view), TRANSACTION_RULES);
    };
    // Transient storage is written before the storage that can't be read.
    const broken = execute(callData(Kitchen, 'tstoreThenLoad', 1n, 5n), unreadable);
    await expect(broken).rejects.toThrow('disk');
    const { returnData } = (await execute(callData(Kitchen, 'tload', 1n), state)) as Executed;
    expect(bytesToHex(returnData)).toBe(`0x${'00'.repeat(32)}`);
  });
});
