import { RLP } from '@ethereumjs/rlp';
import { Address, concatBytes, equalsBytes, MAX_INTEGER, MAX_UINT64 } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../../state/account.ts';
import { integerBytes, integerOf } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { SignedTransaction } from '../signed-transaction.ts';
import type { Deposit, Message } from '../types.ts';

/** EIP-2718 type of the OP Stack's deposit transactions (specs.optimism.io/protocol/deposits.html) */
export const DEPOSIT_TYPE = 0x7e;

/** A transaction in a block: a signed one, or a deposit, whose sender is a field. */
export type ChainTransaction = SignedTransaction | DepositTransaction;

/** absent `to` = create; `value` in wei */
export type DepositFields = Deposit & Pick<Message, 'from' | 'to' | 'value' | 'gasLimit' | 'data'>;

/** A deposit: a transaction that was made on L1. It is unsigned, and its sender is a field; it has no nonce and pays no fee. */
export class DepositTransaction implements DepositFields {
  readonly type = DEPOSIT_TYPE;
  readonly sourceHash: Uint8Array;
  readonly from: Address;
  readonly to?: Address;
  readonly mint: bigint;
  readonly value: bigint;
  readonly gasLimit: bigint;
  readonly isSystemTransaction: boolean;
  readonly data: Uint8Array;
  /** A deposit has no nonce of its own: its sender's nonce is in the receipt. */
  readonly nonce = 0n;
  /** wei per gas; 0, since the gas was paid on L1 */
  readonly gasPrice = 0n;

  constructor(fields: DepositFields) {
    this.sourceHash = fields.sourceHash;
    this.from = fields.from;
    if (fields.to) this.to = fields.to;
    this.mint = fields.mint;
    this.value = fields.value;
    this.gasLimit = fields.gasLimit;
    this.isSystemTransaction = fields.isSystemTransaction;
    this.data = fields.data;
  }

  /** @param raw EIP-2718 encoding with the type byte @throws Error naming the field that breaks the specification */
  static decode(raw: Uint8Array): DepositTransaction {
    const values = RLP.decode(raw.subarray(1));
    if (!Array.isArray(values) || values.length !== 8)
      throw new Error(
        `invalid deposit transaction: expected a list of 8 items, got ${Array.isArray(values) ? values.length : 'a string'}`,
      );
    const bytes = (index: number, name: string, ...lengths: number[]): Uint8Array => {
      const value = values[index]!;
      if (Array.isArray(value)) throw new Error(`${name}: expected bytes, got an array`);
      if (lengths.length > 0 && !lengths.includes(value.length))
        throw new Error(`${name}: expected a length of ${lengths.join(' or ')} bytes, got ${value.length}`);
      return value;
    };
    const integer = (index: number, name: string, most: bigint): bigint => {
      const value = integerOf(bytes(index, name));
      if (value > most) throw new Error(`${name}: expected at most ${most}, got ${value}`);
      return value;
    };
    const to = bytes(2, 'to', 0, 20);
    const tx = new DepositTransaction({
      sourceHash: bytes(0, 'sourceHash', 32),
      from: new Address(bytes(1, 'from', 20)),
      ...(to.length > 0 && { to: new Address(to) }),
      mint: integer(3, 'mint', MAX_INTEGER),
      value: integer(4, 'value', MAX_INTEGER),
      gasLimit: integer(5, 'gasLimit', MAX_UINT64),
      isSystemTransaction: integer(6, 'isSystemTransaction', 1n) === 1n,
      data: bytes(7, 'data'),
    });
    // Each transaction has exactly one valid encoding: otherwise leading zeros in an integer, or extra bytes, would give it another hash.
    if (!equalsBytes(tx.serialize(), raw))
      throw new Error('RLP: not canonical (an integer with leading zeros, or bytes behind the array)');
    return tx;
  }

  /** `0x7e || rlp([sourceHash, from, to, mint, value, gasLimit, isSystemTransaction, data])` */
  serialize(): Uint8Array {
    const fields = [
      this.sourceHash,
      this.from.bytes,
      this.to?.bytes ?? EMPTY_BYTES,
      integerBytes(this.mint),
      integerBytes(this.value),
      integerBytes(this.gasLimit),
      this.isSystemTransaction ? Uint8Array.of(1) : EMPTY_BYTES,
      this.data,
    ];
    return concatBytes(Uint8Array.of(DEPOSIT_TYPE), RLP.encode(fields));
  }

  hash(): Uint8Array {
    return keccak256(this.serialize());
  }
}
