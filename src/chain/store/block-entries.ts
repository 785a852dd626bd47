import type { EncodedEntries } from '../../state/encoded-entries.ts';
import type { Block } from '../block.ts';
import { encodeHeader } from '../header.ts';
import type { Head } from './batch-record.ts';
import type { Change } from './batch-writer.ts';
import { encodeBody, encodeReceipts } from './block-codec.ts';
import type { Entry } from './checked-level.ts';
import { encodeTransactionEntry, keyOf, numberKey, PREFIX } from './keys.ts';
import type { PatchBatch, StateBatch } from './store-options.ts';

/** Trie nodes or contract code, by hash. */
export type Blobs = Iterable<readonly [hash: Uint8Array, bytes: Uint8Array]>;

/** The records of a block, and the index entries that make it canonical, without those that the engine has written. */
export function blockEntries(block: Block): Entry[] {
  if (block.records) return [numberEntry(block)];
  const { hash, header, encodedHeader = encodeHeader(header), transactions, accessList } = block;
  return [
    numberEntry(block),
    [keyOf(PREFIX.header, hash), encodedHeader],
    [keyOf(PREFIX.body, hash), encodeBody(block)],
    [keyOf(PREFIX.receipts, hash), encodeReceipts(block)],
    ...(accessList ? [[keyOf(PREFIX.accessList, hash), accessList] satisfies Entry] : []),
    ...transactions.map(
      (transaction, index): Entry => [
        keyOf(PREFIX.transaction, transaction.hash),
        encodeTransactionEntry({ blockHash: hash, number: header.number, index }),
      ],
    ),
  ];
}

/** The entry that makes a block canonical. */
export function numberEntry({ hash, header }: Pick<Block, 'hash' | 'header'>): Entry {
  return [numberKey(header.number), hash];
}

/** The change that makes the head's view read another state. */
export function patchedHead(batch: PatchBatch, before: Head): Change {
  const { stateRoot } = batch;
  const { number, hash } = before;
  const head = { number, hash, stateRoot };
  const entries: Entry[] = [[keyOf(PREFIX.stateRoot, head.hash), stateRoot], ...stateEntries(batch)];
  return { entries, encoded: encodedOf(batch), head };
}

/** The entries of a state; none if they are already encoded, see {@link encodedOf}. */
export function stateEntries(batch: StateBatch): Entry[] {
  const entries: Entry[] = [];
  if (batch.encoded) return entries;
  for (const [hash, bytes] of batch.nodes) entries.push([keyOf(PREFIX.node, hash), bytes]);
  for (const [hash, bytes] of batch.code) entries.push([keyOf(PREFIX.code, hash), bytes]);
  for (const [hash, bytes] of batch.preimages ?? []) entries.push([keyOf(PREFIX.preimage, hash), bytes]);
  return entries;
}

/** The already encoded entries of a state, if any. */
export function encodedOf({ encoded }: StateBatch): EncodedEntries[] {
  return encoded ? [encoded] : [];
}
