// Takes the pictures of docs/explorer/ from the built node: `npm run build && node scripts/explorer-screenshots.mjs [NAME]`.
// Needs Chromium at /usr/bin/chromium, or where CHROMIUM says.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium } from 'playwright-core';
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem';
import { smallPng } from './small-png.mjs';

const root = resolve(import.meta.dirname, '..');
const { createDevnet } = await import(join(root, 'dist/index.js'));
const out = join(root, 'docs/explorer');
mkdirSync(out, { recursive: true });
const [only] = process.argv.slice(2);

const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const artifact = (name) => JSON.parse(readFileSync(join(root, `fixtures/contracts/${name}.json`), 'utf8'));
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});

/** A node, and what the scenes do with it. */
async function chain(options = {}) {
  const node = await createDevnet({ port: 0, ...options });
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
    viewport: { width, height },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  page.on('console', (message) => message.type() === 'error' && console.error(message.text()));
  const go = async (path) => {
    await page.goto(`${node.url}/#/${path}`);
    await page.locator('.light.open').waitFor();
    await sleep(500);
  };
  const drop = (names) =>
    page
      .locator('input[type=file]')
      .setInputFiles(names.map((name) => join(root, `fixtures/contracts/${name}.json`)));
  return { page, go, drop, close: () => context.close() };
}

const shoot = async (page, name) =>
  writeFileSync(join(out, `${name}.png`), smallPng(await page.screenshot()));
/** The light picture in full size; where they are asked for, the dark one and that of a telephone. */
async function all(scene, name, prepare, { variants = false } = {}) {
  for (const [suffix, view] of [
    ['', {}],
    ...(variants
      ? [
          ['-dark', { dark: true }],
          ['-narrow', { width: 390, height: 800 }],
        ]
      : []),
  ]) {
    const explorer = await open(scene, view);
    await explorer.go('');
    await prepare(explorer);
    await shoot(explorer.page, `${name}${suffix}`);
    await explorer.close();
  }
}

const SCENES = {
  async live() {
    const scene = await chain({ gasLimit: 4_500_000n });
    const token = await scene.deploy('Token', ['Test Token', 'TST', 10n ** 24n]);
    const kitchen = await scene.deploy('Kitchen');
    let on = true;
    const traffic = (async () => {
      for (let i = 0; on; i++) {
        const to = scene.accounts[(i % 9) + 1];
        const amount = BigInt(1 + ((i * 7919) % 99_991)) * 10n ** 15n;
        const data = token.data('transfer', [to, amount]);
        await scene.send({ from: scene.accounts[0], to: token.address, data, gas: '0x15f90' });
        if (i % 25 === 0)
          await scene.send({
            from: scene.accounts[2],
            to: kitchen.address,
            data: kitchen.data('emitMany', [5n + BigInt(i % 20), '0x']),
            gas: '0x40000',
          });
        // 50 a second
        await sleep(19);
      }
    })();
    await sleep(1000);
    await all(
      scene,
      'live',
      async ({ page }) => {
        await sleep(10_500);
        // When the block is more than half built.
        await page
          .locator('.panel header')
          .filter({ hasText: /flashblock [67] of/ })
          .waitFor();
      },
      { variants: true },
    );
    on = false;
    await traffic;
    await scene.node.close();
  },

  async empty() {
    const scene = await chain({ automine: true });
    await all(scene, 'empty', () => sleep(500));
    await scene.node.close();
  },

  async revert() {
    const scene = await chain();
    const counter = await scene.deploy('Counter');
    const multicall = parseAbi(['function aggregate((address target, bytes callData)[] calls) payable']);
    const through = (target, callData) =>
      encodeFunctionData({ abi: multicall, functionName: 'aggregate', args: [[{ target, callData }]] });
    const explorerOf = await open(scene);
    const inner = through(counter.address, counter.data('setNumber', [2_000_000n]));
    const hash = await scene.send({ to: MULTICALL3, data: through(MULTICALL3, inner) });
    await scene.receipt(hash);
    await explorerOf.close();
    await all(scene, 'revert', async ({ go, drop, page }) => {
      await go(`tx/${hash}`);
      await drop(['Counter']);
      await page.locator('.failure').filter({ hasText: 'TooHigh' }).waitFor();
      await page.locator('.tree .failing').waitFor();
    });
    await scene.node.close();
  },

  async transaction() {
    const scene = await chain();
    const token = await scene.deploy('Token', ['Test Token', 'TST', 10n ** 24n]);
    await all(
      scene,
      'transaction',
      async ({ go, page }) => {
        await scene.after(1);
        await go('');
        await scene.after(1);
        await sleep(500);
        const hash = await scene.send({
          to: token.address,
          data: token.data('transfer', [scene.accounts[3], 25n * 10n ** 18n]),
          gas: '0x15f90',
        });
        await scene.after(1);
        await go(`tx/${hash}`);
        await page.locator('.life .sealed').waitFor();
        await sleep(300);
      },
      { variants: true },
    );
    await all(scene, 'dropped', async ({ go, page }) => {
      await go('');
      await scene.after(1);
      await sleep(300);
      const hash = await scene.send({
        to: token.address,
        data: token.data('transfer', [scene.accounts[3], 1n]),
        gas: '0x15f90',
      });
      await scene.receipt(hash);
      await sleep(100);
      await scene.call('devnet_dropPreconfirmed', hash);
      await go(`tx/${hash}`);
      await page.locator('.life .dropped').waitFor();
    });
    await scene.node.close();
  },

  async address() {
    const scene = await chain({ blockTime: 60 });
    const token = await scene.deploy('Token', ['Test Token', 'TST', 10n ** 24n]);
    for (const i of [1, 2, 3])
      await scene.send({
        to: token.address,
        data: token.data('transfer', [scene.accounts[i], BigInt(i) * 100n * 10n ** 18n]),
        gas: '0x15f90',
      });
    await scene.call('evm_mine');
    await scene.receipt(
      await scene.send({
        to: token.address,
        data: token.data('transfer', [scene.accounts[1], 55n * 10n ** 17n]),
        gas: '0x15f90',
      }),
    );
    await all(scene, 'address', async ({ go, drop }) => {
      await go(`address/${token.address}`);
      await drop(['Token']);
      await sleep(1000);
    });
    await all(scene, 'accounts', ({ go }) => go('accounts'));
    await all(scene, 'difference', ({ go }) => go('difference'));
    await all(scene, 'block', ({ go }) => go('block/1'));
    await all(scene, 'logs', async ({ go, page }) => {
      await go('logs');
      await page.getByRole('button', { name: 'Search' }).click();
      await sleep(500);
    });
    await scene.node.close();
  },

  async simulate() {
    const scene = await chain();
    const token = await scene.deploy('Token', ['Test Token', 'TST', 10n ** 24n]);
    await all(
      scene,
      'simulate',
      async ({ go, drop, page }) => {
        await go('simulate');
        await drop(['Token']);
        const poor = '0x00000000000000000000000000000000000000aa';
        await page.getByRole('button', { name: 'Add an override' }).click();
        await page.getByLabel('account').fill(poor);
        await page.getByLabel('balance, ETH').fill('5');
        await page.getByLabel('from', { exact: true }).fill(poor);
        await page.getByLabel('to', { exact: true }).fill(scene.accounts[1]);
        await page.getByLabel('value, ETH').fill('2');
        await page.getByRole('button', { name: 'Add a block' }).click();
        const second = page.getByRole('region', { name: 'Block 2' });
        await second.getByLabel('from', { exact: true }).fill(poor);
        await second.getByLabel('to', { exact: true }).fill(token.address);
        await second.getByLabel('function').selectOption('Token.transfer(address,uint256)');
        await second.getByLabel('to address').fill(scene.accounts[1]);
        await second.getByLabel('value uint256').fill('1000');
        await page.getByRole('button', { name: 'Simulate', exact: true }).click();
        await page.locator('.outcome.failed').waitFor();
        await page.locator('.outcome.failed').evaluate((it) => it.scrollIntoView({ block: 'end' }));
      },
      { variants: true },
    );
    await scene.node.close();
  },

  async control() {
    const scene = await chain({ blockTime: 60 });
    await all(scene, 'control', async ({ go, page }) => {
      await go('control');
      await page.getByRole('button', { name: 'Take a snapshot' }).click();
      await page.getByRole('button', { name: 'Mine blocks' }).click();
      await page.getByRole('button', { name: 'Take a snapshot' }).click();
      await page.getByRole('button', { name: 'Revert to 0x1' }).waitFor();
      await page
        .getByRole('button', { name: /^Revert to/ })
        .last()
        .click();
      await sleep(700);
    });
    const nonce = async (i) =>
      Number(await scene.call('eth_getTransactionCount', scene.accounts[i], 'pending'));
    await scene.call('devnet_holdFlashblocks', 60_000);
    await scene.send({ from: scene.accounts[1], to: scene.accounts[2], value: '0x1', gas: '0x5208' });
    await scene.send({
      from: scene.accounts[3],
      to: scene.accounts[2],
      value: '0x1',
      gas: '0x5208',
      nonce: `0x${((await nonce(3)) + 2).toString(16)}`,
    });
    await all(scene, 'mempool', ({ go }) => go('mempool'));
    await all(scene, 'away', async ({ go, page }) => {
      await go('');
      const port = Number(new URL(scene.node.url).port);
      void port;
      await scene.node.close();
      await page.locator('.light.closed').waitFor();
      await sleep(300);
    });
  },
};

for (const [name, scene] of Object.entries(SCENES)) if (only === undefined || only === name) await scene();
await browser.close();
