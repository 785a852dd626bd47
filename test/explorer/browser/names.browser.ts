import { encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import {
  artifactPath,
  closeBrowserAfterAll,
  deploy,
  type Explorer,
  hasChromium,
  openExplorer,
} from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

const send = (transaction: object): Promise<Hex> =>
  explorer.call('eth_sendTransaction', { from: explorer.accounts.first, gas: '0x40000', ...transaction });

describe.skipIf(!hasChromium)('the ABI of the contract in question', () => {
  it("decodes an ERC-20's transferFrom as such, also where only a collection's ABI is known", async () => {
    explorer = await openExplorer({ automine: true });
    const { first, second } = explorer.accounts;
    const token = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const collection = await deploy(explorer, 'Collection');
    const call = ({ abi, address }: typeof token, functionName: string, args: unknown[]) =>
      send({ to: address, data: encodeFunctionData({ abi, functionName, args }) });
    await call(token, 'approve', [first, 10n ** 19n]);
    const moved = await call(token, 'transferFrom', [first, second, 3n * 10n ** 18n]);
    await call(collection, 'mint', [first, 7n]);
    const given = await call(collection, 'transferFrom', [first, second, 7n]);
    await explorer.drop(artifactPath('Collection'));
    await explorer.go(`tx/${moved}`);
    await explorer.see('.sentence', 'account 0 sent 3 TST to account 1.');
    await explorer.see('.panel', /Called: transferFrom.*amount uint256\s*3 TST/s);
    await explorer.go(`tx/${given}`);
    await explorer.see('.sentence', 'account 0 sent COL #7 to account 1.');
  });

  it('is that of the code which a proxy or a delegated account runs', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Counter');
    const minimal = `0x${'c1'.repeat(20)}`;
    const upgradeable = `0x${'c2'.repeat(20)}`;
    const delegated = `0x${'c3'.repeat(20)}`;
    const slot = '360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
    await explorer.call(
      'anvil_setCode',
      minimal,
      `0x363d3d373d3d3d363d73${address.slice(2)}5af43d82803e903d91602b57fd5bf3`,
    );
    await explorer.call(
      'anvil_setCode',
      upgradeable,
      // Delegates to the address in EIP-1967's slot.
      `0x365f5f375f5f365f7f${slot}545af43d5f5f3e5f3d91603757fd5bf3`,
    );
    await explorer.call(
      'anvil_setStorageAt',
      upgradeable,
      `0x${slot}`,
      `0x${address.slice(2).padStart(64, '0')}`,
    );
    await explorer.call('anvil_setCode', delegated, `0xef0100${address.slice(2)}`);
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] });
    for (const to of [minimal, upgradeable, delegated]) {
      const hash = await send({ to, data });
      await explorer.go(`tx/${hash}`);
      await explorer.see('.panel', /Called: setNumber/);
      await explorer.go(`address/${to}`);
      await explorer.see('.subtitle', /runs the code of\s*Counter/);
    }
  });
});

describe.skipIf(!hasChromium)('names', () => {
  it('are those of dev accounts, contracts, and addresses that mean the same everywhere, with checksums', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const zero = `0x${'0'.repeat(40)}`;
    const { address } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const hash = await send({ to: zero, value: '0x470de4df820000' });
    await explorer.go(`tx/${hash}`);
    await explorer.see('.sentence', 'account 0 sent 0.02 ETH to zero address.');
    await explorer.see('.facts', '2 (EIP-1559)');
    await explorer.go('block/1');
    await explorer.see('.numbers', /fee recipient/);
    await explorer.go(`address/${address}`);
    await explorer.see('h1', 'Token');
    await explorer.go('address/0x70997970c51812dc3a010c7d01b50e0d17dc79c8');
    await explorer.see('h1', 'account 1');
    await explorer.see('.subtitle', '0x70997970C51812dc3A010C7d01b50e0d17dc79C8');
    await explorer.go('address/0x0000000000000000000000000000000000000001');
    await explorer.see('h1', 'ecrecover');
  });

  it('come with a mark, of which each account has a colour of its own', async () => {
    explorer = await openExplorer();
    await explorer.go('accounts');
    await explorer.see('tbody tr', 'account 9');
    const colours = await explorer.page
      .locator('tbody tr td:first-child .who > :first-child')
      .evaluateAll((marks) => marks.map((mark) => getComputedStyle(mark).backgroundColor));
    expect(new Set(colours).size).toBe(10);
  });

  it('tell two tokens of the same artifact apart', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const { address, abi } = await deploy(explorer, 'Token', ['US Dollar', 'USD', 10n ** 24n]);
    const args = [explorer.accounts.second, 1n];
    const hash = await send({
      to: address,
      data: encodeFunctionData({ abi, functionName: 'transfer', args }),
    });
    // Also on a page that asks for nothing else of it.
    await explorer.go(`tx/${hash}/state`);
    await explorer.page.reload();
    await explorer.see('tbody tr', /Token \(USD\)/);
    await explorer.go('contracts');
    await explorer.see('tbody tr', /Token \(TST\)/);
    await explorer.see('tbody tr', /Token \(USD\)/);
    // Forms take both names.
    for (const [typed, found] of Object.entries({ 'Token (USD)': 1, usd: 1, nobody: 0 })) {
      await explorer.go('transactions');
      await explorer.page.getByLabel('to', { exact: true }).fill(typed);
      await explorer.page.getByRole('button', { name: 'Filter' }).click();
      await explorer.see('main', found ? /No transaction matches|Newest first/ : 'to: expected an address');
    }
  });

  it('are found by the search: contracts, tokens, accounts and functions', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { address } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const data = encodeFunctionData({
      abi: parseAbi(['function transfer(address to, uint256 value)']),
      functionName: 'transfer',
      args: [explorer.accounts.second as Hex, 10n ** 18n],
    });
    await send({ to: address, data });
    await explorer.go('contracts');
    await explorer.see('td', 'ERC-20 TST');
    const { page } = explorer;
    const find = async (text: string, suggestion: RegExp) => {
      await page.keyboard.press('/');
      await page.keyboard.type(text);
      await page.locator('.hits [role=option]').filter({ hasText: suggestion }).first().click();
    };
    await find('tst', /Token \(TST\)/);
    await explorer.see('h1', 'Token');
    await find('Token', /Token \(TST\)/);
    await explorer.see('h1', 'Token');
    await find('account 4', /account 4/);
    await explorer.see('h1', 'account 4');
    await find('3', /account 3/);
    await explorer.see('h1', 'account 3');
    await find('transfer', /transfer\(address, uint256\)/);
    await explorer.see('h1', 'Transactions');
    await explorer.see('td.what', 'send 1 TST');
    await find('0', /Block 0/);
    await explorer.see('h1', 'Block 0');
  });
});

describe.skipIf(!hasChromium)('Control', () => {
  it('shows what it changes: automine, time, impersonation, balances', async () => {
    explorer = await openExplorer({ artifacts: 'fixtures/contracts', blockTime: 3, gasLimit: 12_000_000n });
    const { address } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    await explorer.go('control');
    const { page } = explorer;
    // The fields begin with what is so at present.
    const blockTime = page.getByLabel('seconds, 0 for none');
    await expect.poll(() => blockTime.inputValue()).toBe('3');
    expect(await page.getByRole('form', { name: 'Set the gas limit' }).getByLabel('gas').inputValue()).toBe(
      '12000000',
    );
    await explorer.see('.numbers', /blocks\s*every 3 s\s*flashblocks\s*every 200 ms/);
    await blockTime.fill('5');
    await page.getByRole('button', { name: 'Set the block time' }).click();
    await explorer.see('.numbers', /blocks\s*every 5 s/);
    expect(await explorer.call('anvil_getIntervalMining')).toBe(5);
    await page.getByLabel(/^Automine/).click();
    await explorer.see('.numbers', /blocks\s*automine/);
    expect(await explorer.call('anvil_getAutomine')).toBe(true);
    await page.getByRole('button', { name: 'Move time on' }).click();
    await explorer.see('.numbers', /chain time\s*3,[56]\d\d s ahead/);
    const stranger = `0x${'d1'.repeat(20)}`;
    const form = page.getByRole('form', { name: 'Impersonate' });
    await form.getByLabel('address').fill(stranger);
    await explorer.see('.request', `anvil_impersonateAccount ["${stranger}"]`);
    await form.getByRole('button', { name: 'Impersonate' }).click();
    await explorer.see('.numbers', /impersonated\s*1 account/);
    await page.getByRole('button', { name: 'stop' }).click();
    await explorer.see('.numbers', /impersonated\s*0 accounts/);
    const faucet = page.getByRole('form', { name: 'Faucet' });
    await faucet.getByLabel('who').fill(stranger);
    await faucet.getByLabel('amount').fill('1.5');
    await faucet.getByRole('button', { name: 'Give' }).click();
    await expect.poll(() => explorer.call('eth_getBalance', stranger, 'latest')).toBe('0x14d1120d7b160000');
    await faucet.getByRole('combobox').selectOption('TST');
    await faucet.getByLabel('amount').fill('2.5 TST');
    await faucet.getByRole('button', { name: 'Set balance' }).click();
    const data = `0x70a08231${stranger.slice(2).padStart(64, '0')}`;
    await expect
      .poll(async () => BigInt(await explorer.call('eth_call', { to: address, data }, 'latest')))
      .toBe(25n * 10n ** 17n);
  });
});

describe.skipIf(!hasChromium)('Control', () => {
  it('counts block times in the unit of the node whose answers are given, and has what the node can do', async () => {
    explorer = await openExplorer({ compat: 'hardhat', manualClock: false, blockTime: 60 });
    await explorer.go('control');
    const { page } = explorer;
    const blockTime = page.getByLabel('milliseconds, 0 for none');
    await expect.poll(() => blockTime.inputValue()).toBe('60000');
    await blockTime.fill('90000');
    await page.getByRole('button', { name: 'Set the block time' }).click();
    await explorer.see('.numbers', /blocks\s*every 90 s/);
    expect(await page.getByRole('button', { name: /manual clock/ }).count()).toBe(0);
  });
});

describe.skipIf(!hasChromium)('the life of a transaction', () => {
  it('is known from before the page was opened', async () => {
    explorer = await openExplorer();
    await explorer.page.goto('about:blank');
    await explorer.tick();
    const hash = await explorer.send();
    await explorer.tick();
    await explorer.seal();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.lifecycle .preconfirmed', /at index 2 of block 1/);
    await explorer.see('.lifecycle .sealed', /in block 1.*after/s);
    await explorer.go('block/1');
    await explorer.see('tr.group', /flashblock 2\s*1 transaction/);
  });
});
