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
/** Seconds from one block of L1 to the next. */
const L1_BLOCK_TIME = 12n;
const uint64 = (value: bigint) => BigInt.asUintN(64, value);

/** A transaction of a block. */
interface InBlock {
  readonly tx: ChainTransaction;
  /** EIP-2718 encoding */
  readonly raw: Uint8Array;
}

/** What an OP chain's block says about L1. */
export interface L1Attributes extends L1Fees {
  readonly number: bigint;
  /** seconds */
  readonly timestamp: bigint;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** number of the block among those that have the same block of L1, from 0 */
  readonly sequenceNumber: bigint;
  /** 32 bytes */
  readonly batcherHash: Uint8Array;
}

/** Functions of the L1Block contract, with the length of their calldata: Ecotone's has no operator fee, Isthmus's no scalar of the data footprint. */
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
 * The attributes of the block after one with this state. There is no L1: its blocks are made up. The first has the number
 * 0 and the time of the block that first asks, and one comes every 12 seconds of chain time. All other values are those
 * that the L1Block contract has, so what is written there stays, and a forked chain goes on from the other chain's.
 * @param timestamp of the block, seconds
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
  // Whatever is written to the contract, the values fit into their fields.
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

/** The deposit that tells the L1Block contract the attributes (specs.optimism.io/protocol/deposits.html). */
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

/** Calldata of the L1Block contract (l1-attributes.html of Ecotone and Jovian at specs.optimism.io/protocol). */
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

/** @returns `undefined` for other calldata than that of the functions since Ecotone */
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

/** The attributes that a block begins with; `undefined` where it doesn't begin with any. */
export function l1AttributesOf(transactions: readonly InBlock[]): L1Attributes | undefined {
  const [first] = transactions;
  return first && isL1Attributes(first) ? decodeL1Attributes(first.tx.data) : undefined;
}

/** The attributes that a deposit tells; `undefined` where it is none of L1 attributes. */
export function l1AttributesIn(
  message: Pick<Message, 'type' | 'from' | 'to' | 'data'>,
): L1Attributes | undefined {
  return message.type === DEPOSIT_TYPE && isToldBy(message) ? decodeL1Attributes(message.data) : undefined;
}

/** Whether it is a deposit of L1 attributes, wherever it stands and whoever sent it. */
export function isL1Attributes(transaction: InBlock): boolean {
  // EIP-2718. To read `tx` may decode the transaction.
  if (transaction.raw[0] !== DEPOSIT_TYPE) return false;
  const { tx } = transaction;
  return tx.type === DEPOSIT_TYPE && isToldBy(tx);
}

function isToldBy({ from, to }: Pick<Message, 'from' | 'to'>): boolean {
  return (
    equalsBytes(from.bytes, DEPOSITOR.bytes) && to !== undefined && equalsBytes(to.bytes, L1_BLOCK.bytes)
  );
}

/** The transactions of a block that somebody sent. */
export function sentTransactions<T extends InBlock>(
  transactions: readonly T[],
  { rollup }: Pick<Hardfork, 'rollup'>,
): readonly T[] {
  const [first] = transactions;
  return rollup && first && isL1Attributes(first) ? transactions.slice(1) : transactions;
}
