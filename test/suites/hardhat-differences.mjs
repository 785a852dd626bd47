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
    'EIP-4844, as in geth',
  'eth_subscription newHeads result\\.\\w+(\\[\\])?: [\\w ]+ \\| absent': 'a head is a header, as in geth',
  'hardhat_metadata result\\.snapshots(\\.\\*(\\[\\])?)?: absent \\| [\\w ]+': "anvil's field",

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
    'any text may be an id: it is not there',

  'eth_(call|estimateGas) error: -32602 with data \\| absent': 'block overrides are taken, as in geth',
  '(eth_(call|estimateGas)|debug_traceCall) error: -32000 with data \\| absent':
    'a call may create an empty contract, as in geth',
  'eth_sendTransaction text: Transaction gas limit is .*': 'the flag that lifts the cap is named',
  'eth_sendTransaction text: maxPriorityFeePerGas \\(\\*\\) is bigger .*': "the engine's words",
  'eth_sendTransaction (error: -32000 with data \\| -32602 with data|text: Cannot send both .*)':
    'both kinds of fees are a bad parameter',
  'eth_sendRawTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'another chain id is no bad parameter',
  'eth_pendingTransactions result(\\[\\]\\S*)?: [\\w ]+ \\| (absent|empty list)':
    'those behind a gap are queued, not pending: they are in txpool_content',

  'evm_mine error: absent \\| -32000 with data': 'the time of a block is after its parent, whoever asks',
  'evm_mine error: -32602 with data \\| absent': "anvil's object with timestamp and blocks",
  'hardhat_setMinGasPrice error: -32000 with data \\| absent': 'it is kept with a base fee too',

  'debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes': "newer geth's field",
  'debug_traceTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'a tracer that is not known, as in geth',
  'debug_traceTransaction text: Unable to find .*': "geth's words",
  'debug_trace(Call|Transaction) result\\.structLogs\\[\\]\\.refund: number \\| absent':
    'only where there is a refund, as in geth',
};
