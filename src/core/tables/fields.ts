// The fields of headers, transactions, receipts and logs: their names, the blocks and transactions that have them, their types, and where
// the core stores them. The build generates the core's encoders and JSON writers from it (scripts/build/core-fields.mjs); the host's codecs
// for RLP (src/chain), for the store (src/chain/store) and for JSON-RPC (src/rpc/format) read it, too. A new field needs only a row here.

/** `bytes` are formatted as hexadecimal data, a `quantity` as a hexadecimal number. */
type Kind = 'bytes' | 'address' | 'quantity';

/** Where the core stores a field (memory/layout.ts), and in which form: a little-endian word, a 64-bit or 32-bit integer, or bytes. */
export type Place =
  | { readonly word: string }
  | { readonly u64: string }
  | { readonly u32: string }
  /** @param length address of the length, if the field has variable length */
  | { readonly bytes: string; readonly length?: string }
  /** a 64-bit number that the caller passes as an argument */
  | { readonly given: string }
  /** constant JSON */
  | { readonly text: string }
  /** a call of a function in out/ that writes the field's JSON */
  | { readonly call: string }
  /** a gap that the caller fills: the block hash isn't known yet */
  | { readonly gap: true };

interface HeaderRow {
  /** in `Header` (src/chain/block.ts) */
  readonly name: string;
  /** the name in JSON-RPC, if it differs */
  readonly rpc?: string;
  readonly kind: Kind;
  /** for bytes: their fixed length; for a quantity: its maximum number of bits */
  readonly size?: number;
  /** The Ethereum hardfork that introduced the field; absent: Frontier. */
  readonly since?: string;
  /** the EIP that introduced the field */
  readonly eip?: number;
  /** address of the flag that tells whether a block has the field; absent: depends on the EIP only */
  readonly present?: string;
  readonly core: Place;
}

/** In the order of the RLP: yellow paper 4.4, then the EIPs. A header ends before the first field that it lacks. */
const HEADER = [
  { name: 'parentHash', kind: 'bytes', size: 32, core: { bytes: 'BLOCK_PARENT' } },
  { name: 'unclesHash', rpc: 'sha3Uncles', kind: 'bytes', size: 32, core: { bytes: 'NO_UNCLES' } },
  { name: 'coinbase', rpc: 'miner', kind: 'address', core: { word: 'BLOCK_COINBASE' } },
  { name: 'stateRoot', kind: 'bytes', size: 32, core: { bytes: 'BLOCK_STATE_ROOT' } },
  { name: 'transactionsRoot', kind: 'bytes', size: 32, core: { bytes: 'BLOCK_TRANSACTIONS_ROOT' } },
  { name: 'receiptsRoot', kind: 'bytes', size: 32, core: { bytes: 'BLOCK_RECEIPTS_ROOT' } },
  { name: 'logsBloom', kind: 'bytes', size: 256, core: { bytes: 'BLOCK_BLOOM' } },
  { name: 'difficulty', kind: 'quantity', size: 256, core: { word: 'BLOCK_DIFFICULTY' } },
  { name: 'number', kind: 'quantity', size: 64, core: { u64: 'BLOCK_NUMBER' } },
  { name: 'gasLimit', kind: 'quantity', size: 63, core: { u64: 'BLOCK_GAS_LIMIT' } },
  { name: 'gasUsed', kind: 'quantity', size: 63, core: { given: 'gasUsed' } },
  { name: 'timestamp', kind: 'quantity', size: 64, core: { u64: 'BLOCK_TIME' } },
  { name: 'extraData', kind: 'bytes', core: { bytes: 'BLOCK_EXTRA', length: 'BLOCK_EXTRA_LENGTH' } },
  { name: 'mixHash', kind: 'bytes', size: 32, core: { word: 'BLOCK_RANDAO' } },
  { name: 'nonce', kind: 'bytes', size: 8, core: { bytes: 'BLOCK_NONCE' } },
  { name: 'baseFeePerGas', kind: 'quantity', size: 256, since: 'london', eip: 1559, core: { word: 'BLOCK_BASE_FEE' } },
  { name: 'withdrawalsRoot', kind: 'bytes', size: 32, since: 'shanghai', eip: 4895, core: { bytes: 'BLOCK_WITHDRAWALS_ROOT' } },
  { name: 'blobGasUsed', kind: 'quantity', size: 64, since: 'cancun', eip: 4844, core: { u64: 'BLOCK_BLOB_GAS_USED' } },
  { name: 'excessBlobGas', kind: 'quantity', size: 64, since: 'cancun', eip: 4844, core: { u64: 'BLOCK_EXCESS_BLOB_GAS' } },
  { name: 'parentBeaconBlockRoot', kind: 'bytes', size: 32, since: 'cancun', eip: 4788, core: { bytes: 'BLOCK_BEACON_ROOT' } },
  {
    name: 'requestsHash', kind: 'bytes', size: 32, since: 'prague', eip: 7685, present: 'BLOCK_HAS_REQUESTS',
    core: { bytes: 'BLOCK_REQUESTS_HASH' },
  },
  { name: 'blockAccessListHash', kind: 'bytes', size: 32, since: 'amsterdam', eip: 7928, core: { bytes: 'BLOCK_ACCESS_LIST_HASH' } },
  { name: 'slotNumber', kind: 'quantity', size: 64, since: 'amsterdam', eip: 7843, core: { u64: 'BLOCK_SLOT' } },
] as const satisfies readonly HeaderRow[];

export type HeaderFieldName = (typeof HEADER)[number]['name'];
export type HeaderField = HeaderRow & { readonly name: HeaderFieldName };
export const HEADER_FIELDS: readonly HeaderField[] = HEADER;

/** A member of a JSON object, written by the core and the host, or by the host only. */
interface JsonRow {
  /** in JSON-RPC */
  readonly name: string;
  /** for transactions: the types (EIP-2718) that have the member; absent: all */
  readonly types?: readonly number[];
  /** absent: the core never writes the member */
  readonly core?: Place & {
    readonly kind?: Kind;
    /** the types for which the core writes the member, if not all that have it */
    readonly types?: readonly number[];
  };
}

const SINCE_2930 = [1, 2, 3, 4];
const SINCE_1559 = [2, 3, 4];
const BLOB = [3];
const SET_CODE = [4];
/** OP Stack */
const DEPOSIT = [0x7e];

/** A transaction. The core writes the transactions of simulated blocks, which are unsigned. */
const TRANSACTION = [
  { name: 'blockHash', core: { gap: true } },
  { name: 'blockNumber', core: { u64: 'BLOCK_NUMBER' } },
  { name: 'blockTimestamp', core: { u64: 'BLOCK_TIME' } },
  { name: 'blockTimestampMs' },
  { name: 'transactionIndex', core: { given: 'index' } },
  { name: 'hash', core: { bytes: 'TX_HASH' } },
  { name: 'type', core: { u32: 'TX_TYPE' } },
  { name: 'from', core: { word: 'TX_FROM', kind: 'address' } },
  { name: 'to', core: { call: 'writeRecipient()' } },
  { name: 'nonce', core: { u64: 'TX_NONCE' } },
  { name: 'gas', core: { u64: 'TX_GAS' } },
  { name: 'gasPrice', core: { call: 'writeGasPrice()' } },
  { name: 'maxFeePerGas', types: SINCE_1559, core: { word: 'TX_MAX_FEE' } },
  { name: 'maxPriorityFeePerGas', types: SINCE_1559, core: { word: 'TX_PRIORITY_FEE' } },
  { name: 'maxFeePerBlobGas', types: BLOB, core: { word: 'TX_MAX_BLOB_FEE' } },
  { name: 'blobVersionedHashes', types: BLOB, core: { call: 'writeBlobs()' } },
  { name: 'value', core: { word: 'TX_VALUE' } },
  { name: 'input', core: { call: 'writeInput()' } },
  { name: 'accessList', types: SINCE_2930, core: { call: 'writeAccessList()' } },
  { name: 'authorizationList', types: SET_CODE, core: { call: 'writeAuthorizations()' } },
  { name: 'sourceHash', types: DEPOSIT, core: { bytes: 'TX_SOURCE' } },
  { name: 'mint', types: DEPOSIT, core: { word: 'TX_MINT' } },
  // No system deposit is executed since Regolith.
  { name: 'isSystemTx', types: DEPOSIT },
  { name: 'depositReceiptVersion', types: DEPOSIT, core: { text: '"0x1"' } },
  // EIP-155: for a legacy transaction the signature may contain the chain id.
  { name: 'chainId', core: { u64: 'RULES_CHAIN_ID', types: SINCE_2930 } },
  { name: 'v', core: { text: '"0x0"' } },
  { name: 'r', core: { text: '"0x0"' } },
  { name: 's', core: { text: '"0x0"' } },
  { name: 'yParity', types: SINCE_2930, core: { text: '"0x0"' } },
] as const satisfies readonly JsonRow[];

export type TransactionFieldName = (typeof TRANSACTION)[number]['name'];
export const TRANSACTION_FIELDS: readonly (JsonRow & { readonly name: TransactionFieldName })[] = TRANSACTION;

const LOG = [
  { name: 'address', core: { call: 'writeLogAddress(log)' } },
  { name: 'topics', core: { call: 'writeTopics(log)' } },
  { name: 'data', core: { call: 'writeLogData(log)' } },
  { name: 'blockNumber', core: { u64: 'BLOCK_NUMBER' } },
  { name: 'transactionHash', core: { bytes: 'TX_HASH' } },
  { name: 'transactionIndex', core: { given: 'transaction' } },
  { name: 'blockHash', core: { gap: true } },
  { name: 'blockTimestamp', core: { u64: 'BLOCK_TIME' } },
  { name: 'blockTimestampMs' },
  { name: 'logIndex', core: { given: 'index' } },
  { name: 'removed', core: { text: 'false' } },
] as const satisfies readonly JsonRow[];

export type LogFieldName = (typeof LOG)[number]['name'];
export const LOG_FIELDS: readonly (JsonRow & { readonly name: LogFieldName })[] = LOG;

interface ReceiptRow {
  /** in `Receipt` (src/chain/block.ts) */
  readonly name: string;
  /**
   * The encoding in the store: the type of its transaction, an integer, 1 or 0, bytes, an address, the bloom filter (no bytes = no logs),
   * or the list of logs.
   */
  readonly form: 'type' | 'integer' | 'flag' | 'bytes' | 'address' | 'bloom' | 'logs';
  /** The store has a list of one item, or an empty list if the receipt doesn't have the field. */
  readonly optional?: true;
  /** A trailing field that may be omitted altogether: receipts of Ethereum don't have it. */
  readonly last?: true;
  /** the core's call that writes it, see out/receipt-parts.ts; absent: the core makes no receipts with this field */
  readonly core?: string;
}

/** A receipt in the store, in the order of its list. */
const RECEIPT = [
  { name: 'type', form: 'type', core: 'writeInteger(load<u32>(TX_TYPE))' },
  { name: 'status', form: 'flag', optional: true, core: 'writeStatus()' },
  { name: 'stateRoot', form: 'bytes', optional: true, core: 'writeStateRoot()' },
  { name: 'gasUsed', form: 'integer', core: 'writeInteger(load<u64>(RESULT_GAS_USED))' },
  { name: 'cumulativeGasUsed', form: 'integer', core: 'writeInteger(load<u64>(BLOCK_GAS_USED))' },
  { name: 'logsBloom', form: 'bloom', core: 'writeBloom()' },
  { name: 'logs', form: 'logs', core: 'writeLogs()' },
  { name: 'contractAddress', form: 'address', optional: true, core: 'writeCreated()' },
  { name: 'effectiveGasPrice', form: 'integer', core: 'writeWord(TX_GAS_PRICE)' },
  { name: 'blobGasUsed', form: 'integer', optional: true, core: 'writeBlobGas()' },
  { name: 'blobGasPrice', form: 'integer', optional: true, core: 'writeBlobGasPrice()' },
  // Missing in chains that were stored by older versions.
  { name: 'depositNonce', form: 'integer', optional: true, last: true },
] as const satisfies readonly ReceiptRow[];

export type ReceiptFieldName = (typeof RECEIPT)[number]['name'];
export type ReceiptField = ReceiptRow & { readonly name: ReceiptFieldName };
export const RECEIPT_FIELDS: readonly ReceiptField[] = RECEIPT;
