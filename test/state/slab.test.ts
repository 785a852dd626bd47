import { expect, it } from 'vitest';
import { Slab } from '../../src/state/slab.ts';

it("gives out zeroed bytes that are nobody else's, of any length", () => {
  const slab = new Slab(1024);
  const lengths = [0, 1, 64, 65, 100, 128, 129, 1024, 5000, ...Array.from({ length: 40 }, (_, i) => 66 + i)];
  const taken = lengths.map((length, i) => {
    const bytes = slab.take(length);
    expect(bytes).toEqual(new Uint8Array(length));
    return bytes.fill(i + 1);
  });
  for (const [i, bytes] of taken.entries())
    expect(new Set(bytes)).toEqual(new Set(lengths[i] ? [i + 1] : []));
});

it('shares its buffer among small arrays only', () => {
  const slab = new Slab(1024);
  const [one, other, large] = [slab.take(100), slab.take(100), slab.take(129)];
  expect(one.buffer).toBe(other.buffer);
  expect(large.buffer).not.toBe(one.buffer);
  expect(large.buffer.byteLength).toBe(129);
});
