/** What is otherwise than in Hardhat on purpose, as in anvil-differences.mjs. geth and the specification decide here too. */
export const DIFFERENCES = {
  '\\S+( newHeads)? result\\.totalDifficulty: quantity \\| absent':
    'no chain has it since the merge, nor has geth',
  '\\S+ result(\\[\\]|\\.transactions\\[\\])?\\.(blockTimestamp|yParity|chainId): absent \\| \\w+':
    'fields of the specification and of geth, the chain id for all that is not signed without one',
  'eth_getBlockByNumber result\\.extraData: quantity \\| bytes':
    "Hardhat's genesis block has some, ours has none",
  'eth_getBlockByNumber result\\.(number|mixHash|nonce): null \\| [\\w ]+':
    'the pending block has what it will be sealed with, as on Base and in anvil',
  'eth_feeHistory result\\.(baseFeePerBlobGas|blobGasUsedRatio)(\\[\\])?: absent \\| \\w+':
    'the fields of EIP-4844 are there, as in geth',
  'eth_subscription newHeads result\\.\\w+(\\[\\])?: [\\w ]+ \\| absent': 'a head is a header, as in geth',
  'hardhat_metadata result\\.snapshots(\\.\\*(\\[\\])?)?: absent \\| [\\w ]+': "anvil's snapshots are there",

  'eth_get(Logs|FilterLogs) result(\\[\\]\\S*)?: (absent|empty list) \\| [\\w ]+':
    'an empty list of topics matches any, as in geth and anvil; in Hardhat none',
  'eth_getLogs (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'a block hash that is not known is -32000, as in geth',
  'eth_getLogs error: absent \\| -32602 with data':
    'a range above the head, or turned around, is refused as in geth',
  'eth_get(FilterChanges|FilterLogs) (error: (absent|-32602 with data) \\| -32000 with data|text: absent \\| .*)':
    "a filter that is not there is an error, by which clients know to make a new one; Hardhat's answer is null",
  'eth_newFilter error: -32602 with data \\| absent': 'without a filter all logs are meant',
  'eth_(uninstallFilter|unsubscribe) error: -32602 with data \\| absent':
    'any text may be an id; the answer is false where there is none',

  'eth_(call|estimateGas) error: -32602 with data \\| absent': 'block overrides are taken, as in geth',
  '(eth_(call|estimateGas)|debug_traceCall) error: -32000 with data \\| absent':
    'a call may create an empty contract, as in geth',
  'eth_sendTransaction text: Transaction gas limit is .*':
    'the error of the gas cap names the flag that lifts it',
  'eth_sendTransaction text: maxPriorityFeePerGas \\(\\*\\) is bigger .*':
    "the text of the error is the engine's",
  'eth_(sendTransaction|call|estimateGas) (error: -32000 with data \\| -32602 with data|text: Cannot send both .*)':
    '-32602 for both kinds of fees in one transaction or call',
  'eth_sendRawTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'a transaction for another chain id is -32000, not -32602',
  'eth_pendingTransactions result(\\[\\]\\S*)?: [\\w ]+ \\| (absent|empty list)':
    'those behind a gap are queued, not pending: they are in txpool_content',

  'evm_mine error: absent \\| -32000 with data': 'the time of a block is after its parent, whoever asks',
  'evm_mine error: -32602 with data \\| absent': "anvil's object with timestamp and blocks",
  'hardhat_setMinGasPrice error: -32000 with data \\| absent':
    'a least gas price is kept with a base fee too',

  'debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes':
    '`codeHash` is there, as in newer geth',
  'debug_traceTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'a tracer that is not known, as in geth',
  'debug_traceTransaction text: Unable to find .*': "the text of the error is geth's",
};
