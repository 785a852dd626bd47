import { RLP } from '@ethereumjs/rlp';
import type { Fork, ForkSchedule } from '../evm/fork.ts';
import { keccak256 } from '../state/keccak.ts';
import type { Block, Header, Transaction } from './block.ts';
import { BadBlock, refuse } from './block-fault.ts';
import { headerFromFields } from './header.ts';
import { withdrawalFromFields } from './store/block-codec.ts';

/** A block as it comes from outside: nothing of it is checked but its shape. */
export type RawBlock = Omit<Block, 'receipts'> & { readonly fork: Fork };

/** @param raw EIP-2718 bytes, or a legacy transaction's RLP; recovers the sender. Throws what is wrong with it. */
export type DecodeSigned = (raw: Uint8Array, fork: Fork) => Transaction;

/**
 * Reads a block as the network has it (see `encodeBlock`), its transactions by the rules of its fork.
 * @throws BadBlock naming what can't be read
 */
export function decodeBlock(bytes: Uint8Array, schedule: ForkSchedule, decode: DecodeSigned): RawBlock {
  const parts = reading('block', () => RLP.decode(bytes));
  if (!Array.isArray(parts) || parts.length < 3 || parts.length > 4)
    return refuse('block', 'a list of header, transactions, uncles and withdrawals', `${parts.length} items`);
  const [fields, transactions, uncles, withdrawals] = parts;
  const header = reading('header', () => headerFromFields(fields!));
  checkLengths(header);
  const fork = schedule.at(header.number, header.timestamp, header.difficulty);
  if (!Array.isArray(transactions)) return refuse('transactions', 'a list', 'a string');
  if (!Array.isArray(uncles)) return refuse('uncles', 'a list', 'a string');
  if (withdrawals !== undefined && !Array.isArray(withdrawals))
    return refuse('withdrawals', 'a list', 'a string');
  return {
    header,
    // Of the bytes as they came: a number with leading zeros makes another hash than the header's own.
    hash: keccak256(RLP.encode(fields)),
    fork,
    size: bytes.length,
    transactions: transactions.map((item, i) =>
      reading(`transactions[${i}]`, () => decode(Array.isArray(item) ? RLP.encode(item) : item, fork)),
    ),
    uncles: uncles.map((item, i) => reading(`uncles[${i}]`, () => headerFromFields(item))),
    ...(withdrawals && {
      withdrawals: withdrawals.map((item, i) =>
        reading(`withdrawals[${i}]`, () => withdrawalFromFields(item)),
      ),
    }),
  };
}

/** Fields of a fixed length that nothing else is compared with. */
const LENGTHS = { logsBloom: 256, mixHash: 32, nonce: 8, parentBeaconBlockRoot: 32 } as const;

function checkLengths(header: Header): void {
  for (const [field, length] of Object.entries(LENGTHS)) {
    const value = header[field as keyof typeof LENGTHS];
    if (value && value.length !== length) refuse(field, `${length} bytes`, `${value.length} bytes`);
  }
}

/** Names the part in which a decoder failed. */
function reading<T>(field: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof BadBlock) throw error;
    return refuse(field, 'one that is valid', (error as Error).message);
  }
}
