import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { DEFAULT_MNEMONIC } from '../../src/accounts.ts';
import { createDevnet } from '../../src/index.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-config-'));
  file = join(dir, 'config.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

it("configOut writes the accounts, keys and fees under anvil's keys, for the owner's eyes", async () => {
  const node = await createDevnet({
    ...{ configOut: file, accounts: 2, baseFee: 7, gasPrice: 5, gasLimit: 50_000_000, timestamp: 1000 },
    manualClock: true,
  });
  await node.close();
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({
    // What anvil 1.7.1 writes for the same options.
    available_accounts: [
      '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266',
      '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
    ],
    private_keys: [
      '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80',
      '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d',
    ],
    wallet: { derivation_path: "m/44'/60'/0'/0/", mnemonic: DEFAULT_MNEMONIC },
    base_fee: '7',
    gas_price: '5',
    gas_limit: '50000000',
    genesis_timestamp: '1000',
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

it('before London eth_gasPrice is the gasPrice that was set, and sends offer it', async () => {
  const node = await createDevnet({
    hardfork: 'berlin',
    gasPrice: 12_345,
    automine: true,
    manualClock: true,
  });
  const rpc = (method: string, ...params: unknown[]) => node.provider.request({ method, params });
  const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
  const hash = await rpc('eth_sendTransaction', { from, to });
  expect(await rpc('eth_gasPrice')).toBe('0x3039');
  expect(await rpc('anvil_nodeInfo')).toMatchObject({ environment: { gasPrice: '0x3039' } });
  expect(await rpc('eth_getTransactionByHash', hash)).toMatchObject({ gasPrice: '0x3039', type: '0x0' });
  await node.close();
});
