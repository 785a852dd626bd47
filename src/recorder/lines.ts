import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction, TrieBlock } from '../chain/block.ts';
import { contentOf, withChecksum } from '../checked-line.ts';
import type { CacheEntry } from '../fork-cache/cache-entry.ts';
import { formatConditions } from '../rpc/format/conditions.ts';
import type { Flashblock } from '../sequencer/feed/feed.ts';

/** Version of the lines below. */
export const FORMAT = 1;

/**
 * Version of the rules by which a node makes blocks. In version 1 the first block of `anvil_mine` with an interval had the current time, a
 * base fee of 0 rose to 1 after a full block, `compat: 'hardhat'` and `'hardhat2'` had partial blocks, and each empty block of a long run
 * was executed (see `ProducerDeps.reserves`).
 */
export const RULES = 2;

/** First line: the chain that was recorded. */
export interface HeaderLine {
  readonly recording: 'devnet';
  readonly format: number;
  /** the node's options that affect hashes; see `recordedOptions` */
  readonly options: Readonly<Record<string, unknown>>;
  /** number of inputs before the recording was requested, whose results are not in the file */
  readonly unchecked?: number;
}

/** The node started. Times of all lines are milliseconds on its clock. */
export interface StartLine {
  readonly start: number;
  /** timestamp of the genesis block, seconds */
  readonly genesis: number;
  /** chain time minus the clock's time, milliseconds */
  readonly offset: number;
  /** see `ChainTime.reach`; absent in older recordings, which are replayed without it */
  readonly movesWithHead?: boolean;
  /** see {@link RULES}; absent in recordings of version 1 */
  readonly rules?: number;
  /** the head at the start of a reopened chain: the head that the previous process had stored when it ended or was killed */
  readonly head?: HeadRecord;
}
/** The newest block, and its state root including dev writes. */
export interface HeadRecord {
  readonly number: string;
  readonly hash: string;
  readonly stateRoot: string;
}
/** A timer fired: a flashblock was published, or a block sealed. */
export interface TickLine {
  readonly tick: number;
}
/** The position at which an input arrived while another task of the sequencer was running. */
export interface During {
  /** number of the task's steps before it, see {@link Steps} */
  readonly during?: number;
  /** number of transactions before it in the block that was being filled */
  readonly taken?: number;
}
/** A transaction that was accepted. */
export interface TransactionLine extends During {
  readonly tx: string;
  readonly at: number;
  /** the sender if it was impersonated, since it can't be recovered from the signature */
  readonly from?: string;
  /** the conditions of `eth_sendRawTransactionConditional`, in the method's format */
  readonly conditions?: unknown;
}
/** An RPC call that changes the chain, with the method's main name. */
export interface CallLine extends During {
  readonly call: string;
  readonly params: readonly unknown[];
  readonly at: number;
}
/** The time limit of the call whose task was running was exceeded (`--rpc-timeout`): the task rolled back its changes. */
export interface ExpiredLine extends During {
  readonly expired: number;
  /**
   * The other reason for which a task rolls back its changes: it needed data that the remote node of the forked chain didn't deliver. The
   * number says how many times needed data had been available before, see `CurrentTask.assertFetched`.
   */
  readonly refused?: number;
}
/**
 * A block of the running task left out a transaction, which was dropped, because the remote node of the forked chain didn't deliver data
 * that the transaction needed.
 */
export interface LeftOutLine extends During {
  /** hash of the transaction */
  readonly leftOut: string;
  readonly at: number;
}
/**
 * Data that a forked chain read from the original chain: a request to the remote node, and its result. Precedes the lines that depend on
 * it.
 */
export interface ReadLine {
  readonly read: CacheEntry;
}
/** The node was closed: the open block is sealed if it has transactions. */
export interface StopLine {
  readonly stop: number;
}
export type InputLine =
  | StartLine
  | TickLine
  | TransactionLine
  | CallLine
  | ExpiredLine
  | LeftOutLine
  | StopLine;

interface Outcome {
  readonly hash: string;
  readonly status?: boolean;
  readonly gasUsed: string;
}
/** The content of a flashblock, which a replay compares. */
export interface FlashblockLine {
  readonly flashblock: number;
  readonly block: string;
  /** the transactions that this flashblock added */
  readonly transactions: readonly Outcome[];
  readonly stateRoot: string;
  readonly hash: string;
}
/** A sealed block, which a replay compares field by field; fields that explain a difference best come first. */
export interface BlockLine {
  readonly sealed: string;
  readonly parentHash: string;
  readonly timestamp: string;
  readonly gasLimit: string;
  readonly baseFeePerGas?: string;
  readonly coinbase: string;
  readonly prevRandao: string;
  readonly extraData: string;
  readonly transactions: readonly Outcome[];
  readonly gasUsed: string;
  readonly receiptsRoot: string;
  readonly stateRoot: string;
  readonly hash: string;
}
export type OutputLine = FlashblockLine | BlockLine;
/**
 * The head after a call's task, in a log that several nodes share. A recording doesn't contain it: there the effect of a call shows in the
 * next block.
 */
export interface HeadLine {
  readonly reached: HeadRecord;
}
export type Line = HeaderLine | ReadLine | InputLine | OutputLine;
export type LogLine = Line | HeadLine;

export const isOutput = (line: LogLine): line is OutputLine => 'sealed' in line || 'flashblock' in line;

/** Encodes a line without the newline. It contains a checksum, so that a changed byte is detected. */
export function encodeLine(line: LogLine): string {
  return withChecksum(JSON.stringify(line));
}

/** Parses a line without checking its checksum. @throws SyntaxError when it isn't JSON */
export function decodeLine(line: Buffer): Line {
  return contentOf(line) as Line;
}

export function headRecord({ header, hash, state }: TrieBlock): HeadRecord {
  return {
    number: header.number.toString(),
    hash: bytesToHex(hash),
    stateRoot: bytesToHex(state.root),
  };
}

export function inputOf(
  { raw, from, impersonated, conditions }: Pick<Transaction, 'raw' | 'from' | 'impersonated' | 'conditions'>,
  at: number,
  during: During,
): TransactionLine {
  return {
    tx: bytesToHex(raw),
    at,
    ...(impersonated && { from: from.toString() }),
    ...(conditions && { conditions: formatConditions(conditions) }),
    ...during,
  };
}

export function flashblockLine({ index, block, transactions }: Flashblock): FlashblockLine {
  const first = block.transactions.length - transactions.length;
  return {
    flashblock: index,
    block: block.header.number.toString(),
    transactions: transactions.map((transaction, i) => outcome(transaction, block.receipts[first + i]!)),
    stateRoot: bytesToHex(block.header.stateRoot),
    hash: bytesToHex(block.hash),
  };
}

export function blockLine({ header, hash, transactions, receipts }: BlockView): BlockLine {
  return {
    sealed: header.number.toString(),
    parentHash: bytesToHex(header.parentHash),
    timestamp: header.timestamp.toString(),
    gasLimit: header.gasLimit.toString(),
    ...(header.baseFeePerGas !== undefined && { baseFeePerGas: header.baseFeePerGas.toString() }),
    coinbase: header.coinbase.toString(),
    prevRandao: bytesToHex(header.mixHash),
    extraData: bytesToHex(header.extraData),
    transactions: transactions.map((transaction, i) => outcome(transaction, receipts[i]!)),
    gasUsed: header.gasUsed.toString(),
    receiptsRoot: bytesToHex(header.receiptsRoot),
    stateRoot: bytesToHex(header.stateRoot),
    hash: bytesToHex(hash),
  };
}

function outcome({ hash }: Transaction, { status, gasUsed }: Receipt): Outcome {
  return {
    hash: bytesToHex(hash),
    ...(status !== undefined && { status }),
    gasUsed: gasUsed.toString(),
  };
}
