import { encodeFunctionData } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import {
  artifactPath,
  callsTogether,
  closeBrowserAfterAll,
  deploy,
  type Explorer,
  hasChromium,
  openExplorer,
} from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

/** Deploys a token, and gives what sends it. */
async function withToken() {
  const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
  const transfer = (amount: bigint) =>
    explorer.call('eth_sendTransaction', {
      from: explorer.accounts.first,
      to: address,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [explorer.accounts.second, amount] }),
      gas: '0x15f90',
    });
  return { address, transfer };
}

describe.skipIf(!hasChromium)('Live', () => {
  it('shows the block that fills up, its flashblocks, and a card for each transaction', async () => {
    explorer = await openExplorer({ gasLimit: 8_000_000n });
    const { transfer } = await withToken();
    for (let i = 0; i < 24; i++) {
      for (let j = 0; j < 3; j++) await transfer(BigInt(i + 1) * 10n ** 18n);
      await explorer.tick();
    }
    await explorer.see('.newest h2', /^Block 4 is being built$/);
    await explorer.see('.newest', /flashblock 4 of 10/);
    expect(await explorer.page.locator('.strip .bar').count()).toBeGreaterThanOrEqual(20);
    await explorer.see('.block-group.building .card', /account 0.*send.*account 1.*24 TST/s);
    await explorer.see('.block-group', /Block 3\s*sealed/);
    expect(await explorer.page.locator('.block-group.building .card.failed').count()).toBe(0);
    const { gasUsed } = await explorer.call('eth_getBlockByNumber', 'pending', false);
    await explorer.see('.figures', Number(gasUsed).toLocaleString('en-US'));
  });

  it('says why a transaction failed, in red, while its block is built and afterwards', async () => {
    explorer = await openExplorer();
    const { transfer } = await withToken();
    await transfer(10n ** 30n);
    await explorer.tick();
    const reason = /InsufficientBalance\(account 0, balance 1,000,000 TST, needed 1,000,000,000,000 TST\)/;
    await explorer.drop(artifactPath('Token'));
    await explorer.see('.block-group.building .card.failed', reason);
    await explorer.see('.block-group.building .card.failed', 'TST');
    await explorer.seal();
    await explorer.see('.block-group:not(.building) .card.failed', reason);
    await explorer.page.locator('.card.failed').first().click();
    await explorer.see(
      '.sentence',
      /account 0 tried to send 1,000,000,000,000 TST to account 1, but Token \(TST\) refused/,
    );
  });

  it('stands still under the pointer, counts what came meanwhile, and goes on', async () => {
    explorer = await openExplorer();
    await explorer.send();
    await explorer.tick();
    await explorer.page.locator('.card').first().hover();
    for (let i = 0; i < 3; i++) await explorer.send();
    await explorer.tick();
    await explorer.see('.held .badge', '3 newer transactions');
    expect(await explorer.page.locator('.card').count()).toBe(1);
    await explorer.page.locator('h1, .newest h2').last().hover();
    await expect.poll(() => explorer.page.locator('.card').count()).toBe(4);
  });

  it('begins with a full strip, and with the newest transactions however far back they are', async () => {
    explorer = await openExplorer();
    await explorer.send();
    for (let i = 0; i < 24; i++) await explorer.seal();
    await explorer.go('accounts');
    await explorer.page.reload();
    await explorer.go('');
    await expect.poll(() => explorer.page.locator('.strip .sealed').count()).toBeGreaterThanOrEqual(20);
    await explorer.see('.block-group', /Earlier transactions\s*the newest in block 1/);
    await explorer.see('.card', /account 0.*send.*1 wei/s);
    expect(await explorer.page.getByText('No transactions yet').count()).toBe(0);
    await explorer.see('.empty-blocks', /20 empty blocks, 5 to 24/);
  });

  it('has a picture of automine, and mines a block', async () => {
    explorer = await openExplorer({ automine: true });
    await explorer.see('.panel', 'No transactions yet');
    await explorer.see('.facts', explorer.node.url!);
    await explorer.see('.facts', '31337');
    await explorer.page.getByRole('button', { name: 'copy URL' }).click();
    await explorer.page.getByRole('button', { name: 'copied' }).waitFor();
    expect(await explorer.page.evaluate(() => navigator.clipboard.readText())).toBe(explorer.node.url);
    await explorer.see('.newest h2', 'Each transaction makes its own block, at once');
    await explorer.page.getByRole('button', { name: 'Send a test transaction' }).click();
    await explorer.see('.card', /account 0.*send.*account 1.*0.01 ETH.*block 1/s);
    await explorer.see('.blocks a.good', '1');
    await explorer.page.getByRole('button', { name: 'Mine a block' }).click();
    await explorer.see('.blocks a', '2');
    await explorer.see('.empty-blocks', 'Block 2 is empty');
  });

  it('is not wider than the window beside a call with a hundred others in it', async () => {
    explorer = await openExplorer({ automine: true });
    await callsTogether(explorer, 100);
    await explorer.see('.card', /aggregate.*calls \[\{target/s);
    const { page } = explorer;
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(1280);
    await explorer.go('transactions');
    const row = page.locator('tbody tr').filter({ hasText: 'and 98 more' });
    expect((await row.boundingBox())!.height).toBeLessThan(100);
  });

  it('keeps a transaction whose block is no longer among the newest ones', async () => {
    explorer = await openExplorer();
    await explorer.send();
    for (let i = 0; i < 34; i++) await explorer.seal();
    await explorer.see('.state', 'block 34');
    await explorer.see('.empty-blocks', /30 empty blocks, 5 to 34/);
    await explorer.see('.block-group', /Earlier transactions\s*the newest in block 1.*account 0.*1 wei/s);
  });

  it('shows the flashblocks of a block that takes a minute', async () => {
    explorer = await openExplorer({ blockTime: 60 });
    for (let i = 0; i < 5; i++) await explorer.tick();
    await explorer.see('.newest', 'flashblock 5 of 300');
    const bars = explorer.page.locator('.strip a.bar');
    await expect.poll(() => bars.count()).toBeGreaterThanOrEqual(6);
    expect((await bars.last().boundingBox())!.x).toBeGreaterThan(600);
  });

  it('decodes an unknown contract after its ABI was dropped, without loading the page again', async () => {
    explorer = await openExplorer();
    const { address, abi } = await deploy(explorer, 'Counter');
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] });
    await explorer.call('eth_sendTransaction', { from: explorer.accounts.first, to: address, data });
    await explorer.tick();
    await explorer.see('.card', 'call 0x3fb5c1cb');
    await explorer.drop(artifactPath('Counter'));
    await explorer.see('.card', /setNumber\(value 77\).*Counter/s);
    await explorer.see('footer', 'ABI of Counter added');
  });

  it('decodes with the artifacts that the node was told of', async () => {
    explorer = await openExplorer({ artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Counter');
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] });
    await explorer.call('eth_sendTransaction', { from: explorer.accounts.first, to: address, data });
    await explorer.tick();
    await explorer.see('.card', /setNumber\(value 77\).*Counter/s);
  });

  it('goes red and dim while the node is away, and catches up without a reload', async () => {
    explorer = await openExplorer();
    await explorer.seal();
    await explorer.see('.state', 'block 1');
    await explorer.page.evaluate(() => Object.assign(globalThis, { marker: true }));
    // The page loads files in idle time.
    await explorer.page.waitForLoadState('networkidle');
    await explorer.context.setOffline(true);
    await explorer.node.close();
    await explorer.see('.light.closed', 'the node is away');
    await explorer.page.locator('main.stale').waitFor();
    const again = await openExplorer({ port: Number(new URL(explorer.node.url!).port) });
    await again.seal();
    await again.seal();
    await explorer.context.setOffline(false);
    await explorer.see('.light.open', 'connected');
    await explorer.see('.state', 'block 2');
    expect(await explorer.page.evaluate(() => (globalThis as { marker?: boolean }).marker)).toBe(true);
    // A browser reports each connection that it couldn't open.
    explorer.problems.splice(
      0,
      explorer.problems.length,
      ...explorer.problems.filter((text) => !/WebSocket connection to/.test(text)),
    );
    await explorer.close();
    explorer = again;
  });

  it('stops at Pause, and goes on with all that it missed', async () => {
    explorer = await openExplorer();
    await explorer.page.getByRole('button', { name: 'Pause' }).click();
    for (let i = 0; i < 3; i++) await explorer.seal();
    await explorer.see('.state', 'block 0');
    await explorer.page.getByRole('button', { name: 'Resume' }).click();
    await explorer.see('.state', 'block 3');
  });
});

describe.skipIf(!hasChromium)('Node', () => {
  it('has the timing of its ticks', async () => {
    explorer = await openExplorer();
    await explorer.tick();
    await explorer.go('node');
    await explorer.see('.chart', /tick drift.*ms/);
    await explorer.see('.chart', /gas per flashblock/);
    await explorer.see('.numbers', /memory\s*\d+ MiB/);
    await explorer.see('.facts', '31337');
  });
});
