import { afterEach, describe, expect, it } from 'vitest';
import { artifactFolder, buildInfo, callData, creation, lineOf } from '../../debugger/shop.ts';
import { closeBrowserAfterAll, type Explorer, hasChromium, openExplorer } from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
let remove = () => {};
afterEach(async () => {
  await explorer.close();
  remove();
});

const SHOP = 'contracts/Shop.sol';
const VAULT = 'contracts/Vault.sol';

/** A chain with a shop, and what buys there. @param build a build info, by default that of the contracts */
async function open(view: { dark?: boolean; width?: number } = {}, build?: string, options: object = {}) {
  const artifacts = artifactFolder(build);
  remove = artifacts.remove;
  explorer = await openExplorer({ artifacts: artifacts.folder, ...options }, view);
  const send = async (transaction: object): Promise<string> => {
    const hash = await explorer.call('eth_sendTransaction', {
      from: explorer.accounts.first,
      gas: '0x300000',
      ...transaction,
    });
    await explorer.tick();
    return hash;
  };
  const deploy = async (data: string): Promise<string> =>
    (await explorer.call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
  const vault = await deploy(creation('Vault'));
  const shop = await deploy(creation('Shop', [vault, 1n]));
  return {
    buy: (value: number) => send({ to: shop, value: `0x${value}`, data: callData('Shop', 'buy', [0n]) }),
  };
}

const line = (selector: string, number: number) =>
  explorer.page.locator(`.source ${selector}`, {
    has: explorer.page.locator('.number', { hasText: String(number) }),
  });
const at = async (number: number) => line('.current', number).waitFor();
const calls = () => explorer.page.locator('.frames button b').allTextContents();

describe.skipIf(!hasChromium)('a failed transaction', () => {
  it('is opened at the line that failed, with the calls that lead there and their values', async () => {
    const { buy } = await open();
    const hash = await buy(1);
    await explorer.go(`tx/${hash}`);
    await line('.failing.current', lineOf(VAULT, 'revert Short')).waitFor();
    expect(await explorer.page.locator('.tabs [aria-current]').innerText()).toBe('Source');
    await explorer.see('.failure', /reverted with custom error 'Short\(/);
    expect(await calls()).toEqual(['Vault.take', 'Shop.pay', 'Shop.buy']);
    await explorer.see('.frames li', /Vault\.take.*price = 3, needed = 4/s);
    await explorer.see('.part .values', /price\s*3\s*needed\s*4/);
    // A click on a call shows its line, and its variables.
    await explorer.page.getByRole('button', { name: /Shop\.buy/ }).click();
    await at(lineOf(SHOP, 'return pay(price)'));
    await explorer.see('.file-name', SHOP);
    await explorer.see('.part .values', /id\s*0\s*price\s*3/);
    // What happened in words is a tab of its own.
    await explorer.page.getByRole('link', { name: 'Story' }).click();
    await explorer.see('.failure', 'Why it failed');
  });

  it('is shown with files that the browser loads once it has nothing else to do', async () => {
    const { buy } = await open();
    const { page } = explorer;
    const isLoaded = () =>
      performance
        .getEntriesByType('resource')
        .filter(({ name }) => /(?:transaction|debugger)-[\w-]{8}\.js$/.test(name)).length === 2;
    await page.waitForFunction(isLoaded);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(request.url()));
    const hash = await buy(1);
    await page.evaluate((target) => {
      location.hash = target;
    }, `#/tx/${hash}`);
    await line('.failing.current', lineOf(VAULT, 'revert Short')).waitFor();
    expect(requests).toEqual([]);
  });

  it('asks for nothing but what its line needs before the line is shown, and never shows its story first', async () => {
    const { buy } = await open();
    const hash = await buy(1);
    const methods: string[] = [];
    explorer.page.on('websocket', (socket) =>
      socket.on('framesent', ({ payload }) => {
        for (const { method, params } of [JSON.parse(String(payload))].flat())
          if (params?.[0] === hash || method === 'eth_call') methods.push(method);
      }),
    );
    await explorer.page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (document.querySelector('.tabs [aria-current]')?.textContent !== 'Story') return;
        observer.disconnect();
        document.documentElement.dataset.story = 'shown';
      });
      observer.observe(document, { subtree: true, childList: true, attributes: true });
    });
    await explorer.go(`tx/${hash}`);
    await explorer.page.reload();
    await line('.failing.current', lineOf(VAULT, 'revert Short')).waitFor();
    await expect.poll(() => methods).toContain('debug_traceTransaction');
    const first = methods.slice(0, methods.lastIndexOf('devnet_execution') + 1);
    expect(first).toContain('devnet_execution');
    expect(first.filter((it) => /^(?:debug_|eth_call)/.test(it))).toEqual([]);
    expect(await explorer.page.evaluate(() => document.documentElement.dataset.story)).toBeUndefined();
  });

  it('whose source is not known is opened at its story', async () => {
    await open({}, '{}');
    const hash = await explorer.call('eth_sendTransaction', {
      from: explorer.accounts.first,
      data: '0x60006000fd',
      gas: '0x30000',
    });
    await explorer.tick();
    await explorer.go(`tx/${hash}`);
    await explorer.see('.failure', 'Why it failed');
    await explorer.page.getByRole('link', { name: 'Source' }).click();
    await explorer.see('.debug', 'source of this contract is not known');
    await explorer.see('.position', 'opcode 3 of 3');
  });
});

describe.skipIf(!hasChromium)('stepping', () => {
  it('goes by the keys of editors, forward and back', async () => {
    const { buy } = await open();
    const hash = await buy(4);
    await explorer.go(`tx/${hash}/source`);
    const { keyboard } = explorer.page;
    await at(lineOf(SHOP, 'function buy'));
    await keyboard.press('F10');
    await at(lineOf(SHOP, 'uint price = prices'));
    await keyboard.press('F10');
    await at(lineOf(SHOP, 'return pay(price)'));
    await explorer.see('.part .values', /price\s*3/);
    await keyboard.press('F11');
    await at(lineOf(SHOP, 'function pay'));
    expect(await calls()).toEqual(['Shop.pay', 'Shop.buy']);
    await keyboard.press('Shift+F11');
    await at(lineOf(SHOP, 'return pay(price)'));
    await keyboard.press('Shift+F10');
    await at(lineOf(SHOP, 'uint price = prices'));
    // A breakpoint, set by the keyboard, is found from the begin.
    await keyboard.press('F9');
    await explorer.page.locator('.number[aria-pressed=true]').waitFor();
    await explorer.page.getByRole('slider').focus();
    await keyboard.press('Home');
    await explorer.see('.position', /^line 1 of /);
    await keyboard.press('ArrowRight');
    await explorer.see('.position', /^line 2 of /);
    await keyboard.press('Home');
    // The breakpoint is on line 2: without this the next wait would be over before the search.
    await explorer.see('.position', /^line 1 of /);
    await keyboard.press('F8');
    await at(lineOf(SHOP, 'uint price = prices'));
    await keyboard.press('F8');
    await explorer.see('[role=status]', 'no later place');
  });

  it('jumps to writes, and shows storage, stack, memory and opcodes', async () => {
    const { buy } = await open();
    const hash = await buy(4);
    await explorer.go(`tx/${hash}/source`);
    await at(lineOf(SHOP, 'function buy'));
    const { page } = explorer;
    await page.getByLabel('Jump to').selectOption('sstore');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await at(lineOf(VAULT, 'sum += msg.value'));
    await explorer.see('.steps', /SSTORE at \d+/);
    await page.getByLabel('by').selectOption('opcode');
    await page.getByRole('button', { name: 'Forward' }).click();
    await explorer.see('.change', /sum\s*0x0 → 0x4/);
    await explorer.see('.part', /State variables\s*sum\s*4/);
    await page.locator('summary', { hasText: 'Stack' }).click();
    await explorer.see('.words code', /^0x/);
    await page.locator('summary', { hasText: 'Memory' }).click();
    await explorer.see('.words code', /^[\da-f]{64}$/);
    await page.locator('summary', { hasText: 'Opcodes' }).click();
    await page.locator('.words .current').waitFor();
    await page.getByRole('button', { name: 'SSTORE', exact: true }).click();
    await explorer.see('.steps', /SSTORE at \d+/);
  });

  it('the source is searched, and each match is shown', async () => {
    const { buy } = await open();
    const hash = await buy(4);
    await explorer.go(`tx/${hash}/source`);
    await explorer.page.getByLabel('Search in the source').fill('VAULT.');
    await explorer.see('.source mark', 'vault.');
    await explorer.see('.source-head [role=status]', '1 of 2');
    await explorer.page.keyboard.press('Enter');
    await explorer.see('.source-head [role=status]', '2 of 2');
  });

  it('the flashblocks of the block lead to the transactions that came with them', async () => {
    const { buy } = await open();
    const first = await buy(4);
    const second = await buy(1);
    await explorer.go(`tx/${second}`);
    const current = explorer.page.locator('.coarse [aria-current]');
    await current.waitFor();
    const index = Number(await current.innerText());
    await explorer.page.locator('.coarse button', { hasText: String(index - 1) }).click();
    await explorer.page.waitForURL(`**/tx/${first}/source`);
    await at(lineOf(SHOP, 'function buy'));
  });
});

/** A build info whose sources are hostile. */
const hostile = buildInfo(({ input, output }) => {
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const text: string = input.sources[VAULT].content;
  // A comment with markup and direction marks that never ends, a very long line, and many lines.
  input.sources[VAULT].content =
    `${text}\n/* ${markup} \u202e ${'x'.repeat(200_000)}\n${'line\n'.repeat(60_000)}`;
  input.sources[SHOP].content = 'no such place';
  input.sources[`${markup}.sol`] = { content: markup };
  output.sources[`${markup}.sol`] = { id: 77 };
  output.contracts[`${markup}.sol`] = { [markup]: output.contracts[VAULT].Vault };
  const shop = output.contracts[SHOP].Shop;
  shop.evm.deployedBytecode.sourceMap = shop.evm.deployedBytecode.sourceMap.replaceAll(
    /\d+:\d+:/g,
    '999999999:-7:',
  );
});

describe.skipIf(!hasChromium)('hostile sources', () => {
  it('are text, and break nothing', async () => {
    const { buy } = await open({}, hostile);
    const hash = await buy(1);
    await explorer.go(`tx/${hash}/source`);
    await explorer.see('.position', /of/);
    await explorer.page.locator('.source .line').first().waitFor();
    expect(await explorer.page.locator('.source img, .source script').count()).toBe(0);
    // From begin to end, and a search for what is there thousands of times.
    const { keyboard } = explorer.page;
    await explorer.page.getByRole('slider').focus();
    await keyboard.press('Home');
    await keyboard.press('End');
    await explorer.page.getByLabel('Search in the source').fill('onerror');
    await keyboard.press('Enter');
    await explorer.see('.source mark', 'onerror');
    await explorer.page.getByLabel('Search in the source').fill('line');
    await explorer.see('.source-head [role=status]', /of 10,000$/);
    expect(await explorer.page.evaluate(() => document.querySelectorAll('.line').length)).toBeLessThan(150);
  });
});

describe.skipIf(!hasChromium).each([{ dark: false }, { dark: true }, { width: 390 }, { width: 320 }])(
  'in %o',
  (view) => {
    it('axe finds nothing, and nothing is wider than the window', async () => {
      const { buy } = await open(view);
      const hash = await buy(1);
      await explorer.go(`tx/${hash}`);
      await explorer.page.locator('.source .failing').waitFor();
      for (const title of ['Stack', 'Memory', 'Logs', 'Opcodes'])
        await explorer.page.locator('summary', { hasText: title }).click();
      await explorer.page.locator('.words .current').waitFor();
      expect(await explorer.axe()).toEqual([]);
      const width = await explorer.page.evaluate(() => document.documentElement.scrollWidth);
      expect(width).toBeLessThanOrEqual(view.width ?? 1280);
    });
  },
);

describe.skipIf(!hasChromium)('the keyboard alone', () => {
  it('chooses a call, and searches', async () => {
    const { buy } = await open();
    const hash = await buy(1);
    await explorer.go(`tx/${hash}`);
    const { page } = explorer;
    await page.locator('.source .failing').waitFor();
    const tabTo = async (pattern: RegExp) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const text = await page.evaluate(() => {
          const { activeElement } = document;
          return activeElement?.getAttribute('aria-label') || activeElement?.textContent || '';
        });
        if (pattern.test(text)) return;
      }
      throw new Error(`Tab never reached ${pattern}`);
    };
    await tabTo(/^Search in the source/);
    await page.keyboard.type('price');
    await page.keyboard.press('Enter');
    await explorer.see('.source mark', 'price');
    await tabTo(/^Shop\.buy/);
    await page.keyboard.press('Enter');
    await at(lineOf(SHOP, 'return pay(price)'));
  });
});
