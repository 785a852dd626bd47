import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
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

/** The members of an interface in a file of types. */
function members(types, name) {
  const [, body] = new RegExp(`interface ${name} \\{\\n(.*?)\\n\\s*\\}`, 's').exec(types) ?? [];
  assert.ok(body, `no interface ${name}`);
  return [...body.matchAll(/^\s*(\w+)\??:/gm)].map(([, member]) => member);
}

it('each option of Hardhat is in the table of docs/migrating.md', () => {
  const [, table] = /<!-- table: hardhat-options -->(.*?)<!-- end -->/s.exec(
    readFileSync(new URL('../../docs/migrating.md', import.meta.url), 'utf8'),
  );
  const named = new Set(table.split('\n').flatMap((row) => row.split(' | ')[0].match(/--[\w-]+|\w+/g) ?? []));
  const read = (from, path) =>
    readFileSync(join(dirname(createRequire(from).resolve('hardhat/package.json')), path), 'utf8');
  const here = new URL('package.json', import.meta.url);
  const three = read(here, 'dist/src/internal/builtin-plugins/network-manager/type-extensions/config.d.ts');
  const two = read(new URL('hardhat2/package.json', import.meta.url), 'types/config.d.ts');
  const command = read(here, 'dist/src/internal/builtin-plugins/node/index.js');
  const options = [
    ...['', 'HDAccounts', 'Forking', 'Mining', 'Mempool'].flatMap((part) =>
      members(three, `EdrNetwork${part}UserConfig`),
    ),
    ...['', 'Mining', 'Forking'].flatMap((part) => members(two, `HardhatNetwork${part}UserConfig`)),
    ...[...command.matchAll(/name: "(\w+)"/g)].map(
      ([, name]) => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`,
    ),
  ];
  assert.ok(options.length > 40);
  // `type` says that the network is Hardhat's own, not that of a URL.
  assert.deepEqual(
    [...new Set(options)].filter((option) => option !== 'type' && !named.has(option)),
    [],
  );
});
