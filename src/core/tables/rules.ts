// The numbers and switches of the protocol that the core reads, from Frontier on: the only place in it that says what something costs. The
// build makes their places in the memory of it (rule.ts), and the host writes those of a hardfork there: src/executor/rules.ts.

/**
 * A number, or numbers by the EIPs that change it: that of the highest EIP which a hardfork has counts. 0 = before them; absent = 0 before
 * them. JavaScript sorts such keys, so this works only where a later EIP has a higher number, as everywhere here.
 */
export type ByEip = number | Readonly<Record<number, number>>;

/** The core counts gas in signed numbers of 64 bits: no gas limit is as high. */
const NO_LIMIT = 2 ** 63;

/** Gas, or what else is said. */
export const NUMBERS = {
  // Access to accounts and slots (EIP-2929)
  COLD_ACCOUNT: { 2929: 2600 },
  WARM_ACCOUNT: { 2929: 100 },
  COLD_SLOT: { 2929: 2100 },
  WARM_SLOT: { 2929: 100 },
  /** SSTORE of a slot that was 0, and of one that wasn't, at the start of the transaction (EIP-2200, EIP-2929) */
  SLOT_SET: 20000,
  SLOT_RESET: { 0: 5000, 2929: 2900 },
  /**
   * SSTORE of the value that a slot has, or of one that the transaction has changed before. 0 = neither makes a difference: what counts
   * is the value that the slot has, not the one at the start of the transaction. (EIP-1283, which Petersburg took back; EIP-2200)
   */
  SLOT_AGAIN: { 1283: 200, 2200: 800, 2929: 100 },
  /** what a frame must have more of for an SSTORE (EIP-2200) */
  SLOT_SENTRY: { 0: -1, 2200: 2300 },
  /** refund of a slot that becomes 0 (EIP-3529) */
  SLOT_CLEARED: { 0: 15000, 3529: 4800 },
  /** the share of the gas used that may be refunded, as a divisor (EIP-3529) */
  REFUND_DIVISOR: { 0: 2, 3529: 5 },

  // Calls
  CALL_WITH_VALUE: 9000,
  CALL_STIPEND: 2300,
  /** a call that brings an account into being, since EIP-161 one with value */
  NEW_ACCOUNT: 25000,
  /** of the gas that is left a frame keeps one part in so many; 0 = it keeps none (EIP-150) */
  KEPT_PART: { 150: 64 },
  SELFDESTRUCT: { 150: 5000 },
  /** a destroyed contract that brings its heir into being, since EIP-161 one with a balance */
  NEW_HEIR: { 150: 25000 },
  /** refund of each contract that is destroyed (EIP-3529) */
  DESTROYED: { 0: 24000, 3529: 0 },

  // Creations
  CREATE: 32000,
  INIT_CODE_WORD: { 3860: 2 },
  CODE_BYTE: 200,

  // Data
  EXP_BYTE: { 0: 10, 160: 50 },
  HASH_WORD: 6,
  COPY_WORD: 3,
  MEMORY_WORD: 3,
  /** the square of the memory's words costs one part in so many */
  MEMORY_SQUARE_DIVISOR: 512,
  LOG_TOPIC: 375,
  LOG_BYTE: 8,
  IDENTITY: 15,
  IDENTITY_WORD: 3,

  // Transactions
  TRANSACTION: 21000,
  ZERO_BYTE: 4,
  /** EIP-2028 */
  OTHER_BYTE: { 0: 68, 2028: 16 },
  /** one that creates a contract (EIP-2) */
  CREATION: { 2: 32000 },
  /** each zero byte of the data counts once, each other one four times (EIP-7623) */
  FLOOR_TOKEN: { 7623: 10 },
  /** EIP-2930 */
  LISTED_ACCOUNT: { 2930: 2400 },
  LISTED_SLOT: { 2930: 1900 },
  /** each tuple of an authorization list, and what of it is refunded where the account exists (EIP-7702) */
  AUTHORIZATION: { 7702: 25000 },
  AUTHORIZATION_REFUND: { 7702: 12500 },
  /** the highest gas limit (EIP-7825) */
  MOST_GAS: { 0: NO_LIMIT, 7825: 2 ** 24 },
  /** EIP-4844 */
  BLOB: 2 ** 17,
} as const satisfies Readonly<Record<string, ByEip>>;

/** EIPs that the core asks for by their number: 1 where the hardfork has them. */
export const SWITCHES = [
  /** a creation fails that can't pay for its code; signatures have a low s */
  2,
  /** signatures for one chain only */
  155,
  /** empty accounts are the same as none; contracts begin with nonce 1 */
  161,
  /** receipts have a status in place of a state root */
  658,
  /** transactions of type 2, and base fees */
  1559,
  /** transactions of type 1 */
  2930,
  /** hashes of earlier blocks in state */
  2935,
  /** no code that begins with 0xef */
  3541,
  /** the coinbase is warm */
  3651,
  /** a limit of the size of init code */
  3860,
  /** randomness in place of the difficulty */
  4399,
  /** beacon roots in state */
  4788,
  /** transactions of type 3, and blob gas */
  4844,
  /** withdrawals */
  4895,
  /** SELFDESTRUCT removes only what the transaction has created */
  6780,
  /** requests of the execution layer */
  7685,
  /** accounts that delegate to code */
  7702,
] as const;
