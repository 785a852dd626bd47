import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type DevnetOptions, ManualClock } from '../../src/index.ts';
import { encodeLine, type Line } from '../../src/recorder/lines.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { Counter } from '../evm/accounts.ts';

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-recording-'));
  file = join(dir, 'chain.jsonl');
});
afterEach(() => rmSync(dir, { recursive: true }));

type Ask = (method: string, ...params: unknown[]) => Promise<unknown>;

/** What a developer does: sends of all kinds, dev writes, time, snapshots, mining. */
async function work(node: Devnet, ask: Ask): Promise<void> {
  const [from, to, third] = node.accounts.map(({ address }) => address.toString());
  const tick = async (ms = 200) => {
    if (node.clock instanceof ManualClock) await node.clock.advance(ms);
  };
  const send = (request: object) => ask('eth_sendTransaction', { from, ...request }).catch(() => {});
  await send({ to, value: '0x1' });
  await send({ data: bytesToHex(Counter.initCode), gas: '0x100000' });
  await tick(2_500);
  await ask('anvil_setBalance', third, '0x10');
  await send({ to: third, value: '0x5' });
  await tick();
  const snapshot = await ask('evm_snapshot');
  await ask('evm_increaseTime', 3_600);
  await send({ from: third, to, value: '0x5' });
  await tick(4_100);
  await ask('evm_mine');
  await ask('evm_revert', snapshot);
  await ask('anvil_setNextBlockBaseFeePerGas', '0x77359400');
  await ask('anvil_impersonateAccount', '0x00000000000000000000000000000000000000aa');
  await ask('anvil_setBalance', '0x00000000000000000000000000000000000000aa', '0xde0b6b3a7640000');
  await send({ from: '0x00000000000000000000000000000000000000aa', to, value: '0x1' });
  await tick(1_000);
  await ask('anvil_mine', '0x3', '0x5');
  await send({ to, value: '0x2' });
  await send({ to, value: '0x3', nonce: '0x99' });
  await tick();
}

/** A recording of {@link work}, and where its chain ended. */
async function record(
  options: DevnetOptions,
  more: (node: Devnet, ask: Ask) => Promise<void> = async () => {},
) {
  const node = await createDevnet({ timestamp: 1_700_000_000, manualClock: true, record: file, ...options });
  const ask: Ask = (method, ...params) => node.provider.request({ method, params });
  try {
    await work(node, ask);
    await more(node, ask);
  } finally {
    await node.close();
  }
}

const lines = () => readFileSync(file, 'utf8').trimEnd().split('\n');
const headOf = (text: readonly string[]) =>
  JSON.parse(text.findLast((line) => line.startsWith('{"sealed"'))!).hash as string;

const MODES: [string, DevnetOptions][] = [
  ['interval', {}],
  ['interval without partial blocks', { flashblockInterval: 0 }],
  ['automine', { automine: true }],
  ['manual', { noMining: true }],
  ['mixed', { mixedMining: true }],
];

describe('a recording', () => {
  it.each(MODES)('of %s mode replays to the same hashes', async (_, options) => {
    await record(options);
    const result = await replayRecording(file);
    expect(result).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
    expect(result.blocks).toBeGreaterThan(3);
    expect(result.transactions).toBeGreaterThan(3);
  });

  it('of one seed and the same inputs is the same, byte for byte, but another for another seed', async () => {
    await record({});
    const first = readFileSync(file, 'utf8');
    const at = (text: string) => text.split('\n').filter((line) => line.startsWith('{"sealed"'));
    rmSync(file);
    await record({});
    expect(at(readFileSync(file, 'utf8'))).toEqual(at(first));
    rmSync(file);
    await record({ seed: 'another' });
    expect(at(readFileSync(file, 'utf8'))).not.toEqual(at(first));
  });

  it('goes on after a restart, and replays through it', async () => {
    await record({ dataDir: join(dir, 'data') });
    await record({ dataDir: join(dir, 'data') });
    const starts = lines().filter((line) => line.startsWith('{"start"'));
    expect(starts).toHaveLength(2);
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
  });

  it('is as good as it goes when the process was killed', async () => {
    await record({});
    const text = readFileSync(file, 'utf8');
    for (const part of [0.3, 0.5, 0.9]) {
      writeFileSync(file, text.slice(0, Math.floor(text.length * part)));
      expect(await replayRecording(file)).toMatchObject({ pass: true });
    }
  });

  const unfinished: [string, object][] = [
    ['nothing', {}],
    ['a block', { call: 'evm_mine', params: [] }],
    ['many blocks', { call: 'anvil_mine', params: ['0x5'] }],
    ['a dev write', { call: 'anvil_setBalance', params: [`0x${'bb'.repeat(20)}`, '0x9'] }],
    ['a revert', { call: 'evm_revert', params: ['0x2'] }],
    ['a rollback', { call: 'anvil_rollback', params: ['0x2'] }],
    ['a reorg', { call: 'devnet_reorg', params: ['0x2'] }],
    ['a reset', { call: 'hardhat_reset', params: [] }],
    ['half a line', { torn: true }],
  ];
  it.each(
    MODES.flatMap(([mode, options]) =>
      unfinished.map(([what, line]) => [what, mode, options, line] as const),
    ),
  )('goes on after a kill that came before %s was done, in %s mode', async (_, __, options, line) => {
    const settings = { timestamp: 1_700_000_000, manualClock: true, record: file, ...options };
    const killed = await createDevnet({ ...settings, dataDir: join(dir, 'data') });
    const ask: Ask = (method, ...params) => killed.provider.request({ method, params });
    const copy = join(dir, 'copy.jsonl');
    try {
      await work(killed, ask);
      expect(await ask('evm_snapshot')).toBe('0x2');
      await ask('evm_mine');
      // What a kill at this moment leaves; the next line is on its way.
      cpSync(join(dir, 'data'), join(dir, 'copy'), { recursive: true });
      const at = killed.clock.now();
      const last =
        'torn' in line ? '{"call":"evm_mine"' : 'call' in line ? encodeLine({ ...line, at } as Line) : '';
      writeFileSync(copy, `${readFileSync(file, 'utf8')}${last}${last && !('torn' in line) ? '\n' : ''}`);
    } finally {
      await killed.close();
    }
    const node = await createDevnet({ ...settings, dataDir: join(dir, 'copy'), record: copy });
    await work(node, (method, ...params) => node.provider.request({ method, params }));
    await node.close();
    const text = readFileSync(copy, 'utf8').trimEnd().split('\n');
    expect(text.filter((one) => one.startsWith('{"stop"'))).toHaveLength(1);
    expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: headOf(text) });
    expect(await replayRecording(copy, { update: true })).toMatchObject({ pass: true });
    expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: headOf(text) });
  });

  it.each(MODES)(
    'goes on after a kill in the middle of many blocks, with some under way, in %s mode',
    async (_, options) => {
      const settings = { timestamp: 1_700_000_000, manualClock: true, record: file, ...options };
      const killed = await createDevnet({ ...settings, dataDir: join(dir, 'data') });
      const ask: Ask = (method, ...params) => killed.provider.request({ method, params });
      const copy = join(dir, 'copy.jsonl');
      const [from, to] = killed.accounts.map(({ address }) => address.toString());
      try {
        await work(killed, ask);
        await ask('anvil_mine', '0x3');
        cpSync(join(dir, 'data'), join(dir, 'copy'), { recursive: true });
        const text = lines();
        const call = text.findLastIndex((line) => line.startsWith('{"call":"anvil_mine"'));
        const { sum, ...mine } = JSON.parse(text[call]!);
        const seven = encodeLine({ ...mine, params: ['0x7'] });
        writeFileSync(copy, `${[...text.slice(0, call), seven, ...text.slice(call + 1)].join('\n')}\n`);
        await ask('eth_sendTransaction', { from, to, value: '0x1' });
      } finally {
        await killed.close();
      }
      const node = await createDevnet({ ...settings, dataDir: join(dir, 'copy'), record: copy });
      await work(node, (method, ...params) => node.provider.request({ method, params }));
      await node.close();
      const head = headOf(readFileSync(copy, 'utf8').trimEnd().split('\n'));
      expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: head });
    },
  );

  it('does not go on from a chain that moved without it', async () => {
    const dataDir = join(dir, 'data');
    await record({ dataDir });
    const apart = await createDevnet({ timestamp: 1_700_000_000, manualClock: true, dataDir });
    await apart.provider.request({ method: 'evm_mine' });
    await apart.close();
    await record({ dataDir });
    const start = lines().findLastIndex((line) => line.startsWith('{"start"')) + 1;
    expect(await replayRecording(file)).toMatchObject({ pass: false, difference: { line: start } });
  });

  it('can be gone on with from the start of a process only', async () => {
    const dataDir = join(dir, 'data');
    await record({ dataDir });
    const node = await createDevnet({ timestamp: 1_700_000_000, manualClock: true, dataDir });
    await node.provider.request({ method: 'evm_mine' });
    await expect(
      node.provider.request({ method: 'devnet_startRecording', params: [file] }),
    ).rejects.toMatchObject({ code: -32000 });
    await node.close();
    expect(await replayRecording(file)).toMatchObject({ pass: true });
  });

  it('of a chain on wall time replays, late ticks and all', async () => {
    const node = await createDevnet({ blockTime: 0.1, flashblockInterval: 20, record: file });
    const ask: Ask = (method, ...params) => node.provider.request({ method, params });
    const [from, to] = node.accounts.map(({ address }) => address.toString());
    for (let i = 0; i < 40; i++)
      await ask('eth_sendRawTransactionSync', await rawOf(node, i, to!)).catch(() => {});
    await ask('anvil_setBalance', from, '0xde0b6b3a7640000');
    await node.close();
    const result = await replayRecording(file);
    expect(result).toMatchObject({ pass: true, transactions: 40 });
  });

  it('names the field of the first hash that differs, and --update takes the new ones', async () => {
    await record({});
    const text = lines();
    const i = text.findIndex((line) => line.startsWith('{"sealed":"2"'));
    writeFileSync(
      file,
      `${text.with(i, text[i]!.replace(/"gasUsed":"\d+","receipts/, '"gasUsed":"7","receipts')).join('\n')}\n`,
    );
    expect(await replayRecording(file)).toMatchObject({ pass: false, difference: { line: i + 1 } });
    expect(await replayRecording(file, { update: true })).toMatchObject({ pass: true, updated: true });
    expect(lines()).toEqual(text);
  });

  it('may be asked for late: what came before is in it', async () => {
    const node = await createDevnet({ timestamp: 1_700_000_000, manualClock: true });
    const ask: Ask = (method, ...params) => node.provider.request({ method, params });
    await work(node, ask);
    for (const elsewhere of [join(file, '../.profile'), '', null, 'a.jsonl\0'])
      await expect(ask('devnet_startRecording', elsewhere)).rejects.toMatchObject({ code: -32602 });
    expect(await ask('devnet_startRecording', file)).toBe(true);
    await expect(ask('devnet_startRecording', file)).rejects.toMatchObject({ code: -32000 });
    await work(node, ask);
    expect(await ask('devnet_stopRecording')).toBe(true);
    expect(await ask('devnet_stopRecording')).toBe(false);
    await work(node, ask);
    await node.close();
    const head = headOf(lines());
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: head });
  });

  it('is refused on a chain that has begun, and under other options', async () => {
    const dataDir = join(dir, 'data');
    await (await createDevnet({ automine: true, dataDir, timestamp: 1 })).close();
    const node = await createDevnet({ automine: true, dataDir, timestamp: 1 });
    await node.provider.request({ method: 'evm_mine' });
    await node.close();
    await expect(createDevnet({ automine: true, dataDir, timestamp: 1, record: file })).rejects.toThrow(
      'begun',
    );
    writeFileSync(file, 'something else\n');
    await expect(createDevnet({ automine: true, record: file })).rejects.toThrow('exists');
  });
});

async function rawOf(node: Devnet, nonce: number, to: string): Promise<string> {
  const { createTx } = await import('@ethereumjs/tx');
  const { createCustomCommon, Mainnet } = await import('@ethereumjs/common');
  const common = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: 'osaka' });
  const tx = createTx(
    {
      type: 2,
      nonce,
      to: to as `0x${string}`,
      value: 1n,
      gasLimit: 21_000n,
      maxFeePerGas: 10n ** 11n,
      chainId: 31337n,
    },
    { common },
  );
  return bytesToHex(tx.sign(node.accounts[0]!.privateKey).serialize());
}
