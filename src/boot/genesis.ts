import type { Address } from '@ethereumjs/util';
import type { Block } from '../chain/block.ts';
import { type GenesisFields, genesisBlock } from '../chain/genesis-block.ts';
import { prevRandaoOf } from '../chain/prev-randao.ts';
import type { Config } from '../options/options.ts';
import type { OnProgress } from '../progress.ts';
import { type HardforkSchedule, isSince } from '../protocol/hardfork.ts';
import { seedOf } from '../sequencer/settings.ts';
import type { ChainState } from '../state/chain-state.ts';
import { builtinAlloc, type GenesisAlloc } from '../state/genesis.ts';

export interface GenesisDeps {
  readonly schedule: HardforkSchedule;
  /** the dev accounts */
  readonly accounts: readonly Address[];
  readonly onProgress?: OnProgress | undefined;
}

/** Makes the genesis block for the options. If they set no timestamp, it gets the current time. */
export function genesisNow(
  config: Config,
  deps: GenesisDeps & { readonly now: () => number },
): Block & { readonly state: ChainState } {
  return genesisOf(config, config.timestamp ?? BigInt(Math.floor(deps.now() / 1000)), deps);
}

/** Makes the genesis block for the options. @param timestamp seconds; ignored with a genesis file, which has its own */
export function genesisOf(config: Config, timestamp: bigint, deps: GenesisDeps) {
  const { schedule, accounts, onProgress } = deps;
  if (config.genesis) {
    const { fields, alloc } = config.genesis;
    return genesisBlock(fields, alloc, schedule.at(config.number, fields.timestamp), onProgress);
  }
  const { number } = config;
  const fields: GenesisFields = {
    number,
    timestamp,
    gasLimit: config.gasLimit,
    coinbase: config.coinbase,
    extraData: config.extraData,
    mixHash: prevRandaoOf(seedOf(config.seed), number),
    baseFeePerGas: config.baseFee,
  };
  return genesisBlock(fields, allocOf(config, accounts), schedule.at(number, timestamp), onProgress);
}

/** The accounts of the genesis state for the options. */
export function allocOf(config: Config, accounts: readonly Address[]): GenesisAlloc {
  if (config.genesis) return config.genesis.alloc;
  const alloc = builtinAlloc({
    accounts: [...accounts],
    balance: config.balance,
    create2Deployer: config.create2Deployer,
    multicall3: config.multicall3,
    builders: isSince(config.hardfork, 'amsterdam'),
    opStack: config.rollup ? { chainId: config.chainId, bare: config.barePredeploys } : undefined,
  });
  const funded = new Map(alloc);
  for (const { address, balance } of config.fundAccounts)
    funded.set(address.toString(), { ...alloc.get(address.toString()), balance });
  return funded;
}
