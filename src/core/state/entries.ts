// Offsets of the fields in the entries of the tables of accounts and slots. The host reads them, too.

// ---- accounts: 256 bytes. The journal saves whole words of an entry: balance; nonce, code, creation; code hash.
/** word: wei */
export const BALANCE: usize = 0;
export const NONCE: usize = 32;
/** code record (codes.ts); 0 = no code */
export const CODE: usize = 40;
/** value of CODE if the account's code isn't loaded */
export const CODE_NOT_LOADED: u32 = 1;
/** epoch of the transaction that created the contract */
export const CREATED: usize = 44;
/** 1 = the account exists although it is empty, as in a genesis state, until a transaction touches it (EIP-161) */
export const KEPT: usize = 48;
/** 1 = its storage was removed: slots that aren't in the table are 0, whatever the source of lazily loaded state contains */
export const GONE: usize = 52;
/** pointer to the root node of the storage trie before the removal; 0 = the trie was empty or not loaded */
export const REMOVED_TRIE: usize = 56;
/** 1 = the tries contain differences from another state, including all fields of the account: trie/differences.ts */
export const DIFFERS: usize = 60;
export const CODE_HASH: usize = 64;
/** word */
export const ADDRESS: usize = 96;
export const STORAGE_ROOT: usize = 128;
/** keccak256 of the address, valid if HAS_HASH is set */
export const ADDRESS_HASH: usize = 160;
/** epoch in which it was accessed (EIP-2929) */
export const WARM: usize = 192;
/** 1 = in the list of accounts to fold into the state trie */
export const DIRTY: usize = 196;
/** pointer to the root node of the storage trie; 0 = the trie is empty or not loaded: see STORAGE_ROOT */
export const STORAGE_TRIE: usize = 200;
/** 1 = the state trie doesn't contain the account; 0 = it does, or may */
export const ABSENT: usize = 204;
/** 0 = the account has to be loaded from the host */
export const LOADED: usize = 208;
/**
 * number of the precompile at this address, or 0; plus PRECOMPILE_PLACE if the hardfork has a precompile there, which makes the account
 * warm.
 * They differ if eth_simulateV1 has moved a precompile.
 */
export const PRECOMPILE: usize = 212;
export const PRECOMPILE_PLACE: u32 = 0x10000;
export const HAS_HASH: usize = 216;
export const STORAGE_DIRTY: usize = 220;
/** 1 = slots that aren't in the table are 0, even if state is loaded lazily: the account never had storage before */
export const STORAGE_LOADED: usize = 224;
/** 1 = since the host has last taken the unstored data, the storage trie's root has changed; the code was set */
export const STORAGE_UNSTORED: usize = 228;
export const CODE_UNSTORED: usize = 232;
/** bits: in the list of loaded storage tries; in the list of those whose root has changed */
export const TRIE_LISTS: usize = 236;
/** number of the list of changes that contains the account: changes.ts */
export const LISTED: usize = 240;
/** 1 = its storage is being removed: removed-storage.ts */
export const REMOVING: usize = 244;
/** 1 = the table contains slots of the account */
export const HAS_SLOTS: usize = 248;
/** its offset in the list of accesses of the current block access index, if the list contains it: accesses.ts */
export const ACCESSED: usize = 252;

// ---- slots: 128 bytes
/** pointer to the account; plus 1 for a transient slot */
export const OWNER: usize = 0;
/** epoch of the transaction at whose start the slot had the value ORIGINAL; for a transient slot, epoch in which its value is valid */
export const FRESH: usize = 4;
/** epoch in which it was accessed (EIP-2929) */
export const SLOT_WARM: usize = 8;
/** its offset in the list of accesses of the current block access index, if the list contains it: accesses.ts */
export const SLOT_ACCESSED: usize = 12;
/** pointer to the leaf in the storage trie; 0 = there is none, or it isn't loaded */
export const LEAF: usize = 16;
/** 0 = the value has to be loaded from the host */
export const SLOT_LOADED: usize = 20;
/** 16 bits: 1 = the storage trie doesn't contain the slot; 0 = it does, or may */
export const SLOT_ABSENT: usize = 24;
/** 16 bits: 1 = in the list of slots to fold into the storage trie */
export const SLOT_DIRTY: usize = 26;
export const SLOT_LISTED: usize = 28;
/** words */
export const KEY: usize = 32;
export const VALUE: usize = 64;
export const ORIGINAL: usize = 96;

// ---- cells of the block access list (accesses.ts): 96 bytes, followed by the bytes of a code, padded to a multiple of 32. They are
// sorted by their first 60 bytes: address, kind, storage key, index, all big-endian. The host passes them from one workspace of a block
// to the next.
export const CELL_ADDRESS: usize = 0;
export const CELL_KIND: usize = 20;
export const CELL_KEY: usize = 24;
export const CELL_INDEX: usize = 56;
/** bytes */
export const CELL_CODE_LENGTH: usize = 60;
/** a 32-byte big-endian number */
export const CELL_VALUE: usize = 64;
export const CELL_SIZE: u32 = 96;

// ---- codes: a record's header of 64 bytes
export const CODE_LENGTH: usize = 0;
/** pointer to the bitmap of jump targets */
export const JUMPS: usize = 4;
/** 1 = the code is a delegation (EIP-7702); the 20 bytes of the target are in the code itself */
export const DELEGATES: usize = 8;
/** number of the last run in which the code was counted, and offset of its counters: see counts.ts */
export const COUNTED_RUN: usize = 12;
export const COUNTED_AT: usize = 16;
export const CODE_BYTES: usize = 64;

// ---- transactions of the open block: 32 bytes
/** offset of its encoding in the inputs, and its length */
export const RAW: usize = 0;
export const RAW_LENGTH: usize = 4;
/** offset and length of its receipt */
export const RECEIPT: usize = 8;
export const RECEIPT_LENGTH: usize = 12;
export const TRANSACTION_SIZE: u32 = 32;

// ---- first bytes of keys in the store (src/chain/store/keys.ts): for a block, see out/block-record.ts; for its state, see
// trie/unstored.ts
export const STORED_HEADER: u32 = 0x68;
export const STORED_BODY: u32 = 0x64;
export const STORED_RECEIPTS: u32 = 0x72;
export const STORED_ACCESS_LIST: u32 = 0x65;
export const STORED_TRANSACTION: u32 = 0x74;
export const UNSTORED_NODE: u32 = 0x73;
export const UNSTORED_CODE: u32 = 0x63;
/** an address or a storage key; the key in the store is its hash */
export const UNSTORED_PREIMAGE: u32 = 0x69;

// ---- changes (changes.ts) encoded for the host: the numbers of accounts, slots and codes (4 bytes each, little-endian), followed by
// the entries: an account's address (20), nonce (8, little-endian), balance (a word), code hash, storage root before the fold and after
// it; a slot's account (20), key and value (big-endian); a code's hash, length (4, little-endian), bytes
export const CHANGES_HEAD: u32 = 12;
export const CHANGED_ACCOUNT_SIZE: u32 = 156;
export const ROOT_BEFORE: u32 = 92;
export const ROOT_AFTER: u32 = 124;
export const CHANGED_SLOT_SIZE: u32 = 84;
