import { hexToBytes } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MNEMONIC, deriveAccounts } from '../../src/accounts.ts';
import { type BannerFacts, banner } from '../../src/cli/banner.ts';
import { type DevnetOptions, resolveOptions } from '../../src/options/options.ts';

describe('banner', () => {
  const facts = {
    version: '1.2.3',
    address: '127.0.0.1:8545',
    genesisTimestamp: 1_700_000_000n,
    accounts: [
      {
        address: deriveAccounts({ mnemonic: DEFAULT_MNEMONIC, path: 'm/0', count: 1 })[0]!.address,
        privateKey: hexToBytes(`0x${'46'.repeat(32)}`),
      },
    ],
  };
  const print = (options: DevnetOptions = {}, given: Partial<BannerFacts> = {}) =>
    banner(resolveOptions(options), { ...facts, ...given });

  it("has anvil's sections and ends with where it listens", () => {
    const lines = print().split('\n');
    const titles = lines.filter((_, i) => lines[i + 1]?.startsWith('====='));
    expect(titles).toEqual([
      'Available Accounts',
      'Private Keys',
      'Wallet',
      'Chain ID',
      'Base Fee',
      'Gas Limit',
      'Genesis Timestamp',
      'Genesis Number',
    ]);
    expect(lines).toContain(`(0) 0x${'46'.repeat(32)}`);
    expect(print()).toMatch(/\(0\) 0x[\da-fA-F]{40} \(10000\.000000000000000000 ETH\)/);
    expect(print()).toMatch(/WARNING/);
    expect(print({ mnemonic: `${'abandon '.repeat(11)}about` })).not.toMatch(/WARNING/);
    expect(print().endsWith('\nListening on 127.0.0.1:8545\n')).toBe(true);
  });

  it.each<[DevnetOptions, string]>([
    [
      {},
      'Mode: interval, a block every 2 s, a flashblock every 200 ms\nFor a block for each transaction: --automine\n',
    ],
    [
      { preset: 'base' },
      'Mode: interval, a block every 0.2 s\nFor a block for each transaction: --automine\n',
    ],
    [
      { automine: true },
      'Mode: automine, a block for each transaction\nFor a block every 2 s: --block-time 2, without --automine\n',
    ],
    [
      { noMining: true },
      'Mode: manual, blocks on demand\nFor a block for each transaction: --automine, without --no-mining\n',
    ],
    [
      { mixedMining: true },
      'Mode: mixed, a block for each transaction and every 2 s, a flashblock every 200 ms\nFor a block for each transaction only: --automine, without --mixed-mining\n',
    ],
  ])('%o names the mode and the flag for the other', (options, line) => {
    expect(print(options)).toContain(`\n${line}`);
  });

  it('without accounts, has no sections for them', () => {
    expect(print({}, { accounts: [] })).not.toMatch(/Private Keys|Wallet|WARNING/);
  });

  it('tells what a repair gave up', () => {
    const lines = (batches: number) => print({}, { repaired: { batches, head: 12n } }).split('\n');
    expect(lines(1)).toContain('Repaired: back to block 12, the last change is lost');
    expect(lines(2)).toContain('Repaired: back to block 12, the last 2 changes are lost');
  });
});
