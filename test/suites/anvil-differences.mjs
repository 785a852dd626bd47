/**
 * What is otherwise than in anvil on purpose: pattern of the line `method path: kind in anvil | kind in devnet` -> why. Where
 * anvil differs from geth and the execution-apis specification, those decide.
 */
export const DIFFERENCES = {
  '\\S+ result(\\[\\])?\\.totalDifficulty: quantity \\| absent':
    'no chain has it since the merge, nor has geth',
  '\\S+ result(\\[\\])?\\.blobGasPrice: quantity \\| absent':
    'only blob transactions have it (EIP-4844), as in geth',
  'eth_\\w+ result(\\[\\])?\\.blockTimestamp: number \\| absent':
    "receipts have none in geth; anvil's is a number among hex",
  '\\S+ result(\\.\\w+\\.\\*\\.\\*)?\\.blockTimestamp: absent \\| null':
    'a transaction that waits has all fields of a block, as null',

  '(eth_(get(Balance|TransactionCount|Code|StorageAt|Account(Info)?)|call)|ots_hasCode) error: (-32602|-32001) \\| -32000':
    "geth's -32000 header not found, for a number and a hash alike",
  'eth_get(UncleCountBy\\w+|UncleBy\\w+|BlockTransactionCountByNumber) (error: -32\\d+ \\| absent|result: absent \\| null)':
    'null for a block that is not known, as in geth',
  'eth_getLogs (error: absent \\| -32602|result(\\S*): [\\w ]+ \\| absent)':
    'a range above the head, or turned around, is refused as in geth',
  'eth_(call|estimateGas) error: -32603 \\| -32015': 'a halt is an error of the call, not of the node',
  'eth_createAccessList (error: 3 with data \\| absent|result\\S*: absent \\| [\\w ]+)':
    'a revert is told in the field `error`, as the specification has it',
  'eth_feeHistory result\\.reward: empty list \\| absent':
    'without percentiles there are no rewards, as in geth',
  'eth_simulateV1 result\\[\\]\\S+: absent \\| [\\w ]+': 'a simulated block is whole, as in geth',
  '(eth_(call|estimateGas|fillTransaction)|debug_traceCall) error: -32602 \\| absent':
    'a tip without a fee cap offers nothing in any call, as in the estimates of transfers and in eth_createAccessList of anvil; what is filled or sent gets a cap',
  'eth_(call|estimateGas) error: -32602 \\| -32003': 'a tip above the fee cap, as in geth',
  'eth_protocolVersion result: number \\| quantity': 'the answer is hex, as in geth',
  'eth_(new\\w*Filter|subscribe) result: bytes \\| quantity': 'ids of filters and subscriptions are counted',
  'eth_newFilter error: -32602 \\| absent': 'without a filter all logs are meant',
  'eth_subscription newHeads result\\.\\w+(\\[\\])?: [\\w ]+ \\| absent': 'a head is a header, as in geth',
  'eth_simulateV1 error: absent \\| -32602': 'without blocks there is nothing to simulate, as in geth',
  'eth_feeHistory error: absent \\| -32602': 'a quantity is hex in the methods of the specification',
  'eth_signTypedData(_v3)? error: -32603 \\| absent':
    'anvil answers an error for the older versions, eth_signTypedData and eth_signTypedData_v3',
  'eth_sendUnsignedTransaction error: -32602 \\| absent': 'the first dev account sends where nobody is named',
  'eth_sendTransaction error: -32000 \\| -32003':
    'all that is not admitted is -32003, too much and too little gas as well',

  '(anvil|hardhat)_metadata result\\.client\\w+: text \\| absent':
    'the version is in clientVersion; there is no commit',
  '(anvil|hardhat)_metadata result\\.forkedNetwork: null \\| absent':
    'hardhat-viem takes an object or nothing, not null',
  'hardhat_dropTransaction result: (null|32 bytes) \\| boolean': "Hardhat's answer: whether it was there",
  '(anvil|hardhat)_metadata result\\.snapshots\\.\\*(\\[\\])?: [\\w ]+ \\| absent':
    'a reset ends the snapshots, whose blocks are gone',
  '(evm_mine(_detailed)?|anvil_mine_detailed) error: -32602 \\| absent':
    'an object may leave out its timestamp as well as its number of blocks',
  '(anvil|hardhat)_(reset|setMinGasPrice) error: -32602 \\| absent':
    'a reset without a fork goes back to the genesis block; a least gas price is kept with a base fee too',
  'anvil_setRpcUrl (error: absent \\| -32000|result: null \\| absent)':
    'a chain that was not forked reads from no other node',
  'anvil_(dealERC20|setERC20Allowance) error: -32603 \\| -32602':
    "the token is the caller's choice, not the node's fault",

  'ots_getBlock\\w+ result\\.(full)?block\\.totalDifficulty: quantity \\| absent':
    'no chain has it since the merge, nor has geth',
  'ots_(getBlock|search)\\w+ result\\.receipts\\[\\]\\.blobGasPrice: quantity \\| absent':
    'only blob transactions have it (EIP-4844), as in geth',
  'ots_\\w+ result(\\S*)\\.logs(Bloom)?(\\[\\]\\S*)?: [\\w ]+ \\| (null|absent)':
    "left out of what Otterscan doesn't read them of, as its specification has it",
  'ots_getBlock\\w+ (error: -32001 \\| absent|result: absent \\| null)':
    'Otterscan takes null for a block that is not there',
  'ots_getInternalOperations result(\\[\\](\\.\\w+)?)?: [\\w ]+ \\| (absent|empty list)':
    "what a transaction led to: its own call or creation isn't internal",
  'ots_getInternalOperations error: -32603 \\| -32000':
    "what is asked for isn't there, which is no fault of the node",
  'ots_traceTransaction result(\\[\\](\\.\\w+)?)?: (absent|empty list) \\| [\\w ]+':
    'creations and self-destructions are there, as its specification has it',
  'trace_replayBlockTransactions result: empty list \\| null':
    'null for a block that is not known, as of trace_block',
  'trace_replayBlockTransactions result\\[\\]\\.vmTrace(\\.ops\\[\\]\\.(sub\\.)?\\S*)?ex\\.mem\\S*: [\\w ]+ \\| [\\w ]+':
    'what an operation wrote to memory, as in OpenEthereum, not all that is there',
  'debug_dbGet error: -32602 \\| absent': 'anvil refuses all parameters that JSON-RPC allows',

  'debug_traceTransaction result(\\.pre)?\\.\\*\\.codeHash: absent \\| 32 bytes':
    '`codeHash` is there, as in newer geth',
  'debug_traceTransaction error: -32603 \\| -32000': 'a tracer that is not known, as in geth',
  'debug_traceCall result\\.structLogs\\[\\]\\.refund: number \\| absent':
    'only where there is a refund, as in geth',
  'debug_traceCall result\\.structLogs(\\[\\]\\S*)?: [\\w ]+ \\| (absent|empty list)':
    'a creation without code runs no instruction',
};
