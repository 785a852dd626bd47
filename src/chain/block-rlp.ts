import { RLP } from '@ethereumjs/rlp';
import { equalsBytes, MAX_UINT64 } from '@ethereumjs/util';
import { HEADER_FIELDS } from '../core/tables/fields.ts';
import type { Hardfork, HardforkSchedule } from '../protocol/hardfork.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Block, Header, Transaction, Withdrawal } from './block.ts';
import { BadBlock, refuse } from './block-fault.ts';
import { headerFromFields } from './header.ts';
import { encodeBlock, withdrawalFromFields } from './store/block-codec.ts';

/** An imported block of which only the encoding was checked. */
export type RawBlock = Omit<Block, 'receipts'> & { readonly hardfork: Hardfork };

/** Decodes a transaction and recovers its sender. @param raw EIP-2718 bytes or a legacy RLP @throws Error */
export type DecodeSigned = (raw: Uint8Array, hardfork: Hardfork) => Transaction;

/** Decodes a block (see `encodeBlock`) under the rules of its hardfork. @throws BadBlock naming the malformed part */
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
  // Each block must have exactly one encoding: rejects leading zeros in a number, and extra bytes.
  const same = reading('block', () => equalsBytes(encodeBlock(block), bytes));
  return same ? block : refuse('block', 'the canonical RLP', 'another encoding');
}

/** @throws Error when a number doesn't fit into 64 bits (EIP-4895) */
function sizedWithdrawal(withdrawal: Withdrawal): Withdrawal {
  for (const name of ['index', 'validatorIndex', 'amount'] as const)
    if (withdrawal[name] > MAX_UINT64) throw new Error(`${name}: ${withdrawal[name]}`);
  return withdrawal;
}

/** @throws BadBlock when a field has a wrong size */
function sized(header: Header): Header {
  for (const { name, size } of HEADER_FIELDS) {
    const value = header[name];
    if (size === undefined || value === undefined) continue;
    if (value instanceof Uint8Array && value.length !== size)
      refuse(name, `${size} bytes`, `${value.length} bytes`);
    const largest = 2n ** BigInt(size) - 1n;
    if (typeof value === 'bigint' && value > largest) refuse(name, `at most ${largest}`, value);
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
