import { createWriteStream, existsSync } from 'node:fs';
import { readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Captured } from '../boot/node.ts';
import { getBytes } from '../redis/connect.ts';
import type { LogStore } from './log-store.ts';
import { type Position, textOf } from './position.ts';

/** Bytes of the length of the first part. */
const LENGTH = 4;

/** Where the snapshots of a chain are kept. */
export interface SnapshotShelf {
  readonly store: LogStore;
  /** a directory that all nodes share; `undefined` = Redis */
  readonly dir: string | undefined;
}

/** Keeps a captured node: the length of its running state, that, and its state file, gzipped. @returns its name */
export async function putSnapshot(
  position: Position,
  { running, texts }: Captured,
  { store, dir }: SnapshotShelf,
): Promise<string> {
  const length = Buffer.alloc(LENGTH);
  length.writeUInt32BE(running.length);
  const file = Readable.from(texts).pipe(createGzip());
  const bytes = async function* () {
    yield length;
    yield running;
    yield* file;
  };
  if (dir === undefined) {
    const name = store.snapshotKey(position);
    const parts: Buffer[] = [];
    const collect = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        parts.push(chunk);
        done();
      },
    });
    await pipeline(bytes, collect);
    await store.redis.set(name, Buffer.concat(parts));
    return name;
  }
  const name = `devnet-${store.chainId}-${textOf(position)}.snapshot`;
  const path = join(dir, name);
  await pipeline(bytes, createWriteStream(`${path}.tmp`));
  await rename(`${path}.tmp`, path);
  return name;
}

/** @returns the running state and the gzipped state file; throws Error when the snapshot isn't there */
export async function getSnapshot(
  name: string,
  { store, dir }: SnapshotShelf,
): Promise<{ readonly running: Uint8Array; readonly file: Uint8Array }> {
  const bytes = dir === undefined ? await getBytes(store.redis, name) : await readFile(join(dir, name));
  if (!bytes) throw new Error(`the snapshot ${name} is not in Redis (--snapshot-dir names another place)`);
  const end = LENGTH + bytes.readUInt32BE();
  return { running: bytes.subarray(LENGTH, end), file: bytes.subarray(end) };
}

export async function hasSnapshot(name: string, { store, dir }: SnapshotShelf): Promise<boolean> {
  return dir === undefined ? (await store.redis.exists(name)) > 0 : existsSync(join(dir, name));
}

export async function removeSnapshot(name: string, { store, dir }: SnapshotShelf): Promise<void> {
  if (dir === undefined) await store.redis.del(name);
  else await rm(join(dir, name), { force: true });
}
