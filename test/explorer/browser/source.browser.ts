import { afterEach, describe, expect, it } from 'vitest';
import { artifactFolder, buildInfo, callData, creation, lineOf, sources } from '../../debugger/shop.ts';
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

/** Waits until a line of a file is marked, and its number beside it. @param mark classes of the line and of its number */
async function marked(mark: string, file: string, text: string): Promise<void> {
  const { page } = explorer;
  const number = lineOf(file, text);
  const numbers = page.locator(`.source .number${mark}`, { hasText: new RegExp(`^${number}$`) });
  const lines = page.locator(`.source .cm-line${mark}`, { hasText: sources[file].split('\n')[number - 1] });
  await numbers.waitFor();
  await lines.waitFor();
  expect((await lines.boundingBox())!.y).toBeCloseTo((await numbers.boundingBox())!.y, 0);
}
const at = (file: string, text: string) => marked('.current', file, text);
/** Waits until an element is inside the source's box, where it isn't cut off. */
async function isShown(selector: string): Promise<void> {
  const element = explorer.page.locator(selector).first();
  await expect
    .poll(async () => {
      const box = (await explorer.page.locator('.source').boundingBox())!;
      const place = await element.boundingBox();
      return (
        place !== null &&
        place.x >= box.x &&
        place.y >= box.y &&
        place.x + place.width <= box.x + box.width &&
        place.y + place.height <= box.y + box.height
      );
    })
    .toBe(true);
}
const calls = () => explorer.page.locator('.frames button b').allTextContents();

describe.skipIf(!hasChromium)('a failed transaction', () => {
  it('is opened at the line that failed, with the calls that lead there and their values', async () => {
    const { buy } = await open();
    const hash = await buy(1);
    await explorer.go(`tx/${hash}`);
    await marked('.failing.current', VAULT, 'revert Short');
    expect(await explorer.page.locator('.tabs [aria-current]').innerText()).toBe('Source');
    await explorer.see('.failure', /reverted with custom error 'Short\(/);
    expect(await calls()).toEqual(['Vault.take', 'Shop.pay', 'Shop.buy']);
    await explorer.see('.frames li', /Vault\.take.*price = 3, needed = 4/s);
    await explorer.see('.part .values', /price\s*3\s*needed\s*4/);
    // A click on a call shows its line, and its variables.
    await explorer.page.getByRole('button', { name: /Shop\.buy/ }).click();
    await at(SHOP, 'return pay(price)');
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
    await marked('.failing.current', VAULT, 'revert Short');
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
    await marked('.failing.current', VAULT, 'revert Short');
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
    await at(SHOP, 'function buy');
    await keyboard.press('F10');
    await at(SHOP, 'uint price = prices');
    await keyboard.press('F10');
    await at(SHOP, 'return pay(price)');
    await explorer.see('.part .values', /price\s*3/);
    await keyboard.press('F11');
    await at(SHOP, 'function pay');
    expect(await calls()).toEqual(['Shop.pay', 'Shop.buy']);
    await keyboard.press('Shift+F11');
    await at(SHOP, 'return pay(price)');
    await keyboard.press('Shift+F10');
    await at(SHOP, 'uint price = prices');
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
    await at(SHOP, 'uint price = prices');
    await keyboard.press('F8');
    await explorer.see('[role=status]', 'no later place');
  });

  it('jumps to writes, and shows storage, stack, memory and opcodes', async () => {
    const { buy } = await open();
    const hash = await buy(4);
    await explorer.go(`tx/${hash}/source`);
    await at(SHOP, 'function buy');
    const { page } = explorer;
    await page.getByLabel('Jump to').selectOption('sstore');
    await page.getByRole('button', { name: 'Next', exact: true }).click();
    await at(VAULT, 'sum += msg.value');
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
    await at(SHOP, 'function buy');
  });
});

describe.skipIf(!hasChromium)('the source', () => {
  /** The source of a transaction that bought something, with the first line shown and the keyboard's focus in it. */
  async function openSource(build?: string) {
    const { buy } = await open({}, build);
    await explorer.go(`tx/${await buy(4)}/source`);
    await at(SHOP, 'function buy');
    const source = explorer.page.getByRole('textbox', { name: `Source of ${SHOP}` });
    await source.focus();
    return { source, keyboard: explorer.page.keyboard };
  }
  const clipboard = () => explorer.page.evaluate(() => navigator.clipboard.readText());
  const linesFrom = (text: string, count: number) => {
    const first = lineOf(SHOP, text) - 1;
    return sources[SHOP].split('\n').slice(first, first + count);
  };

  it('is copied over several lines, which the keys or the mouse select, or as a whole', async () => {
    const { keyboard } = await openSource();
    const { mouse } = explorer.page;
    const [first, second, third] = linesFrom('function buy', 3);
    // The cursor is where the step's line begins.
    for (const key of ['ArrowDown', 'ArrowDown', 'End']) await keyboard.press(`Shift+${key}`);
    await keyboard.press('Control+C');
    expect(await clipboard()).toBe([first, second, third].join('\n'));
    for (const key of ['ArrowDown', 'Home']) await keyboard.press(key);
    const line = (text: string) => explorer.page.locator('.source .cm-line', { hasText: text });
    const from = (await line('function buy').boundingBox())!;
    const to = (await line('return pay(price)').boundingBox())!;
    // From the left of one line to the left of another: nothing of the latter is selected.
    await mouse.move(from.x + 1, from.y + 10);
    await mouse.down();
    await mouse.move(to.x + 1, to.y + 10, { steps: 5 });
    await mouse.up();
    await keyboard.press('Control+C');
    expect(await clipboard()).toBe(
      `${linesFrom('function buy', lineOf(SHOP, 'return pay(price)') - lineOf(SHOP, 'function buy')).join('\n')}\n`,
    );
    await keyboard.press('Control+A');
    await keyboard.press('Control+C');
    expect(await clipboard()).toBe(sources[SHOP]);
  });

  it('is left by Tab, can not be changed, and lets the keys of the debugger through', async () => {
    const { source, keyboard } = await openSource();
    await keyboard.type('changed');
    await keyboard.press('Enter');
    await keyboard.press('Backspace');
    await explorer.page.evaluate(() => navigator.clipboard.writeText('pasted'));
    await keyboard.press('Control+V');
    await keyboard.press('Control+A');
    await keyboard.press('Control+C');
    expect(await clipboard()).toBe(sources[SHOP]);
    await keyboard.press('F10');
    await at(SHOP, 'uint price = prices');
    await keyboard.press('Shift+F10');
    await at(SHOP, 'function buy');
    const hasFocus = () => source.evaluate((it) => it.matches(':focus'));
    expect(await hasFocus()).toBe(true);
    await keyboard.press('Tab');
    expect(await hasFocus()).toBe(false);
    await explorer.page.locator('.frames button:focus').waitFor();
    await keyboard.press('Shift+Tab');
    expect(await hasFocus()).toBe(true);
  });

  it('gets breakpoints by the keyboard at the line of the cursor, and by a click on a number', async () => {
    const { keyboard } = await openSource();
    const { page } = explorer;
    const number = (text: string) =>
      page.getByRole('button', { name: `breakpoint at line ${lineOf(SHOP, text)}`, exact: true });
    const set = () => page.locator('.source .number[aria-pressed=true]').allTextContents();
    for (let i = lineOf(SHOP, 'function buy'); i < lineOf(SHOP, 'return pay(price)'); i++)
      await keyboard.press('ArrowDown');
    await keyboard.press('F9');
    await expect.poll(set).toEqual([String(lineOf(SHOP, 'return pay(price)'))]);
    await keyboard.press('F8');
    await at(SHOP, 'return pay(price)');
    await keyboard.press('F9');
    await expect.poll(set).toEqual([]);
    await number('uint price = prices').click();
    await expect.poll(set).toEqual([String(lineOf(SHOP, 'uint price = prices'))]);
    await keyboard.press('Shift+F8');
    await at(SHOP, 'uint price = prices');
    await number('uint price = prices').click();
    await expect.poll(set).toEqual([]);
  });

  it('scrolls through 100,000 lines by the keyboard and by the wheel, with few of them drawn', async () => {
    const long = buildInfo(({ input }) => {
      const rows = Array.from({ length: 100_000 }, (_, i) => `// row ${i}`);
      input.sources[SHOP].content += `\n${rows.join('\n')}\n// end`;
    });
    const { keyboard } = await openSource(long);
    const { page } = explorer;
    const drawn = () => page.locator('.source .cm-line').count();
    await keyboard.press('Control+End');
    await explorer.see('.source .cm-line', '// end');
    await isShown(`.source .cm-line:has-text("// end")`);
    const total = sources[SHOP].split('\n').length + 100_001;
    await page.getByRole('button', { name: `breakpoint at line ${total}` }).waitFor();
    expect(await drawn()).toBeLessThan(150);
    for (let i = 0; i < 6; i++) await keyboard.press('PageUp');
    await page.locator('.source .cm-line', { hasText: '// end' }).waitFor({ state: 'detached' });
    await keyboard.press('Control+Home');
    await isShown('.source .cm-line >> nth=0');
    const box = (await page.locator('.source').boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 100);
    await page.mouse.wheel(0, 20 * 50_000);
    await explorer.see('.source .cm-line', /\/\/ row (?:49|50)\d{3}$/);
    expect(await drawn()).toBeLessThan(150);
  });

  it('is scrolled by a step, and the page is not', async () => {
    const { buy } = await open({ width: 390 });
    await explorer.go(`tx/${await buy(4)}/source`);
    await at(SHOP, 'function buy');
    const { page } = explorer;
    const places = () =>
      page.evaluate(() => [
        scrollY,
        document.querySelector('.source')!.shadowRoot!.querySelector('.cm-scroller')!.scrollTop,
      ]);
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await page.evaluate(() => {
      document.querySelector('.source')!.shadowRoot!.querySelector('.cm-scroller')!.scrollTop = 10_000;
    });
    const [before, far] = await places();
    await page.keyboard.press('F10');
    await at(SHOP, 'uint price = prices');
    await expect.poll(async () => (await places())[1]).toBeLessThan(far!);
    expect((await places())[0]).toBe(before);
    expect(before).toBeGreaterThan(0);
  });

  it('has the colours of the page, in light and in dark', async () => {
    const { buy } = await open();
    const { page } = explorer;
    await explorer.go(`tx/${await buy(1)}`);
    await page.locator('.source .cm-line.failing').waitFor();
    /** The colours of parts of the source, beside those that the page's variables have. */
    const colours = () =>
      page.evaluate(() => {
        const root = document.querySelector('.source')!.shadowRoot!;
        const probe = document.body.appendChild(document.createElement('i'));
        const shown = [
          ['.cm-line.failing', 'backgroundColor', '--bad-soft'],
          ['.cm-line', 'color', '--text'],
          ['.cm-gutters', 'backgroundColor', '--panel'],
          ['.number:not(.failing)', 'color', '--dim'],
          ['.t-word', 'color', '--accent'],
          ['.t-text', 'color', '--good'],
        ] as const;
        const found = shown.map(([selector, property, variable]) => {
          probe.style.color = `var(${variable})`;
          return [getComputedStyle(root.querySelector(selector)!)[property], getComputedStyle(probe).color];
        });
        probe.remove();
        return found;
      });
    const light = await colours();
    await page.emulateMedia({ colorScheme: 'dark' });
    const dark = await colours();
    for (const [shown, wanted] of [...light, ...dark]) expect(shown).toBe(wanted);
    expect(dark).not.toEqual(light);
  });
});

/** A build info whose sources are hostile. */
const hostile = buildInfo(({ input, output }) => {
  const markup = '<img src=x onerror=alert(1)><script>alert(2)</script>';
  const text: string = input.sources[VAULT].content;
  // A comment with markup, direction marks and broken characters that never ends, a very long line, and many lines.
  const signs = '\u202a\u202e\u2068\u0000\ufffd\ud800';
  input.sources[VAULT].content =
    `${text}\n/* ${markup} ${signs} ${'x'.repeat(1_000_000)} far\n${'line\n'.repeat(100_000)}last`;
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
    await explorer.page.locator('.source .cm-line').first().waitFor();
    expect(await explorer.page.locator('.source img[src], .source [onerror], .source script').count()).toBe(
      0,
    );
    // From begin to end, and a search for what is there thousands of times.
    const { keyboard } = explorer.page;
    await explorer.page.getByRole('slider').focus();
    await keyboard.press('Home');
    await explorer.see('.position', /^line 1 of /);
    await keyboard.press('End');
    await explorer.see('.position', /^line (\d+) of \1\b/);
    await explorer.page.getByLabel('Search in the source').fill('onerror');
    await keyboard.press('Enter');
    await explorer.see('.source mark', 'onerror');
    await explorer.see('.source .cm-line', '<img src=x onerror=alert(1)>');
    await explorer.see('.source .cm-line', /\\u202a\\u202e\\u2068\\u0000\ufffd. xxx/);
    // A match at the end of a megabyte is scrolled to, and so is the last of 100,000 lines.
    await explorer.page.getByLabel('Search in the source').fill('x far');
    await explorer.see('.source mark', 'x far');
    await isShown('.source mark');
    await explorer.page.getByLabel('Search in the source').fill('last');
    await explorer.see('.source mark', 'last');
    await isShown('.source mark');
    await explorer.page.getByLabel('Search in the source').fill('line');
    await explorer.see('.source-head [role=status]', /of 10,000$/);
    expect(await explorer.page.locator('.source .cm-line').count()).toBeLessThan(150);
  });
});

describe.skipIf(!hasChromium).each([{ dark: false }, { dark: true }, { width: 390 }, { width: 320 }])(
  'in %o',
  (view) => {
    it('axe finds nothing, and nothing is wider than the window', async () => {
      const { buy } = await open(view);
      const hash = await buy(1);
      await explorer.go(`tx/${hash}`);
      await explorer.page.locator('.source .cm-line.failing').waitFor();
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
    await page.locator('.source .cm-line.failing').waitFor();
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
    await at(SHOP, 'return pay(price)');
  });
});
