import { expect, it } from 'vitest';
import { prepareCore, takeCore } from '../../../src/engine/wasm/core-pool.ts';

it('an instance that is made ahead is given to one executor, with empty state', () => {
  prepareCore();
  prepareCore();
  const [first, second] = [takeCore(false), takeCore(false)];
  expect(first).not.toBe(second);
  expect(first.touched).toBe(second.touched);
});
