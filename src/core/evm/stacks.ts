// The frames' stacks. A callee's stack follows its caller's, since the caller is paused meanwhile. If there is no room for a whole stack
// after the caller's, it is placed in another area of the heap. Areas are kept for later runs; each ends with a pointer to the next one, or
// 0.
import { frame, STACK_END, TOP } from './frames.ts';
import { allocate } from '../memory/heap.ts';
import { STACK_SIZE, STACKS, STACKS_END } from '../memory/layout.ts';

const ROOM: u32 = 1 << 20;

/** Forgets all areas but the first, after the heap has been cleared. */
export function setupStacks(): void {
  store<u32>(STACKS_END, 0);
}

/** Initializes the stack of the outermost frame, which is the current one. @returns its address */
export function firstStack(): usize {
  store<u32>(frame, <u32>STACKS_END, STACK_END);
  return STACKS;
}

/** Places the stack of the current frame. @returns its address */
export function stackBehind(caller: usize): usize {
  const top = load<u32>(caller, TOP), end = load<u32>(caller, STACK_END);
  if (top + <u32>STACK_SIZE <= end) {
    store<u32>(frame, end, STACK_END);
    return top;
  }
  let next = load<u32>(end);
  if (!next) {
    next = <u32>allocate(ROOM + 4);
    store<u32>(end, next);
  }
  store<u32>(frame, next + ROOM, STACK_END);
  return next;
}
