// The output of the last call that the running frame made (EIP-211). One buffer is enough: what a caller
// still had from an earlier call is dropped when it calls again.
import { base, createBuffer, room } from '../memory/heap.ts';

let buffer: usize = 0;
export let returnedSize: u32 = 0;

export function setupReturned(): void {
  buffer = createBuffer(12);
}

export function returned(): usize {
  return base(buffer);
}

export function clearReturned(): void {
  returnedSize = 0;
}

export function setReturned(from: usize, n: u32): void {
  memory.copy(room(buffer, n), from, n);
  returnedSize = n;
}

/** Room for n bytes that the host writes. */
export function roomForReturned(n: u32): usize {
  const at = room(buffer, n);
  returnedSize = n;
  return at;
}
