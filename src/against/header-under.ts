import type { EnvHeader } from '../chain/block.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { integerOf } from '../state/integers.ts';

/**
 * The header that the opcodes and fee rules of another hardfork see. Fields that the other hardfork lacks are left out. Fields that only
 * the other hardfork has get their lowest value, such as a base fee of 0. Before Paris a block without difficulty gets its PREVRANDAO.
 */
export function headerUnder(
  { difficulty, baseFeePerGas = 0n, excessBlobGas = 0n, ...same }: EnvHeader,
  hardfork: Hardfork,
): EnvHeader {
  return {
    ...same,
    difficulty: hardfork.atLeast('paris') ? 0n : difficulty > 0n ? difficulty : integerOf(same.mixHash),
    ...(hardfork.has(1559) && { baseFeePerGas }),
    ...(hardfork.has(4844) && { excessBlobGas }),
  };
}
