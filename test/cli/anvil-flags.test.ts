import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkMnemonic } from '../../src/accounts.ts';
import { fromAnvil } from '../../src/cli/anvil-flags.ts';
import { parse } from '../../src/cli/program.ts';

/** What becomes of a command line, its refusal or its arguments, as one text. */
function become(line: string): string {
  const result = fromAnvil(line.split(' '));
  return 'refused' in result ? result.refused : result.join(' ');
}

/** `taken` or `refused`, the flag, and a value where it has one. */
const FLAGS = readFileSync(new URL('anvil-flags.txt', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .map((line) => line.split(' '));

/** What the command line says to it: nothing where it is taken. */
function refusalOf(args: readonly string[]): string {
  let refusal = '';
  const stderr = {
    write: (text: string) => {
      refusal += text;
    },
  };
  const parsed = parse(args, { version: '', stdout: stderr, stderr });
  expect(parsed.kind).toBe(refusal === '' ? 'run' : 'exit');
  return refusal;
}

describe("each of anvil's flags", () => {
  it.each(FLAGS)('%s: %s %s', (kind, ...args) => {
    const refusal = refusalOf(args);
    if (kind === 'taken') expect(refusal).toBe('');
    // One line that names the flag and says why, or what to use instead.
    else expect(refusal).toMatch(new RegExp(`^error: option '${args[0]}' is not supported: .{15,}\\n$`));
  });

  it('and its other names', () => {
    for (const name of ['--blockTime 1', '--no-mine', '--block-gas-limit 5', '--base-fee 5', '--chain 5'])
      expect(refusalOf(name.split(' '))).toBe('');
    for (const name of [
      '--tracing',
      '--no-console-log',
      '--enable-trace-printing',
      '--auto-unlock',
      '--no-create2',
    ])
      expect(refusalOf([name])).toBe('');
    for (const name of [
      '--ipcpath a',
      '--no-priority-fee',
      '--tx-gas-limit',
      '--no-rpc-rate-limit',
      '--hostname a',
    ])
      expect(refusalOf(name.split(' '))).toBe('');
  });

  it('but one that it does not have is unknown', () => {
    expect(refusalOf(['--no-such-flag'])).toMatch(/unknown option/);
  });
});

describe("anvil's flags", () => {
  it.each([
    ['--steps-tracing -a 3', '-a 3'],
    ['-vvv --jobs 2 --threads 4 -a 3', '-a 3'],
    ['--json -a 3', '--log-format json -a 3'],
    ['--jobs=2 --transaction-block-keeper 5 -a 3', '-a 3'],
    ['--disable-block-gas-limit', `--gas-limit ${Number.MAX_SAFE_INTEGER}`],
    ['--no-request-size-limit', `--max-body-size ${2 ** 30}`],
    ['--prune-history', '--prune-history 500'],
    ['--prune-history -a 3', '--prune-history 500 -a 3'],
    ['--prune-history 7 -a 3', '--prune-history 7 -a 3'],
    ['--prune-history=7', '--prune-history 7'],
    ['-n ethereum -a 3', '-a 3'],
    ['--ipc -a 3', `--ipc ${join(tmpdir(), 'anvil.ipc')} -a 3`],
    ['--ipcpath my.ipc -a 3', '--ipc my.ipc -a 3'],
    ['--ipc=my.ipc', '--ipc my.ipc'],
    ['--network=ethereum', ''],
    ['--network optimism -a 3', '--optimism -a 3'],
    ['--network=optimism', '--optimism'],
    ['-n optimism', '--optimism'],
    ['--no-storage-caching', '--no-fork-cache'],
    ['--cups 330', '--fork-rate-limit 330cu'],
    ['--compute-units-per-second=500', '--fork-rate-limit 500cu'],
    ['-- -vvv --fork-url', '-- -vvv --fork-url'],
  ])('%s is taken', (line, own) => {
    expect(become(line)).toBe(own);
  });

  it.each([
    ['--celo', /^option '--celo' is not supported: .*--optimism/],
    ['-n tempo', /^option '--network tempo' is not supported: .*--optimism/],
    ['--mnemonic-random 13', /^--mnemonic-random: expected 12, 15, 18, 21 or 24 words, got 13/],
  ])('%s is refused by name, with the reason', (line, reason) => {
    expect(become(line)).toMatch(reason);
  });

  it.each([
    ['--mnemonic-random -a 1', 12],
    ['--mnemonic-random 24 -a 1', 24],
    ['--mnemonic-random=15 -a 1', 15],
  ])('%s makes words that are others each time', (line, count) => {
    const [flag, words = '', ...rest] = fromAnvil(line.split(' ')) as string[];
    expect([flag, ...rest]).toEqual(['--mnemonic', '-a', '1']);
    expect(checkMnemonic(words)).toHaveLength(count);
    expect((fromAnvil(line.split(' ')) as string[])[1]).not.toBe(words);
  });
});
