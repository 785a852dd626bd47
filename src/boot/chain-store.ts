import { equalsBytes, hexToBytes, type PrefixedHexString } from '@ethereumjs/util';
import type { Block, Header } from '../chain/block.ts';
import { BlockStore, type StoreDeps, type StoreOptions } from '../chain/store/block-store.ts';
import {
  type ChainIdentity,
  type ForkOfDirectory,
  type Marker,
  readMarker,
} from '../chain/store/data-dir.ts';
import { DataDirError } from '../chain/store/data-dir-error.ts';
import type { StoreCopy } from '../chain/store/fill-copy.ts';
import type { Config } from '../options/options.ts';
import type { ChainState } from '../state/chain-state.ts';
import { type BeginDeps, type Beginning, beginWithFile } from './begin-with-file.ts';
import { genesisNow, genesisOf } from './genesis.ts';
import { readStateFile } from './state-file.ts';

/** Number of blocks that are hidden but not removed yet, so that running reads of them can finish. */
const GRACE = 16n;

export interface OpenChainDeps extends BeginDeps, Omit<StoreDeps, 'decodeTransaction'> {
  readonly version: string;
  /** whether the data is temporary: no other process will open the chain */
  readonly scratch?: boolean;
  /** on a forked chain: its genesis block, which replaces the one of the options */
  readonly genesis?: Block & { readonly state: ChainState };
  /** on a forked chain: the other chain's fork block */
  readonly fork?: ForkOfDirectory | undefined;
  /** a copy of another node's chain, for an empty directory */
  readonly copy?: StoreCopy | undefined;
}

export interface OpenChain {
  readonly store: BlockStore;
  /** whether this is a new chain that begins with a state file */
  readonly fromFile: boolean;
}

/**
 * Opens the store that the options name. A new store gets the genesis block, or the content of the state file. A directory that
 * already contains a chain keeps that chain's genesis timestamp unless the options set one.
 * @throws DataDirError if the directory belongs to another chain; Error if the state file can't be used
 */
export async function openChainStore(config: Config, deps: OpenChainDeps): Promise<OpenChain> {
  const { dataDir, fsync, repair, pruneHistory } = config;
  const marker = dataDir === undefined ? undefined : readMarker(dataDir);
  if (dataDir !== undefined && marker) checkFork(dataDir, marker, deps.fork);
  const options = {
    createdBy: deps.version,
    fsync,
    scratch: deps.scratch ?? false,
    repair,
    ...(pruneHistory !== undefined && { keepBlocks: pruneHistory + GRACE }),
  };
  if (dataDir !== undefined && marker) {
    const isNamed = marker.fromStateFile || (config.timestamp === undefined && !config.genesis);
    const genesisHash =
      deps.genesis?.hash ??
      (isNamed
        ? hexToBytes(marker.genesisHash as PrefixedHexString)
        : genesisOf(config, config.timestamp ?? 0n, deps).hash);
    const identity = { ...rulesOf(config), genesisHash, fork: deps.fork };
    const store = await open(dataDir, { ...options, identity }, deps);
    // The node was killed at its first start, before the genesis block was stored: begin the chain now.
    if (store.isEmpty && !marker.fromStateFile) {
      await store.close();
      return begun(config, deps, { ...options, begins: true });
    }
    try {
      check(store, marker, { dir: dataDir, config, deps });
    } catch (error) {
      await store.close();
      throw error;
    }
    return { store, fromFile: false };
  }
  if (dataDir !== undefined && deps.copy) {
    const identity = { ...rulesOf(config), genesisHash: deps.copy.genesis };
    return { store: await open(dataDir, { ...options, identity, copy: deps.copy }, deps), fromFile: false };
  }
  return begun(config, deps, options);
}

/** Begins a new chain, with the state file if there is one. */
async function begun(
  config: Config,
  deps: OpenChainDeps,
  options: Omit<StoreOptions, 'identity'>,
): Promise<OpenChain> {
  const { dataDir } = config;
  const { onProgress } = deps;
  const dump = deps.genesis
    ? undefined
    : await readStateFile(config.stateFiles, { limit: config.maxStateSize, onProgress });
  const beginning: Beginning = dump ? await beginWithFile(dump, config, deps) : begin(config, deps);
  const { hash: genesisHash } = beginning;
  const identity = { ...rulesOf(config), genesisHash, fromStateFile: dump !== undefined, fork: deps.fork };
  const store = await open(dataDir, { ...options, identity }, deps);
  try {
    await beginning.fill(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  return { store, fromFile: dump !== undefined };
}

function rulesOf({ chainId, optimism, rollup, barePredeploys }: Config): Omit<ChainIdentity, 'genesisHash'> {
  return { chainId, optimism, rollup, proxies: rollup && !barePredeploys };
}

function begin(config: Config, deps: OpenChainDeps): Beginning {
  const block = deps.genesis ?? genesisNow(config, deps);
  const { hash, state } = block;
  return {
    hash,
    fill: async (store) => {
      deps.onProgress?.({ task: 'Storing the first block' });
      await store.commit({ block, stateRoot: state.root, ...state.unstored() });
    },
  };
}

/** @throws DataDirError if the directory's chain is forked and the options' isn't, or vice versa, or if the fork blocks differ */
function checkFork(dir: string, { fork: kept }: Marker, asked: ForkOfDirectory | undefined): void {
  if (kept === undefined && asked === undefined) return;
  const refuse = (what: string) => new DataDirError('otherGenesis', dir, what);
  if (!kept) throw refuse('its chain was not forked: start without --fork-url, or use another directory');
  const block = `block ${kept.number} of chain ${kept.chainId}`;
  if (!asked)
    throw refuse(`its chain was forked at ${block}: start with --fork-url, or use another directory`);
  if (`${asked.number}` !== kept.number || `${asked.chainId}` !== kept.chainId)
    throw refuse(
      `its chain was forked at ${block}, not at block ${asked.number} of chain ${asked.chainId}: ` +
        'name no block, or use another directory',
    );
}

/** @throws DataDirError if the directory's chain doesn't match the options, or is incomplete */
function check(
  store: BlockStore,
  marker: Marker,
  { dir, config, deps }: { dir: string; config: Config; deps: OpenChainDeps },
): void {
  const header = store.isEmpty ? undefined : store.header(store.genesis);
  const lost = marker.fromStateFile && header && store.head.number < store.states;
  if (!header || (lost && store.head.number !== store.genesis))
    throw new DataDirError('damaged', dir, 'it holds no whole chain: delete it, and start as before');
  const refuse = (what: string) => new DataDirError('otherGenesis', dir, what);
  if (marker.fromStateFile) {
    const { timestamp, number } = header;
    for (const [name, asked, found] of [
      ['timestamp', config.timestamp, timestamp],
      ['number', config.number || undefined, number],
    ] as const)
      if (!config.genesis && asked !== undefined && asked !== found)
        throw refuse(`its chain began with a state file, and with ${name} ${found}, not ${asked}`);
    if (!config.genesis) return;
  }
  const { hash } = deps.genesis ?? genesisOf(config, header.timestamp, deps);
  if (equalsBytes(hash, hexToBytes(marker.genesisHash as PrefixedHexString))) return;
  throw refuse(
    'made with another genesis: start with the options it was made with, or use another directory',
  );
}

function open(
  dataDir: string | undefined,
  options: StoreOptions,
  { decoder, schedule, ...given }: OpenChainDeps,
): Promise<BlockStore> {
  const deps = {
    ...given,
    decodeTransaction: (raw: Uint8Array, { number, timestamp, difficulty }: Header) =>
      decoder.decodeStored(raw, schedule.at(number, timestamp, difficulty).common).tx,
  };
  return dataDir === undefined
    ? BlockStore.openTemporary(options, deps)
    : BlockStore.open(dataDir, options, deps);
}
