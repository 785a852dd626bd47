import { test } from 'devnet/vitest';
import { describe, expect } from 'vitest';

const number = async ({ provider }) => Number(await provider.request({ method: 'eth_blockNumber' }));
const send = ({ provider, accounts: [from, to] }) =>
  provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value: '0x1' }] });

test.beforeAll(async ({ devnet }) => {
  await send(devnet);
});

describe('the chain', () => {
  for (const time of ['first', 'second'])
    test(`is as beforeAll left it in the ${time} test`, async ({ chain }) => {
      expect(await number(chain)).toBe(1);
      await send(chain);
      expect(await number(chain)).toBe(2);
    });

  test('has an address where the globalSetup started it', ({ chain }) => {
    expect(typeof chain.url).toBe(process.env.BY_URL ? 'string' : 'undefined');
  });

  test('answers errors with code and data', async ({ chain }) => {
    // PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, REVERT
    const call = { from: chain.accounts[0], data: '0x60015f5260205ffd' };
    const failing = chain.provider.request({ method: 'eth_call', params: [call, 'latest'] });
    await expect(failing).rejects.toMatchObject({ code: 3, data: `0x${'1'.padStart(64, '0')}` });
  });
});
