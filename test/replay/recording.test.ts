import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesToHex, hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { type Ask, dir, file, headOf, lines, MODES, record, useFreshFolder, work } from './recorded.ts';

useFreshFolder();

describe('a recording', () => {
  it.each(MODES)('of %s mode replays to the same hashes', async (_, options) => {
    await record(options);
    const result = await replayRecording(file);
    expect(result).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
    expect(result.blocks).toBeGreaterThan(3);
    expect(result.transactions).toBeGreaterThan(3);
  });

  it.each(MODES)(
    'of %s mode has the time that blocks pushed on, across a restart too',
    async (_, options) => {
      const step = async (node: Devnet, ask: Ask) => {
        const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
        for (let i = 0; i < 5; i++) await ask('eth_sendTransaction', { from, to, value: '0x1' });
        for (let i = 0; i < 5; i++) await ask('evm_mine');
        await ask('evm_increaseTime', 1_000);
        await ask('evm_mine');
        await ask('anvil_mine', '0x5');
        await ask('evm_increaseTime', 5);
        await ask('evm_mine');
      };
      const kept = { ...options, dataDir: join(dir, 'data') };
      await record(kept, step);
      await record(kept, step);
      const starts = lines().filter((line) => line.startsWith('{"start"'));
      expect(starts.map((line) => JSON.parse(line).movesWithHead)).toEqual([true, true]);
      expect(await replayRecording(file)).toMatchObject({ pass: true, lastblockhash: headOf(lines()) });
    },
  );

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

  it('of a chain on wall time replays, late ticks and all', async () => {
    const node = await createDevnet({ blockTime: 0.1, flashblockInterval: 20, record: file });
    const ask: Ask = (method, ...params) => node.provider.request({ method, params });
    const [from, to] = node.accounts.map(({ address }) => address.toLowerCase());
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
  return bytesToHex(tx.sign(hexToBytes(node.accounts[0]!.privateKey)).serialize());
}
