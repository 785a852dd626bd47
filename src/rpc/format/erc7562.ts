import type { Erc7562Recorder, FrameAccess } from '../../engine/tracers/erc7562.ts';
import type { Frame } from '../../engine/tracers/frames.ts';
import { type Hex, quantity } from '../codec/hex.ts';
import { JsonList } from '../json-pieces.ts';
import { type FrameOptions, formatFrame } from './frames.ts';

/** Errors of a frame that ran out of gas. */
const OUT_OF_GAS = new Set(['out of gas', 'contract creation code storage out of gas']);

/**
 * Formats the result of geth's erc7562Tracer.
 * @param transaction the transaction's gas limit, and its gas used after refunds
 */
export function formatErc7562(
  recorder: Erc7562Recorder,
  transaction: { readonly gas: bigint; readonly gasUsed: bigint },
  options: Pick<FrameOptions, 'withLog' | 'firstLog'>,
) {
  const { root, preimages } = recorder;
  return {
    ...formatCall({ ...root, ...transaction }, recorder.accessOf(root), recorder, options, false),
    // As in geth, false for the outermost call even if it ran out of gas.
    outOfGas: false,
    ...(preimages.length > 0 && { keccak: preimages.map((digits): Hex => `0x${digits}`) }),
  };
}

function formatCall(
  frame: Frame,
  access: FrameAccess,
  recorder: Erc7562Recorder,
  options: Pick<FrameOptions, 'withLog' | 'firstLog'>,
  dropped: boolean,
): object {
  const { calls, error } = frame;
  const without = dropped || error !== undefined;
  return {
    ...formatFrame(frame, { ...options, onlyTopCall: true }, dropped),
    accessedSlots: {
      reads: named(access.reads, word, (value) => [word(value)]),
      writes: named(access.writes, word),
      transientReads: named(access.transientReads, word),
      transientWrites: named(access.transientWrites, word),
    },
    extCodeAccessInfo: access.extCode,
    usedOpcodes: named(access.opcodes, (code) => quantity(BigInt(code))),
    contractSize: named(
      access.contracts,
      (address) => address,
      ({ size, opcode }) => ({ contractSize: size, opcode }),
    ),
    outOfGas: error !== undefined && OUT_OF_GAS.has(error),
    ...(calls.length > 0 && {
      calls: new JsonList(function* () {
        for (const call of calls) yield formatCall(call, recorder.accessOf(call), recorder, options, without);
      }),
    }),
  };
}

/** Makes an object of a map's entries. */
function named<K, V>(
  entries: ReadonlyMap<K, V>,
  nameOf: (key: K) => string,
  format: (value: V) => unknown = (value) => value,
): Record<string, unknown> {
  return Object.fromEntries([...entries].map(([key, value]) => [nameOf(key), format(value)]));
}

const word = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;
