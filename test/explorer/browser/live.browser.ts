import { encodeFunctionData } from 'viem';
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

describe.skipIf(!hasChromium)('Live', () => {
  it('shows the block that fills up, its flashblocks and decoded transactions', async () => {
    explorer = await openExplorer({ gasLimit: 8_000_000n });
    const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
    const data = encodeFunctionData({
      abi,
      functionName: 'transfer',
      args: [explorer.accounts.second, 123_456n],
    });
    for (let i = 0; i < 24; i++) {
      for (let j = 0; j < 3; j++)
        await explorer.call('eth_sendTransaction', {
          from: explorer.accounts.first,
          to: address,
          data,
          gas: '0x15f90',
        });
      await explorer.tick();
    }
    await explorer.see('.panel h2', /^Block 4 is being built$/);
    await explorer.see('.panel header', /flashblock 4 of 10/);
    await explorer.see('td.what', /transfer\(to 0x7099…79c8, amount 123,456\)/i);
    expect(await explorer.page.locator('.strip .bar').count()).toBeGreaterThanOrEqual(20);
    expect(await explorer.page.locator('.strip .sealed').count()).toBe(3);
    await explorer.see('.chart', /tick drift.*ms/);
    await explorer.see('.chart', /gas per flashblock/);
    const gas = await explorer.page.locator('.figures').innerText();
    const { gasUsed } = await explorer.call('eth_getBlockByNumber', 'pending', false);
    expect(gas).toContain(Number(gasUsed).toLocaleString('en-US'));
  });

  it('helps where nothing has happened yet', async () => {
    explorer = await openExplorer({ automine: true });
    await explorer.see('.panel', 'No transactions yet');
    await explorer.see('.facts', explorer.node.url!);
    await explorer.see('.facts', '31337');
    await explorer.page.getByRole('button', { name: 'copy URL' }).click();
    await explorer.page.getByRole('button', { name: 'copied' }).waitFor();
    expect(await explorer.page.evaluate(() => navigator.clipboard.readText())).toBe(explorer.node.url);
    await explorer.page.getByRole('button', { name: 'Send a test transaction' }).click();
    await explorer.see('td.number', '0.01');
    await explorer.see('.strip .group', '1');
  });

  it('decodes an unknown contract after its ABI was dropped, without loading the page again', async () => {
    explorer = await openExplorer();
    const { address, abi } = await deploy(explorer, 'Counter');
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] });
    await explorer.call('eth_sendTransaction', { from: explorer.accounts.first, to: address, data });
    await explorer.tick();
    await explorer.see('td.what', '0x3fb5c1cb');
    await explorer.drop(artifactPath('Counter'));
    await explorer.see('td.what', 'setNumber(value 77)');
    await explorer.see('td', `Counter ${address.slice(0, 6)}`);
    await explorer.see('footer', 'ABI of Counter added');
  });

  it('decodes with the artifacts that the node was told of', async () => {
    explorer = await openExplorer({ artifacts: 'fixtures/contracts' });
    const { address, abi } = await deploy(explorer, 'Counter');
    const data = encodeFunctionData({ abi, functionName: 'setNumber', args: [77n] });
    await explorer.call('eth_sendTransaction', { from: explorer.accounts.first, to: address, data });
    await explorer.tick();
    await explorer.see('td.what', 'setNumber(value 77)');
    await explorer.see('td', `Counter ${address.slice(0, 6)}`);
  });

  it('goes red and dim while the node is away, and catches up without a reload', async () => {
    explorer = await openExplorer();
    await explorer.seal();
    await explorer.see('.state', 'head 1');
    await explorer.page.evaluate(() => Object.assign(globalThis, { marker: true }));
    await explorer.context.setOffline(true);
    await explorer.node.close();
    await explorer.see('.light.closed', 'the node is away');
    await explorer.page.locator('main.stale').waitFor();
    const again = await openExplorer({ port: Number(new URL(explorer.node.url!).port) });
    await again.seal();
    await again.seal();
    await explorer.context.setOffline(false);
    await explorer.see('.light.open', 'connected');
    await explorer.see('.state', 'head 2');
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
    await explorer.see('.state', 'head 0');
    await explorer.page.getByRole('button', { name: 'Resume' }).click();
    await explorer.see('.state', 'head 3');
  });
});
