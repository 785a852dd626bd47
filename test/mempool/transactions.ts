import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { Address, hexToBytes } from '@ethereumjs/util';
import type { Transaction } from '../../src/chain/block.ts';
import { Hardfork } from '../../src/protocol/hardfork.ts';
import { keccak256 } from '../../src/state/keccak.ts';

export const common = createCustomCommon({ chainId: 31337 }, Mainnet, {
  hardfork: 'osaka',
  customCrypto: { keccak256 },
});

export const ETHER = 10n ** 18n;
export const GWEI = 10n ** 9n;
export const RICH = { nonce: 0n, balance: 1_000n * ETHER };
const fork = new Hardfork(common.copy());
export const RULES = { blockGasLimit: 30_000_000n, hardfork: () => fork };

/** Address 0x..n */
export function sender(n: number): Address {
  return new Address(hexToBytes(`0x${n.toString(16).padStart(40, '0')}`));
}

let salt = 0n;

/** An impersonated transaction: the pool doesn't look at signatures, so none is made. Its hash is unique. */
export function transaction(from: Address, nonce: bigint | number, fields: object = {}): Transaction {
  const tx = createTx(
    {
      type: 2,
      nonce,
      gasLimit: 21_000n,
      maxFeePerGas: 2n * GWEI,
      maxPriorityFeePerGas: GWEI,
      to: sender(1),
      ...fields,
    } as TypedTxData,
    { common },
  );
  const seed = new TextEncoder().encode(`${from}/${nonce}/${salt++}`);
  return { tx, from, hash: keccak256(seed), raw: tx.serialize(), impersonated: true };
}
