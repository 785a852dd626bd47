import { BLOB_SCHEDULE } from './blob-schedule.ts';
import { BY_NUMBER, BY_TIME } from './genesis-schedule.ts';
import { HARDFORKS, type HardforkName } from './hardfork.ts';

/** mainnet's deposit contract (EIP-6110) */
export const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa';

/** The second hardfork of a configuration, and its activation: a block number before the merge, a timestamp in seconds after it. */
export interface NextHardfork {
  readonly name: HardforkName;
  readonly at: number;
}

/** A geth genesis.json's `config` with one hardfork, or with two. The inverse of `scheduleOf`. */
export function configOf(chainId: bigint, first: HardforkName, next?: NextHardfork): Record<string, unknown> {
  const rank = (name: HardforkName) => HARDFORKS.indexOf(name);
  const last = next?.name ?? first;
  const config: Record<string, unknown> = { chainId: Number(chainId) };
  for (const [name, key] of [...BY_NUMBER, ...BY_TIME]) {
    // The DAO fork is an irregular state change on one chain: later hardforks don't imply it.
    if (name === 'dao' && last !== 'dao') continue;
    if (rank(name) <= rank(first)) config[key] = 0;
    else if (next && rank(name) <= rank(next.name)) config[key] = next.at;
  }
  // EIP-155 is part of Spurious Dragon too: clients reject one activation block without the other.
  if (config.eip158Block !== undefined) config.eip155Block = config.eip158Block;
  if (last === 'dao') config.daoForkSupport = true;
  // geth activates Petersburg together with Constantinople, unless the config names another block for it.
  if (last === 'constantinople') config.petersburgBlock = Number.MAX_SAFE_INTEGER;
  if (rank(first) >= rank('paris')) config.terminalTotalDifficulty = 0;
  const blobs = Object.entries(BLOB_SCHEDULE).filter(([name]) => rank(name as HardforkName) <= rank(last));
  if (blobs.length > 0) config.blobSchedule = Object.fromEntries(blobs);
  if (rank(last) >= rank('prague')) config.depositContractAddress = DEPOSIT_CONTRACT;
  return config;
}
