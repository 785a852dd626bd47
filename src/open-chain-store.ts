import { type Address, equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Block, Header } from './chain/block.ts';
import { type GenesisFields, genesisBlock } from './chain/genesis-block.ts';
import { BlockStore, type BlockStoreDeps, type BlockStoreOptions } from './chain/store/block-store.ts';
import { readMarker } from './chain/store/data-dir.ts';
import { DataDirError } from './chain/store/data-dir-error.ts';
import type { ForkSchedule } from './evm/fork.ts';
import type { TransactionDecoder } from './mempool/decode.ts';
import type { Config } from './options.ts';
import { prevRandaoOf, seedOf } from './sequencer/settings.ts';
import type { ChainState } from './state/chain-state.ts';
import { builtinAlloc, type GenesisAlloc } from './state/genesis.ts';

/** Blocks that are hidden, but not removed yet: reads which began on one can end. */
const GRACE = 16n;

interface Deps extends Omit<BlockStoreDeps, 'decodeTransaction'> {
  readonly schedule: ForkSchedule;
  readonly accounts: readonly Address[];
  readonly decoder: TransactionDecoder;
  /** milliseconds */
  readonly now: () => number;
  readonly version: string;
  /** nobody opens the chain after this process */
  readonly scratch?: boolean;
  /** that of a forked chain, instead of the one that the options make */
  readonly genesis?: Block & { readonly state: ChainState };
}

/**
 * Opens the store that the options name, with the genesis block in it. A directory that already holds a chain keeps
 * that chain's genesis time unless another was asked for.
 * @throws DataDirError when the directory is not this chain's
 */
export async function openChainStore(config: Config, deps: Deps): Promise<BlockStore> {
  const { dataDir } = config;
  const marker = dataDir === undefined ? undefined : readMarker(dataDir);
  const { fsync, repair, pruneHistory } = config;
  const options = {
    createdBy: deps.version,
    fsync,
    scratch: deps.scratch ?? false,
    repair,
    ...(pruneHistory !== undefined && { keepBlocks: pruneHistory + GRACE }),
  };
  if (dataDir !== undefined && marker && config.timestamp === undefined && !config.genesis) {
    const genesisHash = hexToBytes(marker.genesisHash as PrefixedHexString);
    const store = await open(
      dataDir,
      { ...options, identity: { chainId: config.chainId, genesisHash } },
      deps,
    );
    const timestamp = store.isEmpty ? undefined : store.header(store.genesis)?.timestamp;
    if (timestamp === undefined || equalsBytes(genesisOf(config, timestamp, deps).hash, genesisHash)) {
      if (timestamp !== undefined) return store;
      await store.close();
      throw new DataDirError(
        'damaged',
        dataDir,
        'it holds no genesis block: delete it, or start with --timestamp as before',
      );
    }
    await store.close();
    throw new DataDirError(
      'otherGenesis',
      dataDir,
      'made with another genesis: start with the options it was made with, or use another directory',
    );
  }
  const genesis = deps.genesis ?? genesisNow(config, deps);
  const store = await open(
    dataDir,
    { ...options, identity: { chainId: config.chainId, genesisHash: genesis.hash } },
    deps,
  );
  if (store.isEmpty)
    await store.commit({ block: genesis, stateRoot: genesis.state.root, ...genesis.state.unstored() });
  return store;
}

function open(
  dataDir: string | undefined,
  options: BlockStoreOptions,
  { decoder, schedule, ...given }: Deps,
): Promise<BlockStore> {
  const deps = {
    ...given,
    decodeTransaction: (raw: Uint8Array, { number, timestamp, difficulty }: Header) =>
      decoder.decodeStored(raw, schedule.at(number, timestamp, difficulty).common),
  };
  return dataDir === undefined
    ? BlockStore.openTemporary(options, deps)
    : BlockStore.open(dataDir, options, deps);
}

/** The genesis block that the options make; of this moment, where they don't say of which. */
export function genesisNow(
  config: Config,
  deps: Pick<Deps, 'schedule' | 'accounts' | 'now'>,
): Block & { readonly state: ChainState } {
  return genesisOf(config, config.timestamp ?? BigInt(Math.floor(deps.now() / 1000)), deps);
}

function genesisOf(
  config: Config,
  timestamp: bigint,
  { schedule, accounts }: Pick<Deps, 'schedule' | 'accounts'>,
) {
  if (config.genesis) {
    const { fields, alloc } = config.genesis;
    return genesisBlock(fields, alloc, schedule.at(config.number, fields.timestamp));
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
  return genesisBlock(fields, allocOf(config, accounts), schedule.at(number, timestamp));
}

/** What the chain of these options starts with. */
export function allocOf(config: Config, accounts: readonly Address[]): GenesisAlloc {
  if (config.genesis) return config.genesis.alloc;
  const alloc = builtinAlloc({
    accounts: [...accounts],
    balance: config.accounts.balance,
    create2Deployer: config.create2Deployer,
  });
  const funded = new Map(alloc);
  for (const { address, balance } of config.fundAccounts)
    funded.set(address.toString(), { ...alloc.get(address.toString()), balance });
  return funded;
}
