import type { Address } from '@ethereumjs/util';
import type { ChainTransaction } from '../evm/deposit-transaction.ts';
import type { Log } from '../evm/types.ts';
import type { ChainState } from '../state/chain-state.ts';
import type { StateView } from '../state/view.ts';

/**
 * A block header, all forks: a field that the block's fork doesn't know is absent. Order and encoding are those of the
 * yellow paper and of EIP-1559, 4895, 4844, 4788 and 7685; see `header.ts`.
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
}

/** A transaction with what is known of it once and for all: decoded, sender recovered. */
export interface Transaction {
  readonly tx: ChainTransaction;
  /** The recovered sender, or the impersonated one, in whose case the signature isn't valid. */
  readonly from: Address;
  /** 32 bytes */
  readonly hash: Uint8Array;
  /** EIP-2718 encoding; a blob transaction without its blobs */
  readonly raw: Uint8Array;
  readonly impersonated: boolean;
}

/** What the execution of a transaction left behind. */
export interface Receipt {
  readonly type: number;
  /** true = success. Absent before Byzantium, where `stateRoot` stands instead. */
  readonly status?: boolean;
  /** the state root after the transaction; before Byzantium only */
  readonly stateRoot?: Uint8Array;
  readonly gasUsed: bigint;
  readonly cumulativeGasUsed: bigint;
  /** 256 bytes */
  readonly logsBloom: Uint8Array;
  readonly logs: readonly Log[];
  /** where a contract was created */
  readonly contractAddress?: Address;
  /** wei per gas, what the sender paid */
  readonly effectiveGasPrice: bigint;
  readonly blobGasUsed?: bigint;
  /** wei per blob gas */
  readonly blobGasPrice?: bigint;
  /** the nonce that a deposit's sender had before it; of deposits only */
  readonly depositNonce?: bigint;
}

/** EIP-4895 */
export interface Withdrawal {
  readonly index: bigint;
  readonly validatorIndex: bigint;
  readonly address: Address;
  /** gwei */
  readonly amount: bigint;
}

/** A block's data without its state: what is stored, imported and exported. */
export interface Block {
  readonly header: Header;
  /** keccak256 of the header */
  readonly hash: Uint8Array;
  readonly transactions: readonly Transaction[];
  readonly receipts: readonly Receipt[];
  /** since Shanghai */
  readonly withdrawals?: readonly Withdrawal[];
  /** uncle headers; before the merge only */
  readonly uncles: readonly Header[];
  /** bytes of the block's RLP encoding */
  readonly size: number;
  /** The header's timestamp in milliseconds; only on chains that say so, see `timestampMs` in `block-time.ts`. */
  readonly timestampMs?: bigint;
}

/**
 * One immutable view of the chain at one block: what every request that names a block reads. Sealed and pending blocks
 * look the same but for `sealed`.
 */
export interface BlockView extends Block {
  readonly state: StateView;
  readonly sealed: boolean;
}

/** A block whose state others are built on: each of this chain's own blocks. */
export interface TrieBlock extends BlockView {
  readonly state: ChainState;
}
