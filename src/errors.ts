/** Adds a JSON-RPC code to errors, given by name with a function that formats the message from the typed payload. */
function coded<M extends Readonly<Record<string, (payload: never) => string>>>(code: number, messages: M) {
  const rows = Object.entries(messages).map(([name, message]) => [name, { code, message }]);
  return Object.fromEntries(rows) as {
    readonly [N in keyof M]: { readonly code: number; readonly message: M[N] };
  };
}

/**
 * Every error that a caller can get: name -> JSON-RPC code and message. Codes are those of JSON-RPC 2.0, of geth and of the execution-apis
 * specification (-38xxx, `eth_simulateV1`).
 */
export const ERRORS = {
  ...coded(-32700, { parseError: () => 'Parse error: the body is not JSON' }),
  ...coded(-32600, { invalidRequest: (p: { reason: string }) => `Invalid request: ${p.reason}` }),
  ...coded(-32601, {
    /** `meant`: a method with a similar name */
    methodNotFound: (p: { method: string; meant?: string | undefined }) =>
      `Method ${p.method} not found${p.meant === undefined ? '' : ` (did you mean ${p.meant}?)`}`,
  }),
  ...coded(-32602, {
    invalidParams: (p: { reason: string }) => `Invalid params: ${p.reason}`,
    timestampTooLow: (p: { timestamp: bigint; earliest: bigint }) =>
      `Timestamp error: ${p.timestamp} is lower than the earliest that the next block may have, ${p.earliest}`,
    timestampTooHigh: (p: { timestamp: bigint; latest: bigint }) =>
      `Timestamp error: ${p.timestamp} is later than the maximum chain time, ${p.latest}`,
    /** anvil's message; `hardfork` is the next block's hardfork */
    noBaseFee: (_p: { hardfork: string }) =>
      'anvil_setNextBlockBaseFeePerGas is only supported when EIP-1559 is active',
    /** `hardfork` is the next block's hardfork */
    noPrevRandao: (p: { hardfork: string }) =>
      `prevRandao (EIP-4399) can be set since the merge only; the next block's hardfork is ${p.hardfork}`,
    unknownAccount: (p: { address: string }) => `No Signer available: the node has no key of ${p.address}`,
    /** geth's code in `eth_simulateV1` for a tip above the fee cap */
    simulationParams: (p: { reason: string }) => p.reason,
  }),
  ...coded(-32603, {
    internal: () => 'Internal error',
    /** anvil's code and message */
    notImplemented: () => 'Not implemented',
    /** Hardhat 2's error for a revert */
    vmException: (p: { text: string }) => `Error: ${p.text}`,
    /** geth's code in `eth_simulateV1` for errors that have no code of their own */
    simulationRejected: (p: { reason: string }) => p.reason,
  }),
  ...coded(-32000, {
    server: (p: { reason: string }) => p.reason,
    stateUnknown: (p: { number: bigint }) =>
      `the state of block ${p.number} is not known: the state file that the chain began with lacks it (see --preserve-historical-states)`,
    /** `asked`: the requested block's number in decimal, its hash or tag; `latest`: the number of the newest block */
    headerNotFound: (_p?: { asked: string; latest: bigint }) => 'header not found',
    /** `expected`: which flashblocks are available */
    flashblockNotFound: (p: { block: bigint; index: bigint; expected: string }) =>
      `flashblock not found: ${p.expected}, got flashblock ${p.index} of block ${p.block}`,
    flashblockChanged: (p: { block: bigint; index: number }) =>
      `the state after flashblock ${p.index} of block ${p.block} is not known any more: a dev method changed the state while the block was built`,
    limitExceeded: (p: { limit: string; max: number | bigint }) => `${p.limit} is over the limit of ${p.max}`,
    /** Only in estimates, for Hardhat's `noInternalOutOfGas`. */
    outOfGasInside: () =>
      "Gas estimation failed: an internal call runs out of gas regardless of the transaction's gas limit, so no reliable estimate exists. Set an explicit gas limit for the transaction.",
    timedOut: (p: { ms: number }) => `the request took longer than ${p.ms} ms (--rpc-timeout)`,
    /** The node from which a forked chain reads failed. The message names only its host, because the URL may contain a key. */
    remoteFailed: (p: { host: string; method: string; reason: string }) =>
      `the forked node ${p.host} did not answer ${p.method}: ${p.reason}`,
    /**
     * The node from which a chain is to be forked can't be used. The message has only the beginning of the URL, which may contain a key.
     */
    forkFailed: (p: { url: string; reason: string; advice: string }) =>
      `can't fork from ${p.url}: ${p.reason}; ${p.advice}`,
    /** `--fork-offline` or a replay needs data that only another node has. `what`: an account, a slot, or the answer to a call */
    notCached: (p: { what: string; number: bigint; hash: string; chainId: bigint }) =>
      `${p.what} at block ${p.number} of chain ${p.chainId} (${p.hash}) is not in the fork cache, and no node is asked for it (--fork-offline)`,
    gasAllowance: (p: { allowance: bigint }) => `gas required exceeds allowance (${p.allowance})`,
    /** Hardhat's error for a transaction that ran out of gas */
    gasRanOut: () => 'Transaction ran out of gas',
  }),
  /** EIP-1474 */
  ...coded(-32005, {
    tooManyLong: (p: { most: number; waiting: number }) =>
      `limit exceeded: ${p.most} long calls, simulations and traces are running and ${p.waiting} are waiting, which is the maximum; retry when some have ended`,
    noPlace: (p: { most: number }) =>
      `limit exceeded: ${p.most} long calls, simulations and traces are running, which is the maximum; this one was ended in favour of another connection's`,
    tooMuchMemory: (p: { most: number }) =>
      `limit exceeded: the running long calls, simulations and traces take more than ${p.most} bytes of memory; this one, which took most of it, was ended`,
    /** op-geth's code and message */
    conditionsTooCostly: (p: { cost: number; most: number }) =>
      `conditional cost, ${p.cost}, exceeded max: ${p.most}`,
  }),
  ...coded(4444, {
    /** geth's code and message for history that a node may drop (EIP-4444) */
    prunedHistory: () => 'pruned history unavailable',
  }),
  /** EIP-1474: resource not found */
  ...coded(-32001, {
    noAccessList: (p: { number: bigint }) =>
      `resource not found: block ${p.number} has no access list, which blocks have since amsterdam (EIP-7928)`,
  }),
  ...coded(-32003, {
    transactionRejected: (p: { reason: string }) => p.reason,
    noDeposits: () =>
      'transaction type not supported: 0x7e, a deposit of the OP Stack: start with --optimism',
    depositKnown: (p: { block: bigint }) =>
      `already known: block ${p.block} has this deposit; use another sourceHash to send it again`,
    transactionGasCap: (p: { cap: bigint; got: bigint }) =>
      `transaction gas limit too high: cap ${p.cap} (EIP-7825), tx ${p.got}; --disable-tx-gas-limit lifts the cap`,
    /** ERC-7796: a condition for the inclusion of a transaction doesn't hold */
    conditionUnmet: (p: { reason: string }) => p.reason,
    /** geth's message, and what to do. `nonce`: absent for a deposit, which has none */
    alreadyKnown: (p: { hash: string; nonce?: bigint }) =>
      `already known (it is waiting in the mempool${
        p.nonce === undefined ? '' : `; to send another transaction, use a nonce other than ${p.nonce}`
      })`,
    poolIntrinsicGas: (p: { required: bigint; got: bigint }) =>
      `intrinsic gas too low: gas ${p.got}, minimum needed ${p.required}`,
    poolFloorGas: (p: { required: bigint; got: bigint }) =>
      `insufficient gas for floor data gas cost: gas ${p.got}, minimum needed ${p.required}`,
    poolBlockGasLimit: (p: { limit: bigint; got: bigint }) =>
      `exceeds block gas limit: transaction ${p.got}, block ${p.limit}`,
    tipAboveFeeCap: (p: { address: string; tip: bigint; feeCap: bigint }) =>
      `max priority fee per gas higher than max fee per gas: address ${p.address}, maxPriorityFeePerGas: ${p.tip}, maxFeePerGas: ${p.feeCap}`,
    poolTipTooHigh: (p: { tip: bigint; feeCap: bigint }) =>
      `max priority fee per gas higher than max fee per gas: maxPriorityFeePerGas ${p.tip}, maxFeePerGas ${p.feeCap}`,
    /**
     * `sealed`: the sender's nonce at `latest`, given if a pre-confirmed transaction of the sender already has this nonce; `refusesGaps`:
     * the pool also rejects nonces that are too high, instead of keeping such transactions
     */
    poolNonceTooLow: (p: { expected: bigint; got: bigint; sealed?: bigint; refusesGaps?: boolean }) =>
      `nonce too low: next nonce ${p.expected}, tx nonce ${p.got}${
        p.sealed === undefined
          ? ''
          : ` (a pre-confirmed transaction has it: the nonce is ${p.sealed} at latest, ${p.expected} at pending; for a client that counts at latest, such as cast and forge, start with --automine or --flashblock-interval 0)`
      }`,
    poolNonceTooHigh: (p: { expected: bigint; got: bigint }) =>
      `nonce too high: next nonce ${p.expected}, tx nonce ${p.got}`,
    poolFeeCapTooLow: (p: { field: string; feeCap: bigint; baseFee: bigint }) =>
      `max fee per gas less than block base fee: ${p.field} ${p.feeCap}, baseFee ${p.baseFee}`,
    poolBlobFeeCapTooLow: (p: { feeCap: bigint; baseFee: bigint }) =>
      `max fee per blob gas less than block blob base fee: maxFeePerBlobGas ${p.feeCap}, blobBaseFee ${p.baseFee}`,
    poolInsufficientFunds: (p: { balance: bigint; cost: bigint }) =>
      `insufficient funds for gas * price + value: balance ${p.balance}, tx cost ${p.cost}`,
    underpriced: (p: { minimum: bigint; got: bigint }) =>
      `transaction underpriced: needed ${p.minimum}, got ${p.got}`,
    replacementUnderpriced: (p: { minimum: bigint; got: bigint; nonce: bigint }) =>
      `replacement transaction underpriced: a replacement needs at least ${p.minimum} wei per gas, got ${p.got}`,
  }),
  ...coded(3, {
    reverted: (p: { reason?: string }) =>
      p.reason ? `execution reverted: ${p.reason}` : 'execution reverted',
    revertedIn: (p: { text: string }) => p.text,
  }),
  ...coded(4, {
    syncTimeout: (p: { hash: string; ms: number }) =>
      `Transaction ${p.hash} was added to the mempool but wasn't confirmed within ${p.ms} ms`,
  }),
  ...coded(-32015, { vmError: (p: { reason: string }) => p.reason }),
  ...coded(-38010, {
    nonceTooLow: (p: { address: string; expected: bigint; got: bigint }) =>
      `nonce too low: address ${p.address}, tx: ${p.got} state: ${p.expected}`,
  }),
  ...coded(-38011, {
    nonceTooHigh: (p: { address: string; expected: bigint; got: bigint }) =>
      `nonce too high: address ${p.address}, tx: ${p.got} state: ${p.expected}`,
  }),
  ...coded(-38012, {
    feeCapTooLow: (p: { address: string; feeCap: bigint; baseFee: bigint }) =>
      `max fee per gas less than block base fee: address ${p.address}, maxFeePerGas: ${p.feeCap}, baseFee: ${p.baseFee}`,
  }),
  ...coded(-38013, {
    intrinsicGas: (p: { required: bigint; got: bigint }) =>
      `intrinsic gas too low: have ${p.got}, want ${p.required}`,
  }),
  ...coded(-38014, {
    insufficientFunds: (p: { address: string; balance: bigint; cost: bigint }) =>
      `insufficient funds for gas * price + value: address ${p.address} have ${p.balance} want ${p.cost}`,
  }),
  ...coded(-38015, {
    blockGasLimit: (p: { remaining: bigint; required: bigint }) =>
      `block gas limit reached: remaining: ${p.remaining}, required: ${p.required}`,
  }),
  ...coded(-38020, {
    blockNumberOrder: (p: { got: bigint; previous: bigint }) =>
      `block numbers must be in order: ${p.got} <= ${p.previous}`,
  }),
  ...coded(-38021, {
    blockTimeOrder: (p: { got: bigint; previous: bigint }) =>
      `block timestamps must be in order: ${p.got} <= ${p.previous}`,
  }),
  ...coded(-38022, {
    precompileMoveToSelf: (p: { address: string }) =>
      `MovePrecompileToAddress referenced itself: ${p.address}`,
  }),
  ...coded(-38024, { senderNotEOA: (p: { address: string }) => `sender not an eoa: address ${p.address}` }),
  ...coded(-38025, {
    initCodeSize: (p: { size: number; max: number }) =>
      `max initcode size exceeded: code size ${p.size} limit ${p.max}`,
  }),
  ...coded(-38026, { clientLimit: (p: { reason: string }) => p.reason }),
  /** EIP-1193 */
  ...coded(4900, { disconnected: () => 'the chain is closed: its close() was called' }),
};

export type ErrorName = keyof typeof ERRORS;
/** The `data` member of a JSON-RPC error. */
export type ErrorData = string | { readonly message: string; readonly [field: string]: unknown };
type Payload<N extends ErrorName> = Parameters<(typeof ERRORS)[N]['message']>;

/** Maximum number of bytes of a message in UTF-8. */
const MAX_MESSAGE = 1_000;
const CUT = '...';

/** Shortens a message to a size that logs and clients can show: it may contain text from contracts, callers and other nodes. */
function cutMessage(message: string): string {
  // A UTF-16 unit takes three bytes at most.
  if (message.length * 3 <= MAX_MESSAGE) return message;
  const start = message.slice(0, MAX_MESSAGE);
  if (start.length === message.length && Buffer.byteLength(message) <= MAX_MESSAGE) return message;
  const { read } = new TextEncoder().encodeInto(start, new Uint8Array(MAX_MESSAGE - CUT.length));
  return message.slice(0, read) + CUT;
}

/**
 * An error that is reported to the caller. `code`, `message` and, if set, `data` are sent unchanged, except that the message is cut at
 * 1,000 bytes. `data` is the revert data in hex, a transaction hash, or an object as in Hardhat. The dispatcher turns any other error
 * into -32603.
 */
export class DevnetError<N extends ErrorName = ErrorName> extends Error {
  declare readonly name: 'DevnetError';
  /** the row of {@link ERRORS} */
  readonly kind: N;
  readonly code: number;
  /** the parameters of the message */
  declare readonly payload: Payload<N>[0];
  declare data?: ErrorData;
  /** hash (`0x` hex) of the mined transaction that failed */
  declare transaction?: string;
  /** where in the Solidity source it failed, in lines like those of a JavaScript stack */
  declare solidity?: string;

  constructor(kind: N, ...payload: Payload<N>) {
    // TypeScript can't narrow a row's parameters from N inside the class; the constructor's signature checks the
    // callers.
    super(cutMessage((ERRORS[kind].message as (p: unknown) => string)(payload[0])));
    this.kind = kind;
    this.code = ERRORS[kind].code;
    // Not enumerable, so that a printed error shows only its kind, code and data.
    Object.defineProperty(this, 'payload', { value: payload[0] });
  }

  /** Also recognizes errors of other copies of this class: the bundle of `devnet/vitest` has its own. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'DevnetError' && 'kind' in value;
  }

  static {
    // Set on the prototype, because the first line of a stack is made before the error has properties of its own.
    Object.defineProperty(DevnetError.prototype, 'name', { value: 'DevnetError' });
    // The bundle names the class _DevnetError, which Node would print.
    Object.defineProperty(DevnetError, 'name', { value: 'DevnetError' });
  }

  /** Creates an error from another node's error, with its code and message. */
  static foreign({ code, message, data }: { code: number; message: string; data?: unknown }): DevnetError {
    const error = new DevnetError('server', { reason: message });
    Object.defineProperty(error, 'code', { value: code, enumerable: true });
    return typeof data === 'string' ? error.withData(data) : error;
  }

  /**
   * Creates an error from the error response of a devnet of the same version, with its code, message and data. Its kind is the one with
   * this code and a matching message, else `server`.
   */
  static answered({ code, message, data }: { code: number; message: string; data?: unknown }): DevnetError {
    const error = new DevnetError('server', { reason: message });
    Object.defineProperty(error, 'kind', { value: kindOf(code, message), enumerable: true });
    Object.defineProperty(error, 'code', { value: code, enumerable: true });
    if (data !== undefined) error.data = data as ErrorData;
    return error;
  }

  /** Sets the error's `data` member and returns the error. */
  withData(data: ErrorData): this {
    this.data = data;
    return this;
  }
}

/** Returns the kind of error with this code whose message matches; if several match, the one with the longest fixed text. */
function kindOf(code: number, message: string): ErrorName {
  let found: ErrorName = 'server';
  let most = -1;
  for (const [name, row] of Object.entries(ERRORS)) {
    if (row.code !== code) continue;
    for (const parts of wordingsOf(row.message as (payload: unknown) => string)) {
      const words = parts.join('').length;
      if (words <= most || !new RegExp(`^${parts.map(escaped).join('.*')}$`, 's').test(message)) continue;
      found = name as ErrorName;
      most = words;
    }
  }
  return found;
}

/** Splits a message into the fixed parts between the values of its payload: once with all values present, once with none. */
function wordingsOf(message: (payload: unknown) => string): string[][] {
  const VALUE = '\0';
  const all = new Proxy({}, { get: () => VALUE });
  return [all, {}].map((payload) => String(message(payload)).replaceAll('undefined', VALUE).split(VALUE));
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
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
  if (error.kind === 'tipAboveFeeCap') return new DevnetError('simulationParams', { reason: error.message });
  return error.kind === 'transactionRejected'
    ? new DevnetError('simulationRejected', { reason: error.message })
    : error;
}
