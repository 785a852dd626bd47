import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { newcomerSection, SECTIONS } from '../../scripts/newcomer-sections.mjs';
import { createDevnet } from '../../src/index.ts';
import { CODE_BLOCKS } from './pages.ts';

/** Each asserts what it shows. */
it.each([
  ['clock.ts', () => import('drop-in:clock.ts')],
  ['embed.ts', () => import('drop-in:embed.ts')],
  ['preconfirmations.ts', () => import('drop-in:preconfirmations.ts')],
  ['two-chains.ts', () => import('drop-in:two-chains.ts')],
])('%s runs', (_, load) => load());

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** Runs an example that speaks to a node by its URL, and then `check`. */
async function onOptimism(load: () => Promise<unknown>, check: (ask: Ask) => Promise<void>): Promise<void> {
  const node = await createDevnet({ port: 0, automine: true, optimism: true });
  vi.stubGlobal('NODE_URL', node.url);
  try {
    await load();
    await check((method, ...params) => node.provider.request({ method, params }));
  } finally {
    vi.unstubAllGlobals();
    await node.close();
  }
}

it('deposit.ts mints ETH and sends some on', () =>
  onOptimism(
    () => import('drop-in:deposit.ts'),
    async (ask) => {
      for (const address of [
        '0x00000000000000000000000000000000000A11cE',
        '0x0000000000000000000000000000000000000B0b',
      ])
        expect(await ask('eth_getBalance', address, 'latest')).toBe('0xde0b6b3a7640000');
    },
  ));

it('l1-fees.ts sets what L1 costs from then on', () =>
  onOptimism(
    () => import('drop-in:l1-fees.ts'),
    async (ask) => {
      await ask('evm_mine');
      // l1BaseFee() of the GasPriceOracle
      const call = { to: '0x420000000000000000000000000000000000000F', data: '0x519b4bd3' };
      expect(BigInt((await ask('eth_call', call, 'latest')) as string)).toBe(50n * 10n ** 9n);
    },
  ));

it('every example in JavaScript or TypeScript has a name, by which a test runs it', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:test\.ts|suite\.mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => readFileSync(`test/${path}`, 'utf8'));
  const examples = CODE_BLOCKS.filter(({ language }) => ['js', 'ts'].includes(language));
  expect(examples.length).toBeGreaterThan(10);
  // scripts/newcomer.mjs follows the quick start, and some recipes.
  const followed = new Set(
    Object.keys(SECTIONS).flatMap((name) => {
      const { passing, failing } = newcomerSection(name);
      return [...passing.keys(), ...failing.keys()];
    }),
  );
  const isRun = (name: string, page: string) =>
    (/^docs\/(?:quick-start|recipes)\.md$/.test(page) && followed.has(name)) ||
    tests.some((text) => text.includes(`'${name}'`) || text.includes(`drop-in:${name}`));
  const strangers = examples.filter(({ name, page }) => !name || !isRun(name, page));
  expect(strangers.map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});
