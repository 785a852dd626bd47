import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { completionsCommand } from '../../src/cli/completions.ts';
import { OPTIONS } from '../../src/options/table.ts';

const COMMANDS = ['completions', 'export', 'follow', 'replay'];

function script(...args: string[]): string {
  let written = '';
  const stdout = { write: (text: string) => (written += text) };
  expect(completionsCommand(args, { stdout }, COMMANDS)).toBe(0);
  return written;
}

/** What bash offers for the last word of a line. */
function offered(line: string): string[] {
  const words = line.split(' ');
  const run = `${script('bash')}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length - 1}
_devnet; printf '%s\\n' "\${COMPREPLY[@]}"`;
  const { stdout, stderr } = spawnSync('bash', ['-c', run], { encoding: 'utf8' });
  expect(stderr).toBe('');
  return stdout.split('\n').filter((word) => word !== '');
}

describe('completions', () => {
  it('bash offers the flags that begin so, under each of their names', () => {
    expect(offered('devnet --fork-')).toEqual([
      '--fork-url',
      '--fork-block-number',
      '--fork-header',
      '--fork-headers',
      '--fork-chain-id',
      '--fork-retry-backoff',
    ]);
    expect(offered('devnet --automine --host')).toEqual(['--host', '--hostname']);
    expect(offered('devnet replay --dat')).toEqual(['--data-dir']);
  });

  it('bash offers the sub-commands in the first place, and files where a value is due', () => {
    expect(offered('devnet ')).toEqual(COMMANDS);
    expect(offered('devnet re')).toEqual(['replay']);
    expect(offered('devnet --state ')).toEqual([]);
  });

  it('bash offers the values of flags that take one of a few, also behind =', () => {
    expect(offered('devnet --compat ')).toEqual(['anvil', 'hardhat', 'hardhat2']);
    expect(offered('devnet --compat = hardhat')).toEqual(['hardhat', 'hardhat2']);
    expect(offered('devnet --preset o')).toEqual(['optimism']);
    expect(offered('devnet --engine ')).toEqual(['fast', 'ethereumjs', 'shadow']);
    expect(offered('devnet --order ')).toEqual(['fees', 'fifo']);
    expect(offered('devnet --log-format ')).toEqual(['text', 'json']);
    expect(offered('devnet --color a')).toEqual(['auto', 'always']);
    expect(offered('devnet --hardfork os')).toEqual(['osaka']);
    expect(offered('devnet completions ')).toEqual(['bash', 'fish', 'zsh']);
  });

  it.each(['fish', 'zsh'])('%s is told each flag and sub-command', (shell) => {
    const text = script(shell);
    const names = Object.values(OPTIONS).map(({ flags }) => /--([\w-]+)/.exec(flags)![1]!);
    for (const name of [...names, ...COMMANDS]) expect(text).toContain(name);
  });

  it('another shell is refused with those that there are', () => {
    expect(() => script('tcsh')).toThrow("completions: expected bash, fish, zsh, got 'tcsh'");
    expect(() => script()).toThrow("got ''");
    expect(() => script('bash', 'zsh')).toThrow("got 'bash zsh'");
  });
});
