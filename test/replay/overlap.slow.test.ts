import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { bytesToHex } from '@ethereumjs/util';
import { encodeDeployData } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ManualClock } from '../../src/clock.ts';
import { createDevnet, type Devnet, type DevnetOptions } from '../../src/index.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { Token } from '../engine/ethereumjs/accounts.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-overlap-'));
  file = join(dir, 'chain.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

const start = (options: DevnetOptions) =>
  createDevnet({ timestamp: 1_700_000_000, manualClock: true, record: file, ...options });
const asker =
  ({ provider }: Devnet) =>
  (method: string, ...params: unknown[]) =>
    provider.request({ method, params });
const read = () =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));

/** Raw transfers of an account, whose signing would be in the way. */
function transfers(node: Devnet, count: number, sender = 1): Promise<string[]> {
  const { [sender]: from, 2: to } = node.accounts;
  const account = privateKeyToAccount(from!.privateKey);
  return Promise.all(
    Array.from({ length: count }, (_, nonce) =>
      account.signTransaction({
        nonce,
        to: to!.address,
        value: 1n,
        gas: 21_000n,
        maxFeePerGas: 10n ** 11n,
        maxPriorityFeePerGas: 1n,
        type: 'eip1559',
        chainId: 31337,
      }),
    ),
  );
}

it('calls that come together are written down as they came, those that look something up too', async () => {
  const node = await start({ automine: true });
  const ask = asker(node);
  const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
  const data = encodeDeployData({
    abi: Token.abi,
    bytecode: bytesToHex(Token.initCode),
    args: ['Token', 'T', 1_000n],
  });
  const deployed = await ask('eth_sendTransaction', { from, data, gas: '0x300000' });
  const { contractAddress: token } = (await ask('eth_getTransactionReceipt', deployed)) as {
    contractAddress: string;
  };
  const dump = (balance: string) =>
    bytesToHex(gzipSync(JSON.stringify({ accounts: { [to!]: { nonce: 0, balance, code: '0x' } } })));
  const calls = [
    ['anvil_dealERC20', to, token, '0x5'],
    ['anvil_loadState', dump('0x1')],
    ['anvil_setBalance', to, '0x2'],
    ['evm_mine'],
    ['anvil_dealERC20', to, token, '0x6'],
    ['evm_mine', { blocks: 3 }],
    ['anvil_loadState', dump('0x3')],
    ['anvil_dealERC20', from, token, '0x7'],
    ['evm_mine_detailed', { blocks: 2 }],
    ['anvil_setBalance', to, '0x4'],
    ['devnet_seal'],
  ] as const;
  await Promise.all(calls.map(([method, ...params]) => ask(method, ...params)));
  await node.close();
  const written = read().flatMap(({ call }) => (call ? [call] : []));
  // A state is read before its turn comes, while the others go on.
  const names = calls.map(([method]) => (method === 'devnet_seal' ? 'evm_mine' : method));
  const loads = (method: string) => method === 'anvil_loadState';
  expect(written.filter((method) => !loads(method))).toEqual(names.filter((method) => !loads(method)));
  expect(written.filter(loads)).toEqual(names.filter(loads));
  expect(await replayRecording(file)).toMatchObject({ pass: true, blocks: 8 });
});

it('a block that the manual clock seals is not sealed again', async () => {
  const node = await start({});
  const ask = asker(node);
  expect(await ask('devnet_seal')).toBe('0x1');
  // Its seal is late, so that the call has to see to it.
  await ask('devnet_delaySeal', 5_000);
  expect(await ask('devnet_seal')).toBe('0x2');
  await node.close();
  expect(read().flatMap(({ call }) => (call ? [call] : []))).toEqual(['devnet_delaySeal', 'evm_mine']);
  expect(await replayRecording(file)).toMatchObject({ pass: true, blocks: 2 });
});

it('a block that comes due while a call makes others is due one block time after them', async () => {
  const node = await start({ blockTime: 1, flashblockInterval: 0 });
  const clock = node.clock as ManualClock;
  await clock.advance(600);
  const mined = asker(node)('anvil_mine', '0x80');
  await clock.advance(900);
  await mined;
  expect(await asker(node)('eth_blockNumber')).toBe('0x80');
  await clock.advance(100);
  expect(await asker(node)('eth_blockNumber')).toBe('0x81');
  await node.close();
  expect(await replayRecording(file)).toMatchObject({ pass: true, blocks: 129 });
});

describe('what is sent while one call seals many blocks', () => {
  const MODES: [string, DevnetOptions][] = [
    ['manual', { noMining: true }],
    ['interval', {}],
    ['automine', { automine: true }],
    ['mixed', { mixedMining: true }],
  ];
  const CALLS: [string, unknown[]][] = [
    ['anvil_mine', ['0x8', '0x3']],
    ['evm_mine', [{ blocks: 8 }]],
    ['evm_mine_detailed', [{ blocks: 8 }]],
  ];

  it.each(
    MODES.flatMap(([mode, options]) =>
      CALLS.map(([method, params]) => [mode, method, options, params] as const),
    ),
  )('is in the same block again: %s, %s', async (mode, method, options, params) => {
    const node = await start(options);
    const ask = asker(node);
    const raws = await transfers(node, 60);
    let done = false;
    const mined = ask(method, ...params).finally(() => {
      done = true;
    });
    const sent: Promise<unknown>[] = [];
    while (!done && raws.length > 0) {
      sent.push(ask('eth_sendRawTransaction', raws.shift()).catch(() => {}));
      await setImmediate();
    }
    await Promise.all([mined, ...sent]);
    await node.close();
    const lines = read();
    const blocks = lines.filter(({ sealed, transactions }) => sealed && transactions.length > 0);
    // Where a send waits for its turn none gets between two of them.
    if (mode === 'manual' || mode === 'interval') {
      expect(blocks.length).toBeGreaterThan(1);
      expect(new Set(lines.map(({ during }) => during)).size).toBeGreaterThan(3);
    }
    expect(await replayRecording(file)).toMatchObject({ pass: true });
  });

  // Another transaction of each nonce that is taken back: what comes first has it.
  it.each([
    ['manual', 'devnet_reorg', { noMining: true }, { reinclude: true }],
    ['interval', 'devnet_reorg', { blockTime: 1 }, { reinclude: true }],
    ['interval', 'devnet_reorg', { blockTime: 1 }, { reinclude: false }],
    ['manual', 'anvil_reorg', { noMining: true }, undefined],
  ])('is in the same block again while many are taken back: %s, %s', async (_, method, options, how) => {
    const node = await start(options);
    const ask = asker(node);
    const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
    for (let block = 0; block < 70; block++) {
      await ask('eth_sendTransaction', { from, to, value: '0x7', gas: '0x5208' });
      await ask('evm_mine');
    }
    const rivals = await transfers(node, 70, 0);
    const others = await transfers(node, 70);
    let done = false;
    const given = [3, 40].map((place) => [{ from, to, value: '0x9' }, place]);
    const reorged = ask(method, 70, how ?? given).finally(() => {
      done = true;
    });
    const sent: Promise<unknown>[] = [];
    while (!done) {
      for (const raw of [others.shift(), rivals.pop()])
        if (raw) sent.push(ask('eth_sendRawTransaction', raw).catch(() => {}));
      await setImmediate();
    }
    await Promise.all([reorged, ...sent]);
    await ask('evm_mine');
    await node.close();
    expect(new Set(read().map(({ during }) => during)).size).toBeGreaterThan(3);
    expect(await replayRecording(file)).toMatchObject({ pass: true });
  });

  // Without readers of flashblocks, empty blocks are made in groups: the turns of the event loop decide what arrives within one.
  it.each([0, 1, 3])(
    'is in the same block again when the recording was asked for late: %i turns apart',
    async (turns) => {
      const node = await createDevnet({ timestamp: 1_700_000_000, manualClock: true, noMining: true });
      const ask = asker(node);
      const raws = await transfers(node, 60);
      const mined = ask('anvil_mine', '0x400');
      while (raws.length > 0) {
        for (let turn = 0; turn < turns; turn++) await setImmediate();
        await ask('eth_sendRawTransaction', raws.shift());
      }
      await mined;
      await ask('devnet_startRecording', file);
      await ask('evm_mine');
      await node.close();
      expect(await replayRecording(file)).toMatchObject({ pass: true });
    },
  );
});
