import type { Frame } from './types.ts';

/** The failed frames from the root to the innermost one, which made the others fail. Empty if the root succeeded. */
export function failingPath(root: Frame): Frame[] {
  const path: Frame[] = [];
  for (let frame: Frame | undefined = root; frame?.error !== undefined; ) {
    path.push(frame);
    frame = frame.calls?.findLast(({ error }) => error !== undefined);
  }
  return path;
}
