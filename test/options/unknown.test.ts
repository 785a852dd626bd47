import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { createDevnet, type DevnetOptions, OptionError } from '../../src/index.ts';

const startWith = (name: string) =>
  createDevnet({ [name]: true } as DevnetOptions).then(
    () => undefined,
    (error: unknown) => error,
  );

it.each([
  ['autoMine', 'automine'],
  ['auto-mine', 'automine'],
  ['blocktime', 'blockTime'],
  ['blockTme', 'blockTime'],
  ['--block-time', 'blockTime'],
  ['forkURL', 'forkUrl'],
  ['forkBlock', 'forkBlockNumber'],
  ['rpcUrl', 'forkUrl'],
  ['retries', 'forkRetries'],
  ['timeout', 'forkTimeout'],
  ['hostname', 'host'],
  ['chainID', 'chainId'],
  ['noMine', 'noMining'],
])('the unknown option %s is answered with the name that was meant, %s', async (typed, meant) => {
  const error = await startWith(typed);
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({
    option: typed,
    message: `option ${typed}: expected a known option (did you mean ${meant}?), got true`,
  });
});

it.each(['frobnicate', 'x', ''])(
  'an option that is like no other, %j, is answered without a guess',
  async (typed) => {
    expect(await startWith(typed)).toMatchObject({
      message: `option ${typed}: expected a known option, got true`,
    });
  },
);

it('a hook among the options is answered with its place', async () => {
  const onConsole = () => {};
  const options = { onConsole } as DevnetOptions;
  await expect(createDevnet(options)).rejects.toThrow(
    'option onConsole: expected a place among the hooks: createDevnet(options, { onConsole }), got',
  );
});

it.each([
  [{ compat: 'anvl' }, 'anvil'],
  [{ engine: 'fst' }, 'fast'],
  [{ hardfork: 'praque' }, 'prague'],
  [{ logLevel: 'warning' }, 'warn'],
  [{ preset: 'Optimism' }, 'optimism'],
])('an unknown value %j is answered with the one that was meant, %s', async (options, meant) => {
  const error = await createDevnet(options as unknown as DevnetOptions).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(OptionError);
  expect((error as Error).message).toContain(` (did you mean ${meant}?), got '${Object.values(options)[0]}'`);
});

it('a value that is like no other is answered without a guess', async () => {
  const error = await createDevnet({ compat: 'geth' } as unknown as DevnetOptions).catch(
    (refused: unknown) => refused,
  );
  expect((error as Error).message).toBe(
    "option compat: expected one of anvil, hardhat, hardhat2, got 'geth'",
  );
});

it.each([
  [null, undefined, 'option options: expected an object, got null'],
  ['automine', undefined, "option options: expected an object, got 'automine'"],
  [['automine'], undefined, "option options: expected an object, got [ 'automine' ]"],
  [{}, null, 'option hooks: expected an object, got null'],
  [{}, [], 'option hooks: expected an object, got []'],
  [{}, { onlog: 1 }, 'option hooks.onlog: expected a known hook (did you mean onLog?), got 1'],
  [{}, { frobnicate: 1 }, 'option hooks.frobnicate: expected a known hook, got 1'],
  [{}, { onLog: 1 }, 'option hooks.onLog: expected a function, got 1'],
])('options %j with the hooks %j are refused in a sentence', async (options, hooks, message) => {
  const error = await createDevnet(options as never, hooks as never).catch((refused: unknown) => refused);
  expect(error).toBeInstanceOf(OptionError);
  expect(error).toMatchObject({ message });
});

it('docs/embed.md names every hook', () => {
  const source = readFileSync('src/api/hooks.ts', 'utf8');
  const hooks = [...source.matchAll(/^ {2}readonly (on\w+)\?/gm)].map(([, name]) => name!);
  expect(hooks).toContain('onLog');
  const docs = readFileSync('docs/embed.md', 'utf8');
  expect(hooks.filter((name) => !docs.includes(`| \`${name}\` |`))).toEqual([]);
});
