import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { Address, bytesToHex, concatBytes, type KZG } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Transaction } from '../../src/chain/block.ts';
import { impersonate, signTransaction, toBeSigned, unsignedTransaction } from '../../src/mempool/sign.ts';
import { addressOf, chooseCrypto } from '../../src/protocol/crypto.ts';
import { Hardfork } from '../../src/protocol/hardfork.ts';
import type { Message } from '../../src/protocol/types.ts';
import { formatTransaction } from '../../src/rpc/format/transaction.ts';
import { EMPTY_BYTES } from '../../src/state/account.ts';
import { integerOf, integerWord } from '../../src/state/integers.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { runs } from '../fuzz.ts';

const crypto = await chooseCrypto();
const privateKey = new Uint8Array(32).fill(0x46);
const account = { address: addressOf(crypto.publicKeyOf!(privateKey).subarray(1)), privateKey };
const customCrypto = { ...crypto, kzg: {} as KZG };

const MAX = 2n ** 256n - 1n;
const wei = fc.oneof(fc.constantFrom(0n, 1n, 10n ** 9n, MAX, MAX + 1n), fc.bigInt(0n, 2n ** 70n));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map((value) => new Address(value));
const message: fc.Arbitrary<Message> = fc
  .record({
    type: fc.constantFrom(0, 0, 1, 2, 2, 2, 3, 4, 5),
    to: fc.option(address, { nil: undefined }),
    nonce: fc.constantFrom(0n, 1n, 127n, 128n, 2n ** 64n - 1n),
    gasLimit: fc.constantFrom(0n, 21_000n, 30_000_000n, 2n ** 64n - 1n),
    value: wei,
    data: fc.uint8Array({ maxLength: 70 }),
    maxFeePerGas: wei,
    maxPriorityFeePerGas: fc.oneof(fc.constant(0n), wei),
    accessList: fc.array(fc.record({ address, storageKeys: fc.array(bytes(32), { maxLength: 2 }) }), {
      maxLength: 2,
    }),
    blobVersionedHashes: fc.array(
      bytes(31).map((rest) => concatBytes(Uint8Array.of(1), rest)),
      { maxLength: 2 },
    ),
    maxFeePerBlobGas: fc.bigInt(0n, 9n),
  })
  .map(({ to, blobVersionedHashes, maxFeePerBlobGas, ...fields }) => ({
    ...fields,
    from: account.address,
    ...(to && { to }),
    ...(fields.type < 2 && { maxPriorityFeePerGas: fields.maxFeePerGas }),
    ...(fields.type === 3 && { blobVersionedHashes, maxFeePerBlobGas }),
    ...(fields.type === 4 && {
      authorizationList: [
        [
          Uint8Array.of(1),
          new Uint8Array(20),
          Uint8Array.of(2),
          Uint8Array.of(1),
          Uint8Array.of(3),
          Uint8Array.of(4),
        ],
      ] as NonNullable<Message['authorizationList']>,
    }),
  }));

const formatted = (transaction: Pick<Transaction, 'tx' | 'from' | 'hash'>) =>
  new TextEncoder().encode(
    JSON.stringify(formatTransaction({ ...transaction, raw: EMPTY_BYTES, impersonated: false })),
  );

const commonOf = (chainId: number, hardfork: string) =>
  new Hardfork(createCustomCommon({ chainId }, Mainnet, { hardfork, customCrypto })).common;

it.each([
  [31337, 'osaka'],
  [1, 'cancun'],
  [2 ** 50, 'prague'],
  [1, 'byzantium'],
])(
  'on chain %d at %s a transaction has the bytes that EthereumJS signs, or its error',
  (chainId, hardfork) => {
    const common = commonOf(chainId, hardfork);
    const result = (make: () => Uint8Array) => {
      try {
        return bytesToHex(make());
      } catch (error) {
        return error instanceof Error ? error.message.replace(/ \(.*$/s, '') : error;
      }
    };
    let made = 0;
    fc.assert(
      fc.property(message, (given) => {
        const expected = result(() => unsignedTransaction(given, common).sign(privateKey).serialize());
        const got = result(() => signTransaction(given, account, common).raw);
        expect(got).toBe(expected);
        made += Number(String(got).startsWith('0x'));

        expect(result(() => toBeSigned(given, common, { isProtected: false }).raw)).toBe(
          result(() => unsignedTransaction(given, common).serialize()),
        );
        expect(result(() => formatted(toBeSigned(given, common, { isProtected: false })))).toEqual(
          result(() => {
            const tx = unsignedTransaction(given, common);
            return formatted({ tx, from: given.from, hash: keccak256(tx.serialize()) });
          }),
        );

        const seed = keccak256(concatBytes(given.from.bytes, integerWord(given.nonce)));
        const [r, s] = [integerOf(seed.subarray(1)) | 1n, integerOf(seed.subarray(0, 31)) | 1n];
        expect(result(() => impersonate(given, common).raw)).toBe(
          result(() => unsignedTransaction(given, common).addSignature(0n, r, s, true).serialize()),
        );
      }),
      { numRuns: runs(150) },
    );
    expect(made).toBeGreaterThan(10);
  },
);
