import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeFunctionData, type Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import {
  artifactPath,
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

const send = (transaction: object): Promise<Hex> =>
  explorer.call('eth_sendTransaction', { from: explorer.accounts.first, gas: '0x40000', ...transaction });
const SUPPLY = 10n ** 24n;

describe.skipIf(!hasChromium)('a transaction', () => {
  it('that failed shows the custom error of the innermost call, and the tree opened down to it', async () => {
    explorer = await openExplorer();
    const { address, abi } = await deploy(explorer, 'Counter');
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [2_000_000n] });
    const hash = await send({
      to: MULTICALL3,
      data: throughMulticall([MULTICALL3, throughMulticall([address, data])]),
    });
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.failure', /0x[\da-f]{8}/);
    await explorer.drop(artifactPath('Counter'));
    await explorer.see('.failure', 'TooHigh');
    await explorer.see('.failure .facts', /number uint256.*2,000,000.*limit uint256.*1,000,000/s);
    await explorer.see(
      '.sentence',
      /account 0 tried to call aggregate of Multicall3, but Counter refused: TooHigh\(number 2,000,000, limit 1,000,000\)/,
    );
    await explorer.page.getByRole('link', { name: 'Calls', exact: true }).click();
    const failing = explorer.page.locator('.tree details.failing');
    await failing.waitFor();
    expect(await failing.count()).toBe(1);
    await explorer.see(
      '.tree details.failing > summary',
      /Counter.*setNumber\(value 2,000,000\).*TooHigh\(number 2,000,000, limit 1,000,000\)/s,
    );
    // Three frames deep, a line each; a click shows more of one.
    expect(await explorer.page.locator('.tree ul ul .failing').count()).toBe(1);
    await failing.locator('summary').click();
    await explorer.see('.tree .failing .details', /revert data/);
  });

  it('has a life line from the mempool to the sealed block', async () => {
    explorer = await openExplorer();
    await explorer.see('.newest', 'Block 1 is being built');
    await explorer.tick();
    await explorer.tick();
    const hash = await explorer.send();
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.title .badge', 'pre-confirmed');
    await explorer.see('.lifecycle .preconfirmed', /at index 3 of block 1/);
    await explorer.seal();
    await explorer.see('.lifecycle .sealed', /in block 1.*after/s);
    expect(await explorer.page.locator('.lifecycle li').count()).toBe(3);
    await explorer.see('.title .badge', 'sealed');
  });

  it('that was dropped says so', async () => {
    explorer = await openExplorer();
    await explorer.see('.newest', 'Block 1 is being built');
    const hash = await explorer.send();
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.lifecycle .preconfirmed', 'index 1');
    await explorer.call('devnet_dropPreconfirmed', hash);
    await explorer.see('.lifecycle .dropped', 'left out of the block');
    await explorer.see('.title .badge', 'dropped');
  });

  it('shows what contracts say with console.log, its logs and its changes', async () => {
    explorer = await openExplorer();
    // PUSH4 log(uint256), 5 in memory, STATICCALL of the console's address: Hardhat's console.log(5).
    const code = '0x63f82c50f15f5260056020525f5f6024601c6a636f6e736f6c652e6c6f675afa00';
    const to = `0x${'c1'.repeat(20)}`;
    await explorer.call('anvil_setCode', to, code);
    const hash = await send({ to, value: '0xde0b6b3a7640000' });
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.transfers li', /account 0.*1 ETH/s);
    await explorer.go(`tx/${hash}/calls`);
    await explorer.see('.tree .console', /console.log:\s*5/);
    await explorer.go(`tx/${hash}/state`);
    await explorer.see('td', '1 ETH');
  });
});

describe.skipIf(!hasChromium)('an address', () => {
  it('of a token shows the balances of its holders at latest and at pending, in its unit', async () => {
    explorer = await openExplorer();
    const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    await explorer.go(`address/${address}`);
    await explorer.see('.title .badge', 'ERC-20 TST');
    const holder = (text: RegExp) => explorer.page.locator('tr').filter({ hasText: text }).first();
    await holder(/account 0.*1,000,000 TST.*1,000,000 TST/).waitFor();
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [explorer.accounts.second, 10n ** 18n],
    });
    await send({ to: address, data });
    await explorer.tick();
    const row = holder(/account 0.*1,000,000 TST.*999,999 TST/);
    await row.waitFor();
    expect(await row.locator('.changed').innerText()).toBe('999,999 TST');
  });

  it('shows tokens of ERC-721 and ERC-1155 at latest and at pending', async () => {
    explorer = await openExplorer();
    const { first, second } = explorer.accounts;
    const collection = await deploy(explorer, 'Collection');
    const items = await deploy(explorer, 'Items');
    const call = ({ abi, address }: typeof items, functionName: string, args: unknown[]) =>
      send({ to: address, data: encodeFunctionData({ abi, functionName, args }) });
    await call(collection, 'mint', [first, 7n]);
    await call(collection, 'mint', [first, 8n]);
    await call(items, 'mintBatch', [first, [3n, 4n], [50n, 60n]]);
    await explorer.seal();
    await explorer.go(`address/${first}`);
    const row = (text: RegExp) =>
      explorer.page.locator('table').filter({ hasText: 'standard' }).locator('tr').filter({ hasText: text });
    await row(/ERC-721\s*COL #7\s*COL #7/).waitFor();
    await row(/ERC-1155.*60 × .*#4\s*60 × .*#4/).waitFor();
    await call(collection, 'transferFrom', [first, second, 7n]);
    await call(items, 'safeTransferFrom', [first, second, 4n, 11n, '0x']);
    await explorer.tick();
    await row(/ERC-721\s*COL #7\s*–/).waitFor();
    await row(/ERC-1155.*60 × .*#4\s*49 × .*#4/).waitFor();
    expect(await row(/ERC-/).count()).toBe(4);
    await explorer.go(`address/${items.address}`);
    await row(/account 1\s*ERC-1155/).waitFor();
  });

  it('lists its transactions, pre-confirmed ones first', async () => {
    explorer = await openExplorer();
    const { first, second } = explorer.accounts;
    await send({ to: second, value: '0x1' });
    await explorer.tick();
    await explorer.seal();
    await explorer.go(`address/${first}`);
    const rows = explorer.page.locator('tr').filter({ has: explorer.page.locator('[aria-label=success]') });
    await rows.nth(0).waitFor();
    const hash = await send({ to: second, value: '0x2' });
    await explorer.tick();
    await rows.filter({ hasText: 'pre-confirmed' }).waitFor();
    expect(await rows.nth(0).innerText()).toContain(hash.slice(0, 6));
    await explorer.seal();
    await explorer.page.locator('.badge', { hasText: 'pre-confirmed' }).waitFor({ state: 'detached' });
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(2);
  });

  it('shows text of the chain as text', async () => {
    explorer = await openExplorer();
    const evil = '<img src=x onerror="document.title=1">';
    const { address, abi } = await deploy(explorer, 'Token', [evil, evil, SUPPLY]);
    await explorer.go(`address/${address}`);
    await explorer.see('.badge', evil.slice(0, 24));
    expect(await explorer.page.locator('main img').count()).toBe(0);
    // Bytes that don't fit the ABI of their selector: marked and raw.
    const broken =
      `${encodeFunctionData({ abi, functionName: 'transfer', args: [address, 1n] }).slice(0, 30)}` as Hex;
    await send({ to: address, data: broken });
    await explorer.tick();
    await explorer.go('transactions');
    await explorer.see('td.what mark', 'transfer?');
    await explorer.see('td.what', broken);
  });
});

describe.skipIf(!hasChromium)('Difference', () => {
  it('has accounts and slots, old and new, and follows the pending block', async () => {
    explorer = await openExplorer();
    const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    await explorer.seal();
    await explorer.go('difference');
    const data = encodeFunctionData({ abi, functionName: 'approve', args: [explorer.accounts.second, 77n] });
    await send({ to: address, data });
    await explorer.tick();
    await explorer.see('.new', '0x4d');
    const diff = await explorer.call('devnet_stateDiff', 'latest', 'pending');
    const accounts = Object.values(diff) as { storage?: object }[];
    const slots = accounts.reduce((sum, { storage = {} }) => sum + Object.keys(storage).length, 0);
    await explorer.see('h2', `${accounts.length} accounts, ${slots} slots`);
    await explorer.seal();
    await explorer.seal();
    await explorer.page.getByLabel('from block').fill('2');
    await explorer.page.getByLabel('to block').fill('3');
    await explorer.see('.panel header', '2 → 3');
    await explorer.see('td', 'nonce');
  });
});

describe.skipIf(!hasChromium)('Simulate', () => {
  it('runs two blocks with an override; "copy as curl" gives the same answer', async () => {
    explorer = await openExplorer();
    const { address } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    await explorer.go('simulate');
    await explorer.drop(artifactPath('Token'));
    const { page } = explorer;
    const poor = '0x00000000000000000000000000000000000000aa';
    await page.getByRole('button', { name: 'Add an override' }).click();
    await page.getByLabel('account').fill(poor);
    await page.getByLabel('balance, ETH').fill('5');
    await page.getByLabel('from', { exact: true }).fill(poor);
    await page.getByLabel('to', { exact: true }).fill(explorer.accounts.second);
    await page.getByLabel('value, ETH').fill('2');
    await page.getByRole('button', { name: 'Add a block' }).click();
    const second = page.getByRole('region', { name: 'Block 2' });
    await second.getByLabel('from', { exact: true }).fill(poor);
    await second.getByLabel('to', { exact: true }).fill(address);
    // Only the functions of the contract that is called are offered.
    const offered = second.getByLabel('function').locator('option');
    await expect.poll(() => offered.count()).toBeGreaterThan(1);
    expect((await offered.allInnerTexts()).filter((text) => /ownerOf|aggregate/.test(text))).toEqual([]);
    await second.getByLabel('function').selectOption('transfer(address,uint256)');
    await second.getByLabel('to address').fill('account 1');
    await second.getByLabel('value uint256').fill('1.5 TST');
    await page.getByRole('button', { name: 'Simulate', exact: true }).click();
    await explorer.see('.outcome', /Call 1.*success/s);
    await explorer.see('.outcome.failed', 'InsufficientBalance');
    await explorer.see('.outcome.failed .facts', /needed uint256.*1.5 TST/s);
    await explorer.see('.outcome', /account 1\s*\+2 ETH/);
    await page.getByText('State that it changes').click();
    await explorer.see('.outcome td', /balance/);
    await page.getByRole('button', { name: 'copy as curl' }).click();
    await page.getByRole('button', { name: 'copied' }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    const [, url, body] =
      /^curl -s (\S+) -H 'Content-Type: application\/json' -d '(.*)'$/s.exec(command) ?? [];
    const { result } = await (await fetch(url!, { method: 'POST', body: body! })).json();
    expect(result.map(({ calls }: { calls: { status: string }[] }) => calls[0]!.status)).toEqual([
      '0x1',
      '0x0',
    ]);
    for (const { gasUsed, number } of result)
      await explorer.see(
        '.panel',
        new RegExp(`block ${Number(number)}[^]*${Number(gasUsed).toLocaleString('en-US')} gas`),
      );
  });

  it('runs a transaction of the chain again, with all fields filled in', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { first, second } = explorer.accounts;
    const { abi, address } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    const args = [second, 15n * 10n ** 17n];
    const hash = await send({
      to: address,
      data: encodeFunctionData({ abi, functionName: 'transfer', args }),
    });
    await explorer.go(`tx/${hash}`);
    const { page } = explorer;
    await page.getByRole('link', { name: 'Simulate again' }).click();
    const value = (label: string) => page.getByLabel(label, { exact: true }).inputValue();
    await expect.poll(() => page.getByLabel('function').inputValue()).toBe('transfer(address,uint256)');
    expect((await value('from')).toLowerCase()).toBe(first);
    expect((await value('to')).toLowerCase()).toBe(address);
    expect((await value('to address')).toLowerCase()).toBe(second);
    expect(await value('value uint256')).toBe(String(args[1]));
    expect(await value('after block')).toBe('1');
    // Amounts are taken as people write them.
    for (const [typed, amount] of Object.entries({ '2.5 ether': '2.5 TST', '1e18': '1 TST' })) {
      await page.getByLabel('value uint256').fill(typed);
      await page.getByRole('button', { name: 'Simulate', exact: true }).click();
      await explorer.see('.outcome', new RegExp(`success.*\\+${amount}`, 's'));
    }
  });

  it('says which field is wrong', async () => {
    explorer = await openExplorer();
    await explorer.go('simulate');
    await explorer.page.getByLabel('from', { exact: true }).fill('0x12');
    await explorer.see('.bad', 'from: expected an address');
    expect(await explorer.page.getByRole('button', { name: 'Simulate', exact: true }).isDisabled()).toBe(
      true,
    );
  });
});

describe.skipIf(!hasChromium)('Control and Mempool', () => {
  it('lists snapshots and reverts to one, with the requests', async () => {
    explorer = await openExplorer();
    await explorer.go('control');
    const { page } = explorer;
    await page.getByRole('button', { name: 'Take a snapshot' }).click();
    await page.getByRole('button', { name: 'Revert to 0x1' }).waitFor();
    await page.getByRole('button', { name: 'Mine blocks' }).click();
    await explorer.see('.state', 'block 1');
    await page.getByRole('button', { name: 'Revert to 0x1' }).click();
    await explorer.see('.requests', 'evm_revert ["0x1"]');
    await explorer.see('.state', 'block 0');
    expect(await explorer.call('eth_blockNumber')).toBe('0x0');
  });

  it('explains why a transaction waits', async () => {
    explorer = await openExplorer();
    await explorer.go('mempool');
    await explorer.see('.dim', 'Nothing waits');
    await send({ to: explorer.accounts.second, nonce: '0x3' });
    await explorer.see('td.reason', 'nonce gap: nonces 0 to 2 are missing');
    await send({
      from: explorer.accounts.second,
      to: explorer.accounts.first,
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x0',
    });
    await explorer.see('td.reason', /fee cap 1 wei is below the base fee, .* gwei/);
  });

  it('shows the keys of dev accounts after a click', async () => {
    explorer = await openExplorer();
    await explorer.go('accounts');
    await explorer.see('td', new RegExp(explorer.accounts.first, 'i'));
    expect(await explorer.page.locator('main').innerText()).not.toContain('0xac0974bec39a17e3');
    await explorer.page.getByRole('button', { name: 'Show keys' }).click();
    await explorer.see('td', '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  });

  it('shows the keys of another mnemonic from the file that the node wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'devnet-'));
    const configOut = join(folder, 'accounts.json');
    explorer = await openExplorer({ mnemonic: `${'zoo '.repeat(11)}wrong`, configOut });
    const [key] = JSON.parse(readFileSync(configOut, 'utf8')).private_keys;
    await explorer.go('accounts');
    await explorer.page.getByRole('button', { name: 'Show keys' }).click();
    await explorer.see('td', 'not of the default mnemonic');
    await explorer.drop(configOut);
    await explorer.see('footer', 'keys of 10 accounts added');
    await explorer.see('td', key);
    await explorer.page.getByRole('button', { name: 'Hide keys' }).click();
    expect(await explorer.page.locator('main').innerText()).not.toContain(key);
    rmSync(folder, { recursive: true });
  });
});

describe.skipIf(!hasChromium)('a block', () => {
  it('has its transactions by flashblock, and the search finds them', async () => {
    explorer = await openExplorer();
    await explorer.see('.newest', 'Block 1 is being built');
    const first = await explorer.send();
    await explorer.tick();
    await explorer.tick();
    await explorer.send();
    await explorer.send();
    await explorer.tick();
    await explorer.seal();
    await explorer.see('.state', 'block 1');
    const search = async (text: string) => {
      await explorer.page.getByRole('combobox', { name: /Search/ }).fill(text);
      await explorer.page.keyboard.press('Enter');
    };
    await search('1.3');
    await explorer.see('tr.wanted', /flashblock 3\s*2 transactions/);
    await explorer.see('tr.group', /flashblock 1\s*1 transaction/);
    await explorer.see('.title', 'sealed');
    await search(first);
    await explorer.see('h1', 'Transaction');
    await search(explorer.accounts.second);
    await explorer.see('h1', 'account 1');
    await search((await explorer.call('eth_getBlockByNumber', '0x1', false)).hash);
    await explorer.see('h1', 'Block 1');
    await search('no such thing');
    await explorer.see('.search', 'nothing found');
  });

  it('that is being built grows on its page', async () => {
    explorer = await openExplorer();
    await explorer.go('block/pending');
    await explorer.see('h2', '0 transactions');
    await explorer.send();
    await explorer.tick();
    await explorer.see('h2', /^1 transaction$/);
    await explorer.see('.numbers', /gas used\s*21,000/);
    await explorer.see('.title .badge', 'being built');
  });

  it('shows logs that were searched', async () => {
    explorer = await openExplorer({ artifacts: 'fixtures/contracts' });
    const { address } = await deploy(explorer, 'Token', ['Test Token', 'TST', SUPPLY]);
    await explorer.go('logs');
    await explorer.see('main', 'Fields that are empty find all');
    await explorer.page.getByLabel('address', { exact: true }).fill('nobody');
    await explorer.page.getByRole('button', { name: 'Search' }).click();
    await explorer.see('.bad', 'address: expected an address or the name of a contract, got nobody');
    await explorer.page.getByLabel('address', { exact: true }).fill('Token');
    await explorer.see('.panel', new RegExp(address, 'i'));
    await explorer.page.getByLabel('event, by name or topic').fill('Transfer');
    await explorer.page.getByRole('button', { name: 'Search' }).click();
    await explorer.see('.logs', /Transfer\(from zero address.*to account 0.*value 1,000,000 TST/s);
  });
});
