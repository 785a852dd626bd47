import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { foundryBinary } from './nodes.mjs';

const LIST = readFileSync(new URL('../cli/anvil-flags.txt', import.meta.url), 'utf8');

it('each flag of anvil is in the list that npm test asks devnet for', () => {
  const help = execFileSync(foundryBinary('anvil'), ['--help'], { encoding: 'utf8' });
  const flags = [...help.matchAll(/^ +(-\w)?,? *(--[\w-]+)/gm)].flatMap(([, short, long]) =>
    short ? [short, long] : [long],
  );
  assert.ok(flags.length > 60);
  const known = new Set(['-h', '--help', '-V', '--version']);
  for (const [, name] of LIST.matchAll(/^\w+ (-\S+)/gm)) known.add(name);
  assert.deepEqual(
    flags.filter((flag) => !known.has(flag)),
    [],
  );
});
