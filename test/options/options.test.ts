import { bytesToHex } from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { OptionConflict } from '../../src/options/errors.ts';
import { type DevnetOptions, OptionError, resolveOptions } from '../../src/options/options.ts';
import { optionsOf } from '../../src/options/recorded.ts';
import { OPTIONS, SECTIONS } from '../../src/options/table.ts';
import { runs } from '../fuzz.ts';

/** The option that is refused, or the two that exclude each other. */
function refused(options: object): string {
  try {
    resolveOptions(options as DevnetOptions);
  } catch (error) {
    if (error instanceof OptionError) return error.option;
    if (error instanceof OptionConflict) return error.options.join(' ');
    throw error;
  }
  return 'accepted';
}

const GENESIS = 'fixtures/genesis/cancun-to-bpo1.json';

describe('the table', () => {
  it('names each option and each flag once', () => {
    const names = Object.values(SECTIONS).flatMap((rows) => Object.keys(rows));
    expect(names).toEqual(Object.keys(OPTIONS));
    const flags = Object.values(OPTIONS).flatMap(({ flags, aliases = [] }) => [
      ...flags.match(/(?<!\S)--?[\w-]+/g)!,
      ...aliases,
    ]);
    expect(flags.filter((flag, i) => flags.indexOf(flag) < i)).toEqual([]);
  });
});

describe('defaults', () => {
  it("are anvil's, with a block every 2 s and a partial block every 200 ms", () => {
    expect(resolveOptions()).toMatchObject({
      port: 8545,
      host: '127.0.0.1',
      chainId: 31337n,
      hardfork: 'osaka',
      gasLimit: 30_000_000n,
      baseFee: 10n ** 9n,
      order: 'fees',
      mining: { kind: 'interval', blockTime: 2000, flashblockInterval: 200 },
      accounts: 10,
      balance: 10_000n * 10n ** 18n,
      derivationPath: "m/44'/60'/0'/0/",
      transactionGasCap: false,
      allowEqualTimestamps: false,
      slotsInAnEpoch: 32,
      maxBodySize: 10_485_760,
      maxBatchSize: 5000,
      maxResponseSize: 67_108_864,
      callGasLimit: 50_000_000n,
      maxPoolSize: 50_000,
    });
    expect(resolveOptions()).not.toHaveProperty('timestamp');
  });

  it('the gas cap of EIP-7825 is on with a genesis file, unless switched off', () => {
    expect(resolveOptions({ init: GENESIS }).transactionGasCap).toBe(true);
    expect(resolveOptions({ init: GENESIS, enableTxGasLimit: false }).transactionGasCap).toBe(false);
    expect(resolveOptions({ enableTxGasLimit: true }).transactionGasCap).toBe(true);
  });
});

describe('a genesis file', () => {
  it('decides chain id and gas limit', () => {
    const config = resolveOptions({ init: GENESIS });
    expect(config.chainId).toBe(4242n);
    expect(config.gasLimit).toBe(30_000_000n);
    expect(config.keepsGasLimit).toBe(true);
    expect(resolveOptions({ init: GENESIS, chainId: 4242, gasLimit: 1_000_000 })).toMatchObject({
      chainId: 4242n,
      gasLimit: 1_000_000n,
      keepsGasLimit: false,
    });
  });

  it('a chain file is served without mining', () => {
    expect(resolveOptions({ import: 'chain.rlp' }).mining).toEqual({ kind: 'manual' });
  });
});

describe('mining modes', () => {
  it.each<[DevnetOptions, object]>([
    [{ automine: true }, { kind: 'automine' }],
    [{ noMining: true }, { kind: 'manual' }],
    [{ compat: 'anvil' }, { kind: 'automine' }],
    [{ compat: 'hardhat', noMining: true }, { kind: 'manual' }],
    [
      { compat: 'hardhat', blockTime: 1 },
      { kind: 'interval', blockTime: 1000, flashblockInterval: 0 },
    ],
    [
      { compat: 'hardhat2', blockTime: 6, mixedMining: true },
      { kind: 'mixed', blockTime: 6000, flashblockInterval: 0 },
    ],
    [
      { compat: 'hardhat', blockTime: 6, flashblockInterval: 200 },
      { kind: 'interval', blockTime: 6000, flashblockInterval: 200 },
    ],
    [
      { compat: 'anvil', blockTime: 6 },
      { kind: 'interval', blockTime: 6000, flashblockInterval: 200 },
    ],
    [
      { compat: 'anvil', automine: false },
      { kind: 'interval', blockTime: 2000, flashblockInterval: 200 },
    ],
    [
      { mixedMining: true, blockTime: 5 },
      { kind: 'mixed', blockTime: 5000, flashblockInterval: 200 },
    ],
    [{ blockTime: 0.5 }, { kind: 'interval', blockTime: 500, flashblockInterval: 200 }],
    [{ blockTime: 0.1 }, { kind: 'interval', blockTime: 100, flashblockInterval: 0 }],
    [{ flashblockInterval: 0 }, { kind: 'interval', blockTime: 2000, flashblockInterval: 0 }],
    [{ preset: 'optimism' }, { kind: 'interval', blockTime: 2000, flashblockInterval: 250 }],
    [{ preset: 'unichain' }, { kind: 'interval', blockTime: 1000, flashblockInterval: 200 }],
    [{ preset: 'base' }, { kind: 'interval', blockTime: 200, flashblockInterval: 0 }],
    [{ preset: 'base-denim' }, { kind: 'interval', blockTime: 200, flashblockInterval: 0 }],
    [{ preset: 'base-flashblocks' }, { kind: 'interval', blockTime: 2000, flashblockInterval: 200 }],
  ])('%o', (options, mining) => {
    expect(resolveOptions(options).mining).toEqual(mining);
  });

  it.each([
    [{ automine: true, noMining: true }, 'automine noMining'],
    [{ noMining: true, mixedMining: true }, 'noMining mixedMining'],
    [{ automine: true, blockTime: 2 }, 'blockTime automine'],
    [{ noMining: true, preset: 'base' }, 'preset noMining'],
    [{ preset: 'base', blockTime: 2 }, 'preset blockTime'],
    [{ preset: 'base', flashblockInterval: 100 }, 'preset flashblockInterval'],
    [{ blockTime: 1, flashblockInterval: 1001 }, 'flashblockInterval'],
    [{ init: GENESIS, hardfork: 'prague' }, 'init hardfork'],
    [{ init: GENESIS, timestamp: 1 }, 'init timestamp'],
    [{ init: GENESIS, baseFee: 1 }, 'init baseFee'],
    [{ init: GENESIS, chainId: 1 }, 'chainId'],
    [{ init: 'no/such/file' }, 'init'],
    [{ init: {} }, 'init'],
    [{ import: 'chain.rlp', automine: true }, 'import automine'],
    [{ import: 'chain.rlp', blockTime: 2 }, 'import blockTime'],
    [{ repair: true }, 'repair dataDir'],
    [{ fsync: true }, 'fsync dataDir'],
  ])('%o is refused naming %s', (options, names) => {
    expect(refused(options)).toBe(names);
  });

  it('the upgrades of the OP Stack are names of the hardforks whose EVM they have, on an OP chain only', () => {
    const named = (hardfork: string) =>
      resolveOptions({ optimism: true, hardfork } as DevnetOptions).hardfork;
    expect(['holocene', 'jovian', 'karst', 'Karst'].map(named)).toEqual([
      'cancun',
      'prague',
      'osaka',
      'osaka',
    ]);
    expect(resolveOptions({ preset: 'base', hardfork: 'karst' }).hardfork).toBe('osaka');
    expect(refused({ hardfork: 'karst' })).toBe('hardfork');
    expect(refused({ preset: 'base', optimism: false, hardfork: 'karst' })).toBe('hardfork');
  });

  it('the preset base has the cap of gas a transaction, unless it is lifted', () => {
    const capped = (options: DevnetOptions) => resolveOptions(options).transactionGasCap;
    expect(capped({ preset: 'base' })).toBe(true);
    expect(capped({ preset: 'base', disableTxGasLimit: true })).toBe(false);
    expect(capped({ preset: 'base', enableTxGasLimit: false })).toBe(false);
    for (const preset of ['base-flashblocks', 'optimism', 'unichain'] as const)
      expect(capped({ preset })).toBe(false);
  });

  it('recordings name presets as before Denim', () => {
    const recorded = (options: DevnetOptions) => resolveOptions(options).recorded();
    const roundTrip = (options: DevnetOptions) => resolveOptions(optionsOf(recorded(options)));
    for (const preset of ['base', 'base-denim'] as const) {
      expect(recorded({ preset })).toMatchObject({ preset: 'base-denim', enableTxGasLimit: true });
      expect(roundTrip({ preset })).toMatchObject({ preset: 'base', transactionGasCap: true });
    }
    expect(recorded({ preset: 'base-flashblocks' })).toMatchObject({ preset: 'base' });
    expect(recorded({ preset: 'base-flashblocks' })).not.toHaveProperty('enableTxGasLimit');
    expect(roundTrip({ preset: 'base-flashblocks' })).toMatchObject({
      preset: 'base-flashblocks',
      transactionGasCap: false,
    });
    expect(roundTrip({ preset: 'base', disableTxGasLimit: true })).toMatchObject({
      transactionGasCap: false,
    });
    // Of a version before Denim, with and without the rules of the OP Stack.
    const old = { preset: 'base-denim', optimism: true, depositsOnly: false, barePredeploys: false };
    const resolved = resolveOptions(optionsOf(old));
    expect(resolved).toMatchObject({ preset: 'base', transactionGasCap: false });
    expect(bytesToHex(resolved.extraData)).toBe('0x010000007d0000000600000000001e8480');
    expect(resolveOptions(optionsOf({ preset: 'base-denim' }))).toMatchObject({ rollup: false });
  });

  it('equal timestamps are allowed where blocks need them', () => {
    const allowed = (options: DevnetOptions) => resolveOptions(options).allowEqualTimestamps;
    expect(
      [{ compat: 'anvil' as const }, { preset: 'base' as const }, { blockTime: 0.9 }].map(allowed),
    ).toEqual([true, true, true]);
    expect(
      [{ compat: 'hardhat' as const }, { blockTime: 1 }, { blockTime: 0.5, allowEqualTimestamps: false }].map(
        allowed,
      ),
    ).toEqual([false, false, false]);
  });
});

describe('values', () => {
  it.each([
    [10_000, 10_000n * 10n ** 18n],
    [0.5, 5n * 10n ** 17n],
    ['0.000000000000000001', 1n],
    [3n, 3n * 10n ** 18n],
    [1e21, 10n ** 39n],
  ])('a balance of %s ETH', (balance, wei) => {
    expect(resolveOptions({ balance }).balance).toBe(wei);
  });

  it.each([
    ['Prague', 'prague'],
    ['latest', 'osaka'],
    ['muirglacier', 'muirGlacier'],
    ['frontier', 'chainstart'],
  ])('hardfork %s', (given, hardfork) => {
    expect(resolveOptions({ hardfork: given as 'osaka' }).hardfork).toBe(hardfork);
  });

  it.each([
    { port: 65_536 },
    { port: 1.5 },
    { port: '8545' },
    { host: '' },
    { allowHost: 'x' },
    { accounts: -1 },
    { balance: 'much' },
    { balance: -1 },
    { balance: Number.NaN },
    { balance: 1e-7 },
    { mnemonic: 'test junk' },
    { derivationPath: 'm/x' },
    { chainId: 0 },
    { chainId: 1.5 },
    { hardfork: 'bogota' },
    { gasLimit: 20_999 },
    { baseFee: -1 },
    { timestamp: -1 },
    { extraData: '0x1' },
    { extraData: `0x${'00'.repeat(33)}` },
    { coinbase: '0x12' },
    { order: 'random' },
    { preset: 'arbitrum' },
    { compat: 'ganache' },
    { blockTime: 0 },
    { blockTime: Number.POSITIVE_INFINITY },
    { flashblockInterval: 0.5 },
    { automine: 'yes' },
    { rpcTimeout: -1 },
    { maxBatchSize: 0 },
    { init: 7 },
    { dataDir: '' },
    { seed: {} },
    { number: -1 },
    { forkUrl: 'localhost:8545' },
    { forkUrl: 'ipc:///tmp/x' },
    { blocktime: 2 },
  ])('%o is refused by name', (options) => {
    expect(refused(options)).toBe(Object.keys(options)[0]);
  });

  it('a fork has the limits of anvil where nothing is said, and a block in its URL', () => {
    expect(resolveOptions({ forkUrl: 'https://u:p@h/key@7' }).fork).toEqual({
      url: 'https://u:p@h/key',
      headers: {},
      timeout: 45_000,
      retries: 5,
      backoff: 1000,
      blockNumber: 7n,
    });
    expect(resolveOptions({ forkUrl: 'ws://h:1', forkHeaders: ['A: b: c'] }).fork).toMatchObject({
      headers: { A: 'b: c' },
    });
    expect(() => resolveOptions({ forkUrl: 'http://h@5', forkBlockNumber: 6 })).toThrow('forkBlockNumber');
    expect(() => resolveOptions({ forkUrl: 'http://h', forkHeaders: ['secret'] })).toThrow('forkHeaders');
    expect(resolveOptions({ forkUrl: ['http://h@5', 'ws://i'], forkRateLimit: '330cu' }).fork).toMatchObject({
      url: 'http://h',
      fallbacks: ['ws://i'],
      blockNumber: 5n,
      rate: { perSecond: 330, unit: 'computeUnits' },
    });
    expect(() => resolveOptions({ forkUrl: ['http://h', 'http://i@5'] })).toThrow('forkUrl');
    expect(() => resolveOptions({ forkUrl: 'http://h', forkRateLimit: '5 a second' })).toThrow(
      'forkRateLimit',
    );
    expect(() => resolveOptions({ forkUrl: 'http://h', noForkCache: true, forkOffline: true })).toThrow(
      'option noForkCache excludes option forkOffline',
    );
    const refusal = () => resolveOptions({ forkUrl: 'htp://h/a/very/long/path/with/a/secret' });
    expect(refusal).toThrow(/^(?!.*secret)/);
  });

  it.each<DevnetOptions>([
    { init: { config: { chainId: 1 } } },
    { import: 'chain.rlp' },
    { number: 5 },
    { timestamp: 5 },
    { state: 'file' },
    { dumpState: 'file' },
  ])('a fork and %o exclude each other', (other) => {
    expect(() => resolveOptions({ forkUrl: 'http://127.0.0.1', ...other })).toThrow(
      'option forkUrl excludes',
    );
  });

  it('a refusal says what was expected and what came', () => {
    expect(() => resolveOptions({ port: 70_000 })).toThrow(
      'option port: expected a whole number from 0 to 65535, got 70000',
    );
  });

  it('arbitrary values are resolved or refused, never worse', () => {
    const names = Object.keys({
      port: 0,
      balance: 0,
      mnemonic: 0,
      derivationPath: 0,
      chainId: 0,
      hardfork: 0,
      init: 0,
      extraData: 0,
      coinbase: 0,
      blockTime: 0,
      flashblockInterval: 0,
      preset: 0,
      seed: 0,
      allowHost: 0,
    });
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), fc.anything()), (options) => {
        refused(options);
      }),
      { numRuns: runs(300) },
    );
  });
});
