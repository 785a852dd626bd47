import { test } from 'devnet/vitest';
import { expect } from 'vitest';

test('a file begins with a chain on which nothing has happened', async ({ chain }) => {
  expect(await chain.provider.request({ method: 'eth_blockNumber' })).toBe('0x0');
});
