// Entries of the tables of accounts and slots: the offsets of their parts. The host reads them too.

// ---- accounts: 256 bytes. The words of an entry are what the journal saves: balance; nonce, code, creation;
// code hash.
/** word: wei */
export const BALANCE: usize = 0;
export const NONCE: usize = 32;
/** code record (codes.ts); 0 = no code */
export const CODE: usize = 40;
/** CODE of an account whose code isn't loaded */
export const CODE_NOT_LOADED: u32 = 1;
/** epoch of the transaction that created the contract */
export const CREATED: usize = 44;
/**
 * 1 = the account exists although it is empty, as in a genesis state, until a transaction touches it
 * (EIP-161)
 */
export const KEPT: usize = 48;
/** 1 = its storage was removed: slots that aren't in the table are 0, whatever the state has that it is loaded from */
export const GONE: usize = 52;
/** pointer to the root node of the storage trie that it had before; 0 = that was empty, or not loaded */
export const REMOVED_TRIE: usize = 56;
/** 1 = the tries hold what differs from another state, and have all fields of the account: trie/differences.ts */
export const DIFFERS: usize = 60;
export const CODE_HASH: usize = 64;
/** word */
export const ADDRESS: usize = 96;
export const STORAGE_ROOT: usize = 128;
/** keccak256 of the address, once HAS_HASH is set */
export const ADDRESS_HASH: usize = 160;
/** epoch in which it was accessed (EIP-2929) */
export const WARM: usize = 192;
/** 1 = on the list of accounts to fold into the trie */
export const DIRTY: usize = 196;
/** pointer to the root node of the storage trie; 0 = it is empty, or not loaded: see STORAGE_ROOT */
export const STORAGE_TRIE: usize = 200;
/** 1 = the state trie doesn't have it; 0 = it has, or may have */
export const ABSENT: usize = 204;
/** 0 = the host knows the account, but the table doesn't yet */
export const LOADED: usize = 208;
/**
 * number of the precompile at this address, or 0; PRECOMPILE_PLACE besides, where the hardfork has one there, which makes the account warm.
 * They differ where eth_simulateV1 has moved one.
 */
export const PRECOMPILE: usize = 212;
export const PRECOMPILE_PLACE: u32 = 0x10000;
export const HAS_HASH: usize = 216;
export const STORAGE_DIRTY: usize = 220;
/** 1 = slots that aren't in the table are 0, also where state is loaded lazily: it never had storage before */
export const STORAGE_LOADED: usize = 224;
/** 1 = since the host has taken what is unstored, the storage trie's root changed; the code was set */
export const STORAGE_UNSTORED: usize = 228;
export const CODE_UNSTORED: usize = 232;
/** bits: it is on the list of storage tries that are loaded; of those whose root changed */
export const TRIE_LISTS: usize = 236;
/** mark of the list of changes that the account is on: changes.ts */
export const LISTED: usize = 240;
/** 1 = its storage is about to be removed: removed-storage.ts */
export const REMOVING: usize = 244;
/** 1 = slots of it are in the table */
export const HAS_SLOTS: usize = 248;
/** where it is on the list of what the running transaction has accessed, if it is there: accesses.ts */
export const ACCESSED: usize = 252;

// ---- slots: 128 bytes
/** pointer to the account; 1 more for a transient slot */
export const OWNER: usize = 0;
/**
 * epoch of the transaction at whose start the slot had the value ORIGINAL; of a transient slot, that it has a
 * value
 */
export const FRESH: usize = 4;
/** epoch in which it was accessed (EIP-2929) */
export const SLOT_WARM: usize = 8;
/** where it is on the list of what the running transaction has accessed, if it is there: accesses.ts */
export const SLOT_ACCESSED: usize = 12;
/** pointer to the leaf in the storage trie; 0 = there is none, or it isn't loaded */
export const LEAF: usize = 16;
/** 0 = the host knows the value, but the table doesn't yet */
export const SLOT_LOADED: usize = 20;
/** 16 bits: 1 = the storage trie doesn't have it; 0 = it has, or may have */
export const SLOT_ABSENT: usize = 24;
/** 16 bits: 1 = on the list of slots to fold into the trie */
export const SLOT_DIRTY: usize = 26;
export const SLOT_LISTED: usize = 28;
/** words */
export const KEY: usize = 32;
export const VALUE: usize = 64;
export const ORIGINAL: usize = 96;

// ---- cells of the block's access list (accesses.ts): 96 bytes, and the bytes of a code behind them, padded to a multiple of 32. They are
// sorted by their first 60 bytes: address, kind, key of a slot, index, all big-endian. The host hands them from one workspace
// of a block to the next.
export const CELL_ADDRESS: usize = 0;
export const CELL_KIND: usize = 20;
export const CELL_KEY: usize = 24;
export const CELL_INDEX: usize = 56;
/** bytes */
export const CELL_CODE_LENGTH: usize = 60;
/** a number of 32 bytes, big-endian */
export const CELL_VALUE: usize = 64;
export const CELL_SIZE: u32 = 96;

// ---- codes: a record's header of 64 bytes
export const CODE_LENGTH: usize = 0;
/** pointer to the bits */
export const JUMPS: usize = 4;
/** account that this code delegates to (EIP-7702), as 20 bytes in the code itself; 1 = it does */
export const DELEGATES: usize = 8;
/** the run in which the code was counted last, and where: see counts.ts */
export const COUNTED_RUN: usize = 12;
export const COUNTED_AT: usize = 16;
export const CODE_BYTES: usize = 64;

// ---- transactions of the open block: 32 bytes
/** offset of its encoding in the inputs, length */
export const RAW: usize = 0;
export const RAW_LENGTH: usize = 4;
/** offset and length of its receipt */
export const RECEIPT: usize = 8;
export const RECEIPT_LENGTH: usize = 12;
export const TRANSACTION_SIZE: u32 = 32;

// ---- first bytes of keys in the store (src/chain/store/keys.ts): of a block, see out/block-record.ts; of its state, see trie/unstored.ts
export const STORED_HEADER: u32 = 0x68;
export const STORED_BODY: u32 = 0x64;
export const STORED_RECEIPTS: u32 = 0x72;
export const STORED_ACCESS_LIST: u32 = 0x65;
export const STORED_TRANSACTION: u32 = 0x74;
export const UNSTORED_NODE: u32 = 0x73;
export const UNSTORED_CODE: u32 = 0x63;
/** an address or a slot, by the hash that is its key */
export const UNSTORED_PREIMAGE: u32 = 0x69;

// ---- what was written (changes.ts), for the host: the numbers of accounts, slots and codes (4 bytes each, little-endian), then
// these one behind the other: an account's address (20), nonce (8, little-endian), balance (a word), code hash, storage root before
// the fold and after it; a slot's account (20), key and value (big-endian); a code's hash, length (4, little-endian), bytes
export const CHANGES_HEAD: u32 = 12;
export const CHANGED_ACCOUNT_SIZE: u32 = 156;
export const ROOT_BEFORE: u32 = 92;
export const ROOT_AFTER: u32 = 124;
export const CHANGED_SLOT_SIZE: u32 = 84;
