import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { createTx, createTxFromBlockBodyData, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { Address, bytesToHex, concatBytes, type KZG } from '@ethereumjs/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { messageOf } from '../../src/engine/message.ts';
import { formRulesOf, readSigned, signatureOf } from '../../src/mempool/read-signed.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { Hardfork } from '../../src/protocol/hardfork.ts';
import { intrinsicGas } from '../../src/protocol/intrinsic-gas.ts';
import type { SignedTransaction } from '../../src/protocol/signed-transaction.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { runs } from '../fuzz.ts';

const CHAIN = 31337n;
const KEY = new Uint8Array(32).fill(0x46);
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;
const crypto = await chooseCrypto();
// Decoding a blob transaction asks for a kzg to be there, and never calls it.
const customCrypto = { ...crypto, kzg: {} as KZG };
const HARDFORKS = ['byzantium', 'berlin', 'london', 'cancun', 'prague', 'osaka'] as const;
const forks = HARDFORKS.map((hardfork) => {
  const common = createCustomCommon({ chainId: Number(CHAIN) }, Mainnet, { hardfork, customCrypto });
  return new Hardfork(common);
});

/** What EthereumJS reads, if it is signed by the rules, and the bytes are its encoding. */
function byLibrary(raw: Uint8Array, { common }: Hardfork): TypedTransaction | undefined {
  try {
    const tx =
      raw[0]! >= 0xc0
        ? createTxFromBlockBodyData(RLP.decode(raw) as Uint8Array[], { common })
        : createTxFromRLP(raw, { common });
    const same = bytesToHex(tx.serialize()) === bytesToHex(raw);
    // EthereumJS takes an empty string for an empty access list, and for an empty list of slots.
    const strict =
      tx.type === 0 ||
      (Array.isArray(tx.accessList) && tx.accessList.every(([, slots]) => Array.isArray(slots)));
    return same && strict && tx.isSigned() && tx.s! <= HALF_ORDER ? tx : undefined;
  } catch {
    return undefined;
  }
}

function read(raw: Uint8Array, { common }: Hardfork) {
  const result = readSigned(raw, formRulesOf(common));
  return result && (result.chainId ?? CHAIN) === CHAIN ? result : undefined;
}

/** All fields, by name; bytes as hex. */
function fieldsOf(tx: SignedTransaction): unknown {
  const names = 'type nonce gasLimit to value data v r s chainId accessList gasPrice maxFeePerGas';
  const more = 'maxPriorityFeePerGas maxFeePerBlobGas blobVersionedHashes authorizationList';
  const plain = (value: unknown): unknown =>
    value instanceof Uint8Array
      ? bytesToHex(value)
      : value instanceof Address
        ? value.toString()
        : Array.isArray(value)
          ? value.map(plain)
          : value;
  return `${names} ${more}`.split(' ').map((name) => [name, plain((tx as never)[name])]);
}

/** @returns whether it was accepted */
function agrees(raw: Uint8Array, fork: Hardfork): boolean {
  const theirs = byLibrary(raw, fork);
  const ours = read(raw, fork);
  expect(ours !== undefined, bytesToHex(raw)).toBe(theirs !== undefined);
  if (!ours || !theirs) return false;
  expect(fieldsOf(ours.tx)).toEqual(fieldsOf(theirs as SignedTransaction));
  expect(bytesToHex(signatureOf(raw, ours).hash)).toBe(bytesToHex(theirs.getHashedMessageToSign()));
  const { gas, floor } = intrinsicGas(messageOf({ tx: ours.tx, from: ZERO, raw }), fork);
  expect(gas).toBe(theirs.getIntrinsicGas());
  expect(floor > gas ? floor : gas).toBe(theirs.getMinimumGasLimit());
  return true;
}

const ZERO = new Address(new Uint8Array(20));
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const address = bytes(20).map((value) => new Address(value));
const amount = (bits: bigint) =>
  fc.oneof(fc.constantFrom(0n, 1n, 127n, 128n, 255n, 2n ** bits - 1n), fc.bigInt(0n, 2n ** bits - 1n));
const accessList = fc.array(fc.tuple(bytes(20), fc.array(bytes(32), { maxLength: 3 })), { maxLength: 3 });
const authorizations = fc.array(
  fc.tuple(amount(256n), bytes(20), amount(64n), amount(8n), amount(256n), amount(256n)),
  { minLength: 1, maxLength: 3 },
);
const transaction = fc
  .record({
    type: fc.integer({ min: 0, max: 4 }),
    nonce: fc.oneof(fc.constantFrom(0n, 2n ** 64n - 2n), fc.bigInt(0n, 2n ** 64n - 2n)),
    gasLimit: fc.oneof(fc.constantFrom(0n, 21_000n, 1n << 24n), fc.bigInt(0n, 1n << 24n)),
    to: address,
    creates: fc.boolean(),
    value: amount(256n),
    data: fc.oneof(fc.uint8Array({ maxLength: 80 }), fc.uint8Array({ minLength: 250, maxLength: 300 })),
    fee: fc.tuple(amount(120n), amount(120n)),
    blobFee: amount(256n),
    blobs: fc.array(bytes(31), { minLength: 1, maxLength: 3 }),
    accessList,
    authorizations,
    replayProtected: fc.boolean(),
  })
  .map((fields) => {
    const { type, to, creates, fee, replayProtected } = fields;
    const [low, high] = fee[0] < fee[1] ? fee : [fee[1], fee[0]];
    const { common } = forks[type === 0 && !replayProtected ? 0 : 5]!;
    const unprotected = createCustomCommon({ chainId: Number(CHAIN) }, Mainnet, {
      hardfork: 'homestead',
      customCrypto,
    });
    const tx = createTx(
      {
        type,
        nonce: fields.nonce,
        gasLimit: fields.gasLimit,
        ...(!(creates && type < 3) && { to }),
        value: fields.value,
        data: fields.data,
        ...(type < 2 ? { gasPrice: high } : { maxFeePerGas: high, maxPriorityFeePerGas: low }),
        ...(type > 0 && { chainId: CHAIN, accessList: fields.accessList }),
        ...(type === 3 && {
          maxFeePerBlobGas: fields.blobFee,
          blobVersionedHashes: fields.blobs.map((hash) => concatBytes(Uint8Array.of(1), hash)),
        }),
        ...(type === 4 && {
          authorizationList: fields.authorizations.map((tuple) =>
            tuple.map((value) => (typeof value === 'bigint' ? integer(value) : value)),
          ),
        }),
      } as never,
      { common: type === 0 && !replayProtected ? unprotected : common },
    );
    return tx.sign(KEY).serialize();
  });

function integer(value: bigint): Uint8Array {
  const text = value.toString(16);
  return value === 0n
    ? new Uint8Array(0)
    : Uint8Array.from(Buffer.from(text.length % 2 ? `0${text}` : text, 'hex'));
}

type Values = Uint8Array | Values[];
const SPECIAL: readonly Values[] = [
  [],
  [[]],
  [new Uint8Array(20)],
  [[new Uint8Array(20), [new Uint8Array(31)]]],
  [[new Uint8Array(20), [new Uint8Array(32)], []]],
  new Uint8Array(19),
  new Uint8Array(33).fill(1),
  ...[0n, 1n, 2n, 27n, 28n, 35n, 36n, 37n, 62709n, 62710n, 62711n, 1n << 24n, (1n << 24n) + 1n].map(integer),
  ...[2n ** 64n - 2n, 2n ** 64n - 1n, 2n ** 64n, HALF_ORDER, HALF_ORDER + 1n, 2n ** 256n - 1n].map(integer),
];

/** Another byte at a place, one more there, one less; or a field in another form, added, or left out. */
const change = fc.record({
  kind: fc.constantFrom('set', 'insert', 'remove', 'field', 'add', 'drop', 'zero', 'inside'),
  place: fc.nat(),
  byte: fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xc1, 0xf8), fc.nat(255)),
  special: fc.constantFrom(...SPECIAL),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function changed(raw: Uint8Array, { kind, place, byte, special }: Change): Uint8Array {
  const at = place % raw.length;
  if (kind === 'set') return raw.with(at, byte);
  if (kind === 'insert') return concatBytes(raw.subarray(0, at), Uint8Array.of(byte), raw.subarray(at));
  if (kind === 'remove') return concatBytes(raw.subarray(0, at), raw.subarray(at + 1));
  const typed = raw[0]! < 0xc0;
  const fields = RLP.decode(typed ? raw.subarray(1) : raw) as Values[];
  const index = place % fields.length;
  const field = fields[index]!;
  const other = (): Values[] => {
    if (kind === 'add') return [...fields.slice(0, index), special, ...fields.slice(index)];
    if (kind === 'drop') return fields.toSpliced(index, 1);
    if (kind === 'zero' && field instanceof Uint8Array)
      return fields.with(index, concatBytes(new Uint8Array(1), field));
    // One item of a list's first item: of an access list's entry, or an authorization.
    if (kind === 'inside' && Array.isArray(field) && Array.isArray(field[0]) && field[0].length > 0)
      return fields.with(index, field.with(0, field[0].with(byte % field[0].length, special)));
    return fields.with(index, special);
  };
  const encoded = RLP.encode(other() as never);
  return typed ? concatBytes(raw.subarray(0, 1), encoded) : encoded;
}

it('reads what EthereumJS reads, and refuses what it refuses, of signed bytes and of changed ones', () => {
  const types = new Set<number>();
  let changedAndAccepted = 0;
  fc.assert(
    fc.property(
      transaction,
      fc.array(change, { minLength: 40, maxLength: 40 }),
      fc.nat(),
      (raw, changes, n) => {
        for (const fork of forks) if (agrees(raw, fork)) types.add(raw[0]! < 0xc0 ? raw[0]! : 0);
        const fork = forks[3 + (n % 3)]!;
        for (const one of changes) if (agrees(changed(raw, one), fork)) changedAndAccepted++;
      },
    ),
    { numRuns: runs(40) },
  );
  expect(types.size).toBe(5);
  expect(changedAndAccepted).toBeGreaterThan(100);
});

it('the limits on gas, initcode and blobs are those of the hardfork', () => {
  const make = (fields: object) => {
    const open = createCustomCommon({ chainId: Number(CHAIN) }, Mainnet, {
      hardfork: 'prague',
      customCrypto,
    });
    const unlimited = { common: open, allowUnlimitedInitCodeSize: true };
    return createTx({ maxFeePerGas: 1n, gasLimit: 21_000n, ...fields } as never, unlimited)
      .sign(KEY)
      .serialize();
  };
  const blobs = (count: number) =>
    make({ type: 3, to: ZERO, blobVersionedHashes: Array(count).fill(new Uint8Array(32).with(0, 1)) });
  const accepted = (raw: Uint8Array) => forks.map((fork) => agrees(raw, fork));
  expect(accepted(make({ type: 2, to: ZERO, gasLimit: (1n << 24n) + 1n }))).toEqual([
    ...[false, false, true, true, true, false],
  ]);
  expect(accepted(make({ type: 2, data: new Uint8Array(49_152) }))).toEqual([
    ...[false, false, true, true, true, true],
  ]);
  expect(accepted(make({ type: 2, data: new Uint8Array(49_153) }))).toEqual([
    ...[false, false, true, false, false, false],
  ]);
  expect(accepted(blobs(6))).toEqual([false, false, false, true, true, true]);
  expect(accepted(blobs(7))).toEqual([false, false, false, false, true, false]);
});

it('the signature gives the sender', () => {
  fc.assert(
    fc.property(transaction, (raw) => {
      const { hash, parity, r, s } = signatureOf(raw, read(raw, forks[5]!)!);
      const publicKey = crypto.ecrecover(hash, parity, r, s);
      expect(bytesToHex(keccak256(publicKey).subarray(12))).toBe(SENDER);
    }),
    { numRuns: runs(20) },
  );
});

const SENDER = createTx({}, { common: forks[5]!.common }).sign(KEY).getSenderAddress().toString();
