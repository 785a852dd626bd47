import { bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openBlock } from '../../src/executor/blocks.ts';
import type { StateSource } from '../../src/executor/types.ts';
import { EMPTY_CODE_HASH, EMPTY_ROOT } from '../../src/state/account.ts';
import type { GenesisAlloc } from '../../src/state/genesis.ts';
import { integerOf } from '../../src/state/integers.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { program } from '../evm/programs.ts';
import { allocOf, CALLED, RICH, spec } from '../evm/scenarios.ts';
import { stockCommon } from '../evm/stock.ts';
import { FUZZ, runs } from '../fuzz.ts';
import { BLOCK, CONTRACT, executorOf, writeAlloc } from './executors.ts';
import { signed, summaryOf } from './stock-summary.ts';

const common = stockCommon('osaka');
const SENDER = RICH[0]!.address;

/** A signed call of the contract, the sender's first transaction. */
function callOf(gasLimit: bigint): Uint8Array {
  const fields = { type: 2, nonce: 0n, to: CONTRACT, gasLimit, chainId: common.chainId() };
  return signed(SENDER, { ...fields, maxFeePerGas: 10n, maxPriorityFeePerGas: 0n }, common).serialize();
}

/** The alloc, each part of it a little later. */
function sourceOf(alloc: GenesisAlloc): StateSource & { reads: number } {
  const codes = new Map(
    [...alloc.values()].flatMap(({ code }) => (code ? [[bytesToHex(keccak256(code)), code]] : [])),
  );
  const accountAt = (address: Uint8Array) => alloc.get(bytesToHex(address));
  return {
    reads: 0,
    async account(address) {
      this.reads++;
      const found = accountAt(address);
      if (!found) return undefined;
      return {
        nonce: found.nonce ?? 0n,
        balance: found.balance,
        codeHash: found.code?.length ? keccak256(found.code) : EMPTY_CODE_HASH,
        storageRoot: found.storage?.size ? new Uint8Array(32).fill(1) : EMPTY_ROOT,
      };
    },
    async slot(address, key) {
      this.reads++;
      const name = `0x${key.toString(16).padStart(64, '0')}`;
      return integerOf(accountAt(address)?.storage?.get(name) ?? new Uint8Array(0));
    },
    async code(hash) {
      this.reads++;
      return codes.get(bytesToHex(hash))!;
    },
  };
}

describe('a run stands still and goes on', () => {
  const scenario = fc.record({
    programs: fc.tuple(program(CALLED, true), program(CALLED, true), program(CALLED, true)),
    specs: fc.array(spec([0, 1, 2, 3, 4], true), { minLength: 4, maxLength: 8 }),
  });

  it('where state is missing: an executor that knows nothing comes to the same', {
    timeout: 60_000 * FUZZ,
  }, async () => {
    const local = executorOf('osaka');
    await fc.assert(
      fc.asyncProperty(scenario, async ({ programs, specs }) => {
        const alloc = allocOf(programs, true);
        const source = sourceOf(alloc);
        const lazy = executorOf('osaka', source);
        local.core.openBlock();
        writeAlloc(local, alloc);
        try {
          for (const executor of [local, lazy]) executor.setBlock(BLOCK, () => new Uint8Array(32));
          for (const { from, fields, nonceOff } of specs) {
            const nonce = local.fieldsOf(local.account(from.bytes)).nonce + nonceOff;
            const raw = signed(from, { ...fields, nonce }, common).serialize();
            const expected = await local.addAsync(raw, undefined, async () => {});
            const got = await lazy.addAsync(raw, undefined, async () => {});
            expect(summaryOf(got)).toEqual(summaryOf(expected));
          }
          expect(source.reads).toBeGreaterThan(0);
        } finally {
          local.revertTo(0);
        }
      }),
      { numRuns: runs(6) },
    );
  });

  it('every few milliseconds: other work is done in a loop of 15 million gas', async () => {
    const executor = executorOf('osaka');
    executor.setBalance(executor.account(SENDER.bytes), 10n ** 30n);
    // JUMPDEST PUSH2 1000 PUSH0 KECCAK256 POP PUSH0 JUMP
    executor.setCode(
      executor.account(CONTRACT.bytes),
      Uint8Array.from([0x5b, 0x61, 3, 232, 0x5f, 0x20, 0x50, 0x5f, 0x56]),
    );
    openBlock(executor, BLOCK, () => undefined);
    const raw = callOf(15_000_000n);
    let turns = 0;
    const result = await executor.addAsync(raw, undefined, async () => {
      turns++;
    });
    expect(result).toMatchObject({ kind: 'executed', halt: 'out of gas', gasUsed: 15_000_000n });
    expect(turns).toBeGreaterThan(50);
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
    const { slot } = source;
    source.slot = () => Promise.reject(new Error('unreachable'));
    const executor = executorOf('osaka', source);
    const raw = callOf(100_000n);
    const add = () => executor.addAsync(raw, undefined, async () => {});
    expect(() => executor.add(raw)).toThrow('has to wait');
    await expect(add()).rejects.toThrow('unreachable');
    expect(executor.fieldsOf(executor.account(SENDER.bytes))).toMatchObject({
      nonce: 0n,
      balance: 10n ** 18n,
    });
    source.slot = slot;
    expect(await add()).toMatchObject({ kind: 'executed', gasUsed: 23_204n });
    expect(executor.add(raw)).toEqual({ kind: 'invalid', fault: 'nonceTooLow' });
  });
});
