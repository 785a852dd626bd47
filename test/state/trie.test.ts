import {
  createMerkleProof,
  createMPT,
  type MerklePatriciaTrie,
  type MPTOpts,
  verifyMerkleProof,
} from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import {
  bytesToHex,
  bytesToUnprefixedHex,
  equalsBytes,
  hexToBytes,
  MapDB,
  type PrefixedHexString,
} from '@ethereumjs/util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EMPTY_ROOT } from '../../src/state/account.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { MemorySource } from '../../src/state/node-cache.ts';
import { Trie } from '../../src/state/trie.ts';
import { runs } from '../fuzz.ts';

type Write = readonly [Uint8Array, Uint8Array | undefined];

/** Short keys of few letters share prefixes, end inside each other and collapse often. */
const shortKey = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xff), { minLength: 1, maxLength: 4 })
  .map((bytes) => Uint8Array.from(bytes));
const fixedKey = fc
  .array(fc.constantFrom(0x00, 0x01, 0x10, 0x11, 0xff), { minLength: 3, maxLength: 3 })
  .map((bytes) => Uint8Array.from(bytes));
const hashedKey = fc.nat(60).map((n) => keccak256(Uint8Array.of(n)));
const value = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 2, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 3 }) },
  { weight: 2, arbitrary: fc.uint8Array({ minLength: 20, maxLength: 80 }) },
);
const batches = (key: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Write[][]> =>
  fc.array(fc.array(fc.tuple(key, value), { maxLength: 25 }), { minLength: 1, maxLength: 5 });

async function writeTo(mpt: MerklePatriciaTrie, writes: readonly Write[]): Promise<void> {
  for (const [key, bytes] of writes) await (bytes ? mpt.put(key, bytes) : mpt.del(key));
}

/** Deletes nothing: the library loses a key that ends at a branch when one of the branch's last two children goes. */
async function libraryOf(
  content: ReadonlyMap<string, Uint8Array>,
  opts?: MPTOpts,
): Promise<MerklePatriciaTrie> {
  const mpt = await createMPT(opts);
  for (const [key, bytes] of content) await mpt.put(hexToBytes(key as PrefixedHexString), bytes);
  return mpt;
}

function stored(trie: Trie, source: MemorySource): Trie {
  source.store({ nodes: trie.unstored(), code: [] });
  return Trie.at(source, trie.root);
}

function model(batch: readonly Write[], into = new Map<string, Uint8Array>()): Map<string, Uint8Array> {
  for (const [key, bytes] of batch)
    if (bytes) into.set(bytesToHex(key), bytes);
    else into.delete(bytesToHex(key));
  return into;
}

describe.each([
  ['keys inside each other', shortKey],
  ['short keys', fixedKey],
  ['hashed keys', hashedKey],
])('trie with %s', (_name, key) => {
  it('has the root of the library trie after every batch, from memory and reopened', async () => {
    await fc.assert(
      fc.asyncProperty(batches(key), fc.boolean(), async (all, reopen) => {
        const source = new MemorySource();
        const library = await createMPT();
        const content = new Map<string, Uint8Array>();
        let trie = Trie.empty(source);
        for (const batch of all) {
          model(batch, content);
          if (key !== shortKey) await writeTo(library, batch);
          const mpt = key === shortKey ? await libraryOf(content) : library;
          trie = trie.update(batch);
          expect(bytesToHex(trie.root)).toBe(bytesToHex(mpt.root()));
          if (reopen) trie = stored(trie, source);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('keeps what it held, and older versions keep what they held', () => {
    fc.assert(
      fc.property(batches(key), fc.boolean(), (all, reopen) => {
        const source = new MemorySource();
        const versions: { trie: Trie; root: string; content: [string, Uint8Array][] }[] = [];
        const content = new Map<string, Uint8Array>();
        let trie = Trie.empty(source);
        for (const batch of all) {
          trie = trie.update(batch);
          if (reopen) trie = stored(trie, source);
          model(batch, content);
          versions.push({ trie, root: bytesToHex(trie.root), content: [...content].sort() });
        }
        for (const version of versions) {
          expect(bytesToHex(version.trie.root)).toBe(version.root);
          const entries = [...version.trie.entries()].map(([k, v]) => [bytesToHex(k), bytesToHex(v)]);
          expect(entries).toEqual(version.content.map(([k, v]) => [k, bytesToHex(v)]));
          for (const [k, v] of version.trie.entries()) expect(version.trie.get(k)).toEqual(v);
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('lists entries from a start on', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(key, value), { maxLength: 40 }), key, (batch, start) => {
        const source = new MemorySource();
        const made = Trie.empty(source).update(batch);
        const expected = [...model(batch).keys()].filter((k) => k >= bytesToHex(start)).sort();
        for (const trie of [made, stored(made, source)])
          expect([...trie.entries(start)].map(([k]) => bytesToHex(k))).toEqual(expected);
      }),
      { numRuns: runs(150) },
    );
  });

  it('proves presence and absence as the library trie does', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 40 }),
        key,
        async (batch, k) => {
          const source = new MemorySource();
          const trie = Trie.empty(source).update(batch);
          if (equalsBytes(trie.root, EMPTY_ROOT)) return;
          const mpt = await libraryOf(model(batch));
          const proof = trie.prove(k);
          expect(await verifyMerkleProof(k, proof, { root: trie.root })).toEqual(trie.get(k) ?? null);
          const theirs = await createMerkleProof(mpt, k);
          expect(proof.map(bytesToHex)).toEqual(
            theirs.filter((n, i) => i === 0 || n.length >= 32).map(bytesToHex),
          );
          const reopened = stored(trie, source);
          expect(reopened.prove(k)).toEqual(proof);
          expect(reopened.get(k)).toEqual(trie.get(k));
        },
      ),
      { numRuns: runs(100) },
    );
  });

  it('writes nodes the library trie reads, and reads the nodes it wrote', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(key, value), { minLength: 1, maxLength: 40 }), async (batch) => {
        const trie = Trie.empty(new MemorySource()).update(batch);
        const db = new MapDB<string, Uint8Array>();
        for (const [hash, encoded] of trie.unstored()) await db.put(bytesToUnprefixedHex(hash), encoded);
        const mpt = await createMPT({ db: db as never, valueEncoding: 'view' as never, root: trie.root });
        for (const [k, v] of trie.entries()) expect(await mpt.get(k)).toEqual(v);

        const theirs = new MapDB<string, Uint8Array>();
        const other = await libraryOf(model(batch), { db: theirs as never, valueEncoding: 'view' as never });
        const source = { getNode: (hash: Uint8Array) => theirs._database.get(bytesToUnprefixedHex(hash)) };
        const reopened = Trie.at(source, other.root());
        expect([...reopened.entries()]).toEqual([...trie.entries()]);
      }),
      { numRuns: runs(60) },
    );
  });
});

describe('trie', () => {
  it('has the empty root without entries and after the last delete', () => {
    const empty = Trie.empty(new MemorySource());
    expect(empty.root).toEqual(EMPTY_ROOT);
    expect(empty.prove(Uint8Array.of(1))).toEqual([]);
    const key = Uint8Array.of(1);
    expect(empty.update([[key, Uint8Array.of(2)]]).update([[key, undefined]]).root).toEqual(EMPTY_ROOT);
  });

  it('grows by one transaction at a time to the root of the whole list', async () => {
    const mpt = await createMPT();
    let trie = Trie.empty();
    for (let i = 0; i < 300; i++) {
      const key = RLP.encode(i);
      const transaction = keccak256(key);
      await mpt.put(key, transaction);
      trie = trie.update([[key, transaction]]);
      if (i % 50 === 0 || i === 299) expect(trie.root).toEqual(mpt.root());
    }
  });

  it('has the root of a trie made anew, where branches are full or nearly so', () => {
    // Below 0x10 and 0x11: sixteen keys each, and one that ends at the branch. 32 bytes there take a hash's room.
    const anyKey = fc
      .tuple(fc.constantFrom(0x10, 0x11), fc.option(fc.nat(15), { nil: undefined }))
      .map(([first, last]) => Uint8Array.of(first, ...(last === undefined ? [] : [last << 4])));
    const anyValue = fc
      .constantFrom(0, 0, 1, 2, 32, 40)
      .chain((length) => fc.uint8Array({ minLength: length, maxLength: length }));
    const step = fc.oneof(
      fc.array(fc.tuple(anyKey, anyValue), { minLength: 1, maxLength: 3 }),
      fc.constantFrom('root', 'stored', 'reopened'),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const source = new MemorySource();
        const full = [0x10, 0x11].flatMap((first) =>
          Array.from(
            { length: 16 },
            (_, last): Write => [Uint8Array.of(first, last << 4), new Uint8Array(40).fill(last + 1)],
          ),
        );
        full[15] = [Uint8Array.of(0x10), new Uint8Array(32).fill(9)];
        const content = model(full);
        let trie = Trie.empty(source).update(full);
        for (const next of steps) {
          const nodes = [...trie.unstored()];
          if (next === 'reopened') trie = stored(trie, source);
          else if (next === 'stored') trie = trie.asStored(source);
          else if (next !== 'root') {
            const writes = next.map(([key, bytes]): Write => [key, bytes.length > 0 ? bytes : undefined]);
            model(writes, content);
            trie = trie.update(writes);
          }
          source.store({ nodes, code: [] });
          if (next === 'root' || next === 'stored') {
            const anew = Trie.empty().update(
              [...content].map(([key, bytes]): Write => [hexToBytes(key as PrefixedHexString), bytes]),
            );
            expect(bytesToHex(trie.root)).toBe(bytesToHex(anew.root));
          }
        }
      }),
      { numRuns: runs(150) },
    );
  });

  it('names a missing node', () => {
    const root = keccak256(Uint8Array.of(7));
    expect(() => Trie.at(new MemorySource(), root).get(Uint8Array.of(1))).toThrow(bytesToHex(root));
  });

  it('stores nothing again that came from the source', () => {
    const source = new MemorySource();
    const writes = Array.from({ length: 500 }, (_, i): Write => {
      const key = keccak256(Uint8Array.of(i >> 8, i & 255));
      return [key, key];
    });
    const first = stored(Trie.empty(source).update(writes), source);
    expect([...first.unstored()]).toEqual([]);
    const second = first.update([[writes[3]![0], Uint8Array.of(1)]]);
    expect([...second.unstored()].length).toBeLessThan(6);
    const same = first.update([[writes[3]![0], writes[3]![1]]]);
    expect(same).toBe(first);
  });
});
