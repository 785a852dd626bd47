import { expect, it } from 'vitest';
import { keyOf, numberKey, PREFIX } from '../../../../src/chain/store/keys.ts';
import { KeySet } from '../../../../src/chain/store/pruner/key-set.ts';
import { Bytes } from '../sample-blocks.ts';

const name = (key: Uint8Array) => Buffer.from(key).toString('hex');

it('holds what was added and nothing else: hashes, numbers, and the kinds of record that share a hash', () => {
  const bytes = new Bytes('key set');
  const added = new Set<string>();
  const set = new KeySet();
  const keys: Uint8Array[] = [];
  for (let i = 0; i < 20_000; i++) {
    const hash = bytes.take(32);
    keys.push(
      keyOf(PREFIX.node, hash),
      keyOf(PREFIX.header, hash),
      keyOf(PREFIX.body, hash),
      numberKey(BigInt(i)),
    );
  }
  for (const [index, key] of keys.entries()) {
    if (index % 3 === 0) continue;
    if (!set.add(key)) expect.fail(`${name(key)} was not there before`);
    added.add(name(key));
  }
  expect(keys.filter((key) => set.has(key) !== added.has(name(key)))).toEqual([]);
  expect(keys.filter((key, index) => index % 3 !== 0 && set.add(key))).toEqual([]);
});
