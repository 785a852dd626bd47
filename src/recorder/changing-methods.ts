/** Methods of these namespaces change the chain, or what the next calls do to it, unless they are named below. */
const CHANGING = /^(anvil|devnet|evm|hardhat|miner)_/;

const READS: ReadonlySet<string> = new Set([
  'anvil_dumpState',
  'anvil_getAutomine',
  'anvil_getBlobByHash',
  'anvil_getBlobsByTransactionHash',
  'anvil_getGenesisTime',
  'anvil_getIntervalMining',
  'anvil_metadata',
  'anvil_nodeInfo',
  // They are refused.
  'anvil_setFeeAmmLiquidity',
  'anvil_setFeeToken',
  'anvil_setValidatorFeeToken',
  // They change what is printed or sent, not the chain.
  'anvil_setLoggingEnabled',
  'devnet_duplicateFlashblock',
  'devnet_gapFlashblock',
  'devnet_metrics',
  // Written down as the ticks that it makes, and as evm_mine.
  'devnet_seal',
  // Written down as the transactions that are admitted.
  'devnet_refuseSender',
  'devnet_startRecording',
  'devnet_stopRecording',
  // Written down as the ticks that it makes.
  'devnet_tick',
]);

/**
 * Whether a call of the method is an input of a recording. Sends aren't: what they admit is written down as the signed
 * transaction, so that a replay needs no keys.
 */
export function isChanging(method: string): boolean {
  return CHANGING.test(method) && !READS.has(method);
}
