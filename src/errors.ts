/**
 * Every error a caller can get: name -> JSON-RPC code and message. Codes are those of JSON-RPC 2.0, of geth and of
 * the execution-apis specification (-38xxx, `eth_simulateV1`). A row's function takes the typed payload.
 */
export const ERRORS = {
  parseError: { code: -32700, message: () => 'Parse error: the body is not JSON' },
  invalidRequest: { code: -32600, message: (p: { reason: string }) => `Invalid request: ${p.reason}` },
  methodNotFound: { code: -32601, message: (p: { method: string }) => `Method ${p.method} not found` },
  invalidParams: { code: -32602, message: (p: { reason: string }) => `Invalid params: ${p.reason}` },
  timestampTooLow: {
    code: -32602,
    message: (p: { timestamp: bigint; earliest: bigint }) =>
      `Timestamp error: ${p.timestamp} is lower than the earliest that the next block may have, ${p.earliest}`,
  },
  timestampTooHigh: {
    code: -32602,
    message: (p: { timestamp: bigint; latest: bigint }) =>
      `Timestamp error: ${p.timestamp} is over the latest that chain time can be set to, ${p.latest}`,
  },
  unknownAccount: {
    code: -32602,
    message: (p: { address: string }) => `No Signer available: the node has no key of ${p.address}`,
  },
  internal: { code: -32603, message: () => 'Internal error' },
  /** anvil's code and message */
  notImplemented: { code: -32603, message: () => 'Not implemented' },

  server: { code: -32000, message: (p: { reason: string }) => p.reason },
  stateUnknown: {
    code: -32000,
    message: (p: { number: bigint }) =>
      `the state of block ${p.number} is not known: the state file that the chain began with lacks it (see --preserve-historical-states)`,
  },
  headerNotFound: {
    code: -32000,
    /** `asked`: the block's number in decimal, its hash or tag; `latest`: the number of the newest block */
    message: (_p?: { asked: string; latest: bigint }) => 'header not found',
  },
  /** geth's code and message for history that a node may drop (EIP-4444) */
  prunedHistory: { code: 4444, message: () => 'pruned history unavailable' },
  limitExceeded: {
    code: -32000,
    message: (p: { limit: string; max: number | bigint }) => `${p.limit} is over the limit of ${p.max}`,
  },
  timedOut: {
    code: -32000,
    message: (p: { ms: number }) => `the request took longer than ${p.ms} ms (--rpc-timeout)`,
  },
  /** The node that a forked chain reads from failed. Only its host is named: the URL may contain a key. */
  remoteFailed: {
    code: -32000,
    message: (p: { host: string; method: string; reason: string }) =>
      `the forked node ${p.host} did not answer ${p.method}: ${p.reason}`,
  },

  gasAllowance: {
    code: -32000,
    message: (p: { allowance: bigint }) => `gas required exceeds allowance (${p.allowance})`,
  },

  transactionRejected: { code: -32003, message: (p: { reason: string }) => p.reason },
  noDeposits: {
    code: -32003,
    message: () => 'transaction type not supported: 0x7e, a deposit of the OP Stack: start with --optimism',
  },
  depositKnown: {
    code: -32003,
    message: (p: { block: bigint }) =>
      `already known: block ${p.block} holds this deposit; another sourceHash makes another one of it`,
  },
  transactionGasCap: {
    code: -32003,
    message: (p: { cap: bigint; got: bigint }) =>
      `transaction gas limit too high: cap ${p.cap} (EIP-7825), tx ${p.got}; --disable-tx-gas-limit lifts the cap`,
  },
  alreadyKnown: { code: -32003, message: (_p: { hash: string }) => 'already known' },
  poolIntrinsicGas: {
    code: -32003,
    message: (p: { required: bigint; got: bigint }) =>
      `intrinsic gas too low: gas ${p.got}, minimum needed ${p.required}`,
  },
  poolFloorGas: {
    code: -32003,
    message: (p: { required: bigint; got: bigint }) =>
      `insufficient gas for floor data gas cost: gas ${p.got}, minimum needed ${p.required}`,
  },
  poolBlockGasLimit: {
    code: -32003,
    message: (p: { limit: bigint; got: bigint }) =>
      `exceeds block gas limit: transaction ${p.got}, block ${p.limit}`,
  },
  tipAboveFeeCap: {
    code: -32003,
    message: (p: { address: string; tip: bigint; feeCap: bigint }) =>
      `max priority fee per gas higher than max fee per gas: address ${p.address}, maxPriorityFeePerGas: ${p.tip}, maxFeePerGas: ${p.feeCap}`,
  },
  poolTipTooHigh: {
    code: -32003,
    message: (p: { tip: bigint; feeCap: bigint }) =>
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${p.tip}, maxFeePerGas ${p.feeCap}`,
  },
  poolNonceTooLow: {
    code: -32003,
    /**
     * `sealed`: the sender's nonce at `latest`, given when a pre-confirmed transaction of the sender has the nonce
     * already; `refusesGaps`: the pool also refuses nonces that are too high, instead of keeping such transactions
     */
    message: (p: { expected: bigint; got: bigint; sealed?: bigint; refusesGaps?: boolean }) =>
      `nonce too low: next nonce ${p.expected}, tx nonce ${p.got}${
        p.sealed === undefined
          ? ''
          : ` (a pre-confirmed transaction has it: the nonce is ${p.sealed} at latest, ${p.expected} at pending)`
      }`,
  },
  poolNonceTooHigh: {
    code: -32003,
    message: (p: { expected: bigint; got: bigint }) =>
      `nonce too high: next nonce ${p.expected}, tx nonce ${p.got}`,
  },
  poolFeeCapTooLow: {
    code: -32003,
    message: (p: { field: string; feeCap: bigint; baseFee: bigint }) =>
      `max fee per gas less than block base fee: ${p.field} ${p.feeCap}, baseFee ${p.baseFee}`,
  },
  poolBlobFeeCapTooLow: {
    code: -32003,
    message: (p: { feeCap: bigint; baseFee: bigint }) =>
      `max fee per blob gas less than block blob base fee: maxFeePerBlobGas ${p.feeCap}, blobBaseFee ${p.baseFee}`,
  },
  poolInsufficientFunds: {
    code: -32003,
    message: (p: { balance: bigint; cost: bigint }) =>
      `insufficient funds for gas * price + value: balance ${p.balance}, tx cost ${p.cost}`,
  },
  underpriced: {
    code: -32003,
    message: (p: { minimum: bigint; got: bigint }) =>
      `transaction underpriced: needed ${p.minimum}, got ${p.got}`,
  },
  replacementUnderpriced: {
    code: -32003,
    message: (p: { minimum: bigint; got: bigint; nonce: bigint }) =>
      `replacement transaction underpriced: a replacement needs at least ${p.minimum} wei per gas, got ${p.got}`,
  },

  reverted: {
    code: 3,
    message: (p: { reason?: string }) =>
      p.reason ? `execution reverted: ${p.reason}` : 'execution reverted',
  },
  revertedIn: { code: 3, message: (p: { text: string }) => p.text },
  /** Hardhat's error for a transaction that ran out of gas */
  gasRanOut: { code: -32000, message: () => 'Transaction ran out of gas' },
  /** Hardhat 2's error for a revert */
  vmException: { code: -32603, message: (p: { text: string }) => `Error: ${p.text}` },
  syncTimeout: {
    code: 4,
    message: (p: { hash: string; ms: number }) =>
      `Transaction ${p.hash} was added to the mempool but wasn't confirmed within ${p.ms} ms`,
  },
  vmError: { code: -32015, message: (p: { reason: string }) => p.reason },

  nonceTooLow: {
    code: -38010,
    message: (p: { address: string; expected: bigint; got: bigint }) =>
      `nonce too low: address ${p.address}, tx: ${p.got} state: ${p.expected}`,
  },
  nonceTooHigh: {
    code: -38011,
    message: (p: { address: string; expected: bigint; got: bigint }) =>
      `nonce too high: address ${p.address}, tx: ${p.got} state: ${p.expected}`,
  },
  feeCapTooLow: {
    code: -38012,
    message: (p: { address: string; feeCap: bigint; baseFee: bigint }) =>
      `max fee per gas less than block base fee: address ${p.address}, maxFeePerGas: ${p.feeCap}, baseFee: ${p.baseFee}`,
  },
  intrinsicGas: {
    code: -38013,
    message: (p: { required: bigint; got: bigint }) =>
      `intrinsic gas too low: have ${p.got}, want ${p.required}`,
  },
  insufficientFunds: {
    code: -38014,
    message: (p: { address: string; balance: bigint; cost: bigint }) =>
      `insufficient funds for gas * price + value: address ${p.address} have ${p.balance} want ${p.cost}`,
  },
  blockGasLimit: {
    code: -38015,
    message: (p: { remaining: bigint; required: bigint }) =>
      `block gas limit reached: remaining: ${p.remaining}, required: ${p.required}`,
  },
  blockNumberOrder: {
    code: -38020,
    message: (p: { got: bigint; previous: bigint }) =>
      `block numbers must be in order: ${p.got} <= ${p.previous}`,
  },
  blockTimeOrder: {
    code: -38021,
    message: (p: { got: bigint; previous: bigint }) =>
      `block timestamps must be in order: ${p.got} <= ${p.previous}`,
  },
  precompileMoveToSelf: {
    code: -38022,
    message: (p: { address: string }) => `MovePrecompileToAddress referenced itself: ${p.address}`,
  },
  precompileMoveTwice: {
    code: -38023,
    message: (p: { address: string }) =>
      `multiple MovePrecompileToAddress referencing the same address ${p.address}`,
  },
  senderNotEOA: {
    code: -38024,
    message: (p: { address: string }) => `sender not an eoa: address ${p.address}`,
  },
  initCodeSize: {
    code: -38025,
    message: (p: { size: number; max: number }) =>
      `max initcode size exceeded: code size ${p.size} limit ${p.max}`,
  },
  /** geth's code in `eth_simulateV1` for a tip above the fee cap */
  simulationParams: { code: -32602, message: (p: { reason: string }) => p.reason },
  /** geth's code in `eth_simulateV1` for errors that have no code of their own */
  simulationRejected: { code: -32603, message: (p: { reason: string }) => p.reason },
  clientLimit: { code: -38026, message: (p: { reason: string }) => p.reason },
} as const;

export type ErrorName = keyof typeof ERRORS;
/** The `data` member of a JSON-RPC error. */
export type ErrorData = string | { readonly message: string; readonly [field: string]: unknown };
type Payload<N extends ErrorName> = Parameters<(typeof ERRORS)[N]['message']>;

/**
 * An error that the caller gets to see. `code` and `message` are sent as they are; `data` too when set (the raw bytes
 * of a revert in hex, a transaction hash, or an object as in Hardhat). The dispatcher turns any other error into
 * -32603.
 */
export class DevnetError<N extends ErrorName = ErrorName> extends Error {
  override readonly name: N;
  readonly code: number;
  /** the parameters of the message */
  readonly payload: Payload<N>[0];
  data?: ErrorData;
  /** hash in `0x` hex of the transaction that was mined and failed */
  transaction?: string;

  constructor(name: N, ...payload: Payload<N>) {
    // TypeScript can't narrow a row's parameters from N inside the class; the constructor's signature checks the
    // callers.
    super((ERRORS[name].message as (p: unknown) => string)(payload[0]));
    this.name = name;
    this.code = ERRORS[name].code;
    this.payload = payload[0];
  }

  /** An error that another node answered; keeps its code and message. */
  static foreign({ code, message, data }: { code: number; message: string; data?: unknown }): DevnetError {
    const error = new DevnetError('server', { reason: message });
    Object.defineProperty(error, 'code', { value: code, enumerable: true });
    return typeof data === 'string' ? error.withData(data) : error;
  }

  /** Sets the error's `data` member and returns the error. */
  withData(data: ErrorData): this {
    this.data = data;
    return this;
  }
}

/**
 * Only `eth_simulateV1` has the codes -38xxx. For other methods, this turns such an error into a rejected transaction
 * (-32003), with the original as its `cause` for callers that word the message differently.
 */
export function asRejected(error: DevnetError): DevnetError {
  if (error.code > -38_000) return error;
  const rejected = new DevnetError('transactionRejected', { reason: error.message });
  rejected.cause = error;
  return rejected;
}

/**
 * The counterpart for `eth_simulateV1`: a rejected transaction, which has no code of its own there, gets geth's code
 * for internal errors, or for invalid parameters.
 */
export function asSimulated(error: DevnetError): DevnetError {
  if (error.name === 'tipAboveFeeCap') return new DevnetError('simulationParams', { reason: error.message });
  return error.name === 'transactionRejected'
    ? new DevnetError('simulationRejected', { reason: error.message })
    : error;
}
