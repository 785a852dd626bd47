import { Address, concatBytes, equalsBytes, hexToBytes, utf8ToBytes } from '@ethereumjs/util';
import { integerOf, integerWord } from '../../state/integers.ts';
import { keccak256 } from '../../state/keccak.ts';
import type { StateView } from '../../state/view.ts';
import type { Hardfork, Rollup } from '../hardfork.ts';
import type { Message } from '../types.ts';
import { type ChainTransaction, DEPOSIT_TYPE, DepositTransaction } from './deposit-transaction.ts';
import { L1_BLOCK, type L1Fees, l1FeesIn } from './rollup-fees.ts';

const DEPOSITOR = new Address(hexToBytes('0xdeaddeaddeaddeaddeaddeaddeaddeaddead0001'));
/** Gas of the deposit, since Regolith. */
export const L1_ATTRIBUTES_GAS = 1_000_000n;
/** Seconds between blocks of L1. */
const L1_BLOCK_TIME = 12n;
const uint64 = (value: bigint) => BigInt.asUintN(64, value);

/** A transaction in a block. */
interface InBlock {
  readonly tx: ChainTransaction;
  /** EIP-2718 encoding */
  readonly raw: Uint8Array;
}

/** The information about L1 in a block of an OP chain. */
export interface L1Attributes extends L1Fees {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** index of the block among the L2 blocks of the same L1 block, from 0 */
  readonly sequenceNumber: bigint;
  /** 32 bytes */
  readonly batcherHash: Uint8Array;
}

/** Setters of the L1Block contract, with the length of their calldata: Ecotone's has no operator fee, Isthmus's no DA footprint scalar. */
const SETTERS = new Map(
  Object.entries({
    setL1BlockValuesEcotone: 164,
    setL1BlockValuesIsthmus: 176,
    setL1BlockValuesJovian: 178,
  }).map(([name, length]) => [
    name,
    { length, selector: keccak256(utf8ToBytes(`${name}()`)).subarray(0, 4) },
  ]),
);

/**
 * The attributes of the block that follows a state. There is no L1, so its blocks are invented: the first one has number 0 and the
 * timestamp of the block for which attributes are first needed, and a new one follows every 12 seconds of chain time. All other values are
 * those in the L1Block contract, so changes made to its storage persist, and a forked chain continues the values of the original chain.
 * @param timestamp timestamp of the block, seconds
 */
export async function nextL1Attributes(
  state: Pick<StateView, 'getStorage'>,
  timestamp: bigint,
): Promise<L1Attributes> {
  const read = async (slot: bigint) => integerOf(await state.getStorage(L1_BLOCK, integerWord(slot)));
  const place = await read(0n);
  const [number, time] = [uint64(place), uint64(place >> 64n)];
  const isFirst = time === 0n;
  const passed = isFirst || timestamp < time ? 0n : (timestamp - time) / L1_BLOCK_TIME;
  const isNew = isFirst || passed > 0n;
  // Values that were written to the contract may be too large for the fields.
  const l1Number = uint64(number + passed);
  return {
    ...(await l1FeesIn(state)),
    number: l1Number,
    timestamp: isFirst ? timestamp : time + passed * L1_BLOCK_TIME,
    hash: isNew ? madeUpHash(l1Number) : integerWord(await read(2n)),
    sequenceNumber: isNew ? 0n : uint64((await read(3n)) + 1n),
    batcherHash: integerWord(await read(4n)),
  };
}

function madeUpHash(number: bigint): Uint8Array {
  return keccak256(utf8ToBytes(`L1 block ${number} of devnet`));
}

/** The deposit that sets the attributes in the L1Block contract (specs.optimism.io/protocol/deposits.html). */
export function l1AttributesDeposit(attributes: L1Attributes, rollup: Rollup) {
  const { hash, sequenceNumber } = attributes;
  const position = keccak256(concatBytes(hash, integerWord(sequenceNumber)));
  const tx = new DepositTransaction({
    sourceHash: keccak256(concatBytes(integerWord(1n), position)),
    from: DEPOSITOR,
    to: L1_BLOCK,
    mint: 0n,
    value: 0n,
    gasLimit: L1_ATTRIBUTES_GAS,
    isSystemTransaction: false,
    data: encodeL1Attributes(attributes, rollup),
  });
  const raw = tx.serialize();
  return { tx, from: DEPOSITOR, raw, hash: keccak256(raw), impersonated: false };
}

/** Calldata for the L1Block contract (l1-attributes.html of Ecotone and Jovian at specs.optimism.io/protocol). */
function encodeL1Attributes(l1: L1Attributes, rollup: Rollup): Uint8Array {
  const isJovian = rollup === 'jovian';
  const { selector } = SETTERS.get(isJovian ? 'setL1BlockValuesJovian' : 'setL1BlockValuesEcotone')!;
  return concatBytes(
    selector,
    integerWord(l1.baseFeeScalar, 4),
    integerWord(l1.blobBaseFeeScalar, 4),
    integerWord(l1.sequenceNumber, 8),
    integerWord(l1.timestamp, 8),
    integerWord(l1.number, 8),
    integerWord(l1.baseFee),
    integerWord(l1.blobBaseFee),
    l1.hash,
    l1.batcherHash,
    ...(isJovian
      ? [
          integerWord(l1.operatorFeeScalar, 4),
          integerWord(l1.operatorFeeConstant, 8),
          integerWord(l1.daFootprintGasScalar, 2),
        ]
      : []),
  );
}

/** @returns `undefined` for calldata of other functions than the setters since Ecotone */
function decodeL1Attributes(data: Uint8Array): L1Attributes | undefined {
  const isKnown = [...SETTERS.values()].some(
    ({ length, selector }) => data.length === length && equalsBytes(data.subarray(0, 4), selector),
  );
  if (!isKnown) return undefined;
  const number = (start: number, end: number) => integerOf(data.subarray(start, end));
  return {
    baseFeeScalar: number(4, 8),
    blobBaseFeeScalar: number(8, 12),
    sequenceNumber: number(12, 20),
    timestamp: number(20, 28),
    number: number(28, 36),
    baseFee: number(36, 68),
    blobBaseFee: number(68, 100),
    hash: data.subarray(100, 132),
    batcherHash: data.subarray(132, 164),
    operatorFeeScalar: number(164, 168),
    operatorFeeConstant: number(168, 176),
    daFootprintGasScalar: number(176, 178),
  };
}

/** The attributes in the first transaction of a block; `undefined` if that isn't an attributes deposit. */
export function l1AttributesOf(transactions: readonly InBlock[]): L1Attributes | undefined {
  const [first] = transactions;
  return first && isL1Attributes(first) ? decodeL1Attributes(first.tx.data) : undefined;
}

/** The attributes that a deposit sets; `undefined` if the message isn't an attributes deposit. */
export function l1AttributesIn(
  message: Pick<Message, 'type' | 'from' | 'to' | 'data'>,
): L1Attributes | undefined {
  return message.type === DEPOSIT_TYPE && isFromDepositorToL1Block(message)
    ? decodeL1Attributes(message.data)
    : undefined;
}

/** Whether a transaction is an attributes deposit, wherever it is in the block, and even if a user sent it. */
export function isL1Attributes(transaction: InBlock): boolean {
  // Checked first (EIP-2718), since reading `tx` may decode the transaction.
  if (transaction.raw[0] !== DEPOSIT_TYPE) return false;
  const { tx } = transaction;
  return tx.type === DEPOSIT_TYPE && isFromDepositorToL1Block(tx);
}

function isFromDepositorToL1Block({ from, to }: Pick<Message, 'from' | 'to'>): boolean {
  return (
    equalsBytes(from.bytes, DEPOSITOR.bytes) && to !== undefined && equalsBytes(to.bytes, L1_BLOCK.bytes)
  );
}

/** The transactions of a block that users sent: all but the attributes deposit. */
export function sentTransactions<T extends InBlock>(
  transactions: readonly T[],
  { rollup }: Pick<Hardfork, 'rollup'>,
): readonly T[] {
  const [first] = transactions;
  return rollup && first && isL1Attributes(first) ? transactions.slice(1) : transactions;
}
