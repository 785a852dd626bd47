import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Io, main } from '../../src/cli/main.ts';
import { OPTIONS } from '../../src/options/table.ts';

const COMMANDS = [
  'completions',
  'debug',
  'export',
  'follow',
  'fork-cache',
  'help',
  'promote',
  'replay',
  'run',
  'worker',
];
/** Where completions are asked for: it has a file and a folder. */
let folder: string;
/** The script for each shell, in that folder. */
const scripts = new Map<string, string>();

async function printed(...args: string[]) {
  const seen = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr') => (text: string) => {
    seen[stream] += text;
  };
  const io = {
    version: '1.2.3',
    env: {},
    stdout: { write: write('stdout') },
    stderr: { write: write('stderr') },
  };
  return { code: await main(['completions', ...args], io as unknown as Io), ...seen };
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-completions-'));
  for (const shell of ['bash', 'fish', 'zsh']) {
    const { code, stdout } = await printed(shell);
    expect(code).toBe(0);
    scripts.set(shell, join(folder, `.${shell}`));
    writeFileSync(scripts.get(shell)!, stdout);
  }
  writeFileSync(join(folder, 'chain.jsonl'), '');
  mkdirSync(join(folder, 'chains'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const hasShell = (name: string) => spawnSync(name, ['-c', 'true']).status === 0;

function run(shell: string, args: readonly string[], input?: string): string {
  const { stdout, stderr } = spawnSync(shell, args, {
    encoding: 'utf8',
    cwd: folder,
    input,
    timeout: 30_000,
  });
  expect(stderr).toBe('');
  return stdout;
}

const words = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.split('\t')[0]!.replace(/\/$/, '').trim())
    .filter((word) => word !== '');

/** What a shell offers for the last word of a line. */
const SHELLS: Readonly<Record<string, (line: string) => string[]>> = {
  bash: (line) => {
    // As readline splits a line.
    const parts = line.replaceAll('=', ' = ').split(' ');
    const each = parts.map((part) => `'${part}'`).join(' ');
    return words(
      run('bash', [
        '-c',
        `source '${scripts.get('bash')}'; COMP_WORDS=(${each}); COMP_CWORD=${parts.length - 1}; _devnet; printf '%s\n' "\${COMPREPLY[@]}"`,
      ]),
    );
  },
  fish: (line) =>
    words(run('fish', ['--no-config', '-c', `source '${scripts.get('fish')}'; complete -C '${line}'`])).map(
      // fish offers the whole word.
      (word) => word.replace(/^--[\w-]+=/, ''),
    ),
  // zsh completes in a terminal only. What it would offer is printed between two lines, in place of being shown.
  // The terminal echoes what is typed: with quotes in it, that is not taken for what is offered, or for the line at the end.
  zsh: (line) => {
    const text = run('zsh', [
      '-f',
      '-c',
      `zmodload zsh/zpty
zpty shell TERM=dumb zsh -f -i
zpty -w shell 'PROMPT=; autoload -Uz compinit; compinit -C -d ${folder}/.zcompdump; source ${scripts.get('zsh')}'
zpty -w shell 'bindkey "^I" complete-word; zstyle ":completion:*" menu no; unsetopt auto_menu list_beep'
zpty -w shell 'compadd() { case " $* " in (*" -"[OAD]" "*) builtin compadd "$@"; return;; esac; local -a hits; builtin compadd -A hits "$@"; (( $#hits )) && print -rl -- "h"it:$^hits; builtin compadd "$@" }'
zpty -w shell 'begin() { print; print offered }; finish() { print; print en"d"ed; exit }; compprefuncs=(begin); comppostfuncs=(finish)'
zpty -n -w shell $'${line}\\t'
while zpty -r shell text; do print -rn -- $text; [[ $text == *ended* ]] && break; done; exit 0`,
    ]);
    const offered = [...text.matchAll(/hit:(.*?)\r?\n/g)].map(([, word]) => word!);
    return [...new Set(offered.map((word) => word.replace(/=$/, '')))];
  },
};

describe.each(Object.entries(SHELLS))('%s', (shell, offered) => {
  describe.skipIf(!hasShell(shell))('itself', () => {
    const sorted = (line: string) => offered(line).sort();

    it('offers the sub-commands in the first place', () => {
      expect(sorted('devnet ')).toEqual(COMMANDS);
      expect(sorted('devnet re')).toEqual(['replay']);
      expect(sorted('devnet help w')).toEqual(['worker']);
      expect(sorted('devnet completions ')).toEqual(['bash', 'fish', 'zsh']);
    });

    it('offers the flags that begin so, under each of their names', () => {
      expect(sorted('devnet --automine --host')).toEqual(['--host', '--hostname']);
      expect(sorted('devnet follow --r')).toEqual(
        expect.arrayContaining(['--redis', '--rpc', '--rpc-timeout']),
      );
    });

    it('offers the values of flags that take one of a few, also behind =', () => {
      expect(sorted('devnet --compat ')).toEqual(['anvil', 'hardhat', 'hardhat2']);
      expect(sorted('devnet --compat=h')).toEqual(['hardhat', 'hardhat2']);
      expect(sorted('devnet run --log ')).toEqual(['always', 'failure', 'never']);
      expect(sorted('devnet run --report ')).toEqual(['json', 'markdown']);
    });

    it('offers files and folders where they are taken, and nothing where a number is', () => {
      expect(sorted('devnet replay ch')).toEqual(['chain.jsonl', 'chains']);
      expect(sorted('devnet --load-state ch')).toEqual(['chain.jsonl', 'chains']);
      expect(sorted('devnet --data-dir ch')).toEqual(['chains']);
      expect(sorted('devnet --port ch')).toEqual([]);
      expect(sorted('devnet worker ch')).toEqual([]);
    });

    it('offers after a sub-command its own flags alone', () => {
      expect(sorted('devnet replay --')).toEqual(
        [
          ...['--against', '--against-report', '--artifacts', '--bail', '--engine', '--fail-on', '--help'],
          ...['--json', '--queue', '--shard', '--threads', '--update', '--whole'],
        ].sort(),
      );
      expect(sorted('devnet promote --')).toEqual(['--help']);
      // They have no effect on an export.
      expect(sorted('devnet export --po')).toEqual([]);
      expect(sorted('devnet run --red')).toEqual([]);
      expect(sorted('devnet --shard')).toEqual([]);
    });

    it('offers commands after devnet run --', () => {
      expect(sorted('devnet run -- mkdi')).toContain('mkdir');
      expect(sorted('devnet run --automine -- cat chain.j')).toEqual(['chain.jsonl']);
    });
  });
});

describe('completions', () => {
  it.each(['bash', 'fish', 'zsh'])('%s is told each flag and sub-command', async (shell) => {
    const { stdout } = await printed(shell);
    const names = Object.values(OPTIONS).map(({ flags }) => /--([\w-]+)/.exec(flags)![1]!);
    for (const name of [...names, ...COMMANDS]) expect(stdout).toContain(name);
  });

  it('another shell is refused with those that there are', async () => {
    const refused = async (...args: string[]) => (await printed(...args)).stderr;
    expect(await refused('tcsh')).toBe("error: completions: expected bash, fish, zsh, got 'tcsh'\n");
    expect(await refused()).toContain("got ''");
    expect(await refused('bash', 'zsh')).toContain("got 'bash zsh'");
  });
});
