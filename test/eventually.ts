import { vi } from 'vitest';

/** Milliseconds of real time. A test that would fail takes as long; one that passes doesn't. */
const LONGEST = 30_000;

/**
 * Repeats a check until it passes, as `vi.waitFor`, whose own limit of one second is too short on a busy machine.
 * @param options a limit in milliseconds, or the options of `vi.waitFor`
 */
export function eventually<T>(
  check: () => T | Promise<T>,
  options: Parameters<typeof vi.waitFor>[1] = LONGEST,
): Promise<T> {
  return vi.waitFor(check, options);
}
