import type { RpcMethod } from '../define-method.ts';
import { anvil_addBalance } from './anvil_addBalance.ts';
import { anvil_autoImpersonateAccount } from './anvil_autoImpersonateAccount.ts';
import { anvil_dealERC20 } from './anvil_dealERC20.ts';
import { anvil_dropAllTransactions } from './anvil_dropAllTransactions.ts';
import { anvil_dropTransaction } from './anvil_dropTransaction.ts';
import { anvil_dumpState } from './anvil_dumpState.ts';
import { anvil_getAutomine } from './anvil_getAutomine.ts';
import { anvil_getIntervalMining } from './anvil_getIntervalMining.ts';
import { anvil_impersonateAccount } from './anvil_impersonateAccount.ts';
import { anvil_loadState } from './anvil_loadState.ts';
import { anvil_metadata } from './anvil_metadata.ts';
import { anvil_mine } from './anvil_mine.ts';
import { anvil_nodeInfo } from './anvil_nodeInfo.ts';
import { anvil_removeBlockTimestampInterval } from './anvil_removeBlockTimestampInterval.ts';
import { anvil_removePoolTransactions } from './anvil_removePoolTransactions.ts';
import { anvil_reorg } from './anvil_reorg.ts';
import { anvil_reset } from './anvil_reset.ts';
import { anvil_rollback } from './anvil_rollback.ts';
import { anvil_setBalance } from './anvil_setBalance.ts';
import { anvil_setBlockTimestampInterval } from './anvil_setBlockTimestampInterval.ts';
import { anvil_setChainId } from './anvil_setChainId.ts';
import { anvil_setCode } from './anvil_setCode.ts';
import { anvil_setCoinbase } from './anvil_setCoinbase.ts';
import { anvil_setERC20Allowance } from './anvil_setERC20Allowance.ts';
import { anvil_setLoggingEnabled } from './anvil_setLoggingEnabled.ts';
import { anvil_setMinGasPrice } from './anvil_setMinGasPrice.ts';
import { anvil_setNextBlockBaseFeePerGas } from './anvil_setNextBlockBaseFeePerGas.ts';
import { anvil_setNextBlockPrevRandao } from './anvil_setNextBlockPrevRandao.ts';
import { anvil_setNonce } from './anvil_setNonce.ts';
import { anvil_setRpcUrl } from './anvil_setRpcUrl.ts';
import { anvil_setStorageAt } from './anvil_setStorageAt.ts';
import { anvil_setTime } from './anvil_setTime.ts';
import { anvil_stopImpersonatingAccount } from './anvil_stopImpersonatingAccount.ts';
import { base_transactionStatus } from './base_transactionStatus.ts';
import { debug_getBadBlocks } from './debug_getBadBlocks.ts';
import { debug_getRawBlock } from './debug_getRawBlock.ts';
import { debug_getRawHeader } from './debug_getRawHeader.ts';
import { debug_getRawReceipts } from './debug_getRawReceipts.ts';
import { debug_getRawTransaction } from './debug_getRawTransaction.ts';
import { debug_storageRangeAt } from './debug_storageRangeAt.ts';
import { debug_traceBlock } from './debug_traceBlock.ts';
import { debug_traceBlockByHash } from './debug_traceBlockByHash.ts';
import { debug_traceBlockByNumber } from './debug_traceBlockByNumber.ts';
import { debug_traceCall } from './debug_traceCall.ts';
import { debug_traceTransaction } from './debug_traceTransaction.ts';
import { devnet_delaySeal } from './devnet_delaySeal.ts';
import { devnet_dropPreconfirmed } from './devnet_dropPreconfirmed.ts';
import { devnet_duplicateFlashblock } from './devnet_duplicateFlashblock.ts';
import { devnet_failPreconfirmed } from './devnet_failPreconfirmed.ts';
import { devnet_gapFlashblock } from './devnet_gapFlashblock.ts';
import { devnet_holdFlashblocks } from './devnet_holdFlashblocks.ts';
import { devnet_metrics } from './devnet_metrics.ts';
import { devnet_refuseSender } from './devnet_refuseSender.ts';
import { devnet_reorg } from './devnet_reorg.ts';
import { devnet_seal } from './devnet_seal.ts';
import { devnet_skipFlashblocks } from './devnet_skipFlashblocks.ts';
import { devnet_startRecording } from './devnet_startRecording.ts';
import { devnet_stopRecording } from './devnet_stopRecording.ts';
import { devnet_tick } from './devnet_tick.ts';
import { eth_accounts } from './eth_accounts.ts';
import { eth_baseFee } from './eth_baseFee.ts';
import { eth_blobBaseFee } from './eth_blobBaseFee.ts';
import { eth_blockNumber } from './eth_blockNumber.ts';
import { eth_call } from './eth_call.ts';
import { eth_callMany } from './eth_callMany.ts';
import { eth_capabilities } from './eth_capabilities.ts';
import { eth_chainId } from './eth_chainId.ts';
import { eth_coinbase } from './eth_coinbase.ts';
import { eth_config } from './eth_config.ts';
import { eth_createAccessList } from './eth_createAccessList.ts';
import { eth_estimateGas } from './eth_estimateGas.ts';
import { eth_feeHistory } from './eth_feeHistory.ts';
import { eth_fillTransaction } from './eth_fillTransaction.ts';
import { eth_gasPrice } from './eth_gasPrice.ts';
import { eth_getBalance } from './eth_getBalance.ts';
import { eth_getBlockByHash } from './eth_getBlockByHash.ts';
import { eth_getBlockByNumber } from './eth_getBlockByNumber.ts';
import { eth_getBlockReceipts } from './eth_getBlockReceipts.ts';
import { eth_getBlockTransactionCountByHash } from './eth_getBlockTransactionCountByHash.ts';
import { eth_getBlockTransactionCountByNumber } from './eth_getBlockTransactionCountByNumber.ts';
import { eth_getCode } from './eth_getCode.ts';
import { eth_getFilterChanges } from './eth_getFilterChanges.ts';
import { eth_getFilterLogs } from './eth_getFilterLogs.ts';
import { eth_getHeaderByHash } from './eth_getHeaderByHash.ts';
import { eth_getHeaderByNumber } from './eth_getHeaderByNumber.ts';
import { eth_getLogs } from './eth_getLogs.ts';
import { eth_getProof } from './eth_getProof.ts';
import { eth_getRawTransactionByHash } from './eth_getRawTransactionByHash.ts';
import { eth_getStorageAt } from './eth_getStorageAt.ts';
import { eth_getStorageValues } from './eth_getStorageValues.ts';
import { eth_getTransactionByBlockHashAndIndex } from './eth_getTransactionByBlockHashAndIndex.ts';
import { eth_getTransactionByBlockNumberAndIndex } from './eth_getTransactionByBlockNumberAndIndex.ts';
import { eth_getTransactionByHash } from './eth_getTransactionByHash.ts';
import { eth_getTransactionBySenderAndNonce } from './eth_getTransactionBySenderAndNonce.ts';
import { eth_getTransactionCount } from './eth_getTransactionCount.ts';
import { eth_getTransactionReceipt } from './eth_getTransactionReceipt.ts';
import { eth_getUncleByBlockHashAndIndex } from './eth_getUncleByBlockHashAndIndex.ts';
import { eth_getUncleByBlockNumberAndIndex } from './eth_getUncleByBlockNumberAndIndex.ts';
import { eth_getUncleCountByBlockHash } from './eth_getUncleCountByBlockHash.ts';
import { eth_getUncleCountByBlockNumber } from './eth_getUncleCountByBlockNumber.ts';
import { eth_maxPriorityFeePerGas } from './eth_maxPriorityFeePerGas.ts';
import { eth_mining } from './eth_mining.ts';
import { eth_newBlockFilter } from './eth_newBlockFilter.ts';
import { eth_newFilter } from './eth_newFilter.ts';
import { eth_newPendingTransactionFilter } from './eth_newPendingTransactionFilter.ts';
import { eth_pendingTransactions } from './eth_pendingTransactions.ts';
import { eth_protocolVersion } from './eth_protocolVersion.ts';
import { eth_sendRawTransaction } from './eth_sendRawTransaction.ts';
import { eth_sendRawTransactionSync } from './eth_sendRawTransactionSync.ts';
import { eth_sendTransaction } from './eth_sendTransaction.ts';
import { eth_sendTransactionSync } from './eth_sendTransactionSync.ts';
import { eth_sendUnsignedTransaction } from './eth_sendUnsignedTransaction.ts';
import { eth_sign } from './eth_sign.ts';
import { eth_signTransaction } from './eth_signTransaction.ts';
import { eth_signTypedData_v4 } from './eth_signTypedData_v4.ts';
import { eth_simulateV1 } from './eth_simulateV1.ts';
import { eth_subscribe } from './eth_subscribe.ts';
import { eth_syncing } from './eth_syncing.ts';
import { eth_uninstallFilter } from './eth_uninstallFilter.ts';
import { eth_unsubscribe } from './eth_unsubscribe.ts';
import { evm_increaseTime } from './evm_increaseTime.ts';
import { evm_mine } from './evm_mine.ts';
import { evm_mine_detailed } from './evm_mine_detailed.ts';
import { evm_revert } from './evm_revert.ts';
import { evm_setAutomine } from './evm_setAutomine.ts';
import { evm_setBlockGasLimit } from './evm_setBlockGasLimit.ts';
import { evm_setIntervalMining } from './evm_setIntervalMining.ts';
import { evm_setNextBlockTimestamp } from './evm_setNextBlockTimestamp.ts';
import { evm_snapshot } from './evm_snapshot.ts';
import { hardhat_dropTransaction } from './hardhat_dropTransaction.ts';
import { miner_start } from './miner_start.ts';
import { miner_stop } from './miner_stop.ts';
import { net_listening } from './net_listening.ts';
import { net_peerCount } from './net_peerCount.ts';
import { net_version } from './net_version.ts';
import { op_supportedCapabilities } from './op_supportedCapabilities.ts';
import { personal_importRawKey } from './personal_importRawKey.ts';
import { personal_lockAccount } from './personal_lockAccount.ts';
import { personal_newAccount } from './personal_newAccount.ts';
import { personal_sendTransaction } from './personal_sendTransaction.ts';
import { personal_sign } from './personal_sign.ts';
import { personal_signTransaction } from './personal_signTransaction.ts';
import { personal_unlockAccount } from './personal_unlockAccount.ts';
import { rpc_modules } from './rpc_modules.ts';
import { testing_buildBlockV1 } from './testing_buildBlockV1.ts';
import { trace_block } from './trace_block.ts';
import { trace_call } from './trace_call.ts';
import { trace_filter } from './trace_filter.ts';
import { trace_transaction } from './trace_transaction.ts';
import { txpool_content } from './txpool_content.ts';
import { txpool_contentFrom } from './txpool_contentFrom.ts';
import { txpool_inspect } from './txpool_inspect.ts';
import { txpool_status } from './txpool_status.ts';
import { web3_clientVersion } from './web3_clientVersion.ts';
import { web3_sha3 } from './web3_sha3.ts';

/** Every method by its own name; other names for them are aliases. */
export const METHODS: readonly RpcMethod[] = [
  anvil_addBalance,
  anvil_autoImpersonateAccount,
  anvil_dealERC20,
  anvil_dropAllTransactions,
  anvil_dropTransaction,
  anvil_dumpState,
  anvil_getAutomine,
  anvil_getIntervalMining,
  anvil_impersonateAccount,
  anvil_loadState,
  anvil_metadata,
  anvil_mine,
  anvil_nodeInfo,
  anvil_removeBlockTimestampInterval,
  anvil_removePoolTransactions,
  anvil_reorg,
  anvil_reset,
  anvil_rollback,
  anvil_setBalance,
  anvil_setBlockTimestampInterval,
  anvil_setChainId,
  anvil_setCode,
  anvil_setCoinbase,
  anvil_setERC20Allowance,
  anvil_setLoggingEnabled,
  anvil_setMinGasPrice,
  anvil_setNextBlockBaseFeePerGas,
  anvil_setNextBlockPrevRandao,
  anvil_setNonce,
  anvil_setRpcUrl,
  anvil_setStorageAt,
  anvil_setTime,
  anvil_stopImpersonatingAccount,
  base_transactionStatus,
  debug_getBadBlocks,
  debug_getRawBlock,
  debug_getRawHeader,
  debug_getRawReceipts,
  debug_getRawTransaction,
  debug_storageRangeAt,
  debug_traceBlock,
  debug_traceBlockByHash,
  debug_traceBlockByNumber,
  debug_traceCall,
  debug_traceTransaction,
  devnet_delaySeal,
  devnet_dropPreconfirmed,
  devnet_duplicateFlashblock,
  devnet_failPreconfirmed,
  devnet_gapFlashblock,
  devnet_holdFlashblocks,
  devnet_metrics,
  devnet_refuseSender,
  devnet_reorg,
  devnet_seal,
  devnet_skipFlashblocks,
  devnet_startRecording,
  devnet_stopRecording,
  devnet_tick,
  eth_accounts,
  eth_baseFee,
  eth_blobBaseFee,
  eth_blockNumber,
  eth_call,
  eth_callMany,
  eth_capabilities,
  eth_chainId,
  eth_coinbase,
  eth_config,
  eth_createAccessList,
  eth_estimateGas,
  eth_feeHistory,
  eth_fillTransaction,
  eth_gasPrice,
  eth_getBalance,
  eth_getBlockByHash,
  eth_getBlockByNumber,
  eth_getBlockReceipts,
  eth_getBlockTransactionCountByHash,
  eth_getBlockTransactionCountByNumber,
  eth_getCode,
  eth_getFilterChanges,
  eth_getFilterLogs,
  eth_getHeaderByHash,
  eth_getHeaderByNumber,
  eth_getLogs,
  eth_getProof,
  eth_getRawTransactionByHash,
  eth_getStorageAt,
  eth_getStorageValues,
  eth_getTransactionByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex,
  eth_getTransactionByHash,
  eth_getTransactionBySenderAndNonce,
  eth_getTransactionCount,
  eth_getTransactionReceipt,
  eth_getUncleByBlockHashAndIndex,
  eth_getUncleByBlockNumberAndIndex,
  eth_getUncleCountByBlockHash,
  eth_getUncleCountByBlockNumber,
  eth_maxPriorityFeePerGas,
  eth_mining,
  eth_newBlockFilter,
  eth_newFilter,
  eth_newPendingTransactionFilter,
  eth_pendingTransactions,
  eth_protocolVersion,
  eth_sendRawTransaction,
  eth_sendRawTransactionSync,
  eth_sendTransaction,
  eth_sendTransactionSync,
  eth_sendUnsignedTransaction,
  eth_sign,
  eth_signTransaction,
  eth_signTypedData_v4,
  eth_simulateV1,
  eth_subscribe,
  eth_syncing,
  eth_uninstallFilter,
  eth_unsubscribe,
  evm_increaseTime,
  evm_mine,
  evm_mine_detailed,
  evm_revert,
  evm_setAutomine,
  evm_setBlockGasLimit,
  evm_setIntervalMining,
  evm_setNextBlockTimestamp,
  evm_snapshot,
  hardhat_dropTransaction,
  miner_start,
  miner_stop,
  net_listening,
  net_peerCount,
  net_version,
  op_supportedCapabilities,
  personal_importRawKey,
  personal_lockAccount,
  personal_newAccount,
  personal_sendTransaction,
  personal_sign,
  personal_signTransaction,
  personal_unlockAccount,
  rpc_modules,
  testing_buildBlockV1,
  trace_block,
  trace_call,
  trace_filter,
  trace_transaction,
  txpool_content,
  txpool_contentFrom,
  txpool_inspect,
  txpool_status,
  web3_clientVersion,
  web3_sha3,
];
