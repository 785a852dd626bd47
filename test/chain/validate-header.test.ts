import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { Address } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import type { Header } from '../../src/chain/block.ts';
import { BadBlock } from '../../src/chain/block-fault.ts';
import { hashHeader, NO_UNCLES } from '../../src/chain/header.ts';
import { validateHeader } from '../../src/chain/validate-header.ts';
import { EMPTY_BLOOM } from '../../src/protocol/bloom.ts';
import { Hardfork, type HardforkName } from '../../src/protocol/hardfork.ts';
import { blockReward, payRewards } from '../../src/protocol/rewards.ts';
import { EMPTY_STATE } from '../../src/state/empty-state.ts';
import { Overlay } from '../../src/state/overlay.ts';

const ZERO = new Uint8Array(32);
const hardforkOf = (hardfork: HardforkName) =>
  new Hardfork(createCustomCommon({ chainId: 1 }, Mainnet, { hardfork }));
const address = (byte: number) => new Address(new Uint8Array(20).fill(byte));

const PARENT: Header = {
  parentHash: ZERO,
  unclesHash: NO_UNCLES,
  coinbase: address(1),
  stateRoot: ZERO,
  transactionsRoot: ZERO,
  receiptsRoot: ZERO,
  logsBloom: EMPTY_BLOOM,
  difficulty: 131_072n,
  number: 9n,
  gasLimit: 1_024_000n,
  gasUsed: 0n,
  timestamp: 90n,
  extraData: new Uint8Array(),
  mixHash: ZERO,
  nonce: new Uint8Array(8).fill(1),
};

/** The field that is wrong in a child with these changes; `undefined` when it may stand. */
function fault(
  changes: Partial<Header>,
  options: { parent?: Partial<Header>; fork?: HardforkName; mergeBlock?: bigint } = {},
): string | undefined {
  const parent: Header = { ...PARENT, ...options.parent };
  const fork = hardforkOf(options.fork ?? 'berlin');
  const hash = hashHeader(parent);
  const header: Header = { ...parent, parentHash: hash, number: 10n, timestamp: 91n, ...changes };
  const { mergeBlock } = options;
  const schedule = { chainId: 1n, at: () => fork, ...(mergeBlock !== undefined && { mergeBlock }) };
  try {
    validateHeader(header, { header: parent, hash }, fork, schedule);
    return undefined;
  } catch (error) {
    if (error instanceof BadBlock) return error.fault.field;
    throw error;
  }
}

describe('a header of proof of work', () => {
  it('may have a difficulty, a nonce and uncles', () => {
    expect(fault({})).toBeUndefined();
    expect(fault({ unclesHash: ZERO })).toBeUndefined();
  });

  it('follows with a gas limit less than a 1024th away', () => {
    expect(fault({ gasLimit: 1_024_999n })).toBeUndefined();
    expect(fault({ gasLimit: 1_025_000n })).toBe('gasLimit');
    expect(fault({ gasLimit: 1_023_001n })).toBeUndefined();
    expect(fault({ gasLimit: 1_023_000n })).toBe('gasLimit');
  });

  it('has a gas limit of 5000 at least', () => {
    expect(fault({ gasLimit: 4999n }, { parent: { gasLimit: 5000n } })).toBe('gasLimit');
    expect(fault({ gasLimit: 5000n }, { parent: { gasLimit: 5000n } })).toBeUndefined();
  });

  it('has no base fee before London', () => {
    expect(fault({ baseFeePerGas: 1n })).toBe('baseFeePerGas');
  });

  it('doubles the gas limit in the first London block, which has the initial base fee', () => {
    const london = { fork: 'london' } as const;
    const first = { gasLimit: 2_048_000n, baseFeePerGas: 1_000_000_000n };
    expect(fault(first, london)).toBeUndefined();
    expect(fault({ ...first, gasLimit: 1_024_000n }, london)).toBe('gasLimit');
    expect(fault({ ...first, baseFeePerGas: 1n }, london)).toBe('baseFeePerGas');
  });
});

describe('a header after the merge', () => {
  const paris = { fork: 'paris', parent: { baseFeePerGas: 1000n } } as const;
  const header = { difficulty: 0n, nonce: new Uint8Array(8), baseFeePerGas: 875n };

  it('has neither difficulty nor nonce nor uncles', () => {
    const merged = { ...paris, mergeBlock: 10n };
    expect(fault(header, merged)).toBeUndefined();
    expect(fault({ ...header, difficulty: 1n }, merged)).toBe('difficulty');
    expect(fault({ ...header, nonce: PARENT.nonce }, merged)).toBe('nonce');
    expect(fault({ ...header, unclesHash: ZERO }, merged)).toBe('unclesHash');
  });

  it('is one whose parent is after it, where its block is not known', () => {
    const parent = { ...paris.parent, difficulty: 0n };
    expect(fault({ ...header, difficulty: 1n }, { ...paris, parent })).toBe('difficulty');
    expect(fault({ ...header, difficulty: 1n }, paris)).toBeUndefined();
  });
});

describe('rewards of proof of work', () => {
  it('are 5, 3 and 2 ETH', () => {
    const ether = 10n ** 18n;
    expect(blockReward(hardforkOf('chainstart'))).toBe(5n * ether);
    expect(blockReward(hardforkOf('byzantium'))).toBe(3n * ether);
    expect(blockReward(hardforkOf('constantinople'))).toBe(2n * ether);
  });

  it('an uncle gets an eighth less for each generation, its nephew a 32nd for it', async () => {
    const state = new Overlay(EMPTY_STATE);
    const uncles = [
      { ...PARENT, coinbase: address(2), number: 9n },
      { ...PARENT, coinbase: address(3), number: 4n },
    ];
    await payRewards({ number: 10n, coinbase: address(1) }, uncles, hardforkOf('chainstart'), state);
    const balance = async (byte: number) => (await state.getAccount(address(byte)))?.balance;
    expect(await balance(1)).toBe(5_312_500_000_000_000_000n);
    expect(await balance(2)).toBe(4_375_000_000_000_000_000n);
    expect(await balance(3)).toBe(1_250_000_000_000_000_000n);
  });
});
