import { readdirSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { CODE_BLOCKS } from './pages.ts';

/** Each asserts what it shows. */
it.each([
  ['clock.ts', () => import('drop-in:clock.ts')],
  ['embed.ts', () => import('drop-in:embed.ts')],
  ['preconfirmations.ts', () => import('drop-in:preconfirmations.ts')],
  ['two-chains.ts', () => import('drop-in:two-chains.ts')],
])('%s runs', (_, load) => load());

it('deposit.ts mints ETH and sends some on', async () => {
  const node = await createDevnet({ port: 0, automine: true, optimism: true });
  vi.stubGlobal('NODE_URL', node.url);
  try {
    await import('drop-in:deposit.ts');
    const balanceOf = (address: string) =>
      node.provider.request({ method: 'eth_getBalance', params: [address, 'latest'] });
    expect(await balanceOf('0x00000000000000000000000000000000000A11cE')).toBe('0xde0b6b3a7640000');
    expect(await balanceOf('0x0000000000000000000000000000000000000B0b')).toBe('0xde0b6b3a7640000');
  } finally {
    vi.unstubAllGlobals();
    await node.close();
  }
});

it('every example in JavaScript or TypeScript has a name, by which a test runs it', () => {
  const tests = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(?:test\.ts|suite\.mjs)$/.test(path) && !path.includes('node_modules'))
    .map((path) => readFileSync(`test/${path}`, 'utf8'));
  const examples = CODE_BLOCKS.filter(({ language }) => ['js', 'ts'].includes(language));
  expect(examples.length).toBeGreaterThan(10);
  const isRun = (name: string) =>
    tests.some((text) => text.includes(`'${name}'`) || text.includes(`drop-in:${name}`));
  const strangers = examples.filter(({ name }) => !name || !isRun(name));
  expect(strangers.map(({ page, name }) => `${page}: ${name}`)).toEqual([]);
});
