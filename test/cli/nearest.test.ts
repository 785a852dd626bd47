import { describe, expect, it } from 'vitest';
import { longNames } from '../../src/cli/flags.ts';
import { parse } from '../../src/cli/program.ts';
import { OF_GANACHE, OF_HARDHAT } from '../../src/options/other-tools.ts';
import type { DevnetOptions } from '../../src/options/table.ts';
import { valuesOf } from '../../src/options/values.ts';

function refusalOf(flag: string): string {
  let said = '';
  const stderr = {
    write: (text: string) => {
      said += text;
    },
  };
  expect(parse([flag], { version: '0', stdout: stderr, stderr })).toEqual({ kind: 'exit', code: 1 });
  return said;
}

describe('an unknown flag', () => {
  it.each([
    ['--automin', '--automine'],
    ['--blok-time', '--block-time'],
    ['--bolck-time=2', '--block-time'],
    ['--fork-block', '--fork-block-number'],
    ['--prune', '--prune-history'],
    ['--genesis-timestmp', '--genesis-timestamp'],
    ['--steps-trace', '--steps-tracing'],
    ['--hlep', '--help'],
    ['--max-tranactions', '--max-transactions'],
  ])('%s is answered with the nearest one, on one line', (typed, meant) => {
    expect(refusalOf(typed)).toBe(`error: unknown option '${typed}' (Did you mean ${meant}?)\n`);
  });

  it.each([
    ['--wallet.totalAccounts', 'of Ganache, in devnet: --accounts'],
    ['--wallet.totalAccounts=5', 'of Ganache, in devnet: --accounts'],
    ['--fork.blockNumber', 'of Ganache, in devnet: --fork-url, --fork-block-number'],
    ['--instamine', 'of Ganache, in devnet: --automine, which is eager; there is no strict'],
    [
      '--deterministic',
      'of Ganache, in devnet: the accounts are always the same, those of anvil and Hardhat, not those of Ganache',
    ],
    ['--fork', 'of Hardhat, in devnet: --fork-url'],
    ['--chain-type', 'of Hardhat, in devnet: --optimism for op; l1 and generic are the default'],
  ])('%s of another tool is answered with what devnet has in its place', (typed, said) => {
    expect(refusalOf(typed)).toBe(`error: unknown option '${typed}' (${said})\n`);
  });

  it.each(['--initial-date', '--colour-blind', '--websocket-compression'])(
    '%s, which is like none, is answered without a guess',
    (typed) => {
      expect(refusalOf(typed)).toBe(`error: unknown option '${typed}' (devnet --help shows all)\n`);
    },
  );
});

it.each([
  ['allowUnlimitedContractSize', 'of Hardhat, in devnet: disableCodeSizeLimit'],
  ['blockGasLimit', 'of Hardhat, in devnet: gasLimit; for false it is gasLimit 9007199254740991'],
  [
    'mining',
    'of Hardhat, in devnet: mining: { auto: true }: automine; compat hardhat has it; mining: { auto: false, interval: 5000 }: ' +
      'blockTime 5 flashblockInterval 0; mining: { interval: [3000, 6000] }: send evm_setIntervalMining with [3000, 6000]; ' +
      'mining: { auto: false }: noMining; mining: { mempool: { order } }: order: priority is fees, fifo is fifo',
  ],
])('the option %s of Hardhat is refused with what devnet has in its place', (name, said) => {
  expect(() => valuesOf({ [name]: true } as DevnetOptions)).toThrow(
    expect.objectContaining({ option: name, expected: `a known option (${said})` }),
  );
});

it('each flag named in place of another one is an option of devnet', () => {
  const flags = new Set([...longNames(), '--mnemonic-random']);
  const named = [OF_HARDHAT, OF_GANACHE]
    .flatMap((table) => Object.values(table))
    .flatMap((meant) => meant.match(/--[\w-]+/g) ?? []);
  expect(named.length).toBeGreaterThan(40);
  expect(named.filter((flag) => !flags.has(flag))).toEqual([]);
});
