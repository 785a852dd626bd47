import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDevnet, type DevnetOptions, ManualClock } from '../../src/index.ts';
import { resolveOptions } from '../../src/options/options.ts';
import { exportChain } from '../../src/replay/export-chain.ts';
import type { TrieState } from '../../src/state/trie-state.ts';
import { bareSequencer } from '../sequencer/bare-sequencer.ts';
import { GENESIS, startChain } from '../sequencer/start-chain.ts';
import { type Call, callsOf, codeOf, type Wire } from '../wire.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';
const HISTORY = { timestamp: 1_700_000_000, chainId: 77, number: 5 };

let dir: string;
let file: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-begin-'));
  file = join(dir, 'state.json');
});
afterEach(() => rmSync(dir, { recursive: true }));

async function run<T>(options: DevnetOptions, use: (rpc: Call) => Promise<T> | T): Promise<T> {
  const node = await createDevnet({ automine: true, ...options });
  try {
    return await use(callsOf(node));
  } finally {
    await node.close();
  }
}

/** Writes a file with a chain of some blocks. @returns the hash of the newest */
function makeFile(options: DevnetOptions = HISTORY, blocks = 3): Promise<string> {
  return run({ ...options, dumpState: file }, async (rpc) => {
    await rpc('anvil_setBalance', BOB, '0x7');
    await rpc('anvil_mine', `0x${blocks.toString(16)}`);
    return (await rpc('eth_getBlockByNumber', 'latest', false)).hash;
  });
}

const newest = async (rpc: Call) => (await rpc('eth_getBlockByNumber', 'latest', false)).hash;

describe('a chain that begins with a state file', () => {
  it('is refused by name where the options say that it is another one', async () => {
    await makeFile();
    const loadState = file;
    for (const [options, message] of [
      [{}, /state\.json can't be loaded: it holds chain 77, not 31337: start with --chain-id 77/],
      [{ chainId: 77, timestamp: 1 }, /begins at time 1700000000, not at 1: leave out --timestamp/],
      [{ chainId: 77, number: 6 }, /begins with block 5, not 6: leave out --number/],
      [
        { init: { config: { chainId: 77 }, alloc: {}, timestamp: '0x1', gasLimit: '0x1c9c380' } },
        /another block than the one of --init/,
      ],
    ] as const)
      await expect(createDevnet({ loadState, ...options })).rejects.toThrow(message);
    const head = await run({ loadState, ...HISTORY }, newest);
    expect(await run({ loadState, chainId: 77 }, newest)).toBe(head);
  });

  it('of a genesis file goes on with that file', async () => {
    const init = {
      config: { chainId: 9, terminalTotalDifficulty: 0, shanghaiTime: 0, cancunTime: 0, pragueTime: 0 },
      alloc: { [BOB]: { balance: '0x9' } },
      timestamp: '0x1',
      gasLimit: '0x1c9c380',
      difficulty: '0x0',
    };
    const head = await makeFile({ init });
    expect(await run({ loadState: file, init }, newest)).toBe(head);
  });

  it('is one of a data directory from then on, and the file is not asked for again', async () => {
    const head = await makeFile();
    const dataDir = join(dir, 'data');
    const next = await run({ loadState: file, chainId: 77, dataDir }, async (rpc) => {
      expect(await newest(rpc)).toBe(head);
      await rpc('evm_mine');
      return newest(rpc);
    });
    rmSync(file);
    for (const options of [{}, { loadState: file }, { timestamp: 1_700_000_000, number: 5 }])
      expect(await run({ chainId: 77, dataDir, ...options }, newest)).toBe(next);
    for (const options of [{ timestamp: 1 }, { number: 6 }])
      await expect(createDevnet({ chainId: 77, dataDir, ...options })).rejects.toMatchObject({
        code: 'otherGenesis',
      });
    await expect(createDevnet({ dataDir })).rejects.toMatchObject({ code: 'otherChainId' });
  });

  it('begins nothing where the file is damaged', async () => {
    await makeFile();
    const dump = JSON.parse(readFileSync(file, 'utf8'));
    const dataDir = join(dir, 'data');
    for (const [change, message] of [
      [
        ({ blocks }: Wire) => {
          blocks[2].header.gasUsed = '0x1';
        },
        /block 7: hash: expected 0x/,
      ],
      [
        ({ blocks }: Wire) => {
          blocks.pop();
        },
        /best_block_number: expected 7, the number of the newest block, got 8/,
      ],
      [({ blocks }: Wire) => blocks.splice(1, 1), /don't lead to its newest one: 1/],
      [
        ({ devnet }: Wire) => {
          devnet.format = 2;
        },
        /state\.devnet\.format: expected 1, which this version reads, got 2/,
      ],
    ] as const) {
      const changed = structuredClone(dump);
      change(changed);
      writeFileSync(file, JSON.stringify(changed));
      await expect(createDevnet({ loadState: file, chainId: 77, dataDir })).rejects.toThrow(message);
      expect(existsSync(dataDir)).toBe(false);
    }
  });

  it('goes on in its own time where that is ahead of the clock', async () => {
    await makeFile({ timestamp: 4_000_000_000 });
    const { timestamp } = await run({ loadState: file, automine: false, noMining: true }, async (rpc) => {
      await rpc('evm_mine');
      return rpc('eth_getBlockByNumber', 'latest', false);
    });
    expect(Number(timestamp)).toBeGreaterThan(4_000_000_000);
    expect(Number(timestamp)).toBeLessThan(4_000_000_200);
  });

  it('can be edited: its accounts are the newest state, whatever the headers say', async () => {
    await makeFile();
    const dump = JSON.parse(readFileSync(file, 'utf8'));
    dump.accounts[BOB].balance = '0x8';
    writeFileSync(file, JSON.stringify(dump));
    await run({ loadState: file, chainId: 77 }, async (rpc) => {
      expect(await rpc('eth_getBalance', BOB, 'latest')).toBe('0x8');
      await rpc('evm_mine');
      expect(await rpc('eth_getBalance', BOB, 'latest')).toBe('0x8');
    });
  });

  it('is not recorded or exported as one that its options make', async () => {
    await makeFile();
    const dataDir = join(dir, 'data');
    const options = { loadState: file, chainId: 77, dataDir };
    await run(options, async (rpc) => {
      expect(await codeOf(rpc('devnet_startRecording', join(dir, 'recording.jsonl')))).toBe(-32000);
      await rpc('evm_mine');
    });
    const config = resolveOptions({ chainId: 77, dataDir });
    await expect(exportChain(config, join(dir, 'out'), { version: 'test' })).rejects.toThrow(/--from/);
    await exportChain(config, join(dir, 'out'), { version: 'test', from: 8n });
    const genesis = JSON.parse(readFileSync(join(dir, 'out/genesis.json'), 'utf8'));
    expect(
      Number(Object.entries<Wire>(genesis.alloc).find(([at]) => BOB.endsWith(at.slice(2)))![1].balance),
    ).toBe(7);
  });

  it('is pruned although its old states were never there', async () => {
    await makeFile({ timestamp: 1_700_000_000 }, 60);
    await using chain = await bareSequencer({
      loadState: file,
      timestamp: 1_700_000_000n,
      automine: true,
      pruneHistory: 5,
    });
    const { store, sequencer } = chain;
    const old = store.hashOf(3n)!;
    await sequencer.mine('outside');
    await store.pruned();
    expect(store.first).toBe(41n);
    expect(store.stored.block(old)).toBeUndefined();
    expect(chain.chain.latest.state.root).toEqual(store.stateRootOf(61n));
    expect([...(chain.chain.latest.state as TrieState).accountTrie.entries()].length).toBeGreaterThan(10);
  });
});

describe('a forked chain', () => {
  it('takes the accounts of a state file only, and is not dumped', async () => {
    await makeFile({ timestamp: 1_700_000_000 });
    const other = await createDevnet({ port: 0, automine: true });
    try {
      await run({ forkUrl: other.url!, loadState: file }, async (rpc) => {
        expect(await rpc('eth_getBalance', BOB, 'latest')).toBe('0x7');
        expect(await rpc('eth_blockNumber')).toBe('0x0');
        expect(await codeOf(rpc('anvil_dumpState'))).toBe(-32000);
      });
      // Begun anew on another chain, the one of the file is gone, with what it knew of states.
      await run({ loadState: file }, async (rpc) => {
        expect(await rpc('eth_blockNumber')).toBe('0x3');
        await rpc('anvil_reset', { forking: { jsonRpcUrl: other.url } });
        await rpc('anvil_mine', '0x2');
        expect(await rpc('eth_getBalance', BOB, '0x1')).toBe('0x0');
        await rpc('anvil_rollback', 1);
        await rpc('anvil_reset');
        const [from] = await rpc('eth_accounts');
        expect(await rpc('eth_getBalance', from, 'latest')).toBe('0x21e19e0c9bab2400000');
      });
    } finally {
      await other.close();
    }
  });
});

describe('a state file', () => {
  it('leaves nothing half written behind where it cannot be replaced', async () => {
    mkdirSync(join(file, 'state.json'), { recursive: true });
    const node = await createDevnet({ automine: true, dumpState: file });
    await expect(node.close()).rejects.toThrow(/EISDIR|ENOTEMPTY|EPERM|EEXIST/);
    expect(readdirSync(file)).toEqual(['state.json']);
  });

  it('of a directory is state.json in it', async () => {
    await run({ state: dir }, (rpc) => rpc('anvil_setBalance', BOB, '0x7'));
    expect(readdirSync(dir)).toEqual(['state.json']);
    expect(await run({ state: dir }, (rpc) => rpc('eth_getBalance', BOB, 'latest'))).toBe('0x7');
  });

  it('that could not be written in between is reported, and written at the end', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const wall = new ManualClock();
    const clock = new ManualClock(Number(GENESIS) * 1000);
    const folder = join(dir, 'missing');
    {
      await using chain = await startChain(
        { automine: true, dumpState: join(folder, 'state.json'), stateInterval: 5 },
        { replay: { clock, wall, offset: 0, head: undefined, reached: async () => {} } },
      );
      await chain.call('evm_mine');
      await wall.advance(5000);
      mkdirSync(folder);
    }
    expect(warned.mock.calls.map(([warning]) => String(warning))).toEqual([
      expect.stringMatching(/ENOENT.*state\.json\.tmp/),
    ]);
    warned.mockRestore();
    expect(readdirSync(folder)).toEqual(['state.json']);
  });

  it('asks for old states only where one is written', () => {
    expect(() => resolveOptions({ preserveHistoricalStates: true })).toThrow(
      /preserveHistoricalStates needs option dumpState/,
    );
  });
});
