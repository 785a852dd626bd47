// The numbers and switches of the protocol that the core reads, from Frontier on: the only place in it that says what something costs. The
// build makes their places in the memory of it (rule.ts), and the host writes those of a hardfork there: src/engine/wasm/rules.ts.

/**
 * A number, or numbers by the EIPs that change it: that of the highest EIP which a hardfork has counts. 0 = before them; absent = 0 before
 * them. JavaScript sorts such keys, so this works only where a later EIP has a higher number, as everywhere here.
 */
export type ByEip = number | Readonly<Record<number, number>>;

/** The core counts gas in signed numbers of 64 bits: no gas limit is as high. */
const NO_LIMIT = 2 ** 63;

/**
 * EIP-8037: gas for each byte that the state grows by, and the bytes that count for a slot, an account and a delegation. The EIP says that
 * this price isn't final.
 */
const STATE_BYTE = 1530;
const SLOT_BYTES = 64;
const ACCOUNT_BYTES = 120;
const DELEGATION_BYTES = 23;
/** EIP-7976, EIP-7981: gas for each byte of data and access lists that the floor counts; an address has 20 bytes, a slot 32 */
const FLOOR_BYTE = 64;

/** Gas, or what else is said. */
export const NUMBERS = {
  // Access to accounts and slots (EIP-2929)
  COLD_ACCOUNT: { 2929: 2600, 8038: 3000 },
  WARM_ACCOUNT: { 2929: 100 },
  COLD_SLOT: { 2929: 2100 },
  WARM_SLOT: { 2929: 100 },
  /** SSTORE of a slot that was 0, and of one that wasn't, at the start of the transaction (EIP-2200, EIP-2929) */
  SLOT_SET: { 0: 20000, 8038: 10000 },
  SLOT_RESET: { 0: 5000, 2929: 2900, 8038: 10000 },
  /**
   * 1 = SSTORE looks at the value that the slot had at the start of the transaction, too; 0 = only at the one that it has. (EIP-1283, which
   * Petersburg took back; EIP-2200)
   */
  SLOT_IS_NET: { 1283: 1, 2200: 1 },
  /** SSTORE of the value that a slot has, or of one that the transaction has changed before, where SLOT_IS_NET */
  SLOT_AGAIN: { 1283: 200, 2200: 800, 2929: 100, 8038: 0 },
  /** SSTORE of a warm slot, besides: EIP-8038 charges the access and the write apart */
  WARM_SLOT_STORE: { 8038: 100 },
  /** state gas of a slot that was 0 at the start of the transaction and isn't any more (EIP-8037) */
  SLOT_STATE: { 8037: SLOT_BYTES * STATE_BYTE },
  /** what a frame must have more of for an SSTORE (EIP-2200) */
  SLOT_SENTRY: { 0: -1, 2200: 2300 },
  /** refund of a slot that becomes 0 (EIP-3529) */
  SLOT_CLEARED: { 0: 15000, 3529: 4800, 8038: 11616 },
  /** the share of the gas used that may be refunded, as a divisor (EIP-3529) */
  REFUND_DIVISOR: { 0: 2, 3529: 5 },

  // Calls
  CALL_WITH_VALUE: { 0: 9000, 8038: 11300 },
  CALL_STIPEND: 2300,
  /** a call that brings an account into being, since EIP-161 one with value */
  NEW_ACCOUNT: { 0: 25000, 8037: 0 },
  /** state gas of whatever brings an account into being (EIP-8037) */
  ACCOUNT_STATE: { 8037: ACCOUNT_BYTES * STATE_BYTE },
  /** of the gas that is left a frame keeps one part in so many; 0 = it keeps none (EIP-150) */
  KEPT_PART: { 150: 64 },
  SELFDESTRUCT: { 150: 5000 },
  /** a destroyed contract that brings its heir into being, since EIP-161 one with a balance */
  NEW_HEIR: { 150: 25000, 8038: 9000 },
  /** refund of each contract that is destroyed (EIP-3529) */
  DESTROYED: { 0: 24000, 3529: 0 },

  // Creations
  CREATE: { 0: 32000, 8038: 12000 },
  INIT_CODE_WORD: { 3860: 2 },
  CODE_BYTE: { 0: 200, 8037: 0 },
  /** each word of the code that a creation stores, and state gas of each byte of it (EIP-8037) */
  CODE_WORD: { 8037: 6 },
  CODE_STATE: { 8037: STATE_BYTE },

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
  TRANSACTION: { 0: 21000, 2780: 12000 },
  /** a transaction to another account than its sender, and the value that it carries there (EIP-2780) */
  RECIPIENT: { 2780: 3000 },
  TRANSFER: { 2780: 6000 },
  ZERO_BYTE: 4,
  /** EIP-2028 */
  OTHER_BYTE: { 0: 68, 2028: 16 },
  /** one that creates a contract (EIP-2) */
  CREATION: { 2: 32000, 2780: 12000 },
  /** what of CREATION the floor counts (EIP-2780) */
  FLOOR_CREATION: { 2780: 12000 },
  /** bytes of the data in the floor (EIP-7623, EIP-7976) */
  FLOOR_ZERO_BYTE: { 7623: 10, 7976: FLOOR_BYTE },
  FLOOR_OTHER_BYTE: { 7623: 40, 7976: FLOOR_BYTE },
  /** EIP-2930 */
  LISTED_ACCOUNT: { 2930: 2400, 8038: 2900 },
  LISTED_SLOT: { 2930: 1900, 8038: 2000 },
  /** what the bytes of an access list cost besides, also in the floor (EIP-7981) */
  FLOOR_LISTED_ACCOUNT: { 7981: 20 * FLOOR_BYTE },
  FLOOR_LISTED_SLOT: { 7981: 32 * FLOOR_BYTE },
  /** each tuple of an authorization list, and what of it is refunded where the account exists (EIP-7702) */
  AUTHORIZATION: { 7702: 25000, 8038: 7816 },
  AUTHORIZATION_REFUND: { 7702: 12500, 8037: 0 },
  /** the first write to an authority (EIP-8038), and state gas of a delegation where there was none (EIP-8037) */
  AUTHORITY_WRITE: { 8038: 9000 },
  DELEGATION_STATE: { 8037: DELEGATION_BYTES * STATE_BYTE },
  /** the highest gas limit (EIP-7825; with EIP-8037 the gas limit only has to fit in 32 bits) */
  MOST_GAS: { 0: NO_LIMIT, 7825: 2 ** 24, 8037: 2 ** 32 - 1 },
  /** the most execution gas of a transaction; what its gas limit is above that is the reservoir of state gas (EIP-8037) */
  MOST_EXECUTION_GAS: { 0: NO_LIMIT, 8037: 2 ** 24 },
  /** the reservoir of a call by the protocol: 16 slots (EIP-8037) */
  SYSTEM_RESERVOIR: { 8037: 16 * SLOT_BYTES * STATE_BYTE },
  /** an access list of a block has at most one address or slot for so much of the block's gas limit (EIP-7928) */
  LIST_ITEM: { 7928: 2000 },
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
  /** the access of a recipient's delegation target is charged */
  2780,
  /** logs of transfers */
  7708,
  /** blocks count the gas used before refunds */
  7778,
  /** slot numbers in headers */
  7843,
  /** access lists of blocks */
  7928,
  /** a dimension of gas for the growth of the state */
  8037,
  /** a destroyed account keeps its balance */
  8246,
  /** requests of builders */
  8282,
] as const;
