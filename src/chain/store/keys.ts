/**
 * The keys of the database: one ASCII letter, then binary. Numbers are 8 bytes, big-endian, so that they sort. Every value
 * ends with a CRC-32 (see `checked-level.ts`).
 *
 * | key                  | value                                             | written                        |
 * |----------------------|---------------------------------------------------|--------------------------------|
 * | `b` batch number     | what the batch wrote, and the head after it (`batch-record.ts`) | by every batch        |
 * | `n` block number     | block hash; valid up to the head only             | block                          |
 * | `h` block hash       | header, RLP                                       | block                          |
 * | `d` block hash       | body: transactions, withdrawals, uncles, size     | block                          |
 * | `r` block hash       | receipts                                          | block                          |
 * | `e` block hash       | access list, RLP (EIP-7928)                       | block since Amsterdam          |
 * | `t` transaction hash | block hash, block number, index (4 bytes); valid while that block is canonical | block |
 * | `p` block hash       | state root that the block's view reads, when it isn't (or no longer is) the header's | block, patch, head |
 * | `s` node hash        | node of the state tries                           | block, patch                   |
 * | `c` code hash        | contract code                                     | block, patch                   |
 * | `i` keccak256        | the address or slot with that hash                | block, patch                   |
 * | `l` block number, first 8 bytes of the block hash | terms of the block's logs (`stored-logs.ts`) | block with logs |
 * | `x` hash of its last block | blocks that are computed when they are read (`../reservation.ts`) | reservation |
 * | `m` name, UTF-8      | JSON                                              | any                            |
 *
 * Reserved blocks have none of these records, except `n` of the last one. The value `reservations` under `m` lists the chain's
 * reservations (`reservations.ts`).
 *
 * The newest batch contains the head. A rollback writes a new head and removes nothing: entries of `n` above the head, and
 * entries of `t` for blocks that `n` doesn't name, become invalid. So a rollback costs the same for any number of blocks. When
 * history is pruned, the value `pruned` under `m` says which data is still valid (`pruned.ts`).
 */
export const PREFIX = {
  batch: 0x62,
  number: 0x6e,
  header: 0x68,
  body: 0x64,
  receipts: 0x72,
  accessList: 0x65,
  transaction: 0x74,
  stateRoot: 0x70,
  node: 0x73,
  code: 0x63,
  preimage: 0x69,
  logs: 0x6c,
  reservation: 0x78,
  meta: 0x6d,
} as const;

export type Prefix = (typeof PREFIX)[keyof typeof PREFIX];

/**
 * Key prefixes whose values later batches may overwrite. All other values are determined by their keys and never change.
 */
const INDEXES: ReadonlySet<number> = new Set([
  PREFIX.number,
  PREFIX.transaction,
  PREFIX.stateRoot,
  PREFIX.meta,
]);

export function isIndex(key: Uint8Array): boolean {
  return INDEXES.has(key[0]!);
}

export function keyOf(prefix: Prefix, rest: Uint8Array): Uint8Array {
  // Allocated from Node's buffer pool: a separate ArrayBuffer for each of a batch's thousands of keys takes longer than
  // the write.
  const key = Buffer.allocUnsafe(1 + rest.length);
  key[0] = prefix;
  key.set(rest, 1);
  return key;
}

export function numberKey(number: bigint): Uint8Array {
  return numbered(PREFIX.number, Number(number));
}

/** @param sequence the batch's number, from 1 */
export function batchKey(sequence: number): Uint8Array {
  return numbered(PREFIX.batch, sequence);
}

/** Without bigint arithmetic, which takes four times as long. */
function numbered(prefix: Prefix, number: number): Uint8Array {
  const key = new Uint8Array(9);
  key[0] = prefix;
  for (let at = 8, rest = number; rest > 0; at--, rest = Math.floor(rest / 256)) key[at] = rest & 255;
  return key;
}

/** The batch's number in its key. */
export function sequenceOf(key: Uint8Array): number {
  return Number(readUint64(key, 1));
}

export function metaKey(name: string): Uint8Array {
  return keyOf(PREFIX.meta, new TextEncoder().encode(name));
}

export function uint64(value: bigint): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, value);
  return bytes;
}

export function readUint64(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset);
}

/** The position of a transaction, as stored in the index. */
export interface TransactionEntry {
  readonly blockHash: Uint8Array;
  readonly number: bigint;
  readonly index: number;
}

export function encodeTransactionEntry({ blockHash, number, index }: TransactionEntry): Uint8Array {
  const bytes = Buffer.allocUnsafe(44);
  bytes.set(blockHash);
  bytes.writeBigUInt64BE(number, 32);
  bytes.writeUInt32BE(index, 40);
  return bytes;
}

export function decodeTransactionEntry(bytes: Uint8Array): TransactionEntry {
  return {
    blockHash: bytes.slice(0, 32),
    number: readUint64(bytes, 32),
    index: new DataView(bytes.buffer, bytes.byteOffset).getUint32(40),
  };
}
