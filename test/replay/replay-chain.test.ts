import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createNode } from '../../src/boot/node.ts';
import { replayFixture } from '../../src/index.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { exportChain } from '../../src/replay/export-chain.ts';
import { rlpItems } from '../../src/replay/rlp-stream.ts';
import { hooks } from './sample-chain.ts';

const HEAD = (hash: string) => JSON.stringify({ params: [{ headBlockHash: hash }, null] });
let dir: string;
let chain: string;
let head: string;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-chain-'));
  chain = join(dir, 'exported');
  const config = resolveOptions({ noMining: true, timestamp: 1_700_000_000, dataDir: join(dir, 'data') });
  const node = await createNode(config, hooks);
  const [from, to] = node.accounts.map(({ address }) => address.toString());
  for (let i = 0; i < 3; i++) {
    await node.dispatcher.request('eth_sendTransaction', [{ from, to, value: '0x1' }]);
    await node.dispatcher.request('evm_mine', []);
  }
  head = bytesToHex(node.chain.latest.hash);
  await node.close();
  await exportChain(config, chain, { version: 'test' });
});
afterAll(() => rmSync(dir, { recursive: true }));

/** A copy of the exported folder. */
function copy(name: string): string {
  cpSync(chain, join(dir, name), { recursive: true });
  return join(dir, name);
}

test('an exported folder replays to its head', async () => {
  expect(await replayFixture(chain)).toEqual({
    path: chain,
    pass: true,
    cases: { exported: { pass: true, lastblockhash: head, blocks: 3 } },
  });
  const named = copy('named');
  writeFileSync(join(named, 'headfcu.json'), HEAD(head));
  expect((await replayFixture(named)).pass).toBe(true);
});

test('a head that is not the one that the folder names is a failure', async () => {
  const other = copy('other');
  const expected = `0x${'01'.repeat(32)}`;
  writeFileSync(join(other, 'headfcu.json'), HEAD(expected));
  const error = `head: expected ${expected}, got ${head}`;
  expect((await replayFixture(other)).cases.other).toMatchObject({ pass: false, lastblockhash: head, error });
});

test('a flipped byte of a block is a failure that names the block', async () => {
  const flipped = copy('flipped');
  const file = join(flipped, 'chain.rlp');
  const bytes = readFileSync(file);
  const { value: first } = await rlpItems(file).next();
  // In the parent's hash, with which a header begins.
  bytes[first.length + 20]! ^= 1;
  writeFileSync(file, bytes);
  const { pass, cases } = await replayFixture(flipped);
  expect(pass).toBe(false);
  expect(cases.flipped?.error).toMatch(/^block 2: parentHash: /);
});
