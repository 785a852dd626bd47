import { encodeFunctionData } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { closeBrowserAfterAll, deploy, type Explorer, hasChromium, openExplorer } from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

/** Somebody who has never seen the page: reads words, clicks on words, and knows nothing of what is behind them. */
const click = (text: string | RegExp) =>
  explorer.page.getByText(text).filter({ visible: true }).first().click();
const reads = (text: string | RegExp) =>
  explorer.page.getByText(text).filter({ visible: true }).first().waitFor();
const type = (label: string, text: string) =>
  explorer.page.getByLabel(label).filter({ visible: true }).first().fill(text);

async function aToken() {
  explorer = await openExplorer({ artifacts: 'fixtures/contracts', automine: true });
  const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
  return (amount: bigint) =>
    explorer.call('eth_sendTransaction', {
      from: explorer.accounts.first,
      to: address,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [explorer.accounts.second, amount] }),
      gas: '0x15f90',
    });
}

describe.skipIf(!hasChromium)('somebody who has never seen the page finds', () => {
  it('which transaction failed, and why', async () => {
    const transfer = await aToken();
    await transfer(5n * 10n ** 18n);
    await transfer(10n ** 30n);
    await transfer(7n * 10n ** 18n);
    await click('Transactions');
    await reads(/^5 TST$/);
    await explorer.page.getByLabel('result').selectOption('failed');
    await reads('1,000,000,000,000 TST');
    await expect.poll(() => explorer.page.getByText(/^[57] TST$/).count()).toBe(0);
    await click(/^0x[\da-f]{4}…/);
    await reads('Why it failed');
    await reads('InsufficientBalance');
    await reads('999,995 TST');
  });

  it('what an account owns', async () => {
    const transfer = await aToken();
    await transfer(25n * 10n ** 18n);
    await click('Accounts');
    await click('account 1');
    await reads('Owns');
    await reads('10,000 ETH');
    await reads('25 TST');
  });

  it('how to call a function', async () => {
    await aToken();
    await click('Contracts');
    await click('Token');
    await click('Read');
    await reads('1,000,000 TST');
    await click('Write');
    await click('(address to, uint256 value)');
    await type('to address', 'account 3');
    await type('value uint256', '1.5 TST');
    await explorer.page.getByRole('button', { name: 'Send', exact: true }).filter({ visible: true }).click();
    await reads('sent:');
    await click('Live');
    await reads('account 3');
    await reads('1.5 TST');
  });

  it('how to mine a block', async () => {
    explorer = await openExplorer({ automine: true });
    await click('Mine a block');
    await reads(/^1$/);
    await expect.poll(() => explorer.call('eth_blockNumber')).toBe('0x1');
    await click('Control');
    await click('Mine blocks');
    await expect.poll(() => explorer.call('eth_blockNumber')).toBe('0x2');
  });
});
