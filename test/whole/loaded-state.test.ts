import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDevnet, type DevnetOptions, type ManualClock } from '../../src/index.ts';

const COUNT = 3_000;
const SLOTS = 700;
const address = (i: number) => `0x${(i * 7_919 + 1).toString(16).padStart(40, '0')}`;
const DEV = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';

async function begun(options: DevnetOptions) {
  const devnet = await createDevnet(options);
  onTestFinished(() => devnet.close());
  return devnet;
}

/** Some thousand accounts: among them one with a large storage, some with code, some twice, and an account of the chain. */
const state = JSON.stringify({
  accounts: Object.fromEntries([
    ...Array.from({ length: COUNT }, (_, i) => [
      i % 5 === 0 ? address(i) : address(i).replace(/^0x0000/, '0xAaF0'),
      {
        nonce: i % 3,
        balance: `0x${(i * 1_000_003).toString(16)}`,
        code: i % 10 === 0 ? `0x60${(i % 250).toString(16).padStart(2, '0')}5f55` : '0x',
        storage:
          i === 7
            ? Object.fromEntries(
                Array.from({ length: SLOTS }, (_, k) => [`0x${k.toString(16)}`, `0x${(k % 5).toString(16)}`]),
              )
            : {},
      },
    ]),
    [DEV, { nonce: 0, balance: '0x5', code: '0x', storage: {} }],
  ]),
});
const packed = `0x${gzipSync(state).toString('hex')}`;

describe.each(['automine', 'flashblocks'] as const)(
  'a state of thousands of accounts that is loaded (%s)',
  (mode) => {
    test('comes to the same root in every engine, and lowers no nonce', { timeout: 120_000 }, async () => {
      const roots: unknown[] = [];
      for (const engine of ['fast', 'ethereumjs', 'shadow'] as const) {
        const devnet = await createDevnet({
          engine,
          timestamp: 1_700_000_000,
          manualClock: true,
          automine: mode === 'automine',
        });
        // Its types know what each method takes; here the parameters are made as they come.
        const provider = devnet.provider as {
          request(call: { method: string; params: unknown[] }): Promise<unknown>;
        };
        const request = (method: string, ...params: unknown[]) => provider.request({ method, params });
        try {
          await request('anvil_setNonce', DEV, '0x9');
          // Slots that the file sets to zero, and slots that it doesn't name.
          await request(
            'anvil_setStorageAt',
            address(7).replace(/^0x0000/, '0xAaF0'),
            '0x0',
            `0x${'7'.repeat(64)}`,
          );
          await request(
            'anvil_setStorageAt',
            address(7).replace(/^0x0000/, '0xAaF0'),
            '0xffff',
            `0x${'8'.repeat(64)}`,
          );
          await request('anvil_loadState', packed);
          expect(await request('eth_getTransactionCount', DEV, 'latest')).toBe('0x9');
          expect(await request('eth_getBalance', DEV, 'pending')).toBe('0x5');
          expect(await request('eth_getCode', address(10), 'pending')).toBe('0x600a5f55');
          await request('evm_mine');
          const block = (await request('eth_getBlockByNumber', 'latest', false)) as { stateRoot: string };
          roots.push(block.stateRoot);
          expect(await request('eth_getBalance', address(2_995), 'latest')).toBe(
            `0x${(2_995 * 1_000_003).toString(16)}`,
          );
        } finally {
          await devnet.close();
        }
      }
      expect(new Set(roots).size).toBe(1);
    });
  },
);

test.each([true, false])('lowers no nonce of a chain that is forked (automine: %s)', async (automine) => {
  const options = { automine, manualClock: true } as const;
  const other = await begun({ automine: true, port: 0 });
  const accounts = [0, 1, 2].map((i) => `0x${'c'.repeat(39)}${i}`);
  for (const at of accounts) await other.provider.request({ method: 'anvil_setNonce', params: [at, '0x7'] });
  const fork = await begun({ ...options, forkUrl: other.url! });
  const request = (method: string, ...params: unknown[]) =>
    (fork.provider as { request(call: { method: string; params: unknown[] }): Promise<unknown> }).request({
      method,
      params,
    });
  // One is known by then, the others are fetched.
  await request('eth_getBalance', accounts[0], 'latest');
  const loaded = accounts.map((at, i) => [at, { nonce: 3 * i, balance: '0x1', code: '0x', storage: {} }]);
  const file = JSON.stringify({ accounts: Object.fromEntries([...loaded, [address(1), { nonce: 2 }]]) });
  await request('anvil_loadState', `0x${gzipSync(file).toString('hex')}`);
  for (const tag of ['latest', 'pending']) {
    for (const at of accounts) expect(await request('eth_getTransactionCount', at, tag)).toBe('0x7');
    expect(await request('eth_getTransactionCount', address(1), tag)).toBe('0x2');
    expect(await request('eth_getBalance', accounts[2], tag)).toBe('0x1');
  }
});

test('leaves the head the nonce that an account has before the open block', async () => {
  const devnet = await begun({ manualClock: true });
  const request = (method: string, ...params: unknown[]) =>
    (devnet.provider as { request(call: { method: string; params: unknown[] }): Promise<unknown> }).request({
      method,
      params,
    });
  await request('eth_sendTransaction', { from: DEV, to: address(1), value: '0x1' });
  await (devnet.clock as ManualClock).advance(400);
  const file = JSON.stringify({ accounts: { [DEV]: { nonce: 0, balance: '0x8ac7230489e80000' } } });
  await request('anvil_loadState', `0x${gzipSync(file).toString('hex')}`);
  expect(await request('eth_getTransactionCount', DEV, 'latest')).toBe('0x0');
  expect(await request('eth_getTransactionCount', DEV, 'pending')).toBe('0x1');
  await request('evm_mine');
  expect(await request('eth_getTransactionCount', DEV, 'latest')).toBe('0x1');
});
