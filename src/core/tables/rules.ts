// The numbers and switches of the protocol that the core reads, since Frontier: the core's single source for costs. The build generates
// their addresses in memory (rule.ts), and the host writes the values of a hardfork there: src/engine/wasm/rules.ts.

/**
 * A number, or numbers by the EIPs that change it: the highest EIP that a hardfork includes determines the value. Key 0 = the value before
 * these EIPs; absent = 0. JavaScript iterates such keys in ascending order, so a later EIP must have a higher number, which holds for all
 * entries.
 */
export type ByEip = number | Readonly<Record<number, number>>;

/** The core counts gas in signed 64-bit integers, so no gas limit is as high as this. */
const NO_LIMIT = 2 ** 63;

/**
 * EIP-8037: gas for each byte of state growth, and the number of bytes that count for a slot, an account and a delegation. According to the
 * EIP
 * this price isn't final.
 */
const STATE_BYTE = 1530;
const SLOT_BYTES = 64;
const ACCOUNT_BYTES = 120;
const DELEGATION_BYTES = 23;
/** EIP-7976, EIP-7981: gas of the floor for each byte of data and access lists; an address has 20 bytes, a slot 32 */
const FLOOR_BYTE = 64;

/** Amounts are gas unless stated otherwise. */
export const NUMBERS = {
  // Access to accounts and slots (EIP-2929)
  COLD_ACCOUNT: { 2929: 2600, 8038: 3000 },
  WARM_ACCOUNT: { 2929: 100 },
  COLD_SLOT: { 2929: 2100 },
  WARM_SLOT: { 2929: 100 },
  /** SSTORE of a slot whose value at the start of the transaction was zero, and non-zero (EIP-2200, EIP-2929) */
  SLOT_SET: { 0: 20000, 8038: 10000 },
  SLOT_RESET: { 0: 5000, 2929: 2900, 8038: 10000 },
  /**
   * Net gas metering: 1 = SSTORE also considers the slot's value at the start of the transaction; 0 = only its current value. (EIP-1283,
   * which Petersburg removed; EIP-2200)
   */
  SLOT_IS_NET: { 1283: 1, 2200: 1 },
  /** with SLOT_IS_NET: SSTORE of the slot's current value, or to a slot that the transaction has changed before */
  SLOT_AGAIN: { 1283: 200, 2200: 800, 2929: 100, 8038: 0 },
  /** SSTORE of a warm slot, in addition: EIP-8038 charges access and write separately */
  WARM_SLOT_STORE: { 8038: 100 },
  /** state gas when a slot that was zero at the start of the transaction becomes non-zero (EIP-8037) */
  SLOT_STATE: { 8037: SLOT_BYTES * STATE_BYTE },
  /** SSTORE fails if the frame has no more gas than this (EIP-2200) */
  SLOT_SENTRY: { 0: -1, 2200: 2300 },
  /** refund when a slot becomes zero (EIP-3529) */
  SLOT_CLEARED: { 0: 15000, 3529: 4800, 8038: 11616 },
  /** divisor for the maximum share of the used gas that is refunded (EIP-3529) */
  REFUND_DIVISOR: { 0: 2, 3529: 5 },

  // Calls
  CALL_WITH_VALUE: { 0: 9000, 8038: 11300 },
  CALL_STIPEND: 2300,
  /** a call that creates an account; since EIP-161 only a call with value */
  NEW_ACCOUNT: { 0: 25000, 8037: 0 },
  /** state gas for creating an account (EIP-8037) */
  ACCOUNT_STATE: { 8037: ACCOUNT_BYTES * STATE_BYTE },
  /** a frame keeps 1/n of its remaining gas when it calls; 0 = it keeps nothing (EIP-150) */
  KEPT_PART: { 150: 64 },
  SELFDESTRUCT: { 150: 5000 },
  /** a self-destruct that creates its beneficiary's account; since EIP-161 only with a balance */
  NEW_HEIR: { 150: 25000, 8038: 9000 },
  /** refund for each self-destructed contract (EIP-3529) */
  DESTROYED: { 0: 24000, 3529: 0 },

  // Creations
  CREATE: { 0: 32000, 8038: 12000 },
  INIT_CODE_WORD: { 3860: 2 },
  CODE_BYTE: { 0: 200, 8037: 0 },
  /** regular gas for each word, and state gas for each byte, of the code that a creation stores (EIP-8037) */
  CODE_WORD: { 8037: 6 },
  CODE_STATE: { 8037: STATE_BYTE },

  // Data
  EXP_BYTE: { 0: 10, 160: 50 },
  HASH_WORD: 6,
  COPY_WORD: 3,
  MEMORY_WORD: 3,
  /** the square of the memory size in words is divided by this */
  MEMORY_SQUARE_DIVISOR: 512,
  LOG_TOPIC: 375,
  LOG_BYTE: 8,
  IDENTITY: 15,
  IDENTITY_WORD: 3,

  // Transactions
  TRANSACTION: { 0: 21000, 2780: 12000 },
  /** a transaction to another account than its sender, and the transfer of its value (EIP-2780) */
  RECIPIENT: { 2780: 3000 },
  TRANSFER: { 2780: 6000 },
  ZERO_BYTE: 4,
  /** EIP-2028 */
  NONZERO_BYTE: { 0: 68, 2028: 16 },
  /** a transaction that creates a contract (EIP-2) */
  CREATION: { 2: 32000, 2780: 12000 },
  /** the part of CREATION that counts for the floor (EIP-2780) */
  FLOOR_CREATION: { 2780: 12000 },
  /** data bytes in the floor (EIP-7623, EIP-7976) */
  FLOOR_ZERO_BYTE: { 7623: 10, 7976: FLOOR_BYTE },
  FLOOR_NONZERO_BYTE: { 7623: 40, 7976: FLOOR_BYTE },
  /** EIP-2930 */
  LISTED_ACCOUNT: { 2930: 2400, 8038: 2900 },
  LISTED_SLOT: { 2930: 1900, 8038: 2000 },
  /** additional cost of an access list's bytes, also in the floor (EIP-7981) */
  FLOOR_LISTED_ACCOUNT: { 7981: 20 * FLOOR_BYTE },
  FLOOR_LISTED_SLOT: { 7981: 32 * FLOOR_BYTE },
  /** each tuple of an authorization list, and the refund if its account exists (EIP-7702) */
  AUTHORIZATION: { 7702: 25000, 8038: 7816 },
  AUTHORIZATION_REFUND: { 7702: 12500, 8037: 0 },
  /** the first write to an authority (EIP-8038), and the state gas of a new delegation (EIP-8037) */
  AUTHORITY_WRITE: { 8038: 9000 },
  DELEGATION_STATE: { 8037: DELEGATION_BYTES * STATE_BYTE },
  /** the maximum gas limit (EIP-7825; with EIP-8037 the gas limit must only fit in 32 bits) */
  MAX_GAS: { 0: NO_LIMIT, 7825: 2 ** 24, 8037: 2 ** 32 - 1 },
  /** the maximum execution gas of a transaction; the part of the gas limit above it is the reservoir of state gas (EIP-8037) */
  MAX_EXECUTION_GAS: { 0: NO_LIMIT, 8037: 2 ** 24 },
  /** the reservoir of a system call: 16 slots (EIP-8037) */
  SYSTEM_RESERVOIR: { 8037: 16 * SLOT_BYTES * STATE_BYTE },
  /** the block's gas limit, divided by this, limits the number of addresses and slots in the block access list (EIP-7928) */
  LIST_ITEM: { 7928: 2000 },
  /** EIP-4844 */
  BLOB: 2 ** 17,
} as const satisfies Readonly<Record<string, ByEip>>;

/** EIPs that the core checks by their number: the switch is 1 if the hardfork includes the EIP. */
export const SWITCHES = [
  /** a creation that can't pay its code deposit fails; signatures need a low s */
  2,
  /** replay protection: signatures for one chain only */
  155,
  /** empty accounts equal non-existent ones; contracts start with nonce 1 */
  161,
  /** receipts contain a status instead of a state root */
  658,
  /** transactions of type 2, and base fees */
  1559,
  /** transactions of type 1 */
  2930,
  /** the state contains hashes of earlier blocks */
  2935,
  /** code must not begin with 0xef */
  3541,
  /** the coinbase is warm */
  3651,
  /** limited size of init code */
  3860,
  /** PREVRANDAO instead of the difficulty */
  4399,
  /** the state contains beacon roots */
  4788,
  /** transactions of type 3, and blob gas */
  4844,
  /** withdrawals */
  4895,
  /** SELFDESTRUCT removes only accounts that the transaction has created */
  6780,
  /** execution layer requests */
  7685,
  /** accounts that delegate to code */
  7702,
  /** access to the target of the recipient's delegation is charged */
  2780,
  /** logs of ETH transfers */
  7708,
  /** blocks count the gas used before refunds */
  7778,
  /** slot numbers in headers */
  7843,
  /** block access lists */
  7928,
  /** separate gas dimension for state growth */
  8037,
  /** a self-destructed account keeps its balance */
  8246,
  /** requests of builders */
  8282,
] as const;
