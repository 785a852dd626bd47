import { Common, Hardfork, Mainnet } from '@ethereumjs/common';
import { RLP } from '@ethereumjs/rlp';
import { createTx, createTxFromBlockBodyData, createTxFromRLP, type TypedTransaction } from '@ethereumjs/tx';
import { Address, createAddressFromPrivateKey, type KZG } from '@ethereumjs/util';
import type { Block, Header, Receipt, Transaction } from '../../../src/chain/block.ts';
import { hashHeader } from '../../../src/chain/header.ts';
import { encodeBlock } from '../../../src/chain/store/block-codec.ts';
import { chooseCrypto } from '../../../src/protocol/crypto.ts';
import { keccak256 } from '../../../src/state/keccak.ts';

// Signing in JavaScript takes most of the time of making a block.
const { ecsign } = await chooseCrypto();
// Decoding a blob transaction asks for a kzg to be there, and never calls it.
const kzg = {} as KZG;

export function commonOf(hardfork: string): Common {
  return new Common({ chain: Mainnet, hardfork, customCrypto: { kzg, ...(ecsign && { ecsign }) } });
}

export const common = commonOf(Hardfork.Prague);

export function decodeTransaction(raw: Uint8Array): TypedTransaction {
  return raw[0]! >= 0xc0
    ? createTxFromBlockBodyData(RLP.decode(raw) as Uint8Array[], { common })
    : createTxFromRLP(raw, { common });
}

/** Bytes that look random and are the same in each run: keccak in counter mode. */
export class Bytes {
  readonly #seed: string;
  #count = 0;

  constructor(seed: string) {
    this.#seed = seed;
  }

  take(length: number): Uint8Array {
    const bytes = new Uint8Array(length);
    for (let at = 0; at < length; at += 32) {
      const block = keccak256(new TextEncoder().encode(`${this.#seed} ${this.#count++}`));
      bytes.set(block.subarray(0, length - at), at);
    }
    return bytes;
  }

  /** below `max`, and zero now and then */
  number(max: bigint): bigint {
    const value = this.take(8).reduce((sum, byte) => (sum << 8n) + BigInt(byte), 0n);
    return value % 5n === 0n ? 0n : value % max;
  }

  address(): Address {
    return new Address(this.take(20));
  }
}

const KEY = keccak256(new TextEncoder().encode('a key for tests'));
const SENDER = createAddressFromPrivateKey(KEY);

/** One signed transaction of a type, 0 to 4. */
export function signed(type: number, nonce: number, bytes: Bytes): Transaction {
  const fees = type < 2 ? { gasPrice: 7n } : { maxFeePerGas: 9n, maxPriorityFeePerGas: 1n };
  const tx = createTx(
    {
      type,
      ...(type > 0 && { chainId: 1n }),
      nonce,
      gasLimit: 100_000n,
      to: bytes.address(),
      value: bytes.number(10n ** 18n),
      data: bytes.take(40),
      ...fees,
      ...(type > 0 && { accessList: [{ address: bytes.address().toString(), storageKeys: [] }] }),
      ...(type === 3 && {
        blobVersionedHashes: [Uint8Array.of(1, ...bytes.take(31))],
        maxFeePerBlobGas: 3n,
      }),
      ...(type === 4 && {
        authorizationList: [
          {
            chainId: '0x1',
            address: bytes.address().toString(),
            nonce: '0x',
            yParity: '0x1',
            r: `0x${'11'.repeat(32)}`,
            s: `0x${'22'.repeat(32)}`,
          },
        ],
      }),
    },
    { common },
  ).sign(KEY);
  return { tx, from: SENDER, hash: tx.hash(), raw: tx.serialize(), impersonated: false };
}

/** A transaction in another's name, without a signature. */
export function impersonated(nonce: number, bytes: Bytes): Transaction {
  const from = bytes.address();
  const tx = createTx(
    { type: 2, nonce, gasLimit: 21_000n, to: bytes.address(), maxFeePerGas: 9n },
    { common },
  );
  return { tx, from, hash: keccak256(bytes.take(64)), raw: tx.serialize(), impersonated: true };
}

export function receiptOf(type: number, bytes: Bytes, form: 'status' | 'root' = 'status'): Receipt {
  return {
    type,
    ...(form === 'status' ? { status: bytes.number(3n) > 0n } : { stateRoot: bytes.take(32) }),
    gasUsed: bytes.number(1_000_000n),
    cumulativeGasUsed: bytes.number(30_000_000n),
    logsBloom: bytes.number(2n) > 0n ? bytes.take(256) : new Uint8Array(256),
    logs: [
      { address: bytes.address(), topics: [bytes.take(32), bytes.take(32)], data: bytes.take(77) },
      { address: bytes.address(), topics: [], data: new Uint8Array(0) },
    ],
    ...(bytes.number(2n) > 0n && { contractAddress: bytes.address() }),
    effectiveGasPrice: bytes.number(100n),
    ...(type === 3 && { blobGasUsed: 131_072n, blobGasPrice: 0n }),
  };
}

/** Fields of the forks after Frontier that a header has. */
export type Fork = 'frontier' | 'london' | 'shanghai' | 'cancun' | 'prague';
const FORKS: readonly Fork[] = ['frontier', 'london', 'shanghai', 'cancun', 'prague'];

export function headerOf(fork: Fork, bytes: Bytes, set: Partial<Header> = {}): Header {
  const since = (name: Fork) => FORKS.indexOf(fork) >= FORKS.indexOf(name);
  return {
    parentHash: bytes.take(32),
    unclesHash: bytes.take(32),
    coinbase: bytes.address(),
    stateRoot: bytes.take(32),
    transactionsRoot: bytes.take(32),
    receiptsRoot: bytes.take(32),
    logsBloom: bytes.take(256),
    difficulty: bytes.number(1n << 60n),
    number: bytes.number(1n << 30n),
    gasLimit: bytes.number(1n << 40n),
    gasUsed: bytes.number(1n << 40n),
    timestamp: bytes.number(1n << 34n),
    extraData: bytes.take(Number(bytes.number(32n))),
    mixHash: bytes.take(32),
    nonce: bytes.take(8),
    ...(since('london') && { baseFeePerGas: bytes.number(1n << 50n) }),
    ...(since('shanghai') && { withdrawalsRoot: bytes.take(32) }),
    ...(since('cancun') && {
      blobGasUsed: bytes.number(1n << 20n),
      excessBlobGas: bytes.number(1n << 20n),
      parentBeaconBlockRoot: bytes.take(32),
    }),
    ...(since('prague') && { requestsHash: bytes.take(32) }),
    ...set,
  };
}

/** A block on `parent`, or one numbered `first`, with given transactions. Roots are arbitrary: the store doesn't execute. */
export function blockOn(
  parent: Pick<Block, 'hash' | 'header'> | undefined,
  bytes: Bytes,
  transactions: Transaction[] = [],
  first = 0n,
): Block {
  const header = headerOf('prague', bytes, {
    number: parent ? parent.header.number + 1n : first,
    parentHash: parent?.hash ?? new Uint8Array(32),
    logsBloom: new Uint8Array(256),
  });
  const content = {
    header,
    transactions,
    uncles: [],
    withdrawals: [
      { index: bytes.number(100n), validatorIndex: bytes.number(9n), address: bytes.address(), amount: 5n },
    ],
  };
  return {
    ...content,
    hash: hashHeader(header),
    receipts: transactions.map(({ tx }) => receiptOf(tx.type, bytes)),
    size: encodeBlock(content).length,
  };
}

/** State nodes as a trie would give them: by their hash. */
export function nodesOf(count: number, bytes: Bytes, size = 100): [Uint8Array, Uint8Array][] {
  return Array.from({ length: count }, () => {
    const node = bytes.take(size);
    return [keccak256(node), node];
  });
}
