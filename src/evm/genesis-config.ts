import { BY_NUMBER, BY_TIME } from './genesis-schedule.ts';
import { HARDFORKS, type HardforkName } from './hardfork.ts';

/** EIP-7840 and EIP-7892, in blobs: the mainnet's. */
const BLOB_SCHEDULE = {
  cancun: { target: 3, max: 6, baseFeeUpdateFraction: 3_338_477 },
  prague: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  osaka: { target: 6, max: 9, baseFeeUpdateFraction: 5_007_716 },
  bpo1: { target: 10, max: 15, baseFeeUpdateFraction: 8_346_193 },
  bpo2: { target: 14, max: 21, baseFeeUpdateFraction: 11_684_671 },
} as const;
const DEPOSIT_CONTRACT = '0x00000000219ab540356cbb839cbe05303d7705fa';

/** The hardfork that comes after the first one, and where: a block number before the merge, seconds after it. */
export interface NextHardfork {
  readonly name: HardforkName;
  readonly at: number;
}

/**
 * The `config` of a geth genesis.json under which one hardfork holds from the first block on, or until the next one begins.
 * The inverse of `scheduleOf`.
 */
export function configOf(chainId: bigint, first: HardforkName, next?: NextHardfork): Record<string, unknown> {
  const rank = (name: HardforkName) => HARDFORKS.indexOf(name);
  const last = next?.name ?? first;
  const config: Record<string, unknown> = { chainId: Number(chainId) };
  for (const [name, key] of [...BY_NUMBER, ...BY_TIME]) {
    // A state that was changed by hand belongs to one chain: later forks don't imply it.
    if (name === 'dao' && last !== 'dao') continue;
    if (rank(name) <= rank(first)) config[key] = 0;
    else if (next && rank(name) <= rank(next.name)) config[key] = next.at;
  }
  // Part of Spurious Dragon too: clients refuse the one block without the other.
  if (config.eip158Block !== undefined) config.eip155Block = config.eip158Block;
  if (last === 'dao') config.daoForkSupport = true;
  // geth gives a chain with Constantinople and without Petersburg both.
  if (last === 'constantinople') config.petersburgBlock = Number.MAX_SAFE_INTEGER;
  if (rank(first) >= rank('paris')) config.terminalTotalDifficulty = 0;
  const blobs = Object.entries(BLOB_SCHEDULE).filter(([name]) => rank(name as HardforkName) <= rank(last));
  if (blobs.length > 0) config.blobSchedule = Object.fromEntries(blobs);
  if (rank(last) >= rank('prague')) config.depositContractAddress = DEPOSIT_CONTRACT;
  return config;
}
