import { encodeFunctionData, type Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import {
  closeBrowserAfterAll,
  deploy,
  type Explorer,
  hasChromium,
  MULTICALL3,
  openExplorer,
  throughMulticall,
} from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

const SUPPLY = 10n ** 24n;
const send = (transaction: object): Promise<Hex> =>
  explorer.call('eth_sendTransaction', { from: explorer.accounts.first, gas: '0x80000', ...transaction });
const copied = () => explorer.page.evaluate(() => navigator.clipboard.readText());

describe.skipIf(!hasChromium)('the story of a transaction', () => {
  it('that swapped has its transfers, balance changes, time, gas and fee', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { first, second } = explorer.accounts;
    const [tst, usd] = [
      await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]),
      await deploy(explorer, 'Token', ['US Dollar', 'USD', SUPPLY]),
    ];
    const call = (functionName: string, args: unknown[]) =>
      encodeFunctionData({ abi: tst.abi, functionName, args });
    const approve = call('approve', [MULTICALL3, SUPPLY]);
    await send({ to: usd.address, data: call('transfer', [second, 10n ** 21n]) });
    await send({ to: tst.address, data: approve });
    await send({ from: second, to: usd.address, data: approve });
    const data = throughMulticall(
      [tst.address, call('transferFrom', [first, second, 10n * 10n ** 18n])],
      [usd.address, call('transferFrom', [second, first, 255n * 10n ** 17n])],
    );
    const hash = await send({ to: MULTICALL3, data });
    await explorer.go(`tx/${hash}`);
    await explorer.see('.panel', 'In effect it swapped 10 TST for 25.5 USD.');
    const transfers = explorer.page.getByRole('region', { name: 'Transfers' }).locator('li');
    await expect.poll(() => transfers.allInnerTexts()).toHaveLength(2);
    const texts = (await transfers.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
    expect(texts[0]).toMatch(/account 0 → .*account 1 .*10 TST/);
    expect(texts[1]).toMatch(/account 1 → .*account 0 .*25.5 USD/);
    await explorer.see('.panel', /Balance changes.*account 0.*−10 TST.*\+25.5 USD.*ETH fee.*account 1/s);
    await explorer.see(
      '.glance',
      /block 6.*(?:ago|now), \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC.*[\d,]+ gas, [\d.]+ % of its limit.*fee .*ETH/s,
    );
  });

  it('that failed deep down names the calls that led there, and leads to all of them', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Counter');
    const failing = encodeFunctionData({ abi, functionName: 'setNumber', args: [2_000_000n] });
    const inner = throughMulticall([address, failing]);
    const hash = await send({ to: MULTICALL3, data: throughMulticall([MULTICALL3, inner]) });
    await explorer.go(`tx/${hash}`);
    await explorer.see('.failure', 'TooHigh');
    const steps = explorer.page.getByRole('list', { name: 'The calls that led there' }).locator('li');
    await expect.poll(() => steps.count()).toBe(3);
    const texts = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim());
    expect(texts[0]).toMatch(/^\S* ?Multicall3 aggregate$/);
    expect(texts[2]).toMatch(/Counter setNumber\(value 2,000,000\)$/);
    // Nothing was transferred: there is no panel that says so.
    expect(await explorer.page.getByRole('region', { name: 'Transfers' }).count()).toBe(0);
    await explorer.page.getByRole('link', { name: 'All calls' }).click();
    await explorer.see('.tree details.failing', 'TooHigh');
    // A bar for the gas of each call: all of it for the outermost one, less for those in it.
    const bars = await explorer.page
      .locator('.tree .bar-cell i')
      .evaluateAll((all) => all.map((bar) => bar.getBoundingClientRect().width));
    expect(bars).toHaveLength(3);
    expect(bars[0]).toBeGreaterThan(bars[1]!);
    expect(bars[1]).toBeGreaterThan(bars[2]!);
  });

  it('that failed at a very deep call leaves out the calls in between', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Counter');
    const failing = encodeFunctionData({ abi, functionName: 'setNumber', args: [2_000_000n] });
    let data = throughMulticall([address, failing]);
    for (let depth = 0; depth < 10; depth++) data = throughMulticall([MULTICALL3, data]);
    const hash = await send({ to: MULTICALL3, data, gas: '0x400000' });
    await explorer.go(`tx/${hash}`);
    await explorer.see('.trail', /aggregate.*6 more calls.*setNumber\(value 2,000,000\)/s);
    expect(await explorer.page.locator('.trail li').count()).toBe(7);
  });
});

describe.skipIf(!hasChromium)('the raw transaction', () => {
  it('is JSON, and is copied as requests of cast, viem and curl that send it again', async () => {
    explorer = await openExplorer({ automine: true });
    const { first, second } = explorer.accounts;
    const hash = await send({ to: second, value: '0xde0b6b3a7640000', gas: '0x5208' });
    await explorer.go(`tx/${hash}/raw`);
    const { page } = explorer;
    await explorer.see('pre', `"hash": "${hash}"`);
    await explorer.see('pre', '"status": "0x1"');
    await page.getByRole('button', { name: 'copy JSON' }).first().click();
    await expect.poll(copied).toContain(`"hash": "${hash}"`);
    expect(JSON.parse(await copied()).value).toBe('0xde0b6b3a7640000');
    await page.getByRole('button', { name: 'Copy as cast' }).click();
    const cast = `cast send --unlocked --from ${first} --gas-limit 21000 --value 1000000000000000000`;
    await expect.poll(copied).toBe(`${cast} --rpc-url ${explorer.node.url} ${second}`);
    await page.getByRole('button', { name: 'Copy as viem' }).click();
    await expect.poll(copied).toContain('value: 1000000000000000000n');
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await expect.poll(copied).toMatch(/^curl -s/);
    const [, url, body] = /^curl -s (\S+) .* -d '(.*)'$/.exec(await copied())!;
    const { result } = await (await fetch(url!, { method: 'POST', body: body! })).json();
    const again = await explorer.call('eth_getTransactionByHash', result);
    expect([again.from, again.to, again.value]).toEqual([first, second, '0xde0b6b3a7640000']);
  });
});

describe.skipIf(!hasChromium)('a contract', () => {
  it('is read, tried, and has its events and its code', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [explorer.accounts.second, 25n * 10n ** 17n],
    });
    await send({ to: address, data });
    await explorer.go(`address/${address}`);
    const { page } = explorer;
    const tab = (name: string) => page.getByRole('link', { name, exact: true }).click();
    const form = (name: string) => page.locator('details.function').filter({ hasText: name }).first();
    await tab('Read');
    await form('balanceOf').locator('summary').click();
    await form('balanceOf').getByRole('textbox').fill('account 1');
    await form('balanceOf').getByRole('button', { name: 'Read' }).click();
    await explorer.see('.answer', '2.5 TST');
    await tab('Write');
    const transfer = page.locator('details[open]');
    await page.getByText('(address to, uint256 value)').first().click();
    await transfer.getByLabel('to address').fill('account 3');
    await transfer.getByLabel('value uint256').fill('2 TST');
    await transfer.getByRole('combobox').selectOption({ label: 'account 1' });
    await transfer.getByRole('button', { name: 'Try it' }).click();
    await explorer.see('.answer', 'would succeed');
    await transfer.getByLabel('value uint256').fill('3 TST');
    await transfer.getByRole('button', { name: 'Try it' }).click();
    await explorer.see('.answer', /InsufficientBalance.*2.5 TST.*3 TST/s);
    // Nothing was sent.
    expect(await explorer.call('eth_blockNumber')).toBe('0x2');
    await tab('Events');
    await explorer.see('.panel', '2 events in the newest');
    await explorer.see('.logs li', /Transfer\(from.*account 0.*to.*account 1.*value 2.5 TST\)/s);
    await tab('Code');
    await explorer.see('.facts', /artifact\s*Token/);
    await page.getByRole('button', { name: 'copy code' }).click();
    await expect.poll(copied).toBe(await explorer.call('eth_getCode', address, 'latest'));
  });
});

describe.skipIf(!hasChromium)('keys and wallets', () => {
  it('keys are copied by a button', async () => {
    explorer = await openExplorer();
    await explorer.go('accounts');
    await explorer.page.getByRole('button', { name: 'Show keys' }).click();
    await explorer.page.getByRole('button', { name: 'copy private key' }).first().click();
    await expect.poll(copied).toBe('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  });

  it('a wallet of the browser is told of the chain', async () => {
    explorer = await openExplorer();
    const { page } = explorer;
    await explorer.go('control');
    await explorer.see('main', 'no wallet is in this browser');
    expect(await page.getByRole('button', { name: 'Add to MetaMask' }).isDisabled()).toBe(true);
    await page.addInitScript(() => {
      const asked: object[] = [];
      Object.assign(globalThis, { asked, ethereum: { request: async (it: object) => void asked.push(it) } });
    });
    await page.reload();
    await page.getByRole('button', { name: 'Add to MetaMask' }).click();
    await explorer.see('[role=status]', 'added');
    const asked = await page.evaluate(() => (globalThis as unknown as { asked: object[] }).asked);
    expect(asked).toMatchObject([
      {
        method: 'wallet_addEthereumChain',
        params: [{ chainId: '0x7a69', rpcUrls: [explorer.node.url], nativeCurrency: { symbol: 'ETH' } }],
      },
    ]);
  });
});
