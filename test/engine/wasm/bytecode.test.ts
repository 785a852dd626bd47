import { Address, bytesToHex, concatBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { finishLater } from '../../../src/engine/wasm/run.ts';
import type { HardforkName } from '../../../src/protocol/hardfork.ts';
import type { GenesisAccount } from '../../../src/state/genesis.ts';
import { integerBytes } from '../../../src/state/integers.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Counter, Dish, Kitchen, Token } from '../ethereumjs/accounts.ts';
import { push } from '../ethereumjs/programs.ts';
import { at, CALLED, CALLS, RICH } from '../ethereumjs/scenarios.ts';
import {
  blockOf,
  engineOf,
  hashOfBlock,
  runStock,
  stockCommon,
  stockSummaryOf,
  stockVm,
} from '../ethereumjs/stock.ts';
import { add } from './core-blocks.ts';
import { executorOf, writeAlloc } from './executors.ts';
import { signed, summaryOf } from './stock-summary.ts';

const TARGET = at(0x2001);
const OTHER = at(0x2002);
const SENDER = RICH[0]!.address;

/** Words that opcodes have edges at: offsets, sizes, gas, addresses. */
const word = fc.oneof(
  { weight: 6, arbitrary: fc.bigInt({ min: 0n, max: 70n }) },
  { weight: 2, arbitrary: fc.bigInt({ min: 0n, max: 5000n }) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      1n << 16n,
      (1n << 32n) - 1n,
      1n << 32n,
      (1n << 64n) - 1n,
      1n << 64n,
      (1n << 256n) - 1n,
    ),
  },
  { weight: 2, arbitrary: fc.constantFrom(...CALLED).map((bytes) => BigInt(bytesToHex(bytes))) },
  { weight: 1, arbitrary: fc.bigInt({ min: 0n, max: (1n << 256n) - 1n }) },
);

/** A push, any opcode, or any opcode behind enough pushes. */
const step = fc.oneof(
  word.map((value) => push(integerBytes(value))),
  fc.integer({ min: 0, max: 255 }).map((opcode) => Uint8Array.of(opcode)),
  fc
    .tuple(fc.integer({ min: 0x01, max: 0xff }), fc.array(word, { minLength: 1, maxLength: 7 }))
    .map(([opcode, operands]) => concatBytes(...operands.map(integerBytes).map(push), Uint8Array.of(opcode))),
);
const generated = fc.array(step, { minLength: 5, maxLength: 40 }).map((steps) => concatBytes(...steps));

/** What a compiler made, with some bytes changed. */
const mutated = fc
  .tuple(
    fc.constantFrom(Counter.code, Kitchen.code, Token.code, Dish.code),
    fc.array(fc.tuple(fc.nat(10_000), fc.integer({ min: 0, max: 255 })), { minLength: 1, maxLength: 6 }),
  )
  .map(([code, changes]) => {
    const bytes = code.slice();
    for (const [where, value] of changes) bytes[where % bytes.length] = value;
    return bytes;
  });
const anyData = fc.oneof(
  fc.uint8Array({ maxLength: 70 }),
  fc.constantFrom(...CALLS).map(([, data]) => data),
);

describe.each<HardforkName>(['cancun', 'prague', 'osaka'])('%s', (hardfork) => {
  const { fork } = engineOf(hardfork);
  const common = stockCommon(hardfork);
  const executor = executorOf(hardfork);
  const { env, block } = blockOf(
    {
      coinbase: new Address(new Uint8Array(20).fill(0xc0)),
      number: 300n,
      timestamp: 1_700_000_000n,
      gasLimit: 30_000_000n,
      baseFeePerGas: 7n,
      excessBlobGas: 0n,
      prevRandao: new Uint8Array(32).fill(0x5a),
    },
    fork,
    common,
  );
  const fields = {
    ...env,
    coinbase: env.coinbase.bytes,
    baseFeePerGas: 7n,
    blobBaseFee: env.blobBaseFee!,
    excessBlobGas: 0n,
    parentHash: hashOfBlock(299n),
    parentBeaconBlockRoot: new Uint8Array(32),
    extraData: new Uint8Array(0),
  };

  it('any bytecode halts as in the library', { timeout: 120_000 * FUZZ }, async () => {
    const other = { balance: 5n, nonce: 1n, code: Kitchen.code };
    await fc.assert(
      fc.asyncProperty(fc.oneof(generated, mutated), anyData, async (code, data) => {
        const alloc = new Map<string, GenesisAccount>([
          [SENDER.toString(), { balance: 10n ** 30n }],
          [TARGET.toString(), { balance: 1000n, nonce: 1n, code }],
          [OTHER.toString(), other],
        ]);
        const vm = await stockVm(common, alloc);
        writeAlloc(executor, alloc);
        executor.core.startBlock(0);
        executor.setBlock(fields, hashOfBlock);
        try {
          const fee = { maxFeePerGas: 10n, maxPriorityFeePerGas: 1n };
          const tx = signed(
            SENDER,
            { type: 2, nonce: 0n, to: TARGET, data, gasLimit: 500_000n, chainId: common.chainId(), ...fee },
            common,
          );
          const outcome = await finishLater(add(executor, tx.serialize()), async () => {});
          expect(summaryOf(outcome)).toEqual(stockSummaryOf(await runStock(vm, tx, block), tx));
          expect(bytesToHex(executor.stateRoot())).toBe(bytesToHex(await vm.stateManager.getStateRoot()));
        } finally {
          executor.core.closeBlock();
          executor.core.undoBlock();
          executor.stateRoot();
        }
      }),
      { numRuns: runs(60) },
    );
  });
});
