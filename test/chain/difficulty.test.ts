import { createBlockHeader } from '@ethereumjs/block';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { describe, expect, it } from 'vitest';
import type { Header } from '../../src/chain/block.ts';
import { canonicalDifficulty } from '../../src/chain/difficulty.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { HARDFORKS, hardforkOf } from '../../src/protocol/hardfork.ts';

const crypto = await chooseCrypto();
const WORK = HARDFORKS.slice(0, HARDFORKS.indexOf('paris')).filter((name) => name !== 'dao');

describe('the difficulty of proof of work', () => {
  it.each(WORK)('is that of the library in %s', (hardfork) => {
    const fork = hardforkOf(1n, hardfork, crypto);
    const common = createCustomCommon({ chainId: 1 }, Mainnet, { hardfork, customCrypto: crypto });
    const options = { common, skipConsensusFormatValidation: true };
    for (const number of [
      2n,
      199_999n,
      200_001n,
      3_300_000n,
      5_700_000n,
      9_950_000n,
      12_000_000n,
      13_900_000n,
    ])
      for (const difficulty of [131_072n, 140_000n, 10n ** 15n])
        for (const uncleHash of [undefined, new Uint8Array(32)]) {
          // The library has 9.5 million blocks for London, as drafts of EIP-3554 had.
          if (hardfork === 'london' && number > 9_700_000n) continue;
          const parent = createBlockHeader(
            { number: number - 1n, difficulty, timestamp: 1_000n, ...(uncleHash && { uncleHash }) },
            options,
          );
          const ours: Header = { ...parent, unclesHash: parent.uncleHash } as never;
          for (const seconds of [1n, 9n, 13n, 25n, 100n, 5_000n]) {
            const child = createBlockHeader({ number, timestamp: 1_000n + seconds }, options);
            expect(canonicalDifficulty({ number, timestamp: 1_000n + seconds }, ours, fork)).toBe(
              child.ethashCanonicalDifficulty(parent),
            );
          }
        }
  });
});
