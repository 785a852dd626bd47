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

/** Blocks that are hidden, but not removed yet: reads which began on one can end. */
const GRACE = 16n;

export interface OpenChainDeps extends BeginDeps, Omit<StoreDeps, 'decodeTransaction'> {
  readonly version: string;
  /** nobody opens the chain after this process */
  readonly scratch?: boolean;
  /** that of a forked chain, instead of the one that the options make */
  readonly genesis?: Block & { readonly state: ChainState };
  /** the block of the other chain, of a forked one */
  readonly fork?: ForkOfDirectory | undefined;
  /** the chain of another node, for an empty directory */
  readonly copy?: StoreCopy | undefined;
}

export interface OpenChain {
  readonly store: BlockStore;
  /** It is a new chain, and it began with a state file. */
  readonly fromFile: boolean;
}

/**
 * Opens the store that the options name, with the genesis block in it, or with what the state file holds. A directory
 * that already holds a chain keeps that chain's genesis time unless another was asked for.
 * @throws DataDirError when the directory is not this chain's; Error when the state file can't be used
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
    // Killed at its first start, before the genesis block was stored: the chain begins now.
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

/** A chain that begins now, with a state file if there is one. */
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

/** @throws DataDirError when one of the two is forked and the other isn't, or at another block */
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

/** @throws DataDirError when the chain of a directory isn't one of these options, or isn't whole */
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
