import type { Address } from '@ethereumjs/util';
import type { Accesses, ReceiptEncodings } from '../engine/workspace.ts';
import type { ChainTransaction } from '../protocol/op-stack/deposit-transaction.ts';
import type { Log } from '../protocol/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { EncodedEntries } from '../state/encoded-entries.ts';
import type { StateView } from '../state/view.ts';
import type { Conditions } from './conditions.ts';

/**
 * A block header of any hardfork; fields that the block's hardfork doesn't have are absent. `header.ts` encodes it as the
 * yellow paper and EIP-1559, 4895, 4844, 4788, 7685, 7928 and 7843 specify.
 */
export interface Header {
  readonly parentHash: Uint8Array;
  readonly unclesHash: Uint8Array;
  readonly coinbase: Address;
  readonly stateRoot: Uint8Array;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  readonly difficulty: bigint;
  readonly number: bigint;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint;
  /** seconds since the Unix epoch */
  readonly timestamp: bigint;
  readonly extraData: Uint8Array;
  /** prevRandao since the merge */
  readonly mixHash: Uint8Array;
  /** 8 bytes */
  readonly nonce: Uint8Array;
  /** wei per gas; since London */
  readonly baseFeePerGas?: bigint;
  /** since Shanghai */
  readonly withdrawalsRoot?: Uint8Array;
  /** since Cancun */
  readonly blobGasUsed?: bigint;
  /** since Cancun */
  readonly excessBlobGas?: bigint;
  /** since Cancun */
  readonly parentBeaconBlockRoot?: Uint8Array;
  /** since Prague */
  readonly requestsHash?: Uint8Array;
  /** EIP-7928; since Amsterdam */
  readonly blockAccessListHash?: Uint8Array;
  /** EIP-7843; since Amsterdam */
  readonly slotNumber?: bigint;
}

/** A decoded transaction with its recovered sender and its hash. */
export interface Transaction {
  readonly tx: ChainTransaction;
  /** The recovered sender, or the impersonated one; in that case the signature isn't valid. */
  readonly from: Address;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** EIP-2718 encoding; a blob transaction without its blobs */
  readonly raw: Uint8Array;
  /** see {@link Executable.isEncoded} */
  readonly isEncoded?: boolean | undefined;
  readonly impersonated: boolean;
  /** conditions for its inclusion, while it isn't in a sealed block */
  readonly conditions?: Conditions | undefined;
}

/** The result of a transaction in a block. */
export interface Receipt {
  readonly type: number;
  /** true = success. Absent before Byzantium, where `stateRoot` is present instead. */
  readonly status?: boolean | undefined;
  /** the state root after the transaction; before Byzantium only */
  readonly stateRoot?: Uint8Array | undefined;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  readonly logs: readonly Log[];
  /** address of the created contract */
  readonly contractAddress?: Address | undefined;
  /** wei per gas that the sender paid */
  readonly effectiveGasPrice: bigint;
  readonly blobGasUsed?: bigint | undefined;
  /** wei per blob gas */
  readonly blobGasPrice?: bigint | undefined;
  /** the sender's nonce before a deposit; only for deposits */
  readonly depositNonce?: bigint | undefined;
  /** the encoded receipt, if the engine has written it */
  readonly encodings?: ReceiptEncodings | undefined;
}

/** How many logs a receipt has, without decoding them. */
export function logCountOf(receipt: Pick<Receipt, 'logs' | 'encodings'>): number {
  return receipt.encodings?.logCount ?? receipt.logs.length;
}

/** EIP-4895 */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Address;
  /** gwei */
  readonly amount: bigint;
}

/**
 * A block's transactions and receipts in the encoding of the store (`block-codec.ts`), one part per building step, so that a block of
 * thousands of transactions isn't encoded all at once when it is sealed.
 */
export interface StoredItems {
  readonly transactions: readonly Uint8Array[];
  readonly receipts: readonly Uint8Array[];
}

/** A block's data without its state, as it is stored, imported and exported. */
export interface Block {
  readonly header: Header;
  /** RLP of the header; absent once the block is stored, and if `records` contains it */
  readonly encodedHeader?: Uint8Array | undefined;
  /** keccak256 of the header */
  readonly hash: Uint8Array;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  /** only in a block that was built in several steps, until it is stored */
  readonly storedItems?: StoredItems | undefined;
  /** the block's store records, if the engine has written them; absent once the block is stored. See {@link StoreRecords} */
  readonly records?: EncodedEntries | undefined;
  /** EIP-7685: type byte ++ data of each non-empty request; since Prague, absent once the block is stored */
  readonly requests?: readonly Uint8Array[] | undefined;
  /** EIP-7928: RLP; since Amsterdam, if this node made the block */
  readonly accessList?: Uint8Array | undefined;
  /** since Shanghai */
  readonly withdrawals?: readonly Withdrawal[];
  /** uncle headers; before the merge only */
  readonly uncles: readonly Header[];
  /** bytes of the block's RLP encoding */
  readonly size: number;
  /** The block's time in milliseconds; only on chains whose blocks have it, see `timestampMs` in `block-time.ts`. */
  readonly timestampMs?: bigint;
}

/** The header fields that contract code in the block can read. */
export type EnvHeader = Pick<
  Header,
  | 'number'
  | 'timestamp'
  | 'coinbase'
  | 'gasLimit'
  | 'difficulty'
  | 'mixHash'
  | 'baseFeePerGas'
  | 'excessBlobGas'
  | 'slotNumber'
>;

/** The state and header fields with which a call on a block runs. */
export interface CallView extends Pick<BlockView, 'state' | 'sealed'> {
  readonly header: EnvHeader;
}

/** An immutable view of the chain at one block, for all reads. The views of sealed and pending blocks differ only in `sealed`. */
export interface BlockView extends Block {
  /** EIP-7928: the accounts and slots that an open block has accessed so far, by index */
  readonly accesses?: Accesses | undefined;
  readonly state: StateView;
  readonly sealed: boolean;
}

/** A block whose state other blocks are built on: every block of this chain. */
export interface TrieBlock extends BlockView {
  readonly state: ChainState;
}

/** A view with another state. An object spread alone would lose the receipts of an `EncodedBlockView`. */
export function withState<S extends StateView>(view: BlockView, state: S): BlockView & { readonly state: S } {
  return { ...view, receipts: view.receipts, state };
}

/** Copies only the block's data: the argument may be a view, which would keep its state in memory. */
export function bareBlock(block: Block): Block {
  const { hash, header, transactions, receipts, accessList, withdrawals, uncles, size } = block;
  const bare: { -readonly [K in keyof Block]: Block[K] } = {
    hash,
    header,
    transactions,
    receipts,
    uncles,
    size,
  };
  if (withdrawals) bare.withdrawals = withdrawals;
  if (accessList) bare.accessList = accessList;
  return bare;
}
