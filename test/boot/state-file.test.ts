import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StateDumps } from '../../src/boot/state-file.ts';
import { createDevnet, type DevnetOptions, ManualClock } from '../../src/index.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';
import { GENESIS, startChain } from '../sequencer/start-chain.ts';

const ALICE = '0x00000000000000000000000000000000000a11ce';
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-state-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function run<T>(
  options: DevnetOptions,
  use: (rpc: (method: string, ...params: unknown[]) => Promise<unknown>) => T,
) {
  const node = await createDevnet({ automine: true, ...options });
  try {
    return await use((method, ...params) => node.provider.request({ method, params }));
  } finally {
    await node.close();
  }
}

describe('a state file', () => {
  it('is written at the end and read at the next start', async () => {
    const state = join(dir, 'state.json');
    await run({ state }, (rpc) => rpc('anvil_setBalance', ALICE, '0x7'));
    expect(JSON.parse(readFileSync(state, 'utf8')).accounts[ALICE].balance).toBe('0x7');
    expect(await run({ state }, (rpc) => rpc('eth_getBalance', ALICE, 'latest'))).toBe('0x7');
    expect(await run({ loadState: state }, (rpc) => rpc('eth_getBalance', ALICE, 'pending'))).toBe('0x7');
  });

  it('holds what the open block had, which is sealed at the end', async () => {
    const dumpState = join(dir, 'dump.json');
    const node = await createDevnet({ manualClock: true, dumpState });
    const from = node.accounts[0]!.address.toLowerCase();
    await node.provider.request({
      method: 'eth_sendTransaction',
      params: [{ from, to: ALICE, value: '0x5', gas: '0x5208' }],
    });
    await node.clock.advance(200);
    await node.close();
    expect(JSON.parse(readFileSync(dumpState, 'utf8')).accounts[ALICE].balance).toBe('0x5');
  });

  it('is written while the chain runs too, where an interval is asked for', async () => {
    const dumpState = join(dir, 'dump.json');
    const wall = new ManualClock();
    const clock = new ManualClock(Number(GENESIS) * 1000);
    await using chain = await startChain(
      { automine: true, dumpState, stateInterval: 5 },
      { replay: { clock, wall, offset: 0, head: undefined, reached: async () => {} } },
    );
    await chain.call('anvil_setBalance', ALICE, '0x7');
    await wall.advance(4999);
    expect(existsSync(dumpState)).toBe(false);
    await wall.advance(1);
    expect(JSON.parse(readFileSync(dumpState, 'utf8')).accounts[ALICE].balance).toBe('0x7');
    await chain.call('anvil_setBalance', ALICE, '0x8');
    await wall.advance(5000);
    expect(JSON.parse(readFileSync(dumpState, 'utf8')).accounts[ALICE].balance).toBe('0x8');
  });

  it('that takes longer to write than its interval is reported', async () => {
    const dump = join(dir, 'dump.json');
    await using chain = await startChain({ automine: true });
    const told: unknown[] = [];
    let now = 0;
    let write: () => void | Promise<void> = () => {};
    const clock = Object.assign(new ManualClock(), {
      now: () => now,
      every: (_: number, task: typeof write) => {
        write = task;
        return { [Symbol.dispose]: () => {} };
      },
    });
    const options = { chainId: 1n, forks: singleHardfork(1n, 'osaka', await chooseCrypto()) };
    let takes = 5_000;
    const freeze = () => {
      now += takes;
      return chain.chain.freeze();
    };
    new StateDumps({ dump, dumpEvery: 5, history: false }, options, {
      clock,
      freeze,
      onError: (error) => told.push(error),
    });
    await write();
    expect(told).toEqual([]);
    takes = 7_000;
    await write();
    expect(told).toEqual([
      `writing the state to ${dump} took 7.0 s, longer than --state-interval (5 s): it is written less often`,
    ]);
  });

  it('that is not there, or none, is refused by its name', async () => {
    await expect(createDevnet({ loadState: join(dir, 'none.json') })).rejects.toThrow(/none\.json/);
    writeFileSync(join(dir, 'bad.json'), 'x');
    await expect(createDevnet({ state: join(dir, 'bad.json') })).rejects.toThrow(/bad\.json/);
    expect(existsSync(join(dir, 'bad.json.tmp'))).toBe(false);
  });
});

describe('the genesis block', () => {
  it('funds further accounts', async () => {
    const fundAccounts = [`${ALICE}:1.5`, '0x0000000000000000000000000000000000000b0b'];
    await run({ fundAccounts }, async (rpc) => {
      expect(await rpc('eth_getBalance', ALICE, 'earliest')).toBe('0x14d1120d7b160000');
      expect(await rpc('eth_getBalance', fundAccounts[1], '0x0')).toBe('0x21e19e0c9bab2400000');
    });
  });

  it('has the create2 deployer unless told', async () => {
    const code = (options: DevnetOptions) =>
      run(options, (rpc) => rpc('eth_getCode', '0x4e59b44847b379578588920ca78fbf26c0b4956c', 'latest'));
    expect(await code({})).not.toBe('0x');
    expect(await code({ noCreate2: true })).toBe('0x');
  });
});

describe('the limit on code', () => {
  // PUSH3 size PUSH0 RETURN: code of so many zeros
  const deploy = (size: number) => `0x62${size.toString(16).padStart(6, '0')}5ff3`;
  const status = (options: DevnetOptions, data: string) =>
    run(options, async (rpc) => {
      const [from] = (await rpc('eth_accounts')) as string[];
      const hash = await rpc('eth_sendTransaction', { from, data, gas: '0x1c9c380' });
      return ((await rpc('eth_getTransactionReceipt', hash)) as { status: string }).status;
    });

  it.each([
    [{}, 24_576, '0x1'],
    [{}, 24_577, '0x0'],
    [{ codeSizeLimit: 30_000 }, 30_000, '0x1'],
    [{ codeSizeLimit: 30_000 }, 30_001, '0x0'],
    [{ disableCodeSizeLimit: true }, 100_000, '0x1'],
  ] as const)('%o: %d bytes', async (options, size, expected) => {
    expect(await status(options, deploy(size))).toBe(expected);
  });

  it('holds for init code, twice that, and after the chain id was changed', async () => {
    const data = `0x${'00'.repeat(60_000)}`;
    await expect(status({}, data)).rejects.toMatchObject({ code: expect.any(Number) });
    expect(await status({ codeSizeLimit: 30_000 }, data)).toBe('0x1');
    await run({ codeSizeLimit: 30_000 }, async (rpc) => {
      await rpc('anvil_setChainId', 5);
      const [from] = (await rpc('eth_accounts')) as string[];
      const hash = await rpc('eth_sendTransaction', { from, data: deploy(30_000), gas: '0x1c9c380' });
      expect(await rpc('eth_getTransactionReceipt', hash)).toMatchObject({ status: '0x1' });
    });
  });
});

describe('CORS', () => {
  it.each([
    [{}, '*'],
    [{ allowOrigin: 'https://app.example' }, 'https://app.example'],
    [{ noCors: true }, null],
  ] as const)('%o', async (options, expected) => {
    const node = await createDevnet({ port: 0, ...options });
    const response = await fetch(node.url!, { method: 'OPTIONS' });
    expect(response.headers.get('access-control-allow-origin')).toBe(expected);
    await node.close();
  });
});
