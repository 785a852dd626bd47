import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet, type ManualClock } from '../../src/index.ts';
import { encodeLine, type Line } from '../../src/recorder/lines.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { FUZZ } from '../fuzz.ts';
import { copyAsKilled } from '../killed-copy.ts';
import { type Ask, dir, file, headOf, lines, MODES, record, useFreshFolder, work } from './recorded.ts';

useFreshFolder();

describe('a recording', () => {
  it('goes on after a restart, and replays through it', async () => {
    await record({ dataDir: join(dir, 'data') });
    await record({ dataDir: join(dir, 'data') });
    const starts = lines().filter((line) => line.startsWith('{"start"'));
    expect(starts).toHaveLength(2);
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
  });

  it('goes on with other limits for those who are connected, and replays through it', async () => {
    await record({ dataDir: join(dir, 'data') });
    await record({
      dataDir: join(dir, 'data'),
      noCors: true,
      maxFilters: 1,
      maxSubscriptions: 2,
      sendBuffer: 2 ** 20,
      notificationBuffer: 2 ** 20,
      flashblockBuffer: 5,
    });
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
  });

  const atGenesis: [string, (ask: Ask, node: Devnet) => Promise<unknown>][] = [
    ['nothing', async () => {}],
    [
      'a pre-confirmed transaction',
      async (ask, node) => {
        const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
        await ask('eth_sendTransaction', { from, to, value: '0x1' });
        await (node.clock as ManualClock).advance(200);
      },
    ],
    [
      'a reset',
      async (ask) => {
        await ask('evm_mine');
        await ask('anvil_reset');
      },
    ],
  ];
  it.each(atGenesis)('goes on after a kill that left the genesis block and %s', async (_, before) => {
    const settings = { timestamp: 1_700_000_000, manualClock: true, record: file };
    const killed = await createDevnet({ ...settings, dataDir: join(dir, 'data') });
    const copy = join(dir, 'copy.jsonl');
    await before((method, ...params) => killed.provider.request({ method, params }), killed);
    copyAsKilled(join(dir, 'data'), join(dir, 'copy'));
    cpSync(file, copy);
    await killed.close();
    const node = await createDevnet({ ...settings, dataDir: join(dir, 'copy'), record: copy });
    await work(node, (method, ...params) => node.provider.request({ method, params }));
    await node.close();
    const text = readFileSync(copy, 'utf8').trimEnd().split('\n');
    expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: headOf(text) });
  });

  it('of which a kill left the first line alone goes on with a new chain of the same options', async () => {
    await record({});
    const whole = lines();
    writeFileSync(file, `${whole[0]}\n${whole[1]!.slice(0, 20)}`);
    await expect(record({ seed: 'another' })).rejects.toThrow(/with these options/);
    await record({});
    expect(lines().slice(0, 2)).toEqual(whole.slice(0, 2));
    expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(whole) });
  });

  it('of another chain, or of one that was lost, is refused and stays as it is', async () => {
    await record({ dataDir: join(dir, 'data') });
    const before = readFileSync(file, 'utf8');
    await expect(record({})).rejects.toThrow(/another run/);
    await expect(record({ dataDir: join(dir, 'other') })).rejects.toThrow(/another run/);
    expect(readFileSync(file, 'utf8')).toBe(before);
    rmSync(file);
    // Its chain has begun without a recording.
    await expect(record({ dataDir: join(dir, 'data') })).rejects.toThrow(/begins with the chain/);
    writeFileSync(file, `${before.split('\n', 1)[0]}\n`);
    await expect(record({ dataDir: join(dir, 'data') })).rejects.toThrow(/begins with the chain/);
    const [header, start, ...rest] = before.split('\n');
    const { sum, ...told } = JSON.parse(start!);
    const later = encodeLine({ ...told, genesis: told.genesis + 1 });
    const other = [header, later, ...rest].join('\n');
    writeFileSync(file, other);
    await expect(record({ dataDir: join(dir, 'data') })).rejects.toThrow(/another chain/);
    expect(readFileSync(file, 'utf8')).toBe(other);
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
  // Each in two of the modes; `npm run test:fuzz` takes all.
  const modes = MODES.map(([name, options], mode) => {
    const some = unfinished.filter((_, i) => FUZZ > 1 || (i + 2 * mode) % 5 < 2);
    return [name, options, some] as const;
  });
  describe.each(modes)('in %s mode goes on after a kill', (_, options, unfinished) => {
    const settings = { timestamp: 1_700_000_000, manualClock: true, ...options };
    /** What a kill leaves: each test has a copy of it. */
    const left = { root: '', data: '', text: '', at: 0 };

    beforeAll(async () => {
      left.root = mkdtempSync(join(tmpdir(), 'devnet-killed-'));
      left.data = join(left.root, 'left');
      const recording = join(left.root, 'chain.jsonl');
      const running = join(left.root, 'data');
      const killed = await createDevnet({ ...settings, record: recording, dataDir: running });
      const ask: Ask = (method, ...params) => killed.provider.request({ method, params });
      try {
        await work(killed, ask);
        expect(await ask('evm_snapshot')).toBe('0x2');
        await ask('evm_mine');
        // The next line is on its way.
        copyAsKilled(running, left.data);
        left.at = killed.clock.now();
        left.text = readFileSync(recording, 'utf8');
      } finally {
        await killed.close();
      }
    });
    afterAll(() => rmSync(left.root, { recursive: true }));

    it.each(unfinished)('that came before %s was done', async (_, line) => {
      const copy = join(dir, 'copy.jsonl');
      cpSync(left.data, join(dir, 'copy'), { recursive: true });
      const last =
        'torn' in line
          ? '{"call":"evm_mine"'
          : 'call' in line
            ? `${encodeLine({ ...line, at: left.at } as Line)}\n`
            : '';
      writeFileSync(copy, `${left.text}${last}`);
      const node = await createDevnet({ ...settings, dataDir: join(dir, 'copy'), record: copy });
      await work(node, (method, ...params) => node.provider.request({ method, params }));
      await node.close();
      const text = readFileSync(copy, 'utf8').trimEnd().split('\n');
      expect(text.filter((one) => one.startsWith('{"stop"'))).toHaveLength(1);
      expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: headOf(text) });
      expect(await replayRecording(copy, { update: true })).toMatchObject({ pass: true });
      expect(await replayRecording(copy)).toMatchObject({ pass: true, lastblockhash: headOf(text) });
    });

    it('in the middle of many blocks, with some under way', async () => {
      const killed = await createDevnet({ ...settings, record: file, dataDir: join(dir, 'data') });
      const ask: Ask = (method, ...params) => killed.provider.request({ method, params });
      const copy = join(dir, 'copy.jsonl');
      const [from, to] = killed.accounts.map(({ address }) => address.toLowerCase());
      try {
        await work(killed, ask);
        await ask('anvil_mine', '0x3');
        copyAsKilled(join(dir, 'data'), join(dir, 'copy'));
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
    });
  });

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
});
