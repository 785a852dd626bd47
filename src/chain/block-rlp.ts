import { RLP } from '@ethereumjs/rlp';
import { equalsBytes, MAX_INTEGER, MAX_UINT64 } from '@ethereumjs/util';
import type { Hardfork, HardforkSchedule } from '../protocol/hardfork.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Block, Header, Transaction, Withdrawal } from './block.ts';
import { BadBlock, refuse } from './block-fault.ts';
import { headerFromFields } from './header.ts';
import { encodeBlock, withdrawalFromFields } from './store/block-codec.ts';

/** A block from outside; only its form was checked. */
export type RawBlock = Omit<Block, 'receipts'> & { readonly hardfork: Hardfork };

/** Decodes a transaction and recovers its sender. @param raw EIP-2718 bytes or a legacy RLP @throws Error */
export type DecodeSigned = (raw: Uint8Array, hardfork: Hardfork) => Transaction;

/** Decodes a block (see `encodeBlock`) by the rules of its hardfork. @throws BadBlock naming the malformed part */
export function decodeBlock(bytes: Uint8Array, schedule: HardforkSchedule, decode: DecodeSigned): RawBlock {
  const parts = reading('block', () => RLP.decode(bytes));
  if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4)
    return refuse('block', 'a list of header, transactions, uncles and withdrawals', `${parts.length} items`);
  const [fields, transactions, uncles, withdrawals] = parts;
  const header = reading('header', () => sized(headerFromFields(fields!)));
  const hardfork = schedule.at(header.number, header.timestamp, header.difficulty);
  if (!Array.isArray(transactions)) return refuse('transactions', 'a list', 'a string');
  if (!Array.isArray(uncles)) return refuse('uncles', 'a list', 'a string');
  if (withdrawals !== undefined && !Array.isArray(withdrawals))
    return refuse('withdrawals', 'a list', 'a string');
  const block: RawBlock = {
    header,
    hash: keccak256(RLP.encode(fields)),
    hardfork,
    size: bytes.length,
    transactions: transactions.map((item, i) =>
      reading(`transactions[${i}]`, () => decode(Array.isArray(item) ? RLP.encode(item) : item, hardfork)),
    ),
    uncles: uncles.map((item, i) => reading(`uncles[${i}]`, () => sized(headerFromFields(item)))),
    ...(withdrawals && {
      withdrawals: withdrawals.map((item, i) =>
        reading(`withdrawals[${i}]`, () => sizedWithdrawal(withdrawalFromFields(item))),
      ),
    }),
  };
  // Each block has exactly one encoding: leading zeros in a number, or extra bytes, would be a second one.
  const same = reading('block', () => equalsBytes(encodeBlock(block), bytes));
  return same ? block : refuse('block', 'the canonical RLP', 'another encoding');
}

const WIDTHS = {
  parentHash: 32,
  unclesHash: 32,
  stateRoot: 32,
  transactionsRoot: 32,
  receiptsRoot: 32,
  logsBloom: 256,
  mixHash: 32,
  nonce: 8,
  withdrawalsRoot: 32,
  parentBeaconBlockRoot: 32,
  requestsHash: 32,
  blockAccessListHash: 32,
} as const satisfies Partial<Record<keyof Header, number>>;

/** Largest values. Most numbers have 64 bits; gas limit and gas used leave the top bit free (yellow paper 4.4.4). */
const LARGEST = {
  number: MAX_UINT64,
  timestamp: MAX_UINT64,
  gasLimit: MAX_UINT64 >> 1n,
  gasUsed: MAX_UINT64 >> 1n,
  blobGasUsed: MAX_UINT64,
  excessBlobGas: MAX_UINT64,
  difficulty: MAX_INTEGER,
  baseFeePerGas: MAX_INTEGER,
  slotNumber: MAX_UINT64,
} as const satisfies Partial<Record<keyof Header, bigint>>;

/** @throws Error when a number doesn't fit into 64 bits (EIP-4895) */
function sizedWithdrawal(withdrawal: Withdrawal): Withdrawal {
  for (const name of ['index', 'validatorIndex', 'amount'] as const)
    if (withdrawal[name] > MAX_UINT64) throw new Error(`${name}: ${withdrawal[name]}`);
  return withdrawal;
}

/** @throws BadBlock when a field has a wrong size */
function sized(header: Header): Header {
  for (const [name, width] of Object.entries(WIDTHS) as [keyof typeof WIDTHS, number][]) {
    const value = header[name];
    if (value && value.length !== width) refuse(name, `${width} bytes`, `${value.length} bytes`);
  }
  for (const [name, largest] of Object.entries(LARGEST) as [keyof typeof LARGEST, bigint][]) {
    if ((header[name] ?? 0n) > largest) refuse(name, `at most ${largest}`, header[name]);
  }
  return header;
}

/** Adds the name of the part to a decoder's error. */
function reading<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadBlock) throw error;
    return refuse(field, 'one that is valid', (error as Error).message);
  }
}
