import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { encodeFunctionData, type Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { artifactFolder } from '../../debugger/shop.ts';
import { closeBrowserAfterAll, type Explorer, hasChromium, openExplorer } from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
let remove = () => {};
afterEach(async () => {
  await explorer.close();
  remove();
  remove = () => {};
});

const fixtures = resolve('fixtures/storage');
const build = JSON.parse(readFileSync(join(fixtures, 'Bank.json'), 'utf8'));
build.input.sources['contracts/Bank.sol'].content = readFileSync(join(fixtures, 'Bank.sol'), 'utf8');
const { Bank } = build.output.contracts['contracts/Bank.sol'];

/** A chain with a bank whose build info the node has, and what sends it. */
async function withBank(width = 1280) {
  const artifacts = artifactFolder(JSON.stringify(build));
  remove = artifacts.remove;
  explorer = await openExplorer({ automine: true, artifacts: artifacts.folder }, { width });
  const { call, accounts } = explorer;
  const send = (to: Hex | undefined, data: Hex): Promise<Hex> =>
    call('eth_sendTransaction', { from: accounts.first, to, data, gas: '0x600000' });
  const created = await send(undefined, `0x${Bank.evm.bytecode.object}`);
  const { contractAddress } = await call('eth_getTransactionReceipt', created);
  const run = (functionName: string, args: unknown[] = []) =>
    send(contractAddress, encodeFunctionData({ abi: Bank.abi, functionName, args }));
  return { bank: contractAddress as Hex, run };
}

describe.skipIf(!hasChromium)('state variables', () => {
  it('have their names on the tab State, with the names of accounts that are keys', async () => {
    const { run } = await withBank();
    const filled = await run('fill');
    const paid = await run('pay', [explorer.accounts.second, 5_000n]);
    await explorer.go(`tx/${paid}/state`);
    await explorer.see('tbody tr', /balances\[account 1\]\s*0\s*5,000/);
    await explorer.see('tbody tr', /packed\[1\]\s*22\s*99/);
    // A text that lies elsewhere is its length, and its words are slots.
    await explorer.see('tbody tr', /name\s*.Bank.\s*43 bytes/);
    await explorer.go(`tx/${filled}/state`);
    await explorer.see('tbody tr', /owner\s*zero address\s*account 0/);
    // Four variables of one slot, and one that didn't change isn't there.
    await explorer.see('tbody tr', /paused\s*false\s*true/);
    await explorer.see('tbody tr', /name\s*..\s*.Bank./);
    await explorer.see('tbody tr', /pair\[1\]\.change\s*0\s*-2/);
    expect(await explorer.page.getByText(/pair\[0\]/).count()).toBe(0);
    expect(await explorer.axe()).toEqual([]);
  });

  it('have their names on the page Difference, to which a block leads', async () => {
    const { run } = await withBank(390);
    await run('fill');
    await run('pay', [explorer.accounts.second, 5_000n]);
    await explorer.go('block/3');
    await explorer.page.getByRole('link', { name: 'What it changed' }).click();
    await explorer.see('h1', 'Difference');
    await explorer.see('.panel header', '2 → 3');
    await explorer.see('tbody tr', /balances\[account 1\]\s*0\s*5,000/);
    expect(await explorer.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });

  it('are slots where nobody knows the contract', async () => {
    explorer = await openExplorer({ automine: true });
    const { call, accounts } = explorer;
    const send = (transaction: object): Promise<Hex> =>
      call('eth_sendTransaction', { from: accounts.first, gas: '0x600000', ...transaction });
    const to = `0x${'c1'.repeat(20)}`;
    // PUSH2 5000, PUSH1 1, SSTORE
    await call('anvil_setCode', to, '0x611388600155');
    const hash = await send({ to });
    await explorer.go(`tx/${hash}/state`);
    await explorer.see('tbody tr', /slot 0x1\s*0x0\s*0x1388/);
  });
});
