import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { AgainstFields } from '../../src/against/tally.ts';
import { createNode } from '../../src/boot/node.ts';
import { type Io, main } from '../../src/cli/main.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { exportChain } from '../../src/replay/export-chain.ts';
import { ConsensusBuilder, other, transfer } from '../replay/consensus/builder.ts';
import { StateTestBuilder } from '../replay/consensus/state-test-builder.ts';

const dir = mkdtempSync(join(tmpdir(), 'devnet-against-'));
afterAll(() => rmSync(dir, { recursive: true }));
const recording = join(import.meta.dirname, '../../fixtures/recordings/mixed.jsonl');

async function replay(...args: string[]) {
  const seen = { stdout: '', stderr: '' };
  const into = (name: keyof typeof seen) => ({
    isTTY: false,
    write: (text: string) => {
      seen[name] += text;
    },
  });
  const streams = { stdout: into('stdout'), stderr: into('stderr') };
  const io = { version: 'test', env: {}, ...streams, flush: async () => {} } as unknown as Io;
  const code = await main(['replay', ...args], io);
  return { code, ...seen };
}

/** The report of a replay, of which nothing else is printed but the outcome of each file. */
async function fieldsOf(...args: string[]): Promise<AgainstFields> {
  const { stdout } = await replay('--json', ...args);
  const lines = stdout.trimEnd().split('\n');
  return JSON.parse(lines.at(-1)!).against;
}

/** A file with a block of three transactions at Cancun: the last one pays for its zero bytes as Cancun asks, not as Prague. */
async function fixture(name: string): Promise<string> {
  const builder = new ConsensusBuilder('Cancun');
  const data = new Uint8Array(100);
  const first = await builder.next(builder.genesis, {
    send: [transfer(0n), transfer(1n), { ...transfer(2n), to: other, data, gasLimit: 21_400n }],
  });
  const path = join(dir, name);
  writeFileSync(path, JSON.stringify({ 'one <case>': builder.valid(first).build(first) }));
  return path;
}

test('a recording: each transaction of its blocks runs by the other rules, and the replay comes to the same hashes', async () => {
  const { code, stdout } = await replay(recording, '--against', 'prague');
  expect(code).toBe(0);
  const lines = stdout.split('\n');
  expect(JSON.parse(lines[1]!)['mixed.jsonl']).toMatchObject({ pass: true, transactions: 7 });
  expect(lines[2]).toBe('7 transactions by osaka, against prague; same: 7');
  expect(lines.slice(3).join('\n')).toMatch(
    /deployment of a contract without an artifact +same +1 +466,892 +466,892 +0 %/,
  );
});

test('a BlockchainTests file: transactions run after those before them in their block', async () => {
  const path = await fixture('cases.json');
  const fields = await fieldsOf(path, '--against', 'prague');
  expect(fields).toMatchObject({
    now: ['cancun'],
    against: 'prague',
    transactions: 3,
    calls: 0,
    verdicts: { same: 2, 'fails with this limit': 1 },
    more: 0,
    notCompared: 0,
  });
  expect(fields.different).toMatchObject([
    { in: 'cases.json: one <case>', block: 1, contract: null, gasNow: 21_400, gasLimit: 21_400 },
  ]);
});

test('a folder with genesis.json and chain.rlp', async () => {
  const config = resolveOptions({
    hardfork: 'cancun',
    noMining: true,
    timestamp: 1,
    dataDir: join(dir, 'data'),
  });
  const node = await createNode(config, { version: 'test', onFatal: () => {} });
  const [from, to] = node.accounts.map(({ address }) => address.toString());
  const data = `0x${'00'.repeat(100)}`;
  await node.dispatcher.request('eth_sendTransaction', [{ from, to, value: '0x1' }]);
  await node.dispatcher.request('eth_sendTransaction', [{ from, to, data, gas: '0x5398' }]);
  await node.dispatcher.request('evm_mine', []);
  await node.close();
  const folder = join(dir, 'exported');
  await exportChain(config, folder, { version: 'test' });
  const fields = await fieldsOf(folder, '--against', 'prague');
  expect(fields.verdicts).toMatchObject({ same: 1, 'fails with this limit': 1 });
});

test('a GeneralStateTests file: each post is a transaction, those that must be refused aside', async () => {
  // SLOAD(0): 200 gas at Byzantium, 2,100 at Berlin.
  const builder = new StateTestBuilder({ code: '0x60005400' });
  await builder.post('Byzantium', 'byzantium');
  await builder.post('London', 'london');
  builder.refused('London', { hash: await builder.rootBefore(), txbytes: '0x02c0' });
  const path = join(dir, 'state.json');
  writeFileSync(path, JSON.stringify({ state: builder.build() }));
  const { functions, now, verdicts } = await fieldsOf(path, '--against', 'berlin');
  expect(now).toEqual(['byzantium', 'london']);
  expect(verdicts).toMatchObject({ dearer: 1, same: 1 });
  expect(functions[0]).toMatchObject({
    verdict: 'dearer',
    gasNow: { average: 21_203 },
    gasThen: { average: 23_103 },
  });
});

test('--fail-on makes a verdict fail the command, and --against-report writes each format', async () => {
  const path = await fixture('formats.json');
  const file = (ending: string) => join(dir, `report${ending}`);
  const files = ['.txt', '.json', '.md', '.html'].flatMap((ending) => ['--against-report', file(ending)]);
  const line = '3 transactions by cancun, against prague; fails with this limit: 1, same: 2';
  const { code, stdout } = await replay(
    path,
    '--against',
    'prague',
    '--fail-on',
    'fails-with-any,dearer',
    ...files,
  );
  expect(code).toBe(0);
  expect(stdout.trimEnd().split('\n').at(-1)).toBe(line);
  expect((await replay(path, '--against', 'prague', '--fail-on', 'dearer,fails-with-this-limit')).code).toBe(
    1,
  );
  const text = readFileSync(file('.txt'), 'utf8');
  expect(text.split('\n')[0]).toBe(line);
  expect(text).toMatch(
    /fails with this limit: transfer of ETH, 0x[0-9a-f]{64} in block 1 of .*; needs [\d,]+, has 21,400/,
  );
  expect(JSON.parse(readFileSync(file('.json'), 'utf8'))).toEqual(
    await fieldsOf(path, '--against', 'prague'),
  );
  const markdown = readFileSync(file('.md'), 'utf8');
  expect(markdown).toContain('| transfer of ETH | fails with this limit | 1 | 21400 |');
  expect(markdown).toContain('one &lt;case&gt;');
  const html = readFileSync(file('.html'), 'utf8');
  expect(html).toContain('<span class="v bad">fails with this limit</span>');
  expect(html).toContain('one &lt;case&gt;');
  expect(html).toContain('prefers-color-scheme:dark');
  // Nothing from anywhere, and nothing that runs.
  expect(html).not.toMatch(/https?:|<script|<link|<img|@import|url\(| on[a-z]+=/i);
  expect(html.length).toBeLessThan(10_000);
});

test.each([
  [['--against', 'nowhere'], /--against: expected one of .*osaka.*, got 'nowhere'/],
  [['--against', 'prage'], /prague/],
  [['--against', 'prague', '--fail-on', 'dear'], /--fail-on: expected .*dearer.*, got 'dear'/],
  [
    ['--against', 'prague', '--against-report', 'r.pdf'],
    /--against-report: expected a file ending in .*\.html, got r\.pdf/,
  ],
  [['--fail-on', 'dearer'], /--fail-on needs --against/],
  [['--against-report', 'r.md'], /--against-report needs --against/],
  [['--artifacts', 'out'], /--artifacts needs --against/],
  [['--against', 'prague', '--queue', 'redis://127.0.0.1:1'], /--queue: can't be used with --against/],
])('refuses %j', async (args, error) => {
  const { code, stderr } = await replay(recording, ...args);
  expect(code).toBe(1);
  expect(stderr).toMatch(error);
});
