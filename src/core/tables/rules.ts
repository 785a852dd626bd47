// The numbers and switches of the protocol that the core reads, from Cancun on: the only place in it that says what something costs. The
// build makes their places in the memory of it (rule.ts), and the host writes those of a hardfork there: src/executor/rules.ts.

/** A number, or numbers by the EIPs that change it, in the order in which they came: the last one that a hardfork has counts. 0 = before them. */
export type ByEip = number | Readonly<Record<number, number>>;

/** More than any gas limit. */
const NO_LIMIT = 2 ** 53;

/** Gas, or what else is said. */
export const NUMBERS = {
  // Access to accounts and slots (EIP-2929)
  COLD_ACCOUNT: 2600,
  WARM_ACCOUNT: 100,
  COLD_SLOT: 2100,
  WARM_SLOT: 100,
  /** SSTORE of a slot that was 0, and of one that wasn't, at the start of the transaction (EIP-2200, EIP-2929) */
  SLOT_SET: 20000,
  SLOT_RESET: 2900,
  /** what a frame must have more of for an SSTORE (EIP-2200) */
  SLOT_SENTRY: 2300,
  /** refund of a slot that becomes 0 (EIP-3529) */
  SLOT_CLEARED: 4800,
  /** the share of the gas used that may be refunded, as a divisor (EIP-3529) */
  REFUND_DIVISOR: 5,

  // Calls
  CALL_WITH_VALUE: 9000,
  CALL_STIPEND: 2300,
  /** a call with value, or a destroyed contract's balance, that brings an account into being (EIP-161) */
  NEW_ACCOUNT: 25000,
  /** of the gas that is left a frame keeps one part in so many (EIP-150) */
  KEPT_PART: 64,
  SELFDESTRUCT: 5000,

  // Creations
  CREATE: 32000,
  INIT_CODE_WORD: 2,
  CODE_BYTE: 200,

  // Data
  EXP_BYTE: 50,
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
  OTHER_BYTE: 16,
  /** each zero byte of the data counts once, each other one four times (EIP-7623) */
  FLOOR_TOKEN: { 0: 0, 7623: 10 },
  /** EIP-2930 */
  LISTED_ACCOUNT: 2400,
  LISTED_SLOT: 1900,
  /** each tuple of an authorization list, and what of it is refunded where the account exists (EIP-7702) */
  AUTHORIZATION: 25000,
  AUTHORIZATION_REFUND: 12500,
  /** the highest gas limit (EIP-7825) */
  MOST_GAS: { 0: NO_LIMIT, 7825: 2 ** 24 },
  /** EIP-4844 */
  BLOB: 2 ** 17,
} as const satisfies Readonly<Record<string, ByEip>>;

/** EIPs that the core asks for by their number: 1 where the hardfork has them. */
export const SWITCHES = [
  /** hashes of earlier blocks in state */
  2935,
  /** requests of the execution layer */
  7685,
  /** accounts that delegate to code */
  7702,
] as const;
