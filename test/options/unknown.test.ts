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
