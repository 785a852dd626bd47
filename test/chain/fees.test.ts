import { createBlockHeader } from '@ethereumjs/block';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Header } from '../../src/chain/block.ts';
import { blobBaseFee, nextBaseFee, nextExcessBlobGas } from '../../src/chain/fees.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { engineOf, stockCommon } from '../engine/ethereumjs/stock.ts';
import { runs } from '../fuzz.ts';

const BLOB = 131_072n;

const parents = fc.record({
  gasLimit: fc.bigInt({ min: 5000n, max: 60_000_000n }),
  used: fc.oneof(fc.constantFrom(0, 500, 1000), fc.integer({ min: 0, max: 1000 })),
  baseFeePerGas: fc.oneof(
    fc.bigInt({ min: 0n, max: 10n }),
    fc.bigInt({ min: 0n, max: 10n ** 12n }),
    fc.constant(10n ** 30n),
  ),
  blobs: fc.integer({ min: 0, max: 21 }),
  excess: fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 40n }).map((n) => n * BLOB),
    fc.bigInt({ min: 0n, max: 200_000_000n }),
  ),
});

type Parent = typeof parents extends fc.Arbitrary<infer T> ? T : never;

function both(hardfork: HardforkName, { gasLimit, used, baseFeePerGas, blobs, excess }: Parent) {
  const { fork } = engineOf(hardfork);
  const blobGasUsed = BigInt(Math.min(blobs, Number((fork.blobs?.max ?? 0n) / BLOB))) * BLOB;
  const fields = {
    number: 1n,
    gasLimit,
    gasUsed: (gasLimit * BigInt(used)) / 1000n,
    baseFeePerGas,
    ...(fork.blobs && { excessBlobGas: excess, blobGasUsed }),
  };
  const options = { common: stockCommon(hardfork), skipConsensusFormatValidation: true };
  return { fork, ours: fields as unknown as Header, theirs: createBlockHeader(fields, options) };
}

describe.each<HardforkName>(['london', 'paris', 'shanghai', 'cancun', 'prague', 'osaka', 'bpo1', 'bpo2'])(
  'fees at %s',
  (hardfork) => {
    it('are those that the library computes', () => {
      fc.assert(
        fc.property(parents, (parent) => {
          const { fork, ours, theirs } = both(hardfork, parent);
          expect(nextBaseFee(ours, fork)).toBe(theirs.calcNextBaseFee());
          if (!fork.blobs) return;
          const next = theirs.calcNextExcessBlobGas(theirs.common);
          expect(nextExcessBlobGas(ours, fork)).toBe(next);
          expect(blobBaseFee(ours.excessBlobGas, fork)).toBe(theirs.getBlobGasPrice());
          expect(blobBaseFee(next, fork)).toBe(theirs.calcNextBlobGasPrice(theirs.common));
        }),
        { numRuns: runs(60) },
      );
    });
  },
);

it('begin at 1 gwei where the parent is older than London', () => {
  const { fork } = engineOf('london');
  expect(nextBaseFee({ gasLimit: 30_000_000n, gasUsed: 0n } as Header, fork)).toBe(1_000_000_000n);
});

it('there are none before their forks', () => {
  const { fork } = engineOf('berlin');
  expect(nextBaseFee({ gasLimit: 30_000_000n, gasUsed: 0n } as Header, fork)).toBeUndefined();
  expect(nextExcessBlobGas({} as Header, fork)).toBeUndefined();
  expect(blobBaseFee(0n, engineOf('shanghai').fork)).toBeUndefined();
});
