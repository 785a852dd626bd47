import type { RpcMethod } from '../define-method.ts';
import { base_transactionStatus } from './base_transactionStatus.ts';
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
import { devnet_tick } from './devnet_tick.ts';
import { eth_accounts } from './eth_accounts.ts';
import { eth_baseFee } from './eth_baseFee.ts';
import { eth_blobBaseFee } from './eth_blobBaseFee.ts';
import { eth_blockNumber } from './eth_blockNumber.ts';
import { eth_call } from './eth_call.ts';
import { eth_chainId } from './eth_chainId.ts';
import { eth_createAccessList } from './eth_createAccessList.ts';
import { eth_estimateGas } from './eth_estimateGas.ts';
import { eth_feeHistory } from './eth_feeHistory.ts';
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
import { eth_getLogs } from './eth_getLogs.ts';
import { eth_getProof } from './eth_getProof.ts';
import { eth_getStorageAt } from './eth_getStorageAt.ts';
import { eth_getTransactionByBlockHashAndIndex } from './eth_getTransactionByBlockHashAndIndex.ts';
import { eth_getTransactionByBlockNumberAndIndex } from './eth_getTransactionByBlockNumberAndIndex.ts';
import { eth_getTransactionByHash } from './eth_getTransactionByHash.ts';
import { eth_getTransactionCount } from './eth_getTransactionCount.ts';
import { eth_getTransactionReceipt } from './eth_getTransactionReceipt.ts';
import { eth_getUncleCountByBlockHash } from './eth_getUncleCountByBlockHash.ts';
import { eth_getUncleCountByBlockNumber } from './eth_getUncleCountByBlockNumber.ts';
import { eth_maxPriorityFeePerGas } from './eth_maxPriorityFeePerGas.ts';
import { eth_newBlockFilter } from './eth_newBlockFilter.ts';
import { eth_newFilter } from './eth_newFilter.ts';
import { eth_newPendingTransactionFilter } from './eth_newPendingTransactionFilter.ts';
import { eth_sendRawTransaction } from './eth_sendRawTransaction.ts';
import { eth_sendRawTransactionSync } from './eth_sendRawTransactionSync.ts';
import { eth_sendTransaction } from './eth_sendTransaction.ts';
import { eth_sendTransactionSync } from './eth_sendTransactionSync.ts';
import { eth_simulateV1 } from './eth_simulateV1.ts';
import { eth_subscribe } from './eth_subscribe.ts';
import { eth_syncing } from './eth_syncing.ts';
import { eth_uninstallFilter } from './eth_uninstallFilter.ts';
import { eth_unsubscribe } from './eth_unsubscribe.ts';
import { evm_mine } from './evm_mine.ts';
import { evm_setAutomine } from './evm_setAutomine.ts';
import { net_listening } from './net_listening.ts';
import { net_version } from './net_version.ts';
import { op_supportedCapabilities } from './op_supportedCapabilities.ts';
import { web3_clientVersion } from './web3_clientVersion.ts';
import { web3_sha3 } from './web3_sha3.ts';

/** Every method by its own name; other names for them are aliases. */
export const METHODS: readonly RpcMethod[] = [
  base_transactionStatus,
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
  devnet_tick,
  eth_accounts,
  eth_baseFee,
  eth_blobBaseFee,
  eth_blockNumber,
  eth_call,
  eth_chainId,
  eth_createAccessList,
  eth_estimateGas,
  eth_feeHistory,
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
  eth_getLogs,
  eth_getProof,
  eth_getStorageAt,
  eth_getTransactionByBlockHashAndIndex,
  eth_getTransactionByBlockNumberAndIndex,
  eth_getTransactionByHash,
  eth_getTransactionCount,
  eth_getTransactionReceipt,
  eth_getUncleCountByBlockHash,
  eth_getUncleCountByBlockNumber,
  eth_maxPriorityFeePerGas,
  eth_newBlockFilter,
  eth_newFilter,
  eth_newPendingTransactionFilter,
  eth_sendRawTransaction,
  eth_sendRawTransactionSync,
  eth_sendTransaction,
  eth_sendTransactionSync,
  eth_simulateV1,
  eth_subscribe,
  eth_syncing,
  eth_uninstallFilter,
  eth_unsubscribe,
  evm_mine,
  evm_setAutomine,
  net_listening,
  net_version,
  op_supportedCapabilities,
  web3_clientVersion,
  web3_sha3,
];
