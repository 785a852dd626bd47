import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { accessError, DataDirError, damaged } from './data-dir-error.ts';

/**
 * Version of the format of directory and database. Format 1 has no reserved blocks, and a program that supports only format 1 wouldn't
 * find them: opening a directory of format 1 upgrades it to format 2, see `raiseFormat`.
 */
const FORMAT = 2;
const OLDEST_FORMAT = 1;
const MARKER = 'devnet.json';
const UNFINISHED_MARKER = `${MARKER}.new`;

/** Identifies the chain of a directory. */
export interface ChainIdentity {
  readonly chainId: bigint;
  readonly genesisHash: Uint8Array;
  /** The chain began with a state file, so the options don't determine its genesis block. */
  readonly fromStateFile?: boolean;
  /** The blocks were made under rules of the OP Stack. */
  readonly optimism?: boolean;
  /** All of the OP Stack's rules apply, not only those of deposits and fee vaults. */
  readonly rollup?: boolean;
  /** The predeployed contracts of the genesis block have proxies. */
  readonly proxies?: boolean;
  /** The other chain's fork block, if the chain was forked. */
  readonly fork?: ForkOfDirectory | undefined;
}

/** The other chain's fork block, with which a directory's chain begins. */
export interface ForkOfDirectory {
  readonly chainId: bigint;
  readonly number: bigint;
  /** hash of the transaction in the next block before which the chain was forked, if any */
  readonly transaction?: string | undefined;
}

/** Contents of `devnet.json`, which marks a directory as devnet's and names its chain. */
export interface Marker {
  readonly format: number;
  /** decimal */
  readonly chainId: string;
  /** 0x hex */
  readonly genesisHash: string;
  readonly fromStateFile?: true;
  readonly optimism?: true;
  readonly rollup?: true;
  readonly proxies?: true;
  /** the other chain and its fork block, decimal; absent if the chain wasn't forked */
  readonly fork?: {
    readonly chainId: string;
    readonly number: string;
    readonly transaction?: string | undefined;
  };
  /** version of the program that made the directory */
  readonly createdBy: string;
}

/** Paths in a data directory. */
export function layoutOf(dir: string): {
  database: string;
  lastBatch: string;
  logs: readonly string[];
  /** the data that a forked chain has read from the other chain */
  fork: string;
} {
  const logs = ['ahead-0', 'ahead-1'].map((name) => join(dir, name));
  return {
    database: join(dir, 'db'),
    lastBatch: join(dir, 'last-batch'),
    logs,
    fork: join(dir, 'fork.jsonl'),
  };
}

/**
 * Reads the marker of a directory without changing anything, so that its chain can be reopened.
 * @returns undefined when the directory is missing or empty
 * @throws DataDirError `foreign`, `formatVersion`, `damaged`, `inaccessible`
 */
export function readMarker(dir: string): Marker | undefined {
  const names = list(dir).filter((name) => name !== UNFINISHED_MARKER);
  if (names.length === 0) return undefined;
  if (!names.includes(MARKER))
    throw new DataDirError(
      'foreign',
      dir,
      `not empty, and not made by devnet (no ${MARKER}); nothing in it was touched. Use another directory`,
    );
  let marker: Partial<Marker> | null;
  try {
    marker = JSON.parse(readFileSync(join(dir, MARKER), 'utf8'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw accessError(dir, error);
    throw new DataDirError(
      'damaged',
      dir,
      `${MARKER} can't be read (${error}). Restore it from a copy, or use another directory`,
      { cause: error },
    );
  }
  if (typeof marker?.format !== 'number')
    throw new DataDirError('foreign', dir, `${MARKER} isn't devnet's. Use another directory`);
  if (!(marker.format >= OLDEST_FORMAT && marker.format <= FORMAT))
    throw new DataDirError(
      'formatVersion',
      dir,
      `format ${marker.format}, written by version ${marker.createdBy}; this version reads the formats ${OLDEST_FORMAT} to ${FORMAT}. ` +
        'Use that version, or another directory',
    );
  if (typeof marker.chainId !== 'string' || typeof marker.genesisHash !== 'string')
    throw damaged(dir, `${MARKER} doesn't name a chain`);
  return marker as Marker;
}

/**
 * Ensures that the directory belongs to this chain; creates it if it is missing or empty. Doesn't write to any other
 * directory. The database must not be opened before this check has passed.
 * @param options.flush whether a new marker must be on the disk before this returns
 * @param options.begins whether no chain has begun in the directory yet, so that its marker is replaced
 * @throws DataDirError `foreign`, `formatVersion`, `otherChainId`, `otherGenesis`, `otherRules`, `damaged`,
 *   `inaccessible`
 */
export function claimDirectory(
  dir: string,
  identity: ChainIdentity,
  createdBy: string,
  { flush = true, begins = false }: { flush?: boolean; begins?: boolean } = {},
): void {
  const chainId = identity.chainId.toString();
  const genesisHash = bytesToHex(identity.genesisHash);
  const marker = readMarker(dir);
  if (!marker || begins) {
    const content: Marker = {
      format: FORMAT,
      chainId,
      genesisHash,
      ...(identity.fromStateFile && { fromStateFile: true }),
      ...(identity.optimism && { optimism: true }),
      ...(identity.rollup && { rollup: true }),
      ...(identity.proxies && { proxies: true }),
      ...(identity.fork && {
        fork: {
          chainId: `${identity.fork.chainId}`,
          number: `${identity.fork.number}`,
          transaction: identity.fork.transaction,
        },
      }),
      createdBy,
    };
    writeMarker(dir, content, flush);
    return;
  }
  if (marker.chainId !== chainId)
    throw new DataDirError(
      'otherChainId',
      dir,
      `holds chain ${marker.chainId}, not ${chainId}. Start with --chain-id ${marker.chainId}, or use another directory`,
    );
  if ((marker.optimism ?? false) !== (identity.optimism ?? false))
    throw new DataDirError(
      'otherRules',
      dir,
      `its blocks were made ${marker.optimism ? 'with' : 'without'} --optimism. ` +
        `Start ${marker.optimism ? 'with' : 'without'} it, or use another directory`,
    );
  if ((marker.rollup ?? false) !== (identity.rollup ?? false))
    throw new DataDirError(
      'otherRules',
      dir,
      `its blocks were made ${marker.rollup ? 'without' : 'with'} --deposits-only. ` +
        `Start ${marker.rollup ? 'without' : 'with'} it, or use another directory`,
    );
  if (marker.genesisHash !== genesisHash)
    throw new DataDirError(
      'otherGenesis',
      dir,
      `holds a chain with genesis ${marker.genesisHash}, not ${genesisHash}. ` +
        'Start with the genesis it was made with, or use another directory',
    );
}

/** Upgrades a directory to the current format. The caller must have its database open, so that no other process uses it. */
export function raiseFormat(dir: string): void {
  const marker = readMarker(dir);
  if (marker && marker.format < FORMAT) writeMarker(dir, { ...marker, format: FORMAT }, true);
}

function writeMarker(dir: string, marker: Marker, flush: boolean): void {
  try {
    makeDirectory(dir);
    writeFileSync(join(dir, UNFINISHED_MARKER), `${JSON.stringify(marker, null, 2)}\n`, { flush });
    renameSync(join(dir, UNFINISHED_MARKER), join(dir, MARKER));
  } catch (error) {
    throw accessError(dir, error);
  }
}

/**
 * Creates a directory and its missing parents. Doesn't use the option `recursive`, with which Node loops forever if the
 * system reports ENOENT although the parent exists, as in `/proc` or in a deleted working directory.
 */
function makeDirectory(dir: string): void {
  try {
    mkdirSync(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    const parent = dirname(dir);
    if (code !== 'ENOENT' || parent === dir || existsSync(parent)) throw error;
    makeDirectory(parent);
    makeDirectory(dir);
  }
}

function list(dir: string): string[] {
  try {
    return readdirSync(dir);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return [];
    // If `dir` doesn't exist, one of its parents is a file.
    if (code === 'ENOTDIR' && existsSync(dir))
      throw new DataDirError('foreign', dir, 'a file, not a directory');
    throw accessError(dir, error);
  }
}
