import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { type Abi, encodeDeployData, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { afterAll, expect } from 'vitest';
import type { DevnetOptions } from '../../../src/index.ts';
import { liveNode } from '../../live-node.ts';

/** The browser of the machine: none is downloaded. */
export const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium';
export const hasChromium = existsSync(CHROMIUM);
if (!hasChromium) process.stderr.write(`skipped: there is no ${CHROMIUM}; CHROMIUM names another browser\n`);

const AXE = readFileSync(resolve('node_modules/axe-core/axe.min.js'), 'utf8');

let browser: Promise<Browser> | undefined;

/** Registers the hook of a test file that ends the browser. */
export function closeBrowserAfterAll(): void {
  afterAll(async () => {
    await (await browser)?.close();
    browser = undefined;
  });
}

interface PageOptions {
  readonly dark?: boolean;
  readonly width?: number;
}

/** A node on the manual clock with the explorer open in a browser. The test fails when the page has a problem. */
export async function openExplorer(
  options: DevnetOptions = {},
  { dark = false, width = 1280 }: PageOptions = {},
) {
  const live = await liveNode(options);
  // Chromium refuses to run as root with its sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  browser ??= chromium.launch({ executablePath: CHROMIUM, args });
  const context = await (await browser).newContext({
    colorScheme: dark ? 'dark' : 'light',
    viewport: { width, height: 800 },
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const page = await context.newPage();
  const problems: string[] = [];
  watch(page, live.node.url!, problems);
  const go = async (path: string) => {
    await page.goto(`${live.node.url}/#/${path}`);
    await page.locator('.light.open').waitFor();
  };
  await go('');
  return {
    ...live,
    page,
    context,
    problems,
    go,
    /** Waits until a part of the page has a text. */
    see: (selector: string, text: string | RegExp) =>
      page.locator(selector).filter({ hasText: text }).first().waitFor(),
    /** Drops a file on the page, as from a file manager. */
    drop: async (path: string) => {
      const text = readFileSync(path, 'utf8');
      await page.evaluate(
        ([name, content]) => {
          const files = new DataTransfer();
          files.items.add(new File([content!], name!));
          document
            .querySelector('main')!
            .dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true }));
        },
        [path.split('/').at(-1), text],
      );
    },
    /** What axe finds: WCAG's rules and best practices. */
    axe: async () => {
      await page.evaluate(AXE);
      const found: { id: string; nodes: string[] }[] = await page.evaluate(async () => {
        // biome-ignore lint/suspicious/noExplicitAny: axe puts itself there
        const { violations } = await (globalThis as any).axe.run();
        return violations.map(
          ({ id, nodes }: { id: string; nodes: { target: string[]; failureSummary: string }[] }) => ({
            id,
            nodes: nodes.map(({ target, failureSummary }) => `${target.join(' ')}: ${failureSummary}`),
          }),
        );
      });
      return found;
    },
    close: async () => {
      await context.close();
      await live.close();
      expect(problems).toEqual([]);
    },
  };
}

export type Explorer = Awaited<ReturnType<typeof openExplorer>>;

/** Collects console errors, errors of scripts, reports of the Content-Security-Policy, and requests to other origins. */
function watch(page: Page, origin: string, problems: string[]): void {
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(`${origin}/`) && !url.startsWith('data:')) problems.push(`asked for ${url}`);
  });
  page.on('websocket', (socket) => {
    if (!socket.url().startsWith(origin.replace('http', 'ws'))) problems.push(`connected to ${socket.url()}`);
  });
}

export type { BrowserContext };

interface Artifact {
  readonly abi: Abi;
  readonly bytecode: Hex;
}

/** Path of a contract's artifact. */
export const artifactPath = (name: string): string => join('fixtures/contracts', `${name}.json`);

/** Deploys a contract of fixtures/contracts with the node's first account, in a sealed block. */
export async function deploy(
  explorer: Pick<Explorer, 'call' | 'seal' | 'accounts'>,
  name: string,
  args: unknown[] = [],
) {
  const { abi, bytecode } = JSON.parse(readFileSync(artifactPath(name), 'utf8')) as Artifact;
  const data = encodeDeployData({ abi, bytecode, args } as Parameters<typeof encodeDeployData>[0]);
  const hash = await explorer.call('eth_sendTransaction', {
    from: explorer.accounts.first,
    data,
    gas: '0x400000',
  });
  if (!(await explorer.call('eth_getTransactionReceipt', hash))) await explorer.seal();
  const { contractAddress } = await explorer.call('eth_getTransactionReceipt', hash);
  return { abi, address: contractAddress as Hex };
}

export const MULTICALL3 = '0xcA11bde05977b3631167028862bE2a173976CA11';
const MULTICALL = parseAbi(['function aggregate((address target, bytes callData)[] calls) payable']);

/** Data for Multicall3 that makes these calls, one after the other. */
export function throughMulticall(...calls: (readonly [target: Hex, callData: Hex])[]): Hex {
  const args = [calls.map(([target, callData]) => ({ target, callData }))] as const;
  return encodeFunctionData({ abi: MULTICALL, functionName: 'aggregate', args });
}

/** Sends so many calls in one transaction: by default each asks Multicall3 for the chain id. */
export function callsTogether(
  { call, accounts }: Pick<Explorer, 'call' | 'accounts'>,
  count: number,
  target: Hex = MULTICALL3,
  callData: (i: number) => Hex = () => '0x3408e470',
): Promise<Hex> {
  const data = throughMulticall(...Array.from({ length: count }, (_, i) => [target, callData(i)] as const));
  return call('eth_sendTransaction', { from: accounts.first, to: MULTICALL3, data, gas: '0x1000000' });
}
