import { encodeFunctionData, type Hex } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { closeBrowserAfterAll, deploy, type Explorer, hasChromium, openExplorer } from './page.ts';

closeBrowserAfterAll();
let explorer: Explorer;
afterEach(() => explorer.close());

/** For tests that go through all pages, milliseconds. */
const LONG = 240_000;

/** Opens a chain with some content, and gives the path of each page. */
async function open(view: { dark?: boolean; width?: number }) {
  explorer = await openExplorer({}, view);
  const { address, abi } = await deploy(explorer, 'Token', ['Test Token', 'TST', 10n ** 24n]);
  const transfer = (amount: bigint): Promise<Hex> =>
    explorer.call('eth_sendTransaction', {
      from: explorer.accounts.first,
      to: address,
      data: encodeFunctionData({ abi, functionName: 'transfer', args: [explorer.accounts.second, amount] }),
      gas: '0x15f90',
    });
  const done = await transfer(1n);
  const failed = await transfer(10n ** 30n);
  await explorer.tick();
  const waiting = await explorer.call('eth_sendTransaction', {
    from: explorer.accounts.second,
    to: address,
    nonce: '0x5',
    gas: '0x15f90',
  });
  await explorer.call('evm_snapshot');
  await explorer.see('.card', 'TST');
  const pages: [path: string, ready: string][] = [
    ['', '.card'],
    ['blocks', 'tbody tr'],
    ['block/pending', 'tr td .good'],
    ['block/1', '.title .badge'],
    ['transactions', 'tbody tr'],
    ['transactions?failed=yes', 'form'],
    [`tx/${done}`, '.sentence'],
    [`tx/${done}/calls`, '.tree li'],
    [`tx/${done}/source`, '.frames li'],
    [`tx/${done}/state`, 'tbody tr'],
    [`tx/${done}/raw`, 'pre'],
    [`tx/${failed}`, '.failure b'],
    [`tx/${waiting}`, '.warn'],
    ['contracts', 'tbody tr'],
    [`address/${address}/read`, '.function'],
    [`address/${address}/write`, '.function'],
    [`address/${address}/events`, '.logs li'],
    [`address/${address}/code`, '.long'],
    ['node', '.chart'],
    ['accounts', 'tbody tr'],
    [`address/${address}`, 'td.changed'],
    [`address/${explorer.accounts.first}`, 'td.changed'],
    ['logs', 'form button'],
    ['mempool', 'td.reason'],
    ['difference', '.new'],
    ['simulate', 'fieldset'],
    ['control', 'tbody tr'],
  ];
  return pages;
}

describe.skipIf(!hasChromium).each([{ dark: false }, { dark: true }])('in %o axe finds nothing', (view) => {
  it(
    'on any page',
    async () => {
      const found: Record<string, unknown> = {};
      for (const [path, ready] of await open(view)) {
        await explorer.go(path);
        await explorer.page.locator(ready).first().waitFor();
        const violations = await explorer.axe();
        if (violations.length > 0) found[path] = violations;
      }
      expect(found).toEqual({});
    },
    LONG,
  );
});

/** Texts that are cut for want of room. */
const cutTexts = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('main *')]
    .filter((it) => getComputedStyle(it).textOverflow === 'ellipsis' && it.scrollWidth > it.clientWidth + 1)
    .map((it) => `${it.className}: ${it.textContent}`);

describe.skipIf(!hasChromium)('a window', () => {
  // 640 pixels at 200 % zoom are 320 of the page's.
  it.each([320, 390, 2560])(
    'of %i pixels shows every page without scrolling sideways, and cuts nothing',
    async (window) => {
      const wide: string[] = [];
      for (const [path, ready] of await open({ width: window })) {
        await explorer.go(path);
        await explorer.page.locator(ready).first().waitFor();
        const width = await explorer.page.evaluate(() => document.documentElement.scrollWidth);
        if (width > window) wide.push(`${path}: ${width}`);
        for (const text of await explorer.page.evaluate(cutTexts)) wide.push(`${path}: ${text}`);
      }
      expect(wide).toEqual([]);
    },
    LONG,
  );
});

describe.skipIf(!hasChromium)('the head', () => {
  it.each([320, 390, 640, 900, 1160, 1280, 2560])(
    'is one row at %i pixels, also with long numbers',
    async (width) => {
      explorer = await openExplorer({ automine: true }, { width });
      await explorer.call('anvil_mine', '0x2710');
      await explorer.see('main', /10,000/);
      // A chain that is forked from a long one.
      await explorer.page.locator('.state .block').evaluate((link) => {
        link.lastChild!.textContent = '1,234,567,890';
      });
      const { height, right } = await explorer.page.locator('.head').evaluate((head) => ({
        height: head.getBoundingClientRect().height,
        right: Math.max(...[...head.children].map((it) => it.getBoundingClientRect().right)),
      }));
      expect(height).toBeLessThan(60);
      expect(right).toBeLessThanOrEqual(width);
      const inRow = await explorer.page
        .locator('.head > *')
        .evaluateAll(
          (parts) => parts.map((it) => it.getBoundingClientRect()).filter(({ height: h }) => h > 52).length,
        );
      expect(inRow).toBe(0);
    },
  );
});

describe.skipIf(!hasChromium)('the type', () => {
  it('is one face for words, one for code, three weights and tabular figures', async () => {
    const found = { weights: new Set<string>(), faces: new Set<string>(), figures: new Set<string>() };
    for (const [path, ready] of await open({})) {
      await explorer.go(path);
      await explorer.page.locator(ready).first().waitFor();
      const used = await explorer.page.evaluate(() =>
        [...document.querySelectorAll('body *')].map((it) => {
          const { fontWeight, fontFamily, fontVariantNumeric } = getComputedStyle(it);
          return [fontWeight, fontFamily, fontVariantNumeric] as const;
        }),
      );
      for (const [weight, face, figures] of used) {
        found.weights.add(weight);
        found.faces.add(face);
        found.figures.add(figures);
      }
    }
    expect([...found.weights].sort()).toEqual(['400', '500', '650']);
    expect(found.faces.size).toBe(2);
    expect([...found.figures]).toEqual(['tabular-nums']);
  }, 240_000);
});

describe.skipIf(!hasChromium)('the keyboard alone', () => {
  it('goes to a page, opens a transaction and sends a request', async () => {
    explorer = await openExplorer();
    const { page } = explorer;
    const focus = () =>
      page.evaluate(
        () => document.activeElement?.textContent || document.activeElement?.getAttribute('aria-label') || '',
      );
    const tabTo = async (text: string | RegExp) => {
      for (let i = 0; i < 80; i++) {
        await page.keyboard.press('Tab');
        const now = await focus();
        if (typeof text === 'string' ? now === text : text.test(now)) return;
      }
      throw new Error(`Tab never reached ${text}`);
    };
    await tabTo('Skip to content');
    await tabTo('Send a test transaction');
    await page.keyboard.press('Enter');
    await explorer.see('.panel', 'sent:');
    await explorer.tick();
    await explorer.see('.card', '0.01 ETH');
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await tabTo('Control');
    await page.keyboard.press('Enter');
    await explorer.see('h1', 'Control');
    await tabTo('Take a snapshot');
    await page.keyboard.press('Space');
    await explorer.see('.requests', 'evm_snapshot');
    // "/" focuses the search, and the arrows choose from its suggestions.
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.press('/');
    expect(await focus()).toMatch(/^Search/);
    await page.keyboard.type('account 1');
    await explorer.see('.hits [role=option]', 'account 1');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await explorer.see('h1', 'account 1');
    await page.keyboard.press('/');
    await page.keyboard.type('pending');
    await page.keyboard.press('Enter');
    await explorer.see('h1', 'Block 1');
    await tabTo(/^0x/);
    await page.keyboard.press('Enter');
    await explorer.see('h1', 'Transaction');
  });
});
