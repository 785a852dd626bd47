import type { Common } from '@ethereumjs/common';
import { Address, type EOACode7702AuthorizationListBytes, MAX_INTEGER, MAX_UINT64 } from '@ethereumjs/util';
import type { AccessListFields, SignedTransaction } from '../protocol/signed-transaction.ts';
import { hexKey } from '../state/hex-key.ts';
import { integerBytes, integerOf } from '../state/integers.ts';
import { keccak256 } from '../state/keccak.ts';
import { headerSize, stringSize, writeHeader, writeString } from '../state/rlp-items.ts';

/** A chain's rules for the form of a transaction. */
export interface FormRules {
  /** by EIP-2718 type: whether the hardfork has it */
  readonly types: readonly boolean[];
  /** EIP-155 applies */
  readonly replayProtection: boolean;
  /** highest gas limit of a transaction; EIP-7825 */
  readonly maxGas: bigint;
  /** most bytes of initcode; EIP-3860 */
  readonly maxInitCode: number;
  /** most blobs of a transaction; EIP-4844, EIP-7594 */
  readonly maxBlobs: number;
}

const known = new WeakMap<Common, FormRules>();

/** @param common must have the parameters of transactions, and must not change afterwards */
export function formRulesOf(common: Common): FormRules {
  let rules = known.get(common);
  if (!rules) {
    rules = findFormRules(common);
    known.set(common, rules);
  }
  return rules;
}

function findFormRules(common: Common): FormRules {
  const has = (eip: number) => common.isActivatedEIP(eip);
  const param = (name: string) => common.param(name);
  const inBlock = has(4844) ? Number(param('maxBlobGasPerBlock') / param('blobGasPerBlob')) : 0;
  return {
    types: [true, has(2930), has(1559), has(4844), has(7702)],
    replayProtection: common.gteHardfork('spuriousDragon'),
    maxGas: has(7825) && !has(8037) ? param('maxTransactionGasLimit') : MAX_UINT64,
    maxInitCode: (has(3860) && Number(param('maxInitCodeSize'))) || Number.POSITIVE_INFINITY,
    maxBlobs: has(7594) ? Math.min(inBlock, Number(param('maxBlobsPerTx'))) : inBlock,
  };
}

export interface ReadTransaction {
  readonly tx: SignedTransaction;
  /** absent for a transaction of type 0 without EIP-155 */
  readonly chainId: bigint | undefined;
  /** position of the signature in `raw`, see {@link signatureOf} */
  readonly signedEnd: number;
}

/** Half the order of secp256k1: the maximum of s (EIP-2). */
const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n;

/**
 * Reads a signed transaction of type 0 to 4 in place, in a tenth of the time that EthereumJS takes.
 * @param raw EIP-2718 bytes, or a legacy transaction's RLP. `data` of the result is a subarray of them
 * @returns `undefined` for anything except the canonical encoding of a transaction that the rules allow. The caller then uses
 *   EthereumJS, which reports the reason, and also decodes rare forms that this function doesn't support: a blob transaction
 *   with its sidecar, and a high s before Homestead
 */
export function readSigned(raw: Uint8Array, rules: FormRules): ReadTransaction | undefined {
  const type = raw[0]! <= 0x7f ? raw[0]! : 0;
  if (!rules.types[type] || (type === 0 && raw[0] === 0)) return undefined;
  try {
    const outer = new StrictRlp(raw, type === 0 ? 0 : 1, raw.length);
    const fields = outer.list();
    outer.finish();
    return type === 0 ? readLegacy(fields, rules) : readTyped(fields, type as 1 | 2 | 3 | 4, rules);
  } catch (error) {
    if (error instanceof NotStrict) return undefined;
    throw error;
  }
}

/** The signature of a transaction that {@link readSigned} accepted: the inputs of `ecrecover`. */
export function signatureOf(raw: Uint8Array, { tx, chainId, signedEnd }: ReadTransaction) {
  const rest = new StrictRlp(raw, signedEnd, raw.length);
  const v = rest.integer(32);
  return {
    hash: keccak256(tx.type === 0 ? signedLegacy(raw, signedEnd, chainId) : signedTyped(raw, signedEnd)),
    parity: tx.type === 0 ? (v + 1n) & 1n : v,
    r: rest.bytes(),
    s: rest.bytes(),
  };
}

/**
 * Whether a transaction follows the rules for its fields. Doesn't check lists of blobs and authorizations: these are checked while
 * they are read.
 */
export function isWellFormed(tx: SignedTransaction, rules: FormRules): boolean {
  const { type, nonce, gasLimit, to, value, data } = tx;
  const { v = 0n, r = 0n, s = 0n } = tx;
  const feeCap = 'maxFeePerGas' in tx ? tx.maxFeePerGas : tx.gasPrice;
  if (!rules.types[type] || nonce >= MAX_UINT64 || gasLimit > rules.maxGas || value > MAX_INTEGER)
    return false;
  if (feeCap > MAX_INTEGER || feeCap * gasLimit > MAX_INTEGER) return false;
  if (!to && (type > 2 || data.length > rules.maxInitCode)) return false;
  if ('maxPriorityFeePerGas' in tx && tx.maxPriorityFeePerGas > feeCap) return false;
  if (r === 0n || s === 0n || s > HALF_ORDER) return false;
  if (tx.type !== 0) return v <= 1n;
  // EIP-155. EthereumJS doesn't compare larger values of v exactly.
  return v === 27n || v === 28n || (rules.replayProtection && v >= 37n && v < 2n ** 48n);
}

function readLegacy(fields: StrictRlp, rules: FormRules): ReadTransaction {
  const nonce = fields.integer(8);
  const gasPrice = fields.integer(32);
  const call = readCall(fields);
  const signedEnd = fields.at;
  const signature = readSignature(fields, 6);
  fields.finish();
  const tx: SignedTransaction = { type: 0, nonce, gasPrice, ...call, ...signature };
  demand(isWellFormed(tx, rules));
  const { v } = signature;
  return { tx, chainId: v === 27n || v === 28n ? undefined : (v - 35n) / 2n, signedEnd };
}

function readTyped(fields: StrictRlp, type: 1 | 2 | 3 | 4, rules: FormRules): ReadTransaction {
  const chainId = fields.integer(32);
  const nonce = fields.integer(8);
  const maxPriorityFeePerGas = fields.integer(32);
  const maxFeePerGas = type === 1 ? maxPriorityFeePerGas : fields.integer(32);
  const call = readCall(fields);
  const accessList = readAccessList(fields.list());
  const blobs = type === 3 ? readBlobs(fields, rules) : undefined;
  const authorizationList = type === 4 ? readAuthorizations(fields.list()) : undefined;
  const signedEnd = fields.at;
  const signature = readSignature(fields, 1);
  fields.finish();
  const shared = { chainId, nonce, ...call, accessList, ...signature };
  const fees = { maxFeePerGas, maxPriorityFeePerGas };
  const tx: SignedTransaction =
    type === 1
      ? { type, ...shared, gasPrice: maxFeePerGas }
      : type === 2
        ? { type, ...shared, ...fees }
        : type === 3
          ? { type, ...shared, ...fees, ...blobs! }
          : { type, ...shared, ...fees, authorizationList: authorizationList! };
  demand(isWellFormed(tx, rules));
  return { tx, chainId, signedEnd };
}

/** gas limit, to, value, data: in this order in every type */
function readCall(fields: StrictRlp) {
  const gasLimit = fields.integer(8);
  const to = fields.bytes();
  const value = fields.integer(32);
  const data = fields.bytes();
  demand(to.length === 20 || to.length === 0);
  return { gasLimit, to: to.length === 20 ? new Address(to.slice()) : undefined, value, data };
}

/** @param bytesOfV maximum number of bytes of v */
function readSignature(fields: StrictRlp, bytesOfV: number) {
  return { v: fields.integer(bytesOfV), r: fields.integer(32), s: fields.integer(32) };
}

function readAccessList(entries: StrictRlp): AccessListFields {
  const list: [Uint8Array, Uint8Array[]][] = [];
  while (!entries.done) {
    const entry = entries.list();
    const address = entry.bytes(20);
    const keys = entry.list();
    const slots: Uint8Array[] = [];
    while (!keys.done) slots.push(keys.bytes(32));
    entry.finish();
    list.push([address, slots]);
  }
  return list;
}

function readBlobs(fields: StrictRlp, { maxBlobs }: FormRules) {
  const maxFeePerBlobGas = fields.integer(32);
  const hashes = fields.list();
  const blobVersionedHashes: `0x${string}`[] = [];
  while (!hashes.done) {
    const hash = hashes.bytes(32);
    demand(hash[0] === 1);
    blobVersionedHashes.push(hexKey(hash));
  }
  demand(blobVersionedHashes.length > 0 && blobVersionedHashes.length <= maxBlobs);
  return { maxFeePerBlobGas, blobVersionedHashes };
}

/** EIP-7702 */
function readAuthorizations(tuples: StrictRlp): EOACode7702AuthorizationListBytes {
  const list: EOACode7702AuthorizationListBytes = [];
  while (!tuples.done) {
    const tuple = tuples.list();
    list.push([
      tuple.number(32),
      tuple.bytes(20),
      tuple.number(8),
      tuple.number(1),
      tuple.number(32),
      tuple.number(32),
    ]);
    tuple.finish();
  }
  demand(list.length > 0);
  return list;
}

/** The signed bytes of a transaction of type 1 to 4: the type, and the list of the fields before the signature. */
function signedTyped(raw: Uint8Array, end: number): Uint8Array {
  const start = 1 + payloadOffset(raw, 1);
  const length = end - start;
  const signed = new Uint8Array(1 + headerSize(length) + length);
  signed[0] = raw[0]!;
  signed.set(raw.subarray(start, end), writeHeader(signed, 1, length, 0xc0));
  return signed;
}

/** The signed bytes of a transaction of type 0: the list of its fields, with EIP-155 followed by the chain id and two zeros. */
function signedLegacy(raw: Uint8Array, end: number, chainId: bigint | undefined): Uint8Array {
  const start = payloadOffset(raw, 0);
  const id = chainId === undefined ? undefined : integerBytes(chainId);
  const length = end - start + (id ? stringSize(id) + 2 : 0);
  const signed = new Uint8Array(headerSize(length) + length);
  let at = writeHeader(signed, 0, length, 0xc0);
  signed.set(raw.subarray(start, end), at);
  at += end - start;
  if (id) signed.fill(0x80, writeString(signed, at, id));
  return signed;
}

/** Size in bytes of the header of the list at `at`. */
function payloadOffset(raw: Uint8Array, at: number): number {
  const first = raw[at]!;
  return first <= 0xf7 ? 1 : first - 0xf6;
}

/** Thrown if the bytes aren't strict RLP, or don't have the expected form. */
class NotStrict extends Error {}

function demand(condition: boolean): asserts condition {
  if (!condition) throw new NotStrict();
}

/** Reads consecutive RLP items. Accepts only the shortest encoding of each item. */
class StrictRlp {
  readonly #raw: Uint8Array;
  readonly #end: number;
  /** offset of the next item */
  at: number;

  constructor(raw: Uint8Array, at: number, end: number) {
    this.#raw = raw;
    this.at = at;
    this.#end = end;
  }

  get done(): boolean {
    return this.at === this.#end;
  }

  /** @throws NotStrict when items are left */
  finish(): void {
    demand(this.done);
  }

  list(): StrictRlp {
    const start = this.#enter(0xc0);
    return new StrictRlp(this.#raw, start, this.at);
  }

  /** Reads a string, without copying it. @param length required length in bytes; default: any */
  bytes(length?: number): Uint8Array {
    const first = this.#raw[this.at]!;
    const start = first < 0x80 && this.at < this.#end ? this.at++ : this.#enter(0x80);
    const size = this.at - start;
    demand(
      (length === undefined || size === length) && !(size === 1 && first >= 0x80 && this.#raw[start]! < 0x80),
    );
    return this.#raw.subarray(start, this.at);
  }

  /** Reads an integer's bytes; leading zeros are an error. @param most maximum number of bytes */
  number(most: number): Uint8Array {
    const bytes = this.bytes();
    demand(bytes.length <= most && bytes[0] !== 0);
    return bytes;
  }

  integer(most: number): bigint {
    return integerOf(this.number(most));
  }

  /** Moves past the next item. @param short 0x80 for a string, 0xc0 for a list @returns the offset of its payload */
  #enter(short: number): number {
    const raw = this.#raw;
    demand(this.at < this.#end);
    let size = raw[this.at++]! - short;
    demand(size >= 0 && size < 64);
    if (size > 55) {
      let rest = size - 55;
      demand(rest <= 4 && this.at + rest <= this.#end && raw[this.at] !== 0);
      for (size = 0; rest > 0; rest--) size = size * 256 + raw[this.at++]!;
      demand(size > 55);
    }
    const start = this.at;
    this.at += size;
    demand(this.at <= this.#end);
    return start;
  }
}
