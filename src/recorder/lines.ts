import { crc32 } from 'node:zlib';
import { bytesToHex } from '@ethereumjs/util';
import type { BlockView, Receipt, Transaction, TrieBlock } from '../chain/block.ts';
import type { Flashblock } from '../sequencer/feed/feed.ts';

/** Version of the lines below. */
export const FORMAT = 1;

/** First line: the chain that was recorded. */
export interface HeaderLine {
  readonly recording: 'devnet';
  readonly format: number;
  /** what the node was started with, as far as it decides hashes; see `recordedOptions` */
  readonly options: Readonly<Record<string, unknown>>;
  /** so many inputs came before the recording was asked for: what came of them wasn't written down */
  readonly unchecked?: number;
}

/** The node started. Times of all lines are milliseconds on its clock. */
export interface StartLine {
  readonly start: number;
  /** of the genesis block, seconds */
  readonly genesis: number;
  /** chain time less the clock's, milliseconds */
  readonly offset: number;
  /** blocks that are pushed past their parent take chain time with them; absent in older recordings, where they didn't */
  readonly movesWithHead?: boolean;
  /** what it went on from, where it isn't a new chain: all that was stored when the process before ended or was killed */
  readonly head?: HeadRecord;
}
/** The newest block, and the state after it with the dev writes. */
export interface HeadRecord {
  readonly number: string;
  readonly hash: string;
  readonly stateRoot: string;
}
/** A timer fired: a partial block, or a boundary. */
export interface TickLine {
  readonly tick: number;
}
/** An input came while another one, a tick or call, was at work. */
export interface During {
  /** after so many of its steps, see {@link Steps} */
  readonly during?: number;
  /** after so many transactions of the block that was being filled */
  readonly taken?: number;
}
/** A transaction that was admitted. */
export interface TransactionLine extends During {
  readonly tx: string;
  readonly at: number;
  /** the sender, where it was impersonated and the signature says nothing */
  readonly from?: string;
}
/** An RPC call that changes the chain, by the method's own name. */
export interface CallLine extends During {
  readonly call: string;
  readonly params: readonly unknown[];
  readonly at: number;
}
/** The node was closed: the open block is sealed if it has transactions. */
export interface StopLine {
  readonly stop: number;
}
export type InputLine = StartLine | TickLine | TransactionLine | CallLine | StopLine;

interface Outcome {
  readonly hash: string;
  readonly status?: boolean;
  readonly gasUsed: string;
}
/** What a partial block held, to be compared. */
export interface FlashblockLine {
  readonly flashblock: number;
  readonly block: string;
  /** what this index added */
  readonly transactions: readonly Outcome[];
  readonly stateRoot: string;
  readonly hash: string;
}
/** What was sealed, to be compared. Fields in the order in which a difference says most. */
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
export type Line = HeaderLine | InputLine | OutputLine;

export const isOutput = (line: Line): line is OutputLine => 'sealed' in line || 'flashblock' in line;

/** The line's text without its end, and a checksum in it, so that a byte that was changed shows. */
export function encodeLine(line: Line): string {
  const bare = JSON.stringify(line).slice(0, -1);
  return `${bare},"sum":"${sumOf(bare)}"}`;
}

/** Bytes of `,"sum":"01234567"}`. */
const TAIL = 18;

/** Whether a line is as it was written. By its bytes: two texts that aren't UTF-8 may read the same. */
export function isIntact(line: Buffer): boolean {
  const end = line.length - TAIL;
  return end > 0 && line.toString('latin1', end) === `,"sum":"${sumOf(line.subarray(0, end))}"}`;
}

/**
 * Reads a line, whatever its checksum.
 * @throws SyntaxError when it isn't one
 */
export function decodeLine(line: Buffer): Line {
  return JSON.parse(`${line.toString('utf8', 0, Math.max(0, line.length - TAIL))}}`) as Line;
}

const sumOf = (bare: string | Buffer) => crc32('}', crc32(bare)).toString(16).padStart(8, '0');

export function headRecord({ header, hash, state }: TrieBlock): HeadRecord {
  return {
    number: header.number.toString(),
    hash: bytesToHex(hash),
    stateRoot: bytesToHex(state.root),
  };
}

export function inputOf(
  { raw, from, impersonated }: Pick<Transaction, 'raw' | 'from' | 'impersonated'>,
  at: number,
  during: During,
): TransactionLine {
  return {
    tx: bytesToHex(raw),
    at,
    ...(impersonated && { from: from.toString() }),
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
