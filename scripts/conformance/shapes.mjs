// Shapes of results by the schemas of ethereum/execution-apis (src/schemas), with geth's additions.

/**
 * Returns what is wrong with a value, beginning with the path to it: `.transactions.0.gas: not a quantity`.
 * @typedef {(value: unknown) => string | undefined} Shape
 */

const pattern = (name, regex) => (value) =>
  typeof value === 'string' && regex.test(value) ? undefined : `: not ${name}`;

export const quantity = pattern('a quantity', /^0x([1-9a-f][0-9a-f]*|0)$/);
export const bytes = pattern('bytes', /^0x([0-9a-f]{2})*$/);
export const address = pattern('an address', /^0x[0-9a-fA-F]{40}$/);
export const hash = pattern('a hash', /^0x[0-9a-f]{64}$/);
const bytes8 = pattern('8 bytes', /^0x[0-9a-f]{16}$/);
const bloom = pattern('256 bytes', /^0x[0-9a-f]{512}$/);
const decimal = pattern('a decimal number', /^(0|[1-9][0-9]*)$/);
const boolean = (value) => (typeof value === 'boolean' ? undefined : ': not true or false');
const number = (value) => (typeof value === 'number' ? undefined : ': not a number');
const text = (value) => (typeof value === 'string' ? undefined : ': not text');
const exactly = (wanted) => (value) => (value === wanted ? undefined : `: not ${JSON.stringify(wanted)}`);
const nullable = (shape) => (value) => (value === null ? undefined : shape(value));

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A value with any one of the shapes. */
export const either =
  (...shapes) =>
  (value) => {
    const problems = shapes.map((shape) => shape(value));
    return problems.includes(undefined) ? undefined : problems.join(' and ');
  };

export const list = (item) => (value) => {
  if (!Array.isArray(value)) return ': not a list';
  for (const [i, element] of value.entries()) {
    const problem = item(element);
    if (problem) return `.${i}${problem}`;
  }
};

const map = (key, item) => (value) => {
  if (!isObject(value)) return ': not an object';
  for (const [name, element] of Object.entries(value)) {
    const problem = key(name) ?? item(element);
    if (problem) return `.${name}${problem}`;
  }
};

/** An object with all required keys, possibly the optional ones, and no others. */
const object =
  (required, optional = {}) =>
  (value) => {
    if (!isObject(value)) return ': not an object';
    for (const name of Object.keys(required)) if (!(name in value)) return `.${name}: missing`;
    for (const [name, element] of Object.entries(value)) {
      const shape = required[name] ?? optional[name];
      if (!shape) return `.${name}: not in the schema`;
      const problem = shape(element);
      if (problem) return `.${name}${problem}`;
    }
  };

const accessList = list(object({ address, storageKeys: list(hash) }));
const authorization = object({
  chainId: quantity,
  address,
  nonce: quantity,
  yParity: quantity,
  r: quantity,
  s: quantity,
});

const anyTransaction = {
  hash,
  from: address,
  nonce: quantity,
  to: nullable(address),
  gas: quantity,
  gasPrice: quantity,
  value: quantity,
  input: bytes,
  v: quantity,
  r: quantity,
  s: quantity,
};
const listed = { ...anyTransaction, chainId: quantity, accessList, yParity: quantity };
const feeMarket = { ...listed, maxFeePerGas: quantity, maxPriorityFeePerGas: quantity };
const TRANSACTIONS = {
  '0x0': [anyTransaction, { chainId: quantity }],
  '0x1': [listed],
  '0x2': [feeMarket],
  '0x3': [{ ...feeMarket, to: address, maxFeePerBlobGas: quantity, blobVersionedHashes: list(hash) }],
  '0x4': [{ ...feeMarket, to: address, authorizationList: list(authorization) }],
};
const INCLUDED = {
  blockHash: hash,
  blockNumber: quantity,
  blockTimestamp: quantity,
  transactionIndex: quantity,
};
const none = exactly(null);
const WAITING = { blockHash: none, blockNumber: none, blockTimestamp: none, transactionIndex: none };

const transactionAt = (place) => (value) => {
  const shape = isObject(value) && TRANSACTIONS[value.type];
  if (!shape) return ': not a transaction of a known type';
  const [required, optional] = shape;
  return object({ ...required, ...place, type: quantity }, optional)(value);
};

export const transaction = transactionAt(INCLUDED);
export const waitingTransaction = transactionAt(WAITING);

const withdrawal = object({ index: quantity, validatorIndex: quantity, address, amount: quantity });

const header = {
  number: quantity,
  hash,
  parentHash: hash,
  nonce: bytes8,
  sha3Uncles: hash,
  logsBloom: bloom,
  transactionsRoot: hash,
  stateRoot: hash,
  receiptsRoot: hash,
  miner: address,
  difficulty: quantity,
  mixHash: hash,
  extraData: bytes,
  gasLimit: quantity,
  gasUsed: quantity,
  timestamp: quantity,
};
const laterForks = {
  baseFeePerGas: quantity,
  withdrawalsRoot: hash,
  blobGasUsed: quantity,
  excessBlobGas: quantity,
  parentBeaconBlockRoot: hash,
  requestsHash: hash,
};
const body = {
  size: quantity,
  transactions: either(list(hash), list(transaction)),
  uncles: list(hash),
};
export const block = object({ ...header, ...body }, { ...laterForks, withdrawals: list(withdrawal) });

export const log = object({
  address,
  topics: list(hash),
  data: bytes,
  blockNumber: quantity,
  blockHash: hash,
  blockTimestamp: quantity,
  transactionHash: hash,
  transactionIndex: quantity,
  logIndex: quantity,
  removed: boolean,
});

export const receipt = (value) => {
  const outcome = isObject(value) && 'root' in value ? { root: hash } : { status: quantity };
  const blobs =
    isObject(value) && value.type === '0x3' ? { blobGasUsed: quantity, blobGasPrice: quantity } : {};
  return object({
    type: quantity,
    blockHash: hash,
    blockNumber: quantity,
    transactionHash: hash,
    transactionIndex: quantity,
    from: address,
    to: nullable(address),
    contractAddress: nullable(address),
    cumulativeGasUsed: quantity,
    gasUsed: quantity,
    effectiveGasPrice: quantity,
    logs: list(log),
    logsBloom: bloom,
    ...outcome,
    ...blobs,
  })(value);
};

const callError = object({ code: number, message: text }, { data: bytes });
const call = (value) =>
  object({
    status: exactly(isObject(value) && 'error' in value ? '0x0' : '0x1'),
    returnData: bytes,
    gasUsed: quantity,
    maxUsedGas: quantity,
    logs: list(log),
    ...(isObject(value) && 'error' in value && { error: callError }),
  })(value);
export const simulatedBlock = object(
  { ...header, ...body, calls: list(call) },
  { ...laterForks, withdrawals: list(withdrawal) },
);

export const proof = object({
  address,
  accountProof: list(bytes),
  balance: quantity,
  codeHash: hash,
  nonce: quantity,
  storageHash: hash,
  storageProof: list(object({ key: either(hash, quantity), value: quantity, proof: list(bytes) })),
});

export const feeHistory = object(
  { oldestBlock: quantity, baseFeePerGas: list(quantity), gasUsedRatio: list(number) },
  { baseFeePerBlobGas: list(quantity), blobGasUsedRatio: list(number), reward: list(list(quantity)) },
);

const resource = object(
  { disabled: boolean },
  {
    oldestBlock: quantity,
    deleteStrategy: object({ type: exactly('window'), retentionBlocks: quantity }),
  },
);

const pool = map(address, map(decimal, waitingTransaction));

/** Method -> shape of its result. */
export const RESULTS = {
  eth_baseFee: quantity,
  eth_blobBaseFee: quantity,
  eth_blockNumber: quantity,
  eth_call: bytes,
  eth_capabilities: object({
    head: object({ number: quantity, hash }),
    state: resource,
    tx: resource,
    logs: resource,
    receipts: resource,
    blocks: resource,
    stateproofs: resource,
  }),
  eth_chainId: quantity,
  eth_createAccessList: object({ accessList, gasUsed: quantity }, { error: text }),
  eth_estimateGas: quantity,
  eth_feeHistory: feeHistory,
  eth_gasPrice: quantity,
  eth_getBalance: quantity,
  eth_getBlockByHash: nullable(block),
  eth_getBlockByNumber: nullable(block),
  eth_getBlockReceipts: nullable(list(receipt)),
  eth_getBlockTransactionCountByHash: nullable(quantity),
  eth_getBlockTransactionCountByNumber: nullable(quantity),
  eth_getCode: bytes,
  eth_getLogs: list(log),
  eth_getProof: proof,
  eth_getStorageAt: hash,
  eth_getStorageValues: map(address, list(hash)),
  eth_getTransactionByBlockHashAndIndex: nullable(transaction),
  eth_getTransactionByBlockNumberAndIndex: nullable(transaction),
  eth_getTransactionByHash: nullable(either(transaction, waitingTransaction)),
  eth_getTransactionCount: quantity,
  eth_getTransactionReceipt: nullable(receipt),
  eth_maxPriorityFeePerGas: quantity,
  eth_sendRawTransaction: hash,
  eth_simulateV1: list(simulatedBlock),
  eth_syncing: either(
    exactly(false),
    object({ startingBlock: quantity, currentBlock: quantity, highestBlock: quantity }),
  ),
  net_version: decimal,
  txpool_content: object({ pending: pool, queued: pool }),
  txpool_status: object({ pending: quantity, queued: quantity }),
};

/**
 * Checks a method's result.
 * @returns {string | undefined} the first path that breaks the shape; undefined if there is none, or if the method has no shape here
 */
export function shapeProblem(method, result) {
  const problem = RESULTS[method]?.(result);
  return problem && `result${problem}`;
}
