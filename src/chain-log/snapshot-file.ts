import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deserialize, serialize } from 'node:v8';
import { constants, gunzip, gzip } from 'node:zlib';
import type { Captured } from '../boot/node.ts';
import type { StoreCopy } from '../chain/store/fill-copy.ts';
import { getBytes } from '../redis/connect.ts';
import type { LogStore, SnapshotPlace } from './log-store.ts';
import { type Position, textOf } from './position.ts';

/** Minimum size in bytes of a part before compression, except for the last one. */
const PART_BYTES = 4 * 2 ** 20;
/** Number of parts that are fetched ahead of the part being read. */
const AHEAD = 3;

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** The storage of a chain's snapshots. */
export interface SnapshotStorage {
  readonly store: LogStore;
  /** a directory that all nodes share; `undefined` = Redis */
  readonly dir: string | undefined;
}

/** The content of a snapshot besides the parts of the store. */
interface Rest extends Pick<StoreCopy, 'genesis' | 'extent'> {
  readonly running: Uint8Array;
}

/** A stored snapshot: see {@link SnapshotPlace}. */
export interface KeptSnapshot extends Pick<SnapshotPlace, 'name' | 'parts'> {
  /** size of its new parts in bytes */
  readonly bytes: number;
}

/**
 * Stores a captured node: the additions to its store, in parts of some megabytes, and the rest.
 * @param before the parts of the previous snapshot, which this one extends unless it is whole
 */
export async function putSnapshot(
  position: Position,
  { running, store: { isWhole, bytes, genesis, extent } }: Captured,
  { before, storage }: { before: readonly string[]; storage: SnapshotStorage },
): Promise<KeptSnapshot> {
  const parts: string[] = isWhole ? [] : [...before];
  let size = 0;
  let count = 0;
  let pieces: Uint8Array[] = [];
  let length = 0;
  const end = async () => {
    const name = nameOf(position, `${++count}`, storage);
    const part = await compress(Buffer.concat(pieces, length), { level: constants.Z_BEST_SPEED });
    pieces = [];
    length = 0;
    size += part.length;
    parts.push(name);
    await put(name, part, storage);
  };
  for await (const piece of bytes) {
    pieces.push(piece);
    length += piece.length;
    if (length >= PART_BYTES) await end();
  }
  if (length > 0) await end();
  const name = nameOf(position, 'rest', storage);
  const rest: Rest = { running, genesis, extent };
  await put(name, await compress(serialize(rest)), storage);
  return { name, parts, bytes: size };
}

/** @throws Error when a part of the snapshot is missing or damaged */
export async function getSnapshot(
  { name, parts }: SnapshotPlace,
  storage: SnapshotStorage,
): Promise<{ readonly running: Uint8Array; readonly copy: Omit<StoreCopy, 'head'> }> {
  const fetch = async (part: string): Promise<Uint8Array> => {
    const bytes = await get(part, storage);
    if (!bytes) {
      const place =
        storage.dir === undefined ? 'not in Redis (--snapshot-dir names another place)' : 'not there';
      throw new Error(`the snapshot ${name} lacks a part, which is ${place}: ${part}`);
    }
    return decompress(bytes).catch((cause) => {
      throw new Error(`the snapshot ${name} is damaged, in its part ${part}`, { cause });
    });
  };
  const { running, genesis, extent } = deserialize(await fetch(name)) as Rest;
  const bytes = async function* () {
    const coming: Promise<Uint8Array>[] = [];
    for (let next = 0; next < parts.length || coming.length > 0; ) {
      while (next < parts.length && coming.length < AHEAD) {
        const part = fetch(parts[next++]!);
        // The error is handled when the part is awaited.
        part.catch(() => {});
        coming.push(part);
      }
      yield await coming.shift()!;
    }
  };
  return { running, copy: { bytes: bytes(), genesis, extent } };
}

/** Whether all parts of a snapshot exist. */
export async function hasSnapshot(
  { name, parts }: Pick<SnapshotPlace, 'name' | 'parts'>,
  { store, dir }: SnapshotStorage,
): Promise<boolean> {
  const names = [name, ...parts];
  if (dir !== undefined) return names.every((one) => existsSync(join(dir, one)));
  return (await store.redis.exists(names)) === names.length;
}

/** Removes a snapshot, except for the parts that other snapshots share. */
export async function removeSnapshot(
  { name, parts }: Pick<SnapshotPlace, 'name' | 'parts'>,
  { kept, storage }: { kept: readonly SnapshotPlace[]; storage: SnapshotStorage },
): Promise<void> {
  const needed = new Set(kept.flatMap((snapshot) => snapshot.parts));
  await remove([name, ...parts.filter((part) => !needed.has(part))], storage);
}

/** Lists leftovers: parts of snapshots that a leader didn't complete, and of chains whose record was lost. */
export async function strayParts(
  kept: readonly SnapshotPlace[],
  storage: SnapshotStorage,
): Promise<string[]> {
  const { store, dir } = storage;
  const needed = new Set(kept.flatMap(({ name, parts }) => [name, ...parts]));
  const names =
    dir === undefined
      ? await store.snapshotKeys()
      : (await list(dir)).filter((name) => name.startsWith(prefixOf(storage)));
  return names.filter((name) => !needed.has(name));
}

export async function remove(names: readonly string[], { store, dir }: SnapshotStorage): Promise<void> {
  if (names.length === 0) return;
  if (dir === undefined) await store.redis.unlink([...names]);
  else for (const name of names) await rm(join(dir, name), { force: true });
}

function nameOf(position: Position, part: string, storage: SnapshotStorage): string {
  const { store, dir } = storage;
  const name = `${textOf(position)}-${part}`;
  return dir === undefined ? store.snapshotKey(name) : `${prefixOf(storage)}${name}`;
}

/** The prefix of file names in a directory. */
function prefixOf({ store }: SnapshotStorage): string {
  return `devnet-${store.chainId}-${store.recordId}-`;
}

/** Whether a directory contains snapshots of any chain with this chain id. */
export async function hasAnySnapshot({ store, dir }: SnapshotStorage): Promise<boolean> {
  return dir !== undefined && (await list(dir)).some((name) => name.startsWith(`devnet-${store.chainId}-`));
}

async function list(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function put(name: string, bytes: Uint8Array, { store, dir }: SnapshotStorage): Promise<void> {
  if (dir === undefined) {
    await store.redis.set(name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
    return;
  }
  const path = join(dir, name);
  await writeFile(`${path}.tmp`, bytes);
  await rename(`${path}.tmp`, path);
}

async function get(name: string, { store, dir }: SnapshotStorage): Promise<Uint8Array | undefined> {
  if (dir === undefined) return getBytes(store.redis, name);
  try {
    return await readFile(join(dir, name));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
