import type { RunStep } from '../run-listener.ts';

/** CALL, CALLCODE, DELEGATECALL, STATICCALL -> depth on the stack of the memory offset for the return data */
const RETURN_PLACE: Readonly<Record<number, number>> = { 241: 5, 242: 5, 244: 4, 250: 4 };
/** CALLDATACOPY, CODECOPY, RETURNDATACOPY, MCOPY: their arguments are destination, source, length */
const COPIES = new Set([0x37, 0x39, 0x3e, 0x5e]);
const EXTCODECOPY = 0x3c;
const MLOAD = 0x51;
const MSTORE = 0x52;
const MSTORE8 = 0x53;

/** The opcodes that write only to memory. */
export const MEMORY_WRITERS: readonly number[] = [EXTCODECOPY, ...COPIES, MSTORE, MSTORE8];

/** @returns offset and length of the memory that an operation writes; for MLOAD the range that it reads, as in OpenEthereum's `vmTrace` */
export function memoryAccess(
  code: number,
  step: Pick<RunStep, 'word'>,
): readonly [number, number] | undefined {
  const at = (depth: number) => Number(step.word(depth + 1) ?? 0n);
  const range = (offset: number, length: number) => (length === 0 ? undefined : ([offset, length] as const));
  if (code === MSTORE || code === MLOAD) return range(at(0), 32);
  if (code === MSTORE8) return range(at(0), 1);
  if (COPIES.has(code)) return range(at(0), at(2));
  if (code === EXTCODECOPY) return range(at(1), at(3));
  const place = RETURN_PLACE[code];
  return place === undefined ? undefined : range(at(place), at(place + 1));
}
