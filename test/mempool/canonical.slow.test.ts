import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, concatBytes, hexToBytes } from '@ethereumjs/util';
import { parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { expect, it } from 'vitest';
import { TransactionDecoder } from '../../src/mempool/decode.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { keccak256 } from '../../src/state/keccak.ts';
import { FUZZ } from '../fuzz.ts';

/** Neighbours of a byte and the ends of RLP's ranges; `npm run test:fuzz` takes all values. */
const likely = (byte: number) => [0, 1, byte ^ 1, byte + 1, 0x7f, 0x80, 0x81, 0xb8, 0xc0, 0xc1, 0xf8];

const account = privateKeyToAccount(`0x${'46'.repeat(32)}`);
const TO = `0x${'11'.repeat(20)}` as const;
const FEES = { gas: 30_000_000n, maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 1n } as const;

it('a transaction is refused in any form but the one that it is kept in: bytes changed, added, left out', async () => {
  const access = [{ address: TO, storageKeys: [`0x${'22'.repeat(32)}`] }] as const;
  const common = { chainId: 31337, nonce: 3, to: TO, value: 9n } as const;
  const authorization = await account.signAuthorization({ chainId: 31337, nonce: 4, address: TO });
  const raws = await Promise.all([
    account.signTransaction({ ...common, type: 'legacy', gasPrice: 7n, gas: 21_000n }),
    account.signTransaction({ ...common, type: 'eip2930', gasPrice: 7n, gas: 21_000n, accessList: access }),
    account.signTransaction({ ...common, type: 'eip1559', ...FEES, accessList: access, data: '0x00ff' }),
    account.signTransaction({ ...common, type: 'eip7702', ...FEES, authorizationList: [authorization] }),
  ]);
  const customCrypto = await chooseCrypto();
  const chain = createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork: 'osaka', customCrypto });
  const decoder = new TransactionDecoder({ transactionGasCap: false });
  let accepted = 0;
  const same = (bytes: Uint8Array) => {
    let decoded: ReturnType<TransactionDecoder['decode']>;
    try {
      decoded = decoder.decode(bytes, chain);
    } catch {
      return;
    }
    accepted++;
    const { hash, raw } = decoded;
    expect(bytesToHex(raw)).toBe(bytesToHex(bytes));
    expect(bytesToHex(hash)).toBe(bytesToHex(keccak256(bytes)));
  };
  for (const raw of raws) {
    const bytes = hexToBytes(raw);
    // Another byte at each place; then one more byte there, and one less.
    for (let at = 0; at < bytes.length; at++) {
      for (const value of FUZZ > 1 ? Array(256).keys() : likely(bytes[at]!)) same(bytes.with(at, value));
      for (const value of [0, 0x80, 0x81, 0xc0])
        same(concatBytes(bytes.subarray(0, at), Uint8Array.of(value), bytes.subarray(at)));
      same(concatBytes(bytes.subarray(0, at), bytes.subarray(at + 1)));
    }
    // A field at a time in another form: longer, shorter, empty, a list.
    const typed = bytes[0]! < 0x80;
    const fields = RLP.decode(typed ? bytes.subarray(1) : bytes) as Uint8Array[];
    const other = (field: Uint8Array) => [
      concatBytes(Uint8Array.of(0), field),
      field.subarray(1),
      new Uint8Array(0),
      Uint8Array.of(0),
      [],
      [field],
      [[], []],
    ];
    for (const [place, field] of fields.entries())
      for (const form of field instanceof Uint8Array
        ? other(field)
        : [[], [[]], [[[], []]], new Uint8Array(0)]) {
        const encoded = RLP.encode(fields.with(place, form as Uint8Array));
        same(typed ? concatBytes(bytes.subarray(0, 1), encoded) : encoded);
      }
  }
  expect(accepted).toBeGreaterThan(1000);
});
