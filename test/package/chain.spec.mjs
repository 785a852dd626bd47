import { test } from 'devnet/vitest';
import { describe, expect } from 'vitest';

describe.each(['first', 'second'])('the %s test', () => {
  test('finds the chain at its genesis block', async ({ chain: { accounts, provider } }) => {
    const [from, to] = accounts.map(({ address }) => address);
    await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });
    expect(await provider.request({ method: 'eth_blockNumber' })).toBe('0x1');
  });
});
