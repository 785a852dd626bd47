import { DevnetError } from 'devnet';
import { test } from 'devnet/vitest';
import { describe, expect } from 'vitest';

const number = async ({ provider }) => Number(await provider.request({ method: 'eth_blockNumber' }));
const send = ({ provider, accounts: [from, to] }) =>
  provider.request({
    method: 'eth_sendTransaction',
    params: [{ from: from.address, to: to.address, value: '0x1' }],
  });

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

  test('has actions', async ({ chain }) => {
    const id = await chain.snapshot();
    await chain.mine(2);
    const { address } = await chain.deploy({ bytecode: '0x5f5ff3' });
    expect(address).toMatch(/^0x[0-9a-fA-F]{40}$/);
    await chain.revert(id);
    expect(await number(chain)).toBe(1);
  });

  test("shows contracts' console.log under the test", async ({ chain }) => {
    const to = '0x000000000000000000636F6e736F6c652e6c6f67';
    const data = `0x41304fac${'20'.padStart(64, '0')}${'b'.padStart(64, '0')}${Buffer.from('a contract!').toString('hex').padEnd(64, '0')}`;
    await chain.provider.request({ method: 'eth_call', params: [{ to, data }, 'latest'] });
  });

  test('answers errors with code and data', async ({ chain }) => {
    // PUSH1 1, PUSH0, MSTORE, PUSH1 32, PUSH0, REVERT
    const call = { from: chain.accounts[0].address, data: '0x60015f5260205ffd' };
    const failing = chain.provider.request({ method: 'eth_call', params: [call, 'latest'] });
    await expect(failing).rejects.toBeInstanceOf(DevnetError);
    await expect(failing).rejects.toMatchObject({
      name: 'DevnetError',
      kind: 'reverted',
      code: 3,
      data: `0x${'1'.padStart(64, '0')}`,
    });
  });
});
