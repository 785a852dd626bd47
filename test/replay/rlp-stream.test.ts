import { RLP } from '@ethereumjs/rlp';
import { equalsBytes } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { rlpItems } from '../../src/replay/rlp-stream.ts';
import { runs } from '../fuzz.ts';
import { chainFile } from './sample-chain.ts';

async function read(items: readonly Uint8Array[]): Promise<Uint8Array[]> {
  using file = chainFile(items);
  const found: Uint8Array[] = [];
  for await (const item of rlpItems(file.path)) found.push(item);
  return found;
}

it('gives the items of a file in order, whatever their lengths', async () => {
  const sizes = fc.oneof(fc.nat(60), fc.nat(300), fc.nat(70_000));
  await fc.assert(
    fc.asyncProperty(fc.array(sizes, { maxLength: 6 }), async (lengths) => {
      const items = lengths.map((length) => RLP.encode([new Uint8Array(length).fill(7), []]));
      expect(Buffer.concat(await read(items))).toEqual(Buffer.concat(items));
    }),
    { numRuns: runs(8) },
  );
});

it('an item larger than what is read at a time comes whole', async () => {
  const items = [3_000_000, 5, 2_097_140, 1].map((length) => RLP.encode(new Uint8Array(length).fill(200)));
  const found = await read(items);
  expect(found.map((item, i) => equalsBytes(item, items[i]!))).toEqual([true, true, true, true]);
});

it('a file that ends inside an item is refused', async () => {
  await expect(read([RLP.encode(new Uint8Array(100)).subarray(0, 99)])).rejects.toThrow(/99 bytes/);
});
