import { createBlockHeader } from '@ethereumjs/block';
import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { decodeHeader, encodeHeader, hashHeader } from '../../src/chain/header.ts';
import { Bytes, commonOf, headerOf } from './store/sample-blocks.ts';

const FORKS = [
  ['frontier', 'chainstart'],
  ['frontier', 'byzantium'],
  ['london', 'london'],
  ['shanghai', 'shanghai'],
  ['cancun', 'cancun'],
  ['prague', 'prague'],
] as const;

describe('header encoding', () => {
  it.each(FORKS)('equals EthereumJS for %s headers (%s)', (fork, hardfork) => {
    const bytes = new Bytes(hardfork);
    for (let round = 0; round < 20; round++) {
      // Blob gas comes in whole blobs and the merge fixes difficulty and nonce: EthereumJS checks, encoding doesn't.
      const merged = fork === 'shanghai' || fork === 'cancun' || fork === 'prague';
      const header = headerOf(fork, bytes, {
        gasLimit: 5000n + bytes.number(1n << 40n),
        gasUsed: 0n,
        number: 1n + bytes.number(1n << 30n),
        ...(merged && { difficulty: 0n, nonce: new Uint8Array(8) }),
      });
      const theirs = createBlockHeader(
        {
          ...header,
          uncleHash: header.unclesHash,
          transactionsTrie: header.transactionsRoot,
          receiptTrie: header.receiptsRoot,
        },
        { common: commonOf(hardfork), skipConsensusFormatValidation: true },
      );
      expect(bytesToHex(encodeHeader(header))).toBe(bytesToHex(theirs.serialize()));
      expect(bytesToHex(hashHeader(header))).toBe(bytesToHex(theirs.hash()));
    }
  });

  it.each(['frontier', 'london', 'shanghai', 'cancun', 'prague'] as const)(
    'round-trips %s headers',
    (fork) => {
      const bytes = new Bytes(fork);
      for (let round = 0; round < 50; round++) {
        const header = headerOf(fork, bytes);
        expect(decodeHeader(encodeHeader(header))).toEqual(header);
      }
    },
  );

  it('refuses what is not a header', () => {
    const encoded = encodeHeader(headerOf('london', new Bytes('cut')));
    expect(() => decodeHeader(encoded.subarray(0, -1))).toThrow();
    expect(() => decodeHeader(Uint8Array.of(0xc0))).toThrow();
    expect(() => decodeHeader(Uint8Array.of(0x80))).toThrow();
  });
});
