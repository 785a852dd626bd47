import { createBlockHeader } from '@ethereumjs/block';
import { Address, bytesToHex, createAddressFromString } from '@ethereumjs/util';
import { describe, expect, it } from 'vitest';
import { genesisBlock } from '../../src/chain/genesis-block.ts';
import type { HardforkName } from '../../src/protocol/hardfork.ts';
import { builtinAlloc } from '../../src/state/genesis.ts';
import { signer } from '../engine/ethereumjs/accounts.ts';
import { engineOf, stockCommon, stockVm } from '../engine/ethereumjs/stock.ts';

const FORKS: readonly HardforkName[] = [
  'chainstart',
  'byzantium',
  'berlin',
  'london',
  'paris',
  'shanghai',
  'cancun',
  'prague',
  'osaka',
];

describe.each(FORKS)('the built-in genesis at %s', (hardfork) => {
  const { fork } = engineOf(hardfork);
  const alloc = builtinAlloc({ accounts: [signer('a').address, signer('b').address], balance: 10n ** 22n });
  const fields = {
    timestamp: 1_700_000_000n,
    gasLimit: 30_000_000n,
    coinbase: createAddressFromString('0x00000000000000000000000000000000000000c0'),
    extraData: Uint8Array.of(1, 2, 3),
    mixHash: new Uint8Array(32).fill(7),
    baseFeePerGas: 5n,
  };
  const genesis = genesisBlock(fields, alloc, fork);

  it('has the state root that the library gives the same accounts', async () => {
    const vm = await stockVm(stockCommon(hardfork), alloc);
    expect(bytesToHex(genesis.header.stateRoot)).toBe(bytesToHex(await vm.stateManager.getStateRoot()));
  });

  it('has the hash that the library gives the same fields', () => {
    const { baseFeePerGas, ...older } = fields;
    const header = createBlockHeader(
      {
        ...older,
        stateRoot: genesis.header.stateRoot,
        ...(fork.has(1559) && { baseFeePerGas }),
        // The library computes no requests hash: sha256 of nothing (EIP-7685).
        ...(fork.has(7685) && {
          requestsHash: '0xe3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        }),
      },
      { common: stockCommon(hardfork), skipConsensusFormatValidation: true },
    );
    expect(bytesToHex(genesis.hash)).toBe(bytesToHex(header.hash()));
  });
});

it('another field, another hash', () => {
  const { fork } = engineOf('osaka');
  const fields = {
    timestamp: 1n,
    gasLimit: 1n,
    coinbase: new Address(new Uint8Array(20)),
    extraData: new Uint8Array(),
  };
  const hashes = [0, 1].map((fill) =>
    bytesToHex(genesisBlock({ ...fields, mixHash: new Uint8Array(32).fill(fill) }, new Map(), fork).hash),
  );
  expect(hashes[0]).not.toBe(hashes[1]);
});
