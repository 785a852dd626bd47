import { describe, expect, it } from 'vitest';
import { parse } from '../../src/cli/program.ts';

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
});
