/** What is otherwise than in Hardhat on purpose, as in anvil-differences.mjs. geth and the specification decide here too. */
export const DIFFERENCES = {
  '\\S+( newHeads)? result\\.totalDifficulty: quantity \\| absent':
    'devnet leaves out `totalDifficulty`, as geth does since the merge',
  '\\S+ result(\\[\\]|\\.transactions\\[\\])?\\.(blockTimestamp|yParity|chainId): absent \\| \\w+':
    'devnet has these fields as the specification and geth do; `chainId` is missing only in transactions that were signed without one',
  'eth_getBlockByNumber result\\.extraData: quantity \\| bytes': '`extraData` of the genesis block is empty',
  'eth_getBlockByNumber result\\.(number|mixHash|nonce): null \\| [\\w ]+':
    "the pending block has its number, `mixHash` and `nonce`, as on Base and in anvil; Hardhat's are null",
  'eth_feeHistory result\\.(baseFeePerBlobGas|blobGasUsedRatio)(\\[\\])?: absent \\| \\w+':
    'the answer has the fields of EIP-4844, as in geth',
  'eth_subscription newHeads result\\.\\w+(\\[\\])?: [\\w ]+ \\| absent':
    '`newHeads` sends headers without the list of transactions, as geth does',
  'hardhat_metadata result\\.snapshots(\\.\\*(\\[\\])?)?: absent \\| [\\w ]+':
    'the answer has `snapshots`, as in anvil',

  'eth_get(Logs|FilterLogs) result(\\[\\]\\S*)?: (absent|empty list) \\| [\\w ]+':
    'an empty list in `topics` matches every topic, as in geth and anvil; in Hardhat it matches none',
  'eth_getLogs (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'an unknown block hash is -32000, as in geth',
  'eth_getLogs error: absent \\| -32602 with data':
    'a range that begins above the head, or ends before it begins, is refused, as in geth',
  'eth_get(FilterChanges|FilterLogs) (error: (absent|-32602 with data) \\| -32000 with data|text: absent \\| .*)':
    'an unknown filter is an error, so that clients make a new one; Hardhat answers null',
  'eth_newFilter error: -32602 with data \\| absent': 'without a parameter the filter takes all logs',
  'eth_(uninstallFilter|unsubscribe) error: -32602 with data \\| absent':
    'any text is taken as an id; the answer is false if there is no such filter or subscription',

  'eth_(call|estimateGas) error: -32602 with data \\| absent': 'block overrides are taken, as in geth',
  '(eth_(call|estimateGas)|debug_traceCall) error: -32000 with data \\| absent':
    'a call without `to` and data is answered (it creates an empty contract), as in geth',
  'eth_sendTransaction text: Transaction gas limit is .*':
    'the error for more gas than a transaction may have names the flag that lifts the limit',
  'eth_sendTransaction text: maxPriorityFeePerGas \\(\\*\\) is bigger .*':
    'the error for a tip above the fee cap has another text',
  'eth_(sendTransaction|call|estimateGas) (error: -32000 with data \\| -32602 with data|text: Cannot send both .*)':
    'a transaction or call with both kinds of fees is -32602',
  'eth_sendRawTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'a transaction for another chain id is -32000, not -32602',
  'eth_pendingTransactions result(\\[\\]\\S*)?: [\\w ]+ \\| (absent|empty list)':
    'transactions behind a nonce gap are not in the list; txpool_content has them',

  'evm_mine error: absent \\| -32000 with data': "a time that isn't after the parent block's is refused",
  'evm_mine error: -32602 with data \\| absent':
    "the parameter may be anvil's object with `timestamp` and `blocks`",
  'hardhat_setMinGasPrice error: -32000 with data \\| absent':
    'a minimum gas price can be set on chains with a base fee, too',

  'debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes':
    'the prestate tracer has `codeHash`, as in newer versions of geth',
  'debug_traceTransaction (error: -32602 with data \\| -32000 with data|text: absent \\| .*)':
    'an unknown tracer is -32000, as in geth',
  'debug_traceTransaction text: Unable to find .*': "the error for an unknown transaction has geth's text",
};
