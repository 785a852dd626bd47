// DUPN, SWAPN and EXCHANGE (EIP-8024), which reach deep into the stack: the immediate byte after the opcode tells how deep. Immediates that
// equal JUMPDEST or a PUSH opcode would change the valid jump targets, so they aren't allowed.
import { INVALID_OPCODE, NONE, STACK_UNDERFLOW } from '../memory/halts.ts';
import { copyWord } from '../memory/words.ts';
import { Op } from '../tables/op.ts';

/**
 * @param immediate the byte after the opcode; 0 beyond the end of the code
 * @param top end of the stack
 * @param stack its bottom
 * @returns see halts.ts
 */
export function reachDeep(opcode: u32, immediate: u32, top: usize, stack: usize): i32 {
  const height = <u32>((top - stack) >> 5);
  if (opcode == Op.EXCHANGE) {
    if (immediate >= 82 && immediate <= 127) return INVALID_OPCODE;
    const pair = immediate ^ 143, q = pair >> 4, r = pair & 15;
    const n = q < r ? q + 1 : r + 1, m = q < r ? r + 1 : 29 - q;
    if (max(n, m) + 1 > height) return STACK_UNDERFLOW;
    exchange(top - (<usize>(n + 1) << 5), top - (<usize>(m + 1) << 5));
    return NONE;
  }
  if (immediate >= 91 && immediate <= 127) return INVALID_OPCODE;
  const n = (immediate + 145) & 255;
  if (opcode == Op.DUPN) {
    if (n > height) return STACK_UNDERFLOW;
    copyWord(top, top - (<usize>n << 5));
    return NONE;
  }
  if (n + 1 > height) return STACK_UNDERFLOW;
  exchange(top - 32, top - (<usize>(n + 1) << 5));
  return NONE;
}

function exchange(a: usize, b: usize): void {
  const low = v128.load(a), high = v128.load(a, 16);
  copyWord(a, b);
  v128.store(b, low);
  v128.store(b, high, 16);
}
