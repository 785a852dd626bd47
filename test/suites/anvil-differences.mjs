/**
 * What is otherwise than in anvil on purpose: pattern of the line `method path: kind in anvil | kind in devnet` -> why. Where
 * anvil differs from geth and the execution-apis specification, those decide.
 */
export const DIFFERENCES = {
  '\\S+ result(\\[\\])?\\.totalDifficulty: quantity \\| absent':
    'devnet leaves out `totalDifficulty`, as geth does since the merge',
  '\\S+ result(\\[\\])?\\.blobGasPrice: quantity \\| absent':
    'only receipts of blob transactions have `blobGasPrice` (EIP-4844), as in geth',
  'eth_\\w+ result(\\[\\])?\\.blockTimestamp: number \\| absent':
    "receipts have no `blockTimestamp`, as in geth; anvil's is a JSON number",
  '\\S+ result(\\.\\w+\\.\\*\\.\\*)?\\.blockTimestamp: absent \\| null':
    'in a waiting transaction all fields about its block are null',

  '(eth_(get(Balance|TransactionCount|Code|StorageAt|Account(Info)?)|call)|ots_hasCode) error: (-32602|-32001) \\| -32000':
    "an unknown block is geth's -32000 header not found, by number and by hash",
  'eth_get(UncleCountBy\\w+|UncleBy\\w+|BlockTransactionCountByNumber) (error: -32\\d+ \\| absent|result: absent \\| null)':
    'the answer for an unknown block is null, as in geth',
  'eth_getLogs (error: absent \\| -32602|result(\\S*): [\\w ]+ \\| absent)':
    'a range that begins above the head, or ends before it begins, is refused, as in geth',
  'eth_(call|estimateGas) error: -32603 \\| -32015':
    'when the EVM stops without a revert (out of gas, invalid opcode), the code is -32015; anvil answers -32603, internal error',
  'eth_createAccessList (error: 3 with data \\| absent|result\\S*: absent \\| [\\w ]+)':
    'a revert is in the field `error` of the result, as the specification says',
  'eth_feeHistory result\\.reward: empty list \\| absent':
    '`reward` is missing when no percentiles were asked for, as in geth',
  'eth_simulateV1 result\\[\\]\\S+: absent \\| [\\w ]+':
    'a simulated block has all fields of a block, as in geth',
  '(eth_(call|estimateGas|fillTransaction)|debug_traceCall) error: -32602 \\| absent':
    'a call with a tip and no fee cap is answered, at gas price 0; anvil refuses some of them',
  'eth_(call|estimateGas) error: -32602 \\| -32003':
    "a tip above the fee cap is -32003, as other transactions that can't be admitted",
  'eth_protocolVersion result: number \\| quantity': 'the answer is in hex, as in geth',
  'eth_(new\\w*Filter|subscribe) result: bytes \\| quantity':
    "ids of filters and subscriptions are small numbers; anvil's are random",
  'eth_newFilter error: -32602 \\| absent': 'without a parameter the filter takes all logs',
  'eth_subscription newHeads result\\.\\w+(\\[\\])?: [\\w ]+ \\| absent':
    '`newHeads` sends headers without the list of transactions, as geth does',
  'eth_simulateV1 error: absent \\| -32602': 'a request without blocks is refused, as in geth',
  'eth_feeHistory error: absent \\| -32602':
    'a JSON number as quantity is refused; methods of the specification take hex',
  'eth_signTypedData(_v3)? error: -32603 \\| absent':
    'anvil refuses the older names eth_signTypedData and eth_signTypedData_v3',
  'eth_sendUnsignedTransaction error: -32602 \\| absent':
    'without `from` the first dev account is the sender',
  'eth_sendTransaction error: -32000 \\| -32003':
    "a transaction that can't be admitted is always -32003, also for too much or too little gas",

  '(anvil|hardhat)_metadata result\\.client\\w+: text \\| absent':
    'only `clientVersion` has the version, and there is no commit',
  '(anvil|hardhat)_metadata result\\.forkedNetwork: null \\| absent':
    "`forkedNetwork` is missing on a chain that isn't forked; hardhat-viem refuses null",
  'hardhat_dropTransaction result: (null|32 bytes) \\| boolean':
    'the answer is true or false (whether the transaction was there), as in Hardhat',
  '(anvil|hardhat)_metadata result\\.snapshots\\.\\*(\\[\\])?: [\\w ]+ \\| absent':
    'snapshots end with a reset, since their blocks are gone',
  '(evm_mine(_detailed)?|anvil_mine_detailed) error: -32602 \\| absent':
    'in the object both `timestamp` and `blocks` are optional',
  '(anvil|hardhat)_reset error: -32602 \\| absent':
    "a chain that isn't forked can be reset, to its genesis block",
  '(anvil|hardhat)_setMinGasPrice error: -32602 \\| absent':
    'a minimum gas price can be set on chains with a base fee, too',
  'anvil_setRpcUrl (error: absent \\| -32000|result: null \\| absent)':
    "a chain that isn't forked refuses the call",
  'anvil_(dealERC20|setERC20Allowance) error: -32603 \\| -32602':
    "a token that doesn't work is -32602 (a wrong parameter); anvil answers -32603, internal error",

  'ots_getBlock\\w+ result\\.(full)?block\\.totalDifficulty: quantity \\| absent':
    'devnet leaves out `totalDifficulty`, as geth does since the merge',
  'ots_(getBlock|search)\\w+ result\\.receipts\\[\\]\\.blobGasPrice: quantity \\| absent':
    'only receipts of blob transactions have `blobGasPrice` (EIP-4844), as in geth',
  'ots_(getBlock|search)\\w+ result(\\S*)\\.logs(Bloom)?(\\[\\]\\S*)?: [\\w ]+ \\| (null|absent)':
    "logs and blooms are left out where Otterscan's specification leaves them out",
  'ots_getBlock\\w+ (error: -32001 \\| absent|result: absent \\| null)':
    'the answer for an unknown block is null, as Otterscan expects',
  'ots_getInternalOperations result(\\[\\](\\.\\w+)?)?: [\\w ]+ \\| (absent|empty list)':
    "the transaction's own call or creation is not in the list",
  'ots_getInternalOperations error: -32603 \\| -32000':
    'an unknown transaction is -32000; anvil answers -32603, internal error',
  'ots_traceTransaction result(\\[\\](\\.\\w+)?)?: (absent|empty list) \\| [\\w ]+':
    "creations and self-destructions are in the list, as Otterscan's specification says",
  'trace_replayBlockTransactions result: empty list \\| null':
    'the answer for an unknown block is null, as for trace_block',
  'trace_replayBlockTransactions result\\[\\]\\.vmTrace(\\.ops\\[\\]\\.(sub\\.)?\\S*)?ex\\.mem\\S*: [\\w ]+ \\| [\\w ]+':
    "`mem` of a `vmTrace` has what the operation wrote to memory, as in OpenEthereum; anvil's has all of the memory",
  'debug_dbGet error: -32602 \\| absent': 'anvil refuses every parameter',

  'debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes':
    'the prestate tracer has `codeHash`, as in newer versions of geth',
  'debug_traceTransaction error: -32603 \\| -32000': 'an unknown tracer is -32000, as in geth',
  'debug_traceCall result\\.structLogs\\[\\]\\.refund: number \\| absent':
    'a step has `refund` only if there is a refund, as in geth',
  'debug_traceCall result\\.structLogs(\\[\\]\\S*)?: [\\w ]+ \\| (absent|empty list)':
    'the trace of a creation without code has no steps',
};
