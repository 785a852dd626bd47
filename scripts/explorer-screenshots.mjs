// Takes the screenshots of docs/explorer/ with the built node: `npm run build && node scripts/explorer-screenshots.mjs [SCENE [PICTURE]]`.
// Needs Chromium at /usr/bin/chromium, or at the path in CHROMIUM.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem';
import { smallPng } from './small-png.mjs';

const root = resolve(import.meta.dirname, '..');
const { createDevnet } = await import(join(root, 'dist/index.js'));
const out = join(root, 'docs/explorer');
mkdirSync(out, { recursive: true });
const [only, onlyPicture] = process.argv.slice(2);

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const artifact = (name) => JSON.parse(readFileSync(join(root, `fixtures/contracts/${name}.json`), 'utf8'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

/** Starts a node; returns it with helper functions for the scenes. */
async function chain(options = {}) {
  const node = await createDevnet({ port: 0, artifacts: join(root, 'fixtures/contracts'), ...options });
  const call = (method, ...params) => node.provider.request({ method, params });
  const accounts = await call('eth_accounts');
  const receipt = async (hash) => {
    for (;;) {
      const found = await call('eth_getTransactionReceipt', hash);
      if (found) return found;
      await sleep(20);
    }
  };
  const send = (transaction) =>
    call('eth_sendTransaction', { from: accounts[0], gas: '0x100000', ...transaction });
  const deploy = async (name, args = []) => {
    const { abi, bytecode } = artifact(name);
    const hash = await send({ data: encodeDeployData({ abi, bytecode, args }) });
    const { contractAddress: address } = await receipt(hash);
    const data = (functionName, list = []) => encodeFunctionData({ abi, functionName, args: list });
    return { address, data };
  };
  const head = async () => Number(await call('eth_blockNumber'));
  const after = async (blocks) => {
    for (const until = (await head()) + blocks; (await head()) < until; ) await sleep(20);
  };
  return { node, call, accounts, send, receipt, deploy, after };
}

/** Opens the explorer of a node. */
async function open({ node }, { dark = false, width = 1280, height = 800 } = {}) {
  const context = await browser.newContext({
    colorScheme: dark ? 'dark' : 'light',
    // No screenshot in the middle of an animation.
    reducedMotion: 'reduce',
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // The machine may be busy.
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  const go = async (path) => {
    await page.goto(`${node.url}/#/${path}`);
    await page.locator('.light.open').waitFor();
    await sleep(500);
  };
  return { page, go, close: () => context.close() };
}

const shoot = async (page, name) =>
  writeFileSync(join(out, `${name}.png`), smallPng(await page.screenshot()));
/** Takes a screenshot in light, in dark, and in the width of a phone. */
async function all(scene, name, prepare) {
  if (onlyPicture !== undefined && onlyPicture !== name) return;
  for (const [suffix, view] of [
    ['', {}],
    ['-dark', { dark: true }],
    ['-narrow', { width: 390, height: 844 }],
  ]) {
    const explorer = await open(scene, view);
    await explorer.go('');
    await prepare(explorer);
    await shoot(explorer.page, `${name}${suffix}`);
    await explorer.close();
  }
}

const MULTICALL = parseAbi(['function aggregate((address target, bytes callData)[] calls) payable']);
/** Encodes calls through Multicall3, one after the other. */
const together = (...calls) =>
  encodeFunctionData({
    abi: MULTICALL,
    functionName: 'aggregate',
    args: [calls.map(([target, callData]) => ({ target, callData }))],
  });

/** Deploys two tokens, a counter and a collection; returns a function that sends transactions of people who use them. */
async function town(scene) {
  const { accounts, deploy, send } = scene;
  const supply = 10n ** 24n;
  const tst = await deploy('Token', ['Test Token', 'TST', supply]);
  const usd = await deploy('Token', ['US Dollar', 'USD', supply]);
  const counter = await deploy('Counter');
  const collection = await deploy('Collection');
  const kinds = [
    (i, to) => ({
      to: tst.address,
      data: tst.data('transfer', [to, BigInt(1 + ((i * 7919) % 99_991)) * 10n ** 16n]),
    }),
    (i, to) => ({
      from: accounts[(i % 5) + 1],
      to,
      value: `0x${(BigInt(1 + (i % 9)) * 2n * 10n ** 16n).toString(16)}`,
    }),
    (i) => ({
      from: accounts[(i % 4) + 1],
      to: counter.address,
      data: counter.data('setNumber', [BigInt(i)]),
    }),
    (i, to) => ({
      to: usd.address,
      data: usd.data('transfer', [to, BigInt(1 + ((i * 104_729) % 9_973)) * 10n ** 17n]),
    }),
    (i, to) => ({ to: tst.address, data: tst.data('approve', [to, BigInt(i) * 10n ** 18n]) }),
    (i) => ({
      from: accounts[(i % 4) + 1],
      to: counter.address,
      data: counter.data('setNumber', [2_000_000n]),
    }),
    (i) => ({ to: collection.address, data: collection.data('mint', [accounts[i % 10], BigInt(i)]) }),
    (i, to) => ({
      from: accounts[(i % 3) + 6],
      to: tst.address,
      data: tst.data('transfer', [to, 10n ** 23n]),
    }),
  ];
  const order = [0, 1, 2, 0, 3, 1, 0, 4, 6, 0, 1, 5, 2, 3, 0, 7];
  /** Sends transaction number `i`. */
  const one = (i) => send({ gas: '0x30000', ...kinds[order[i % order.length]](i, accounts[(i % 9) + 1]) });
  return { tst, usd, counter, collection, one };
}

const SCENES = {
  async live() {
    const scene = await chain({ gasLimit: 6_000_000n });
    const { one } = await town(scene);
    let on = true;
    const traffic = (async () => {
      for (let i = 0; on; i++) {
        await one(i);
        // 20 per second
        await sleep(48);
      }
    })();
    // Until the strip is full.
    await scene.after(14);
    await all(scene, 'live', async ({ page }) => {
      await sleep(8_500);
      // Until the block is more than half built.
      await page
        .locator('.newest')
        .filter({ hasText: /flashblock (?:[5-9]|10) of/ })
        .waitFor();
    });
    on = false;
    await traffic;
    await scene.node.close();
  },

  async automine() {
    const scene = await chain({ automine: true });
    const { one } = await town(scene);
    for (let i = 0; i < 30; i++) await one(i);
    await scene.call('anvil_mine', '0x4');
    for (let i = 30; i < 38; i++) await one(i);
    // Names of contracts and reasons of failures appear last.
    const isRead = (page) => page.getByText('TooHigh').first().waitFor();
    await all(scene, 'automine', async ({ page }) => {
      await isRead(page);
      await sleep(1_500);
    });
    await all(scene, 'transactions', async ({ go, page }) => {
      await go('transactions');
      await isRead(page);
      await sleep(800);
    });
    await scene.node.close();
  },

  async stories() {
    const scene = await chain({ automine: true });
    const { tst, usd, counter } = await town(scene);
    const { accounts, send } = scene;
    const failing = together([counter.address, counter.data('setNumber', [2_000_000n])]);
    const failed = await send({ to: MULTICALL3, data: together([MULTICALL3, failing]) });
    await all(scene, 'revert', async ({ go, page }) => {
      await go(`tx/${failed}`);
      await page.locator('.failure').filter({ hasText: 'TooHigh' }).waitFor();
      await sleep(500);
    });
    // A pool that exchanges dollars for tokens: both sides have approved Multicall3.
    const pool = accounts[9];
    await send({ to: usd.address, data: usd.data('transfer', [pool, 10n ** 21n]) });
    await send({ to: tst.address, data: tst.data('approve', [MULTICALL3, 10n ** 21n]) });
    await send({ from: pool, to: usd.address, data: usd.data('approve', [MULTICALL3, 10n ** 21n]) });
    const swap = await send({
      to: MULTICALL3,
      data: together(
        [tst.address, tst.data('transferFrom', [accounts[0], pool, 10n * 10n ** 18n])],
        [usd.address, usd.data('transferFrom', [pool, accounts[0], 255n * 10n ** 17n])],
      ),
    });
    await all(scene, 'swap', async ({ go, page }) => {
      await go(`tx/${swap}`);
      await page.getByText('In effect it swapped').waitFor();
      await sleep(500);
    });
    let deep = [counter.address, counter.data('setNumber', [42n])];
    for (let depth = 2; depth <= 12; depth++) deep = [MULTICALL3, together(deep)];
    const calls = await send({ to: deep[0], data: deep[1], gas: '0x400000' });
    await all(scene, 'calls', async ({ go, page }) => {
      await go(`tx/${calls}/calls`);
      await page.locator('.tree li').filter({ hasText: 'setNumber' }).nth(11).waitFor();
      await sleep(500);
    });
    await all(scene, 'contract', async ({ go, page }) => {
      await go(`address/${tst.address}/write`);
      await page.getByText('(address to, uint256 value)').click();
      const form = page.locator('details[open]');
      await form.getByLabel('to address').fill('account 3');
      await form.getByLabel('value uint256').fill('1.5 TST');
      await form.getByRole('button', { name: 'Try it' }).click();
      await form.getByText('would succeed').waitFor();
    });
    await scene.node.close();
  },

  async source() {
    const folder = mkdtempSync(join(tmpdir(), 'source-'));
    mkdirSync(join(folder, 'build-info'));
    const output = JSON.parse(
      readFileSync(join(root, 'fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json'), 'utf8'),
    );
    const { sources } = JSON.parse(readFileSync(join(root, 'test/stack-trace/scenarios/shop.json'), 'utf8'));
    const texts = Object.entries(sources).map(([name, content]) => [name, { content }]);
    const input = { sources: Object.fromEntries(texts) };
    writeFileSync(
      join(folder, 'build-info/1.json'),
      JSON.stringify({ solcVersion: '0.8.37', input, output }),
    );
    const scene = await chain({ artifacts: folder, silent: true });
    const { call, send, receipt, after } = scene;
    const make = async (name, args) => {
      const { abi, evm } = output.contracts[`contracts/${name}.sol`][name];
      const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
      return { abi, address: (await receipt(await send({ data, gas: '0x300000' }))).contractAddress };
    };
    const vault = await make('Vault', []);
    const shop = await make('Shop', [vault.address, 1n]);
    const data = encodeFunctionData({ abi: shop.abi, functionName: 'buy', args: [0n] });
    const [done, failed] = [
      await send({ to: shop.address, data, value: '0x4' }),
      await send({ to: shop.address, data, value: '0x1' }),
    ];
    await receipt(failed);
    await call('evm_mine');
    await after(1);
    await all(scene, 'failing-line', async ({ go, page }) => {
      await go(`tx/${failed}`);
      await page.locator('.source .cm-line.failing').waitFor();
      await sleep(500);
    });
    await all(scene, 'stepping', async ({ go, page }) => {
      await go(`tx/${done}/source`);
      await page.locator('.source .cm-line.current').waitFor();
      await page.getByLabel('Jump to').selectOption('sstore');
      await page.getByRole('button', { name: 'Next', exact: true }).click();
      await page.locator('.steps').filter({ hasText: 'SSTORE at' }).waitFor();
      await page.keyboard.press('F10');
      await page.locator('.change').waitFor();
      await sleep(500);
    });
    await scene.node.close();
    rmSync(folder, { recursive: true });
  },

  async control() {
    const scene = await chain({ blockTime: 60 });
    await all(scene, 'control', async ({ go, page }) => {
      await go('control');
      await page.getByRole('button', { name: 'Take a snapshot' }).click();
      await page.getByRole('button', { name: 'Mine blocks' }).click();
      await sleep(1_500);
      await page.evaluate(() => scrollTo(0, 0));
    });
    await scene.node.close();
  },

  /** The report of `devnet run --against amsterdam`, for docs/amsterdam.md. */
  async against() {
    const project = vaultProject();
    const report = join(project.folder, 'report.html');
    project.run(['--hardfork', 'osaka', '--against', 'amsterdam', '--against-report', report]);
    await shootFile(report, 'against', 400);
    project.remove();
  },

  /** The report of `devnet run --gas`, for docs/coverage.md. */
  async gas() {
    const project = vaultProject();
    const folder = join(project.folder, 'coverage');
    project.run(['--gas', '--coverage-dir', folder]);
    await shootFile(join(folder, 'gas.html'), 'gas', 700);
    project.remove();
  },

  /** The report of `devnet run --coverage`, for docs/coverage.md. */
  async coverage() {
    const project = vaultProject();
    const folder = join(project.folder, 'coverage');
    // The package that writes the pages must be installed in the project.
    symlinkSync(join(root, 'test/suites/node_modules'), join(project.folder, 'node_modules'));
    project.run(['--coverage', '--coverage-dir', folder]);
    await shootFile(join(folder, 'Vault.sol.html'), 'coverage', 600);
    project.remove();
  },
};

/** A project with a vault and its build info; its command is scripts/against-sample.mjs. */
function vaultProject() {
  const folder = mkdtempSync(join(tmpdir(), 'devnet-picture-'));
  cpSync(join(root, 'fixtures/contracts'), join(folder, 'artifacts'), { recursive: true });
  mkdirSync(join(folder, 'artifacts/build-info'));
  const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8'));
  const { sources } = read('test/stack-trace/scenarios/shop.json');
  const build = {
    solcVersion: '0.8.37',
    input: {
      sources: Object.fromEntries(Object.entries(sources).map(([name, content]) => [name, { content }])),
    },
    output: read('fixtures/stack-traces/807a97336cdc75ad9fa6466e8aef2545.json'),
  };
  writeFileSync(join(folder, 'artifacts/build-info/1.json'), JSON.stringify(build));
  mkdirSync(join(folder, 'contracts'));
  for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
  const { abi, evm } = build.output.contracts['contracts/Vault.sol'].Vault;
  const vault = { contractName: 'Vault', abi, deployedBytecode: `0x${evm.deployedBytecode.object}` };
  writeFileSync(join(folder, 'artifacts/Vault.json'), JSON.stringify(vault));
  return {
    folder,
    /** Runs `devnet run` with additional flags. */
    run: (flags) =>
      execFileSync(
        process.execPath,
        [
          ...[join(root, 'dist/cli.js'), 'run', '--artifacts', join(folder, 'artifacts'), ...flags],
          ...['--', process.execPath, join(root, 'scripts/against-sample.mjs')],
        ],
        { cwd: folder },
      ),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** Takes a screenshot of a whole HTML file. */
async function shootFile(path, name, height) {
  const page = await browser.newPage({ colorScheme: 'light', viewport: { width: 1280, height } });
  await page.goto(pathToFileURL(path).href);
  await page.evaluate(() => {
    for (const part of document.querySelectorAll('details')) part.open = true;
  });
  writeFileSync(join(out, `${name}.png`), smallPng(await page.screenshot({ fullPage: true })));
  await page.close();
}

for (const [name, scene] of Object.entries(SCENES)) if (only === undefined || only === name) await scene();
await browser.close();
