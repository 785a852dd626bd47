import { Hoodi, Mainnet, Sepolia } from '@ethereumjs/common';
import { describe, expect, it } from 'vitest';
import { HARDFORKS } from '../../src/protocol/hardfork.ts';
import { chainName, knownHardfork, whyNotForked } from '../../src/protocol/known-chains.ts';

describe('the hardfork of a known chain', () => {
  it.each([Mainnet, Sepolia, Hoodi])(
    'is that of EthereumJS at each beginning: $name',
    ({ chainId, hardforks }) => {
      const begun = hardforks.filter(({ name }) => (HARDFORKS as readonly string[]).includes(name));
      for (const { name, block, timestamp } of begun) {
        if (timestamp === undefined) continue;
        const at = (seconds: number) =>
          knownHardfork(BigInt(chainId), { number: 30_000_000n, timestamp: BigInt(seconds) });
        if (Number(timestamp) === 0) continue;
        expect([name, at(Number(timestamp))]).toEqual([name, name]);
        expect(at(Number(timestamp) - 1)).not.toBe(name);
        expect(block).toBeNull();
      }
    },
  );

  it('is by number before the merge', () => {
    const at = (number: number) => knownHardfork(1n, { number: BigInt(number), timestamp: 1n });
    expect([at(0), at(1_149_998), at(1_149_999), at(12_243_999), at(12_964_999), at(15_537_393)]).toEqual([
      'chainstart',
      'chainstart',
      'homestead',
      'berlin',
      'london',
      'paris',
    ]);
  });

  it('of the OP Stack is the one of its EVM', () => {
    const at = (timestamp: bigint) => knownHardfork(8453n, { number: 5n, timestamp });
    expect([at(1n), at(1_710_374_401n), at(1_746_806_401n)]).toEqual(['paris', 'cancun', 'prague']);
  });

  it("isn't known of other chains, and some can't be forked", () => {
    expect(knownHardfork(31337n, { number: 1n, timestamp: 1n })).toBeUndefined();
    expect([chainName(8453n), chainName(42161n), chainName(5n)]).toEqual(['Base', 'Arbitrum One', undefined]);
    expect(whyNotForked(42161n)).toMatch(/gas/);
    expect(whyNotForked(1n)).toBeUndefined();
  });
});
