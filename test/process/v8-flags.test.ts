import { expect, test } from 'vitest';
import { asArgument, ownValue, type V8Flag } from '../../src/process/v8-flags.ts';
import { node, runScript } from '../boot/run-script.ts';

/** Those that are changed in this version of Node. */
const FLAGS: readonly V8Flag[] = [
  'semi-space-growth-factor',
  'flush-bytecode',
  ...(process.versions.v8.startsWith('11.3.') ? (['interrupt-budget', 'wasm-tiering-budget'] as const) : []),
];

/** Compiles a script under changed flags or after they were reset. Prints its compiled code. */
const COMPILE = `
  import { Script } from 'node:vm';
  import { ownValue, resetFlags, setFlag } from './src/process/v8-flags.ts';

  for (const flag of JSON.parse(process.argv[1])) setFlag(flag, ownValue(flag) === true ? false : 3);
  if (process.argv[2] === 'reset') resetFlags();
  console.log(new Script('(x) => x + 1').createCachedData().toString('base64'));`;

/** Tells whether V8 uses compiled code. */
const USE = `
  const { Script } = require('node:vm');
  const cachedData = Buffer.from(process.argv[1], 'base64');
  console.log(new Script('(x) => x + 1', { cachedData }).cachedDataRejected ? 'rejected' : 'used');`;

const compiled = (reset: 'reset' | 'changed') => runScript(COMPILE, JSON.stringify(FLAGS), reset).trim();

test.each(FLAGS)("%s goes back to V8's own value", (name) => {
  expect(node('--v8-options')).toContain(`default: ${asArgument(name, ownValue(name))}\n`);
});

test('V8 uses code that was compiled under flags that had been reset, and none of changed flags', () => {
  expect(node('-e', USE, compiled('reset'))).toBe('used\n');
  expect(node('-e', USE, compiled('changed'))).toBe('rejected\n');
});
