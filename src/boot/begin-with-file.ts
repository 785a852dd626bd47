import { equalsBytes } from '@ethereumjs/util';
import { type HeadStateDeps, headStateOf } from '../anvil-state/head-state.ts';
import type { Dump } from '../anvil-state/read-dump.ts';
import { type RestoredChain, restoreChain } from '../anvil-state/restore-chain.ts';
import { StateParts } from '../anvil-state/state-parts.ts';
import { BadBlock } from '../chain/block-fault.ts';
import type { BlockStore } from '../chain/store/block-store.ts';
import { encodedBlock, type LoadedChain } from '../chain/store/loaded-chain.ts';
import type { TransactionDecoder } from '../mempool/decode.ts';
import type { Config } from '../options/options.ts';
import { allocOf, type GenesisDeps, genesisOf } from './genesis.ts';
import { unusable } from './state-file.ts';

export interface BeginDeps extends GenesisDeps {
  readonly decoder: TransactionDecoder;
  readonly computeRoot?: HeadStateDeps['computeRoot'];
  /** milliseconds */
  readonly now: () => number;
  /** called if a part of the file is ignored */
  readonly onWarning?: (message: string) => void;
}

/** The beginning of a new chain. */
export interface Beginning {
  /** hash of its first block */
  readonly hash: Uint8Array;
  /** Writes the beginning to an empty store, atomically. */
  readonly fill: (store: BlockStore) => Promise<void>;
}

/**
 * Begins a new chain with the chain of a state file, including its blocks. If the file has no blocks, or is anvil's and its blocks
 * can't be read, begins with a genesis block that has the file's block number, and adds the file's accounts as dev writes.
 * @throws Error naming the file, and the part of it that contradicts the options or is invalid
 */
export async function beginWithFile(dump: Dump, config: Config, deps: BeginDeps): Promise<Beginning> {
  const { file } = config.stateFiles.load!;
  try {
    const restored = await restore(dump, config, deps);
    if (restored) refuseOthers(dump, restored, config, deps);
    const chain = restored?.chain ?? (await withAccounts(dump, config, deps));
    return {
      hash: chain.blocks[0]!.head.hash,
      fill: (store) => {
        deps.onProgress?.({ task: 'Storing the chain of the state file' });
        return store.load(chain);
      },
    };
  } catch (error) {
    throw unusable(file, error);
  }
}

async function restore(dump: Dump, config: Config, deps: BeginDeps): Promise<RestoredChain | undefined> {
  const { decoder, schedule: forks, accounts, computeRoot, onWarning, onProgress } = deps;
  try {
    return await restoreChain(dump, {
      forks,
      decoder,
      alloc: allocOf(config, accounts),
      onProgress,
      computeRoot,
      ...(onWarning && { onWarning }),
    });
  } catch (error) {
    const { message } = error as Error;
    const number = error instanceof BadBlock ? error.number : undefined;
    const reason = number === undefined ? message : `block ${number}: ${message}`;
    // A file of devnet must be damaged. A file of anvil may have an older or newer format, so its accounts are still loaded.
    if (dump.devnet) throw new Error(reason, { cause: error });
    onWarning?.(`of ${config.stateFiles.load!.file} only the accounts are loaded, not the blocks: ${reason}`);
    return undefined;
  }
}

/** @throws Error for options that contradict the file's chain */
function refuseOthers(
  { devnet }: Dump,
  { genesis: { header, hash } }: RestoredChain,
  config: Config,
  deps: BeginDeps,
): void {
  if (devnet && devnet.chainId !== config.chainId)
    throw new Error(
      `it holds chain ${devnet.chainId}, not ${config.chainId}: start with --chain-id ${devnet.chainId}`,
    );
  if (config.genesis) {
    if (equalsBytes(genesisOf(config, header.timestamp, deps).hash, hash)) return;
    throw new Error('its chain begins with another block than the one of --init: leave that out');
  }
  if (config.timestamp !== undefined && config.timestamp !== header.timestamp)
    throw new Error(
      `its chain begins at time ${header.timestamp}, not at ${config.timestamp}: leave out --timestamp`,
    );
  if (config.number > 0n && config.number !== header.number)
    throw new Error(`its chain begins with block ${header.number}, not ${config.number}: leave out --number`);
}

async function withAccounts(dump: Dump, config: Config, deps: BeginDeps): Promise<LoadedChain> {
  const { block, best_block_number: best } = dump;
  const now = BigInt(Math.floor(deps.now() / 1000));
  const said = block?.timestamp ?? 0n;
  const genesis = genesisOf(
    { ...config, number: config.number || (best ?? block?.number ?? 0n) },
    config.timestamp ?? (said > now ? said : now),
    deps,
  );
  const alloc = allocOf(config, deps.accounts);
  const parts = new StateParts();
  parts.addState(genesis.state);
  const { computeRoot, onProgress } = deps;
  const root = await headStateOf(alloc, dump.accounts, { parts, computeRoot, onProgress });
  const { nodes, code, preimages, encoded } = parts;
  return {
    blocks: [encodedBlock(genesis, root)],
    states: genesis.header.number,
    genesisRoot: genesis.header.stateRoot,
    nodes,
    code,
    preimages,
    encoded,
  };
}
