import { encodeFunctionData, type Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { closeBrowserAfterAll, deploy, type Explorer, hasChromium, openExplorer } from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

const rows = () => explorer.page.locator('tbody tr');

describe.skipIf(!hasChromium)('Transactions', () => {
  it('lead by pages from the newest one back to the first, past empty blocks, and forth again', async () => {
    explorer = await openExplorer({ automine: true });
    const sent: Hex[] = [];
    for (let i = 0; i < 30; i++) sent.push((await explorer.send()) as Hex);
    await explorer.call('anvil_mine', '0x2ee0');
    await explorer.go('transactions');
    const first = (hash: Hex | undefined) => explorer.see('tbody tr:first-child', hash!.slice(0, 6));
    await first(sent[29]);
    expect(await rows().count()).toBe(25);
    await explorer.page.getByRole('link', { name: 'Older' }).click();
    await first(sent[4]);
    expect(await rows().count()).toBe(5);
    await explorer.see('.panel', 'this is the oldest one, of block 1');
    await explorer.page.getByRole('link', { name: 'Newer' }).click();
    await first(sent[29]);
    await explorer.page.getByRole('link', { name: 'Newest' }).click();
    await first(sent[29]);
    await explorer.page.getByRole('link', { name: 'Oldest' }).click();
    await first(sent[24]);
    await explorer.see('tbody tr:last-child', sent[0]!.slice(0, 6));
    await explorer.see('.panel', 'this is the oldest one, of block 1');
    expect(await explorer.page.getByRole('link', { name: 'Older' }).count()).toBe(0);
    await explorer.page.getByRole('link', { name: 'Newer' }).click();
    await first(sent[29]);
  });

  it('are filtered by sender, recipient, function and result, by names too', async () => {
    explorer = await openExplorer({ automine: true, artifacts: 'fixtures/contracts' });
    const { first, second } = explorer.accounts;
    const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const call = (functionName: string, amount: bigint) =>
      explorer.call('eth_sendTransaction', {
        from: first,
        to: address,
        data: encodeFunctionData({ abi, functionName, args: [second, amount] }),
        gas: '0x15f90',
      });
    await call('transfer', 10n ** 18n);
    await call('approve', 2n * 10n ** 18n);
    await call('transfer', 10n ** 30n);
    await explorer.send(second);
    await explorer.go('transactions');
    await explorer.see('td.what', /send 1 TST to account 1/);
    await explorer.see('td.what', /approve 2 TST to account 1/);
    await explorer.see('td.what', /InsufficientBalance/);
    await explorer.see('td.what', /create/);
    const { page } = explorer;
    const filter = async (label: string, text: string, count: number) => {
      await explorer.go('transactions');
      await page.getByLabel(label, { exact: true }).fill(text);
      await page.getByRole('button', { name: 'Filter' }).click();
      await expect.poll(() => rows().count()).toBe(count);
    };
    await filter('from', 'account 1', 1);
    await filter('to', 'Token', 3);
    await filter('function', 'transfer', 2);
    await filter('function', '0x095ea7b3', 1);
    await explorer.go('transactions');
    await page.getByLabel('result').selectOption('failed');
    await expect.poll(() => rows().count()).toBe(1);
    await filter('from', 'nobody', 0);
    await explorer.see('.bad', 'from: expected an address or a name such as account 3, got nobody');
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await expect.poll(() => rows().count()).toBe(5);
  });

  it('come in one request, however many empty blocks are above them', async () => {
    explorer = await openExplorer({ automine: true });
    const hash = await explorer.send();
    await explorer.call('anvil_mine', '0x1f40');
    const asked: string[] = [];
    explorer.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        // The page also asks for the contracts that were created, to name them.
        for (const { method, params } of [JSON.parse(String(payload))].flat())
          if (method === 'devnet_searchTransactions' && !params[0].creates)
            asked.push(JSON.stringify(params));
      }),
    );
    await explorer.go('transactions');
    await explorer.see('tbody tr', hash.slice(0, 6));
    asked.length = 0;
    await explorer.page.reload();
    await explorer.see('tbody tr', hash.slice(0, 6));
    expect(asked).toHaveLength(1);
  });

  it('show pre-confirmed ones on top', async () => {
    explorer = await openExplorer();
    await explorer.go('transactions');
    await explorer.see('.empty', 'No transactions yet');
    await explorer.send();
    await explorer.tick();
    await explorer.see('tbody tr', /pre-confirmed/);
    await explorer.seal();
    await explorer.page.locator('.badge', { hasText: 'pre-confirmed' }).waitFor({ state: 'detached' });
    await explorer.see('tbody tr', /account 0.*send 1 wei/s);
  });

  it('have a previous and a next one', async () => {
    explorer = await openExplorer({ automine: true });
    const sent = [await explorer.send(), await explorer.send(), await explorer.send()];
    await explorer.go(`tx/${sent[1]}`);
    await explorer.page.getByRole('link', { name: 'Next' }).click();
    await explorer.see('.subtitle', sent[2]!);
    await explorer.page.getByRole('link', { name: 'Previous' }).click();
    await explorer.see('.subtitle', sent[1]!);
    await explorer.page.getByRole('link', { name: 'Previous' }).click();
    await explorer.see('.subtitle', sent[0]!);
  });
});

describe.skipIf(!hasChromium)('Blocks', () => {
  it('lead by pages to genesis and back', async () => {
    explorer = await openExplorer({ automine: true });
    await explorer.send();
    for (let i = 0; i < 40; i++) await explorer.call('evm_mine');
    await explorer.go('blocks');
    await explorer.see('tbody tr:first-child', '41');
    expect(await rows().count()).toBe(25);
    await explorer.page.getByRole('link', { name: 'Older', exact: true }).click();
    await explorer.see('tbody tr:last-child', 'genesis');
    await explorer.see('tbody tr:nth-last-child(2)', /1.*21,000/s);
    await explorer.page.getByRole('link', { name: 'Newest' }).click();
    await explorer.see('tbody tr:first-child', '41');
  });
});

describe.skipIf(!hasChromium)('a transaction that waits', () => {
  it('has a page with the reason, and can be sped up and dropped', async () => {
    explorer = await openExplorer();
    const { first, second } = explorer.accounts;
    const low = await explorer.send(first, {
      maxFeePerGas: '0x1',
      maxPriorityFeePerGas: '0x0',
      gas: '0x5208',
    });
    await explorer.go(`tx/${low}`);
    await explorer.see('.title .badge', 'waiting');
    await explorer.see('.panel', /Why it waits.*fee cap of 1 wei is below the base fee/s);
    await explorer.see('.panel', /What it would do.*account 0 wants to send 1 wei to/s);
    await explorer.see('.facts', /gas limit\s*21,000/);
    await explorer.page.getByRole('button', { name: 'Speed up' }).click();
    await expect.poll(() => explorer.page.url()).not.toContain(low);
    await explorer.tick();
    await explorer.see('.title .badge', 'pre-confirmed');
    const gap = await explorer.send(second, { nonce: '0x3' });
    await explorer.go(`tx/${gap}`);
    await explorer.see('.panel', /nonce gap: nonces 0 to 2 are missing/);
    await explorer.page.getByRole('button', { name: 'Drop it' }).click();
    await expect.poll(() => explorer.call('eth_getTransactionByHash', gap)).toBeNull();
  });
});

describe.skipIf(!hasChromium)('a pre-confirmed transaction', () => {
  const button = (name: string) => explorer.page.getByRole('button', { name, exact: true });

  it('is dropped by a click, and the page says so', async () => {
    explorer = await openExplorer();
    const hash = await explorer.send();
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.title .badge', 'pre-confirmed');
    await button('Drop it').click();
    await explorer.see('.title .badge', 'dropped');
    await explorer.see('.lifecycle .dropped', 'left out of the block');
    expect(await explorer.call('eth_getTransactionReceipt', hash)).toBeNull();
  });

  it('is made to fail by a click, which opens the one that takes its place', async () => {
    explorer = await openExplorer();
    const hash = await explorer.send();
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await button('Make it fail').click();
    await expect.poll(() => explorer.page.url()).not.toContain(hash);
    await explorer.see('.title .badge', 'failed');
    const failing = explorer.page.url().split('/tx/')[1]!;
    await explorer.seal();
    // A sealed block isn't built again.
    await explorer.see('.title .badge', 'sealed');
    expect(await button('Make it fail').count()).toBe(0);
    const { status, blockNumber } = await explorer.call('eth_getTransactionReceipt', failing);
    expect([status, blockNumber]).toEqual(['0x0', '0x1']);
    await explorer.go(`tx/${hash}`);
    await explorer.see('.title .badge', /replaced|dropped/);
  });

  it('is dropped and made to fail on the page Control, too, and so is one that waits', async () => {
    explorer = await openExplorer();
    const { page, accounts } = explorer;
    const [dropped, failing] = [await explorer.send(accounts.first), await explorer.send(accounts.second)];
    const waiting = await explorer.send(accounts.second, { nonce: '0x5' });
    await explorer.tick();
    await explorer.go('control');
    for (const [title, hash] of [
      ['Drop a pre-confirmed transaction', dropped],
      ['Let a pre-confirmed transaction fail', failing],
      ['Remove from the mempool', waiting],
    ] as const) {
      await page.getByRole('form', { name: title }).getByLabel('transaction').fill(hash);
      await button(title).click();
      await explorer.see('.requests', hash);
    }
    expect(await page.locator('.requests .bad').count()).toBe(0);
    for (const hash of [dropped, waiting])
      expect(await explorer.call('eth_getTransactionByHash', hash)).toBeNull();
    const { transactions } = await explorer.call('eth_getBlockByNumber', 'pending', false);
    expect(transactions.length).toBe(1);
    expect((await explorer.call('eth_getTransactionReceipt', transactions[0])).status).toBe('0x0');
  });
});

describe.skipIf(!hasChromium)('the life of a transaction', () => {
  it('is reported by the node, also of what happened before the page was opened', async () => {
    explorer = await openExplorer();
    const { first } = explorer.accounts;
    await explorer.send(first);
    const fees = (wei: string) => ({ maxFeePerGas: wei, maxPriorityFeePerGas: '0x3b9aca00', nonce: '0x1' });
    const replaced = await explorer.send(first, fees('0x12a05f2000'));
    const by = await explorer.send(first, { ...fees('0x2540be4000'), maxPriorityFeePerGas: '0x77359400' });
    await explorer.tick();
    await explorer.seal();
    await explorer.page.reload();
    await explorer.go(`tx/${by}`);
    await explorer.see(
      '.lifecycle',
      /in the mempool.*pre-confirmed.*at index 1 of block 1.*sealed.*in block 1/s,
    );
    await explorer.go(`tx/${replaced}`);
    await explorer.see('.title .badge', 'replaced');
    await explorer.see('.panel', /neither in a block of this chain nor in the mempool: it was replaced/);
    await explorer.see('.lifecycle', /in the mempool.*replaced.*by 0x/s);
  });
});

describe.skipIf(!hasChromium)('a block', () => {
  it('shows its access list at amsterdam, and has none before', async () => {
    explorer = await openExplorer({ automine: true, hardfork: 'amsterdam' });
    await explorer.send();
    await explorer.go('block/1');
    await explorer.see('.panel', 'Block access list');
    await explorer.see('tr', /account 0.*balance.*transaction 0:.*ETH/s);
    await explorer.see('tr', /nonce.*transaction 0:\s*1/s);
    expect(await explorer.axe()).toEqual([]);
    await explorer.close();
    explorer = await openExplorer({ automine: true });
    await explorer.send();
    await explorer.go('block/1');
    await explorer.see('.panel', 'Header');
    expect(await explorer.page.getByText('Block access list').count()).toBe(0);
  });
});
