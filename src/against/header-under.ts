import type { EnvHeader } from '../chain/block.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { integerOf } from '../state/integers.ts';

/**
 * What the opcodes and fee rules of another hardfork see of a block. A field that only one of the two hardforks has is left out, or is what
 * it would be at least: a base fee of 0. Before the merge PREVRANDAO was DIFFICULTY, and gives the same number.
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
