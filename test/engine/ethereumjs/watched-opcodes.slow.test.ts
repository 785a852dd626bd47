import { EVM, type ExecResult, type InterpreterStep } from '@ethereumjs/evm';
import { type Address, createAddressFromString } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { DevnetEVM } from '../../../src/engine/ethereumjs/devnet-evm.ts';
import { EngineState } from '../../../src/engine/ethereumjs/engine-state.ts';
import { libraryEnv } from '../../../src/engine/ethereumjs/library-env.ts';
import { type Hardfork, type HardforkName, hardforkOf } from '../../../src/protocol/hardfork.ts';
import { SignatureOverrides } from '../../../src/protocol/signature-overrides.ts';
import { EMPTY_STATE } from '../../../src/state/empty-state.ts';
import { Overlay } from '../../../src/state/overlay.ts';
import { runs } from '../../fuzz.ts';

const TO = createAddressFromString(`0x${'cc'.repeat(20)}`);
const BLOCK = libraryEnv({
  number: 9n,
  timestamp: 99n,
  coinbase: TO,
  gasLimit: 30_000_000n,
  difficulty: 0n,
  prevRandao: new Uint8Array(32),
  baseFeePerGas: 7n,
  blobBaseFee: 1n,
  blockHash: (number) => new Uint8Array(32).fill(Number(number)),
});

const { block, blockchain } = BLOCK;

/** Opcodes that stand for themselves, pushes of small numbers, jumps to somewhere near, memory, storage, calls. */
const piece = fc.oneof(
  fc.integer({ min: 0, max: 255 }).map((opcode) => [opcode]),
  fc.integer({ min: 0, max: 255 }).map((value) => [0x60, value]),
  fc.constantFrom([0x5b], [0x5f], [0x80], [0x90], [0x01], [0x50]),
  fc.integer({ min: 0, max: 80 }).map((target) => [0x5b, 0x60, target, 0x56]),
  fc.integer({ min: 0, max: 80 }).map((target) => [0x60, 1, 0x60, target, 0x57]),
  fc
    .tuple(fc.constantFrom(0x51, 0x52, 0x53, 0x20, 0xf3, 0xfd, 0xa0), fc.integer({ min: 0, max: 65_535 }))
    .map(([opcode, offset]) => [0x60, 64, 0x61, offset >> 8, offset & 255, opcode]),
  fc
    .tuple(fc.constantFrom(0x54, 0x55), fc.integer({ min: 0, max: 3 }))
    .map(([opcode, slot]) => [0x60, slot, 0x60, slot, opcode]),
  // BLOCKHASH of the 256 before this block, and of others
  fc.integer({ min: 0, max: 20 }).map((number) => [0x60, number, 0x40]),
  // STATICCALL of the contract itself
  fc.constant([0x5f, 0x5f, 0x5f, 0x5f, 0x30, 0x61, 0x40, 0x00, 0xfa]),
);
const program = fc
  .array(piece, { minLength: 1, maxLength: 40 })
  .map((pieces) => Uint8Array.from(pieces.flat()));

type Make = (hardfork: Hardfork) => EVM;
const own = (hardfork: Hardfork) => new DevnetEVM({ hardfork, signatures: new SignatureOverrides() });
/** Pauses wherever it can. */
const pausing: Make = (hardfork) => {
  const evm = own(hardfork);
  evm.prepare({ block: BLOCK, turns: { due: true, pause: () => Promise.resolve(), hold: () => {} } });
  return evm;
};
const library: Make = ({ common }) => new EVM({ common, stateManager: new EngineState() });

/** What both tell of a step. */
interface Told {
  readonly pc: number;
  readonly name: string;
  readonly cost: bigint;
  readonly gasLeft: bigint;
  readonly refund: bigint;
  readonly depth: number;
  readonly address: Address;
  readonly stack: readonly bigint[];
  readonly memory: Uint8Array;
}

/** Listens to each opcode, each by its own means. @returns what they tell */
function steps(evm: EVM): Told[] {
  const told: Told[] = [];
  if (evm instanceof DevnetEVM)
    evm.watched.listener = {
      step: async (step) => {
        // The library has no step for the STOP behind code that ends without one.
        if (step.isBehindCode) return;
        const { pc, name, cost, gasLeft, refund, depth, address } = step;
        const [stack, memory] = [step.stack(), step.memory().slice()];
        told.push({ pc, name, cost, gasLeft, refund, depth, address, stack, memory });
      },
    };
  else
    evm.events.on('step', (data: InterpreterStep) => {
      const { pc, opcode, gasLeft, gasRefund: refund, depth, address, stack, memory } = data;
      const { name, dynamicFee: cost } = opcode as typeof opcode & { dynamicFee: bigint };
      told.push({ pc, name, cost, gasLeft, refund, depth, address, stack, memory });
    });
  return told;
}

async function run(make: Make, hardfork: HardforkName, code: Uint8Array, listens = false): Promise<unknown> {
  const evm = make(hardforkOf(1337n, hardfork, {}));
  const told = listens && steps(evm);
  evm.blockchain = blockchain;
  const state = evm.stateManager as EngineState;
  state.overlay = new Overlay(EMPTY_STATE);
  state.overlay.setCode(TO, code);
  const { execResult } = await evm.runCall({ block, to: TO, gasLimit: 200_000n, skipBalance: true });
  const { exceptionError, executionGasUsed, gasRefund, logs, returnValue }: ExecResult = execResult;
  // Where a jump failed is in the text, and the same.
  return {
    error: exceptionError?.error,
    executionGasUsed,
    gasRefund,
    logs,
    returnValue,
    told,
    ...state.overlay.writes(),
  };
}

describe('a run in EthereumJS whose opcodes are watched', () => {
  test.each(['chainstart', 'byzantium', 'istanbul', 'london', 'osaka'] as const)(
    'does what it does without with any code: %s',
    async (hardfork) => {
      await fc.assert(
        fc.asyncProperty(program, async (code) => {
          const result = await run(own, hardfork, code);
          expect(await run(pausing, hardfork, code)).toEqual(result);
          expect(result).toEqual(await run(library, hardfork, code));
        }),
        { numRuns: runs(60) },
      );
    },
  );

  test.each(['chainstart', 'byzantium', 'istanbul', 'london', 'osaka'] as const)(
    'tells of each opcode what the library tells: %s',
    async (hardfork) => {
      await fc.assert(
        fc.asyncProperty(program, async (code) => {
          const result = await run(library, hardfork, code, true);
          expect(await run(own, hardfork, code, true)).toEqual(result);
          expect(await run(pausing, hardfork, code, true)).toEqual(result);
        }),
        { numRuns: runs(20) },
      );
    },
  );
});
