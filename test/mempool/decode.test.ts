import { createHash } from 'node:crypto';
import { createCustomCommon, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { createTx, type TypedTxData } from '@ethereumjs/tx';
import { bytesToHex, concatBytes, hexToBytes, privateToAddress } from '@ethereumjs/util';
import { parseGwei } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { beforeAll, describe, expect, it } from 'vitest';
import { Blobs } from '../../src/mempool/blobs.ts';
import { TransactionDecoder } from '../../src/mempool/decode.ts';
import { SentTransactionDecoder } from '../../src/mempool/decode-sent.ts';
import { type Crypto, chooseCrypto } from '../../src/protocol/crypto.ts';

const KEY = `0x${'46'.repeat(32)}` as const;
const account = privateKeyToAccount(KEY);
const FROM = bytesToHex(privateToAddress(hexToBytes(KEY)));
const TO = `0x${'11'.repeat(20)}` as const;
const FEES = { gas: 30_000_000n, maxFeePerGas: parseGwei('2'), maxPriorityFeePerGas: 1n } as const;

let crypto: Crypto;
beforeAll(async () => {
  crypto = await chooseCrypto();
});

const commonOf = (hardfork = 'osaka') =>
  createCustomCommon({ chainId: 31337 }, Mainnet, { hardfork, customCrypto: crypto });
const decoder = (hardfork?: string, transactionGasCap = false) =>
  new SentTransactionDecoder({
    decoder: new TransactionDecoder({ transactionGasCap }),
    next: () => commonOf(hardfork),
  });
const decode = (raw: string) => decoder().decode(hexToBytes(raw as `0x${string}`));
const refusal = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    const { code, message } = error as { code: number; message: string };
    expect(message).not.toMatch(/tx type=|hf=|\n/);
    return `${code} ${message}`;
  }
  return 'accepted';
};

describe('bytes that are no RLP are refused in words that say what is wrong', () => {
  it('each transaction that is cut off', async () => {
    const raw = hexToBytes(await account.signTransaction({ chainId: 31337, to: TO, ...FEES }));
    for (let length = 2; length < raw.length; length++)
      expect(refusal(() => decoder().decode(raw.subarray(0, length)))).toBe(
        `-32602 Invalid params: failed to decode transaction: RLP: its ${length} bytes end inside an item: is the transaction cut off?`,
      );
  });

  it.each([
    ['0x', 'the transaction is empty'],
    ['0x0280', 'RLP: expected a list, got a string'],
    ['0x02c28101', 'RLP: invalid prefix, single byte < 0x80 are not prefixed'],
  ])('%s', (raw, reason) => {
    expect(refusal(() => decode(raw))).toBe(`-32602 Invalid params: failed to decode transaction: ${reason}`);
  });
});

describe('every type decodes to its sender and hash', () => {
  it.each([
    ['legacy', { type: 'legacy', gasPrice: 7n, gas: 21_000n }],
    ['access list', { type: 'eip2930', gasPrice: 7n, gas: 21_000n, accessList: [] }],
    ['fee market', { type: 'eip1559', ...FEES }],
    [
      'blob',
      { type: 'eip4844', ...FEES, maxFeePerBlobGas: 5n, blobVersionedHashes: [`0x01${'00'.repeat(31)}`] },
    ],
  ] as const)('%s', async (_, fields) => {
    // viem's union of request types doesn't survive the table.
    const raw = await account.signTransaction({
      chainId: 31337,
      nonce: 3,
      to: TO,
      value: 9n,
      ...fields,
    } as never);
    const decoded = decode(raw);
    const { tx, from, hash, impersonated } = decoded;
    expect(from.toString()).toBe(FROM);
    expect(bytesToHex(hash)).toBe(bytesToHex(crypto.keccak256(hexToBytes(raw))));
    expect([tx.nonce, tx.value, impersonated]).toEqual([3n, 9n, false]);
    expect(bytesToHex(decoded.raw)).toBe(raw);
  });

  it('set code', async () => {
    const authorization = await account.signAuthorization({ contractAddress: TO, chainId: 31337, nonce: 4 });
    const raw = await account.signTransaction({
      chainId: 31337,
      to: TO,
      ...FEES,
      authorizationList: [authorization],
    });
    expect(decode(raw).from.toString()).toBe(FROM);
  });

  it('a pre-EIP-155 signature is accepted', () => {
    const tx = createTx({ gasLimit: 21_000n, gasPrice: 1n, to: TO }, { common: commonOf('homestead') }).sign(
      hexToBytes(KEY),
    );
    expect([27n, 28n]).toContain(tx.v);
    expect(decoder().decode(tx.serialize()).from.toString()).toBe(FROM);
  });
});

describe('rules of the chain', () => {
  it('30M gas decode under Osaka with the cap of EIP-7825 off, not with it on', async () => {
    const raw = hexToBytes(await account.signTransaction({ chainId: 31337, to: TO, ...FEES }));
    expect(decoder().decode(raw).tx.gasLimit).toBe(30_000_000n);
    expect(refusal(() => decoder('osaka', true).decode(raw))).toMatch(/^-32003 .*7825/);
    expect(refusal(() => decoder('prague', true).decode(raw))).toBe('accepted');
  });

  it('another chain id is named', async () => {
    const raw = await account.signTransaction({ chainId: 1, to: TO, ...FEES });
    expect(refusal(() => decode(raw))).toBe('-32003 invalid chain id for signer: have 1 want 31337');
    const legacy = await account.signTransaction({
      chainId: 1,
      to: TO,
      gas: 21_000n,
      gasPrice: 1n,
      type: 'legacy',
    });
    expect(refusal(() => decode(legacy))).toBe('-32003 invalid chain id for signer: have 1 want 31337');
  });

  it('a type that the hardfork does not know is refused', async () => {
    const authorization = await account.signAuthorization({ contractAddress: TO, chainId: 31337, nonce: 4 });
    const raw = hexToBytes(
      await account.signTransaction({ chainId: 31337, to: TO, ...FEES, authorizationList: [authorization] }),
    );
    expect(refusal(() => decoder('cancun').decode(raw))).toMatch(
      /^-32003 transaction type not supported: 4$/,
    );
    expect(refusal(() => decode('0x7ec0'))).toMatch(/^-32003 transaction type/);
  });

  it('follows the common to the next hardfork', async () => {
    let common = commonOf('cancun');
    const following = new SentTransactionDecoder({
      decoder: new TransactionDecoder({ transactionGasCap: true }),
      next: () => common,
    });
    const raw = hexToBytes(await account.signTransaction({ chainId: 31337, to: TO, ...FEES }));
    expect(refusal(() => following.decode(raw))).toBe('accepted');
    common = commonOf('osaka');
    expect(refusal(() => following.decode(raw))).toMatch(/7825/);
  });

  it('the common that transactions are made with does not change', () => {
    expect(() => decoder().common.setHardfork('london')).toThrow();
  });
});

describe('signatures', () => {
  const unsigned = () =>
    createTx({ type: 2, gasLimit: 21_000n, maxFeePerGas: 1n, to: TO } as TypedTxData, { common: commonOf() });

  it('an unsigned transaction is refused', () => {
    expect(refusal(() => decoder().decode(unsigned().serialize()))).toMatch(/^-32003 .*not signed/);
    const legacy = createTx({ gasLimit: 21_000n, gasPrice: 1n, to: TO }, { common: commonOf() });
    expect(refusal(() => decoder().decode(legacy.serialize()))).toMatch(/^-32003 .*not signed/);
  });

  it('a high s is refused (EIP-2)', () => {
    const signed = unsigned().sign(hexToBytes(KEY));
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const raw = RLP.encode([
      ...(signed.raw() as Uint8Array[]).slice(0, 9),
      signed.v === 0n ? 1n : 0n,
      signed.r!,
      order - signed.s!,
    ]);
    expect(refusal(() => decoder().decode(concatBytes(new Uint8Array([2]), raw)))).toMatch(
      /^-32003 .*s-values/,
    );
  });

  it('a signature without a key is refused', () => {
    const raw = RLP.encode([...(unsigned().raw() as Uint8Array[]).slice(0, 9), 0n, 5n, 1n]);
    expect(refusal(() => decoder().decode(concatBytes(new Uint8Array([2]), raw)))).toBe(
      '-32003 Invalid Signature',
    );
  });
});

describe('malformed bytes', () => {
  it.each([
    '0x',
    '0xc0',
    '0x02',
    '0x02c0',
    '0x02c3827a69',
    '0x02f8',
    '0xf8ff',
    '0x80',
    '0xffffff',
    '0x02cac0c0c0c0c0c0c0c0c0c0',
    '0x02c28080ff',
  ])('%s is refused as such', (raw) => {
    expect(refusal(() => decode(raw))).toMatch(/^-32602 /);
  });

  it('leading zeros are refused', () => {
    const fields = [
      new Uint8Array([0x7a, 0x69]),
      new Uint8Array([0, 1]),
      1n,
      2n,
      21_000n,
      hexToBytes(TO),
      0n,
      new Uint8Array(),
      [],
      0n,
      1n,
      1n,
    ];
    expect(refusal(() => decoder().decode(concatBytes(new Uint8Array([2]), RLP.encode(fields))))).toMatch(
      /^-32602 /,
    );
  });
});

describe('blob sidecars', () => {
  const commitment = new Uint8Array(48).fill(9);
  const versioned = new Uint8Array(createHash('sha256').update(commitment).digest());
  versioned[0] = 1;
  const blob = new Uint8Array(131_072);
  const point = new Uint8Array(48);

  async function wrapped(
    wrap: (fields: unknown) => unknown[],
  ): Promise<{ plain: `0x${string}`; raw: Uint8Array }> {
    const plain = await account.signTransaction({
      type: 'eip4844',
      chainId: 31337,
      to: TO,
      ...FEES,
      maxFeePerBlobGas: 5n,
      blobVersionedHashes: [bytesToHex(versioned)],
    } as never);
    const fields = RLP.decode(hexToBytes(plain).subarray(1));
    return { plain, raw: concatBytes(new Uint8Array([3]), RLP.encode(wrap(fields) as never)) };
  }

  it.each([
    ['EIP-4844', (f: unknown) => [f, [blob], [commitment], [point]]],
    ['EIP-7594', (f: unknown) => [f, new Uint8Array([1]), [blob], [commitment], Array(128).fill(point)]],
  ])('of %s are taken off', async (_, wrap) => {
    const { plain, raw } = await wrapped(wrap);
    const { raw: kept, hash, from } = decoder().decode(raw);
    expect(bytesToHex(kept)).toBe(plain);
    expect(bytesToHex(hash)).toBe(bytesToHex(crypto.keccak256(hexToBytes(plain))));
    expect(from.toString()).toBe(FROM);
  });

  it('leave their blobs, of which the newest are kept', async () => {
    const { raw } = await wrapped((f) => [f, [blob], [commitment], [point]]);
    const blobs = new Blobs({ most: 2 });
    new TransactionDecoder({ transactionGasCap: false }, { blobs }).decode(raw, commonOf());
    expect(blobs.get(versioned)).toEqual(blob);
    blobs.keep(point, point);
    blobs.keep(versioned, blob);
    blobs.keep(commitment, point);
    expect(blobs.get(point)).toBeUndefined();
    expect(blobs.get(versioned)).toEqual(blob);
  });

  it.each([
    ['a foreign commitment', (f: unknown) => [f, [blob], [point], [point]]],
    ['a missing proof', (f: unknown) => [f, [blob], [commitment], []]],
    ['a short blob', (f: unknown) => [f, [point], [commitment], [point]]],
    ['too few cell proofs', (f: unknown) => [f, new Uint8Array([1]), [blob], [commitment], [point]]],
    ['an unknown version', (f: unknown) => [f, new Uint8Array([2]), [blob], [commitment], [point]]],
    ['no lists', (f: unknown) => [f, point, point, point]],
    ['two elements', (f: unknown) => [f, [blob]]],
  ])('with %s are refused', async (_, wrap) => {
    const { raw } = await wrapped(wrap);
    expect(refusal(() => decoder().decode(raw))).toMatch(/^-32003 invalid blob sidecar/);
  });
});
