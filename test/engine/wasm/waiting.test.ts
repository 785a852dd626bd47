import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CALL_RULES } from '../../../src/engine/engine.ts';
import { exemptionsOf } from '../../../src/engine/wasm/outcome.ts';
import { finished, finishLater, finishNow } from '../../../src/engine/wasm/run.ts';
import { builtinAlloc, type GenesisAlloc } from '../../../src/state/genesis.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { program } from '../ethereumjs/programs.ts';
import { allocOf, at, CALLED, RICH, spec } from '../ethereumjs/scenarios.ts';
import { messageFrom, stockCommon } from '../ethereumjs/stock.ts';
import { add, openBlock, sealBlock, undoBlock } from './core-blocks.ts';
import { BLOCK, CONTRACT, executorOf, sourceOf, writeAlloc } from './executors.ts';
import { signed, summaryOf } from './stock-summary.ts';

const common = stockCommon('osaka');
const SENDER = RICH[0]!.address;

/** A signed call of the contract, the sender's first transaction. */
function callOf(gasLimit: bigint): Uint8Array {
  const fields = { type: 2, nonce: 0n, to: CONTRACT, gasLimit, chainId: common.chainId() };
  return signed(SENDER, { ...fields, maxFeePerGas: 10n, maxPriorityFeePerGas: 0n }, common).serialize();
}

describe('a run stands still and goes on', () => {
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    specs: fc.array(spec([0, 1, 2, 3, 4], true), { minLength: 4, maxLength: 8 }),
  });

  it('where state is missing: an executor that knows nothing comes to the same', {
    timeout: 120_000 * FUZZ,
  }, async () => {
    const local = executorOf('osaka');
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, specs }) => {
        const alloc = allocOf(programs, true);
        const source = sourceOf(alloc);
        const lazy = executorOf('osaka', source);
        local.core.startBlock(0);
        writeAlloc(local, alloc);
        try {
          for (const executor of [local, lazy]) executor.setBlock(BLOCK, () => new Uint8Array(32));
          for (const { from, fields, nonceOff } of specs) {
            const nonce = local.fieldsOf(local.account(from.bytes)).nonce + nonceOff;
            const raw = signed(from, { ...fields, nonce }, common).serialize();
            const expected = await finishLater(add(local, raw), async () => {});
            const got = await finishLater(add(lazy, raw), async () => {});
            expect(summaryOf(got)).toEqual(summaryOf(expected));
          }
          expect(source.reads).toBeGreaterThan(0);
          lazy.useState(source.root);
          expect(bytesToHex(await finishLater(lazy.fold(), async () => {}))).toBe(
            bytesToHex(local.stateRoot()),
          );
        } finally {
          local.core.revertTo(0);
        }
      }),
      { numRuns: runs(6) },
    );
  });

  it('once for all that an estimate misses: its attempts then find everything', async () => {
    // PUSH1 100 JUMPDEST DUP1 SLOAD POP PUSH1 1 SWAP1 SUB DUP1 PUSH1 2 JUMPI
    const code = hexToBytes('0x60645b8054506001900380600257');
    const alloc: GenesisAlloc = new Map([[bytesToHex(CONTRACT.bytes), { balance: 0n, code }]]);
    const source = sourceOf(alloc);
    const executor = executorOf('osaka', source);
    const message = messageFrom(SENDER, { to: CONTRACT, gasLimit: 0n, gasPrice: 0n }, common);
    const search = executor.estimate(message, 1_000_000n, exemptionsOf(CALL_RULES), false);
    expect(await finishLater(finished(search), async () => {})).toBeGreaterThan(21_000n + 100n * 2_100n);
    expect(source.reads).toBeGreaterThanOrEqual(100);
    expect(source.reads).toBeLessThan(110);
  });

  it('every few milliseconds: other work is done in a loop of 15 million gas', async () => {
    const executor = executorOf('osaka');
    executor.setBalance(executor.account(SENDER.bytes), 10n ** 30n);
    // JUMPDEST PUSH2 1000 PUSH0 KECCAK256 POP PUSH0 JUMP
    executor.setCode(
      executor.account(CONTRACT.bytes),
      Uint8Array.from([0x5b, 0x61, 3, 232, 0x5f, 0x20, 0x50, 0x5f, 0x56]),
    );
    finishNow(openBlock(executor, BLOCK, () => undefined));
    const raw = callOf(15_000_000n);
    let turns = 0;
    const result = await finishLater(add(executor, raw), async () => {
      turns++;
    });
    expect(result).toMatchObject({ kind: 'executed', halt: 'out of gas', gasUsed: 15_000_000n });
    expect(turns).toBeGreaterThan(50);
  });

  it('and in frames that only call each other while their memories grow', async () => {
    const executor = executorOf('osaka');
    executor.setBalance(executor.account(SENDER.bytes), 10n ** 30n);
    // PUSH2 ffff MLOAD POP, then a call of itself with all gas
    const code = [0x61, 0xff, 0xff, 0x51, 0x50, 0x5f, 0x5f, 0x5f, 0x5f, 0x5f, 0x30, 0x5a, 0xf1];
    executor.setCode(executor.account(CONTRACT.bytes), Uint8Array.from(code));
    finishNow(openBlock(executor, BLOCK, () => undefined));
    const raw = callOf(15_000_000n);
    let turns = 0;
    await finishLater(add(executor, raw), async () => {
      turns++;
    });
    expect(turns).toBeGreaterThan(20);
  });

  it('or is given up: when its source fails, the state is as before, and the transaction can be added again', async () => {
    // PUSH0 SLOAD PUSH0 SSTORE
    const code = Uint8Array.of(0x5f, 0x54, 0x5f, 0x55);
    const source = sourceOf(
      new Map([
        [SENDER.toString(), { balance: 10n ** 18n }],
        [CONTRACT.toString(), { balance: 0n, code }],
      ]),
    );
    const { getStorage } = source;
    source.getStorage = () => Promise.reject(new Error('unreachable'));
    const executor = executorOf('osaka', source);
    const raw = callOf(100_000n);
    const addOnce = () => finishLater(add(executor, raw), async () => {});
    expect(() => finishNow(add(executor, raw))).toThrow('has to wait');
    await expect(addOnce()).rejects.toThrow('unreachable');
    expect(executor.fieldsOf(executor.account(SENDER.bytes))).toMatchObject({
      nonce: 0n,
      balance: 10n ** 18n,
    });
    source.getStorage = getStorage;
    expect(await addOnce()).toMatchObject({ kind: 'executed', gasUsed: 23_204n });
    expect(finishNow(add(executor, raw))).toEqual({ kind: 'invalid', fault: 'nonceTooLow' });
  });

  it('at the start and the end of a block too: what fails there can be done again', async () => {
    // With so many accounts, the paths to those that a block reads have several nodes each.
    const alloc = builtinAlloc({
      accounts: Array.from({ length: 2_000 }, (_, i) => at(0x7000 + i)),
      balance: 1n,
    });
    const withdrawals = [
      { index: 0n, validatorIndex: 1n, address: SENDER.bytes, amount: 7n },
      { index: 1n, validatorIndex: 1n, address: CONTRACT.bytes, amount: 0n },
    ];
    const ending = { withdrawals, logs: [] };
    const blocks = [1n, 2n, 3n].map((number) => ({ ...BLOCK, number, timestamp: 1_000n + 8_191n * number }));
    const giveWay = async () => {};
    const eager = executorOf('osaka');
    writeAlloc(eager, alloc);
    eager.stateRoot();
    eager.core.closeBlock();
    const source = sourceOf(alloc);
    const lazy = executorOf('osaka', source);
    lazy.useState(source.root);
    let failures = 0;
    for (const name of ['getAccount', 'getStorage', 'getNode'] as const) {
      const read = source[name].bind(source) as (...input: unknown[]) => Promise<never>;
      // Each read fails once.
      const seen = new Set<string>();
      source[name] = async (...input: unknown[]) => {
        const key = input
          .map((part) => (part instanceof Uint8Array ? bytesToHex(part) : String(part)))
          .join();
        if (seen.has(key)) return await read(...input);
        seen.add(key);
        failures++;
        throw new Error('unreachable');
      };
    }
    const untilDone = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        const result = await work().catch((error: Error) => error);
        if (!(result instanceof Error)) return result;
        expect(result.message).toBe('unreachable');
      }
    };
    const roots: Uint8Array[] = [];
    for (const fields of blocks) {
      roots.push(eager.stateRoot());
      finishNow(openBlock(eager, fields, () => undefined));
      await untilDone(() =>
        finishLater(
          openBlock(lazy, fields, () => undefined),
          giveWay,
        ),
      );
      const expected = finishNow(sealBlock(eager, ending));
      const sealed = await untilDone(() => finishLater(sealBlock(lazy, ending), giveWay));
      expect(sealed.hash).toEqual(expected.hash);
    }
    expect(failures).toBeGreaterThan(15);
    for (const before of roots.reverse()) {
      expect(finishNow(undoBlock(eager))).toEqual(before);
      expect(await finishLater(undoBlock(lazy), giveWay)).toEqual(before);
    }
  });
});
