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

  it("begins with where it is and its mode, has anvil's sections, keys last, and ends with where it listens", () => {
    const lines = print().split('\n');
    const titles = lines.filter((_, i) => lines[i + 1]?.startsWith('====='));
    expect(titles).toEqual([
      'Chain ID',
      'Base Fee',
      'Gas Limit',
      'Genesis Timestamp',
      'Genesis Number',
      'Available Accounts',
      'Private Keys',
      'Wallet',
    ]);
    const [rpc, page, mode] = ['RPC: ', 'Page: ', 'Mode: '].map((name) =>
      lines.findIndex((it) => it.startsWith(name)),
    );
    expect([page, mode]).toEqual([rpc! + 1, rpc! + 2]);
    expect(mode).toBeLessThan(lines.indexOf('Chain ID'));
    expect(lines[page!]).toBe('Page:  http://127.0.0.1:8545 in a browser');
    expect(print({ noExplorer: true })).not.toContain('Page:');
    expect(lines).toContain(`(0) 0x${'46'.repeat(32)}`);
    expect(print()).toMatch(/\(0\) 0x[\da-fA-F]{40} \(10000\.000000000000000000 ETH\)/);
    expect(print()).toMatch(/WARNING/);
    expect(print({ mnemonic: `${'abandon '.repeat(11)}about` })).not.toMatch(/WARNING/);
    expect(print().endsWith('\nListening on 127.0.0.1:8545\n')).toBe(true);
  });

  it.each<[DevnetOptions, ...string[]]>([
    [
      {},
      'interval, a block every 2 s, a flashblock every 200 ms',
      'A transaction has its receipt at the next flashblock and counts at `pending`; `latest` follows with the block.',
      'cast and forge count nonces at `latest`: for them --automine, or --flashblock-interval 0',
    ],
    [{ preset: 'base' }, 'interval, a block every 0.2 s', 'For a block for each transaction: --automine'],
    [
      { automine: true },
      'automine, a block for each transaction: a send is answered when its block is sealed',
      'For pre-confirmations and a block every 2 s: --block-time 2, without --automine',
    ],
    [
      { noMining: true },
      'manual, blocks on demand: a transaction waits until evm_mine is called',
      'For a block for each transaction: --automine, without --no-mining',
    ],
    [
      { mixedMining: true },
      'mixed, a block for each transaction and every 2 s, a flashblock every 200 ms',
      'For a block for each transaction only: --automine, without --mixed-mining',
    ],
  ])('%o names the mode, what it means and the flag for another one', (options, ...lines) => {
    expect(print(options)).toContain(`\nMode:  ${lines.join('\n       ')}\n\n`);
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
