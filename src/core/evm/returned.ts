// The return data of the current frame's last call (EIP-211). One buffer suffices: the caller's return data is discarded when it calls
// again.
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

/** Returns room for n bytes of return data, which the host writes. */
export function roomForReturned(n: u32): usize {
  const at = room(buffer, n);
  returnedSize = n;
  return at;
}
