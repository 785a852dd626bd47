import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { type Io, main } from '../../src/cli/main.ts';

async function printed(...args: string[]) {
  let stdout = '';
  let stderr = '';
  const io: Io = {
    version: '1.2.3',
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    env: {},
    signals: new EventEmitter(),
    exit: () => {},
    flush: async () => {},
    load: () => Promise.reject(new Error('not here')),
    loadFollow: () => Promise.reject(new Error('not here')),
  };
  return { code: await main(args, io), stdout, stderr };
}

it('--help leads with five examples and the documentation, then commands, then options in groups', async () => {
  const { code, stdout } = await printed('--help');
  expect(code).toBe(0);
  const places = ['Examples:', 'Documentation: https://', 'Commands:', 'Options:', 'Server:', 'Mining:'].map(
    (text) => stdout.indexOf(text),
  );
  expect(places.every((place) => place > 0)).toBe(true);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  const examples = stdout.split('Examples:')[1]!.split('Documentation:')[0]!;
  expect(examples.match(/^ {2}npx devnet/gm)).toHaveLength(5);
  expect(await printed('help')).toMatchObject({ code: 0, stdout });
});

it('no line of help is wrapped in a terminal of 80 columns', async () => {
  for (const command of [
    [],
    ['run'],
    ['follow'],
    ['export'],
    ['replay'],
    ['worker'],
    ['promote'],
    ['completions'],
  ]) {
    const { stdout } = await printed(...command, '--help');
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    // An example or a command with its meaning is one line.
    const listed = stdout.split(/^(?:Examples|Commands.*):\n/m).slice(1);
    for (const list of listed)
      expect(
        list
          .split('\n\n')[0]!
          .split('\n')
          .every((line) => line.startsWith('  ')),
      ).toBe(true);
  }
});

it.each([
  [['promot', 'x'], "unknown command 'promot'", 'promote'],
  [['help', 'expor'], 'help: expected', 'export'],
  [['completions', 'fihs'], 'completions: expected', 'fish'],
  [['run', '--log', 'allways', '--', 'true'], '--log: expected', 'always'],
  [['run', '--report', 'jsn', '--', 'true'], '--report: expected', 'json'],
  [['--compat', 'anvl'], '--compat: expected', 'anvil'],
])('%j is answered with the name that was meant', async (args, refused, meant) => {
  const { code, stderr } = await printed(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(refused);
  expect(stderr).toContain(`(did you mean ${meant}?)`);
  expect(stderr).toMatch(/^error: [^\n]*\n$/);
});

it('run --help shows that a command follows --', async () => {
  expect((await printed('run', '--help')).stdout).toMatch(
    /^Usage: devnet run \[options\] -- <command\.\.\.>\n/,
  );
});

it.each([
  ['run', '--log <when>', ['Server:', 'Fork:', 'Mining:'], ['Several machines:']],
  ['follow', '--rpc <url>', ['Server:'], ['Fork:', 'Mining:']],
  ['export', '--from <block>', ['Chain:', 'Storage:'], ['Server:', 'Fork:', 'Mining:']],
  ['replay', '--shard <i/n>', [], ['Server:', 'Chain:']],
  ['worker', '--redis <url>', [], ['Server:', 'Chain:']],
  ['promote', '<url>', [], ['Server:', 'Chain:']],
] as [string, string, string[], string[]][])(
  '%s --help begins with its own options, and leaves out what has no effect',
  async (name, own, has, lacks) => {
    const { code, stdout } = await printed(name, '--help');
    expect(code).toBe(0);
    expect(stdout).toContain(`Usage: devnet ${name}`);
    const first = stdout.indexOf(own);
    expect(first).toBeGreaterThan(0);
    for (const group of has) expect(stdout.indexOf(`\n${group}`)).toBeGreaterThan(first);
    for (const group of lacks) expect(stdout).not.toContain(`\n${group}`);
    expect(await printed('help', name)).toMatchObject({ code: 0, stdout });
  },
);

it('help of completions names the shells, and of what is no command those that are', async () => {
  expect((await printed('help', 'completions')).stdout).toContain('bash, fish or zsh');
  const { code, stderr } = await printed('help', 'nonsense');
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: help: expected completions, debug, export, .*, got 'nonsense'\n$/);
});
