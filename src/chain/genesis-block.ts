import type { Address } from '@ethereumjs/util';
import type { OnProgress } from '../progress.ts';
import { EMPTY_BLOOM } from '../protocol/bloom.ts';
import type { Hardfork } from '../protocol/hardfork.ts';
import { messagesRoot } from '../protocol/op-stack/messages-root.ts';
import { requestsHash } from '../protocol/requests.ts';
import { EMPTY_ROOT, ZERO_HASH } from '../state/account.ts';
import type { GenesisAlloc } from '../state/genesis.ts';
import { keccak256 } from '../state/keccak.ts';
import { encodeRlp } from '../state/rlp-items.ts';
import { stateOfAlloc } from '../state/state-of-alloc.ts';
import type { TrieState } from '../state/trie-state.ts';
import type { Block, Header } from './block.ts';
import { hashHeader, headerFields, NO_UNCLES, ZERO_NONCE } from './header.ts';

/** The configurable header fields of a genesis block; the others are fixed. */
export interface GenesisFields {
  /** seconds */
  readonly timestamp: bigint;
  readonly gasLimit: bigint;
  readonly coinbase: Address;
  readonly extraData: Uint8Array;
  readonly mixHash: Uint8Array;
  readonly difficulty?: bigint;
  /** 8 bytes */
  readonly nonce?: Uint8Array;
  readonly number?: bigint;
  readonly gasUsed?: bigint;
  readonly parentHash?: Uint8Array;
  /** wei per gas; since London */
  readonly baseFeePerGas?: bigint;
  readonly blobGasUsed?: bigint;
  readonly excessBlobGas?: bigint;
  readonly parentBeaconBlockRoot?: Uint8Array;
  /** EIP-7843; default 0 */
  readonly slotNumber?: bigint;
}

/** The RLP of an empty access list (EIP-7928). */
const NO_ACCESSES = Uint8Array.of(0xc0);

/** Makes the genesis block of an allocation, with the fields of its hardfork. The same input gives the same hash. */
export function genesisBlock(
  fields: GenesisFields,
  alloc: GenesisAlloc,
  hardfork: Hardfork,
  onProgress?: OnProgress,
): Block & { state: TrieState } {
  const state = stateOfAlloc(alloc, onProgress);
  const header: Header = {
    parentHash: fields.parentHash ?? ZERO_HASH,
    unclesHash: NO_UNCLES,
    coinbase: fields.coinbase,
    stateRoot: state.root,
    transactionsRoot: EMPTY_ROOT,
    receiptsRoot: EMPTY_ROOT,
    logsBloom: EMPTY_BLOOM,
    difficulty: fields.difficulty ?? 0n,
    number: fields.number ?? 0n,
    gasLimit: fields.gasLimit,
    gasUsed: fields.gasUsed ?? 0n,
    timestamp: fields.timestamp,
    extraData: fields.extraData,
    mixHash: fields.mixHash,
    nonce: fields.nonce ?? ZERO_NONCE,
    ...(hardfork.has(1559) && { baseFeePerGas: fields.baseFeePerGas ?? 1_000_000_000n }),
    ...(hardfork.has(4895) && {
      // Never a promise here: only a forked state is fetched.
      withdrawalsRoot: hardfork.rollup === 'jovian' ? (messagesRoot(state) as Uint8Array) : EMPTY_ROOT,
    }),
    ...(hardfork.has(4844) && {
      blobGasUsed: fields.blobGasUsed ?? 0n,
      excessBlobGas: fields.excessBlobGas ?? 0n,
    }),
    ...(hardfork.has(4788) && { parentBeaconBlockRoot: fields.parentBeaconBlockRoot ?? ZERO_HASH }),
    ...(hardfork.has(7685) && { requestsHash: requestsHash([]) }),
    ...(hardfork.has(7928) && { blockAccessListHash: keccak256(NO_ACCESSES) }),
    ...(hardfork.has(7843) && { slotNumber: fields.slotNumber ?? 0n }),
  };
  return {
    header,
    hash: hashHeader(header),
    transactions: [],
    receipts: [],
    ...(hardfork.has(4895) && { withdrawals: [] }),
    ...(hardfork.has(7928) && { accessList: NO_ACCESSES }),
    uncles: [],
    // transactions, uncles and withdrawals are empty lists
    size: encodeRlp([headerFields(header), [], [], ...(hardfork.has(4895) ? [[]] : [])]).length,
    state,
  };
}
