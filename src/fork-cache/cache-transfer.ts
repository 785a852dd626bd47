import { createReadStream, createWriteStream, renameSync, rmSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { contentOf, isIntact, withChecksum } from '../checked-line.ts';
import { type CacheEntry, decodeEntry, encodeEntry } from './cache-entry.ts';
import type { ForkBlock } from './fork-block.ts';
import type { CachedFork, ForkCache } from './fork-cache.ts';

/** Version of the file format. */
const FORMAT = 1;
/** Number of entries that are added to a cache at a time. */
const SOME = 1000;
const NEWLINE = 0x0a;

/** The line that precedes the entries of a block. */
interface EntriesHead {
  readonly forkCache: number;
  /** decimal */
  readonly chainId: string;
  readonly number: string;
  readonly hash: string;
}

/** The file wasn't made by `devnet fork-cache export`, or was changed. */
export class CacheFileError extends Error {
  override readonly name = 'CacheFileError';
}

/** The number of blocks and entries written or read. */
export interface Transferred {
  readonly blocks: number;
  readonly entries: number;
}

/** Writes blocks of a cache to a file, atomically; compressed if the file's name ends with `.gz`. */
export async function exportBlocks(
  cache: ForkCache,
  blocks: readonly CachedFork[],
  path: string,
): Promise<Transferred> {
  let entries = 0;
  function* lines() {
    for (const { chainId, number, hash } of blocks) {
      const line: EntriesHead = { forkCache: FORMAT, chainId: `${chainId}`, number: `${number}`, hash };
      yield `${withChecksum(JSON.stringify(line))}\n`;
      const file = cache.open({ chainId, number, hash });
      try {
        for (const entry of file.entries()) {
          entries++;
          yield `${encodeEntry(entry)}\n`;
        }
      } finally {
        file.close();
      }
    }
  }
  const unfinished = `${path}.tmp`;
  try {
    const file = createWriteStream(unfinished);
    const text = Readable.from(lines());
    await (path.endsWith('.gz') ? pipeline(text, createGzip(), file) : pipeline(text, file));
    renameSync(unfinished, path);
  } catch (error) {
    rmSync(unfinished, { force: true });
    throw error;
  }
  return { blocks: blocks.length, entries };
}

/**
 * Adds the entries in a file of {@link exportBlocks} to a cache. All lines are checked before the first entry is added.
 * @throws CacheFileError naming the line
 */
export async function importBlocks(cache: ForkCache, path: string): Promise<Transferred> {
  let count = 0;
  for await (const _ of partsOf(path)) count++;
  if (count === 0) throw new CacheFileError(`${path} is empty`);
  let [blocks, entries] = [0, 0];
  for await (const { block, part, isFirst } of partsOf(path)) {
    const file = cache.open(block);
    file.add(part);
    file.close();
    if (isFirst) blocks++;
    entries += part.length;
  }
  return { blocks, entries };
}

/** Reads the entries of a file in batches, with their block. */
async function* partsOf(
  path: string,
): AsyncGenerator<{ block: ForkBlock; part: CacheEntry[]; isFirst: boolean }> {
  let block: ForkBlock | undefined;
  let part: CacheEntry[] = [];
  let isFirst = true;
  let number = 0;
  for await (const line of linesOf(path)) {
    number++;
    if (!isIntact(line))
      throw new CacheFileError(
        number === 1
          ? `${path} is no file of devnet fork-cache export`
          : `${path}: line ${number} was changed, or the file is cut short: its checksum is wrong. Nothing was imported`,
      );
    const begun = blockOf(line, path);
    if (begun) {
      if (block) yield { block, part, isFirst };
      [block, part, isFirst] = [begun, [], true];
      continue;
    }
    const entry = decodeEntry(line);
    if (!block || !entry) throw new CacheFileError(`${path}: line ${number} is no entry of a block`);
    if (part.push(entry) < SOME) continue;
    yield { block, part, isFirst };
    [part, isFirst] = [[], false];
  }
  if (block) yield { block, part, isFirst };
}

function blockOf(line: Buffer, path: string): ForkBlock | undefined {
  const { forkCache, chainId, number, hash } = contentOf(line) as Partial<EntriesHead>;
  if (forkCache === undefined) return undefined;
  if (forkCache !== FORMAT)
    throw new CacheFileError(`${path} has the format ${forkCache}; this program reads ${FORMAT}`);
  if (!/^\d+$/.test(chainId ?? '') || !/^\d+$/.test(number ?? '') || !/^0x[0-9a-f]{64}$/.test(hash ?? ''))
    throw new CacheFileError(`${path}: a block has no chain id, number and hash`);
  return { chainId: BigInt(chainId!), number: BigInt(number!), hash: hash! };
}

/** Reads a file in chunks, and decompresses it if its name ends with `.gz`. */
async function* piecesOf(path: string): AsyncGenerator<Buffer> {
  const file = createReadStream(path);
  const content = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
  // pipe() doesn't forward errors.
  if (content !== file) file.on('error', (error) => content.destroy(error));
  try {
    yield* content as AsyncIterable<Buffer>;
  } catch (error) {
    throw new CacheFileError(`${path} can't be read: ${(error as Error).message}. Nothing was imported`);
  }
}

async function* linesOf(path: string): AsyncGenerator<Buffer> {
  let held: Buffer = Buffer.alloc(0);
  for await (const chunk of piecesOf(path)) {
    const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      yield bytes.subarray(start, end);
      start = end + 1;
    }
    held = bytes.subarray(start);
  }
  if (held.length > 0) yield held;
}
