import { existsSync, rmSync } from 'node:fs';
import { encodeDeployData, encodeFunctionData, parseAbi } from 'viem';
import { startNode } from './node.mjs';
import { CONTRACTS, makeProject } from './project.mjs';
import { artifact } from './senders.mjs';
import { median, ms } from './stats.mjs';

const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
const LOGS = 300;
/** Rounds of a loop of seven opcodes: a million steps. */
const ROUNDS = 150_000;
const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const MULTICALL = parseAbi(['function aggregate((address target, bytes callData)[] calls) payable']);

/** How long the page takes from a click to what it shows: logs, the line that failed, steps. Each figure ends with the next frame. */
export async function views({ bin, progress }) {
  if (!existsSync(CHROMIUM)) throw new Error(`there is no ${CHROMIUM}; CHROMIUM names another browser`);
  const { chromium } = await import('playwright-core');
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const browser = await chromium.launch({ executablePath: CHROMIUM, args });
  const project = makeProject();
  const nodes = [];
  /** A node of its own: what another one has read of the project isn't known there. */
  const start = async () => {
    const node = await startNode(bin, ['--automine', '--artifacts', project.folder]);
    nodes.push(node);
    const call = (method, ...params) => node.client.call(method, params);
    const [from] = await call('eth_accounts');
    const send = (transaction) => call('eth_sendTransaction', { from, gas: '0x1000000', ...transaction });
    const made = async (data) =>
      (await call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
    return { url: `http://127.0.0.1:${node.port}`, from, send, made };
  };
  const open = async (url, path) => {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await page.goto(`${url}/#/${path}`);
    await page.locator('.light.open').waitFor();
    await page.evaluate(measures);
    return page;
  };
  try {
    const rows = [];
    const failed = `from a click on a failed transaction to its source line, ${CONTRACTS} artifacts`;
    for (const isWarm of [false, true]) {
      const { url, send, made } = await start();
      const shop = await made(project.creation('Shop', [await made(project.creation('Vault')), 1n]));
      const hash = await send({ to: shop, value: '0x1', data: project.data('Shop', 'buy', [0n]) });
      const path = isWarm ? 'transactions' : 'control';
      const page = await open(url, path);
      if (isWarm) await page.waitForTimeout(5_000);
      const took = await page.evaluate(
        (target) => globalThis.timed(() => (location.hash = target), '.cm-line.failing', '.source'),
        `#/tx/${hash}`,
      );
      rows.push([
        `views: ${failed}`,
        ms(took),
        isWarm ? 'from a list that shows it' : 'nothing was read before',
      ]);
      progress(rows.at(-1).join(' '));
      await page.close();
    }

    const { url, from, send, made } = await start();
    const { abi, bytecode } = artifact('Token');
    const token = await made(encodeDeployData({ abi, bytecode, args: ['Test Token', 'TST', 10n ** 24n] }));
    const data = (functionName, list) => encodeFunctionData({ abi, functionName, args: list });
    await send({ to: token, data: data('approve', [MULTICALL3, 10n ** 24n]) });
    const calls = Array.from({ length: LOGS }, (_, i) => ({
      target: token,
      callData: data('transferFrom', [from, MULTICALL3, BigInt(i + 1)]),
    }));
    const many = await send({
      to: MULTICALL3,
      data: encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate', args: [calls] }),
    });
    const page = await open(url, `tx/${many}/raw`);
    const drawn = [];
    for (let i = 0; i < 5; i++) {
      drawn.push(
        await page.evaluate(
          ([target, last]) => globalThis.timed(() => (location.hash = target), last),
          [`#/tx/${many}/story`, `.logs li:nth-child(${LOGS})`],
        ),
      );
      await page.evaluate(
        (target) => globalThis.timed(() => (location.hash = target), 'pre'),
        `#/tx/${many}/raw`,
      );
    }
    rows.push([
      `views: ${LOGS} logs of transfers, with the story around them`,
      ms(median(drawn)),
      'median of 5',
    ]);
    progress(rows.at(-1).join(' '));

    // PUSH3 rounds; JUMPDEST, and 1 less until it is zero; SSTORE.
    const rounds = ROUNDS.toString(16).padStart(6, '0');
    const long = await send({ data: `0x62${rounds}5b60019003806004576001600055 00`.replace(' ', '') });
    const stepped = await open(url, `tx/${long}/source`);
    await stepped.getByText('opcode 1 of').waitFor();
    const total = await stepped.locator('[type=range]').evaluate((it) => Number(it.max) + 1);
    const step = (press) => stepped.evaluate((how) => globalThis.stepped(how), press);
    const kinds = { 'Forward ›': [], '‹ Back': [], 'a place on the bar': [] };
    for (let i = 0; i < 20; i++)
      for (const kind of Object.keys(kinds)) kinds[kind].push(await step({ kind, share: (i * 0.37) % 1 }));
    kinds['the next and the previous SSTORE'] = [];
    await stepped.getByLabel('Jump to').selectOption('sstore');
    await step({ kind: 'a place on the bar', share: 0 });
    kinds['the next and the previous SSTORE'].push(await step({ kind: 'Next' }));
    await step({ kind: 'a place on the bar', share: 1 });
    kinds['the next and the previous SSTORE'].push(await step({ kind: 'Previous' }));
    for (const [kind, times] of Object.entries(kinds))
      rows.push([
        `views: ${kind}, in ${total} steps`,
        ms(median(times)),
        `at most ${ms(Math.max(...times))}`,
      ]);
    return rows;
  } finally {
    await browser.close();
    await Promise.all(nodes.map((node) => node.stop()));
    rmSync(project.folder, { recursive: true });
  }
}

/** Runs in the page: defines how a click is timed there. */
function measures() {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const until = async (is) => {
    for (const start = performance.now(); !is(); ) {
      if (performance.now() - start > 60_000) throw new Error('nothing was shown');
      await frame();
    }
  };
  /** How long it takes until an element is there, in the document or in the shadow root of `host`. */
  globalThis.timed = async (act, selector, host) => {
    const start = performance.now();
    act();
    const root = () => (host ? document.querySelector(host)?.shadowRoot : document);
    await until(() => root()?.querySelector(selector));
    return performance.now() - start;
  };
  globalThis.stepped = async ({ kind, share }) => {
    const shown = () => document.querySelector('.position').textContent;
    const before = shown();
    const start = performance.now();
    if (share === undefined || kind !== 'a place on the bar')
      [...document.querySelectorAll('.steps button')].find((it) => it.textContent === kind).click();
    else {
      const bar = document.querySelector('[type=range]');
      bar.value = String(Math.floor(share * Number(bar.max)) + 1);
      bar.dispatchEvent(new Event('input', { bubbles: true }));
    }
    await until(() => shown() !== before);
    return performance.now() - start;
  };
}
