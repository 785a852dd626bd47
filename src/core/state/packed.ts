// Accounts that the host writes in bulk, as consecutive records: trie/packed-accounts.ts reads what src/state/packed-accounts.ts has
// written.
// A record consists of a head, the account's code, and slots, each with key and value as two words. These constants are offsets in the
// head, and
// sizes, in bytes. Numbers are little-endian.

/** 20 bytes */
export const PACKED_ADDRESS: usize = 0;
export const PACKED_CODE_LENGTH: usize = 20;
/** 64 bits */
export const PACKED_NONCE: usize = 24;
/** word: wei */
export const PACKED_BALANCE: usize = 32;
/** number of slots */
export const PACKED_SLOTS: usize = 64;
/** size of the whole record */
export const PACKED_SIZE: usize = 68;
/** 1 = the record contains only further slots of the previous record's account */
export const PACKED_CONTINUES: usize = 72;
export const PACKED_HEAD: usize = 80;
export const PACKED_SLOT: usize = 64;
