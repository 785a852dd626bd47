// The frames' stacks. That of a callee begins where its caller's ends, since a caller stands still meanwhile. Where a whole stack
// doesn't fit behind the caller's any more, it begins in another room of the heap. Rooms stay for the runs that follow; behind each is
// a pointer to the next one, or 0.
import { frame, STACK_END, TOP } from './frames.ts';
import { allocate } from '../memory/heap.ts';
import { STACK_SIZE, STACKS, STACKS_END } from '../memory/layout.ts';

const ROOM: u32 = 1 << 20;

/** The heap, and with it every room but the first, is gone. */
export function setupStacks(): void {
  store<u32>(STACKS_END, 0);
}

/** @returns where the stack of the outermost frame begins, which is the running one */
export function firstStack(): usize {
  store<u32>(frame, <u32>STACKS_END, STACK_END);
  return STACKS;
}

/** @returns where the stack of the running frame begins */
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
