import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { basename, join } from 'node:path';
import { Level } from 'level';
import { describe, expect, it, vi } from 'vitest';
import { BlockStore } from '../../../src/chain/store/block-store.ts';
import { readMarker } from '../../../src/chain/store/data-dir.ts';
import {
  createTemporaryDirectory,
  sweepTemporaryDirectories,
} from '../../../src/chain/store/temporary-dir.ts';
import { eventually } from '../../eventually.ts';
import {
  fingerprint,
  genesis,
  newStore,
  openStore,
  options,
  refusal,
  removeDirectoriesAfterEachTest,
  scratch,
} from './directories.ts';
import { Bytes, decodeTransaction } from './sample-blocks.ts';

removeDirectoriesAfterEachTest();

const reopen = (dir: string, changes = {}) => refusal(openStore(dir, changes));

async function closedStore(): Promise<string> {
  const dir = scratch();
  await (await newStore(dir)).close();
  return dir;
}

/** Asserts the refusal, and that nothing in the directory changed. */
async function expectRefused(dir: string, code: string, changes = {}): Promise<void> {
  const before = fingerprint(dir);
  expect(await reopen(dir, changes)).toBe(code);
  expect(fingerprint(dir)).toEqual(before);
}

describe('data directory', () => {
  it('is made where it is missing, empty, or where making it was cut short', async () => {
    const missing = join(scratch(), 'a', 'b');
    expect(await reopen(missing)).toBeUndefined();
    expect(await reopen(scratch())).toBeUndefined();
    const unfinished = scratch();
    writeFileSync(join(unfinished, 'devnet.json.new'), '{"for');
    expect(await reopen(unfinished)).toBeUndefined();
    expect(await reopen(unfinished)).toBeUndefined();
  });

  it('says what chain it holds', async () => {
    const dir = await closedStore();
    expect(readMarker(dir)).toMatchObject({ format: 2, chainId: '31337', createdBy: '1.2.3' });
    expect(readMarker(scratch())).toBeUndefined();
  });

  it('of another owner is foreign and stays as it is', async () => {
    const dir = scratch();
    writeFileSync(join(dir, 'thesis.txt'), 'a year of work');
    await expectRefused(dir, 'foreign');
    const other = scratch();
    writeFileSync(join(other, 'devnet.json'), '{"name":"something else"}');
    await expectRefused(other, 'foreign');
    await expectRefused(other, 'foreign', { repair: true });
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    expect(await reopen(file)).toBe('foreign');
  });

  it('that can not be made or read is inaccessible', async () => {
    const file = join(scratch(), 'file');
    writeFileSync(file, '');
    // Under a file, and in a file system where nobody makes directories, the super-user either.
    expect(await reopen(join(file, 'a', 'b'))).toBe('inaccessible');
    if (existsSync('/proc/self/fdinfo')) expect(await reopen('/proc/self/fdinfo/a/b')).toBe('inaccessible');
    const broken = await closedStore();
    rmSync(join(broken, 'devnet.json'));
    mkdirSync(join(broken, 'devnet.json'));
    expect(await reopen(broken)).toBe('inaccessible');
    const other = await closedStore();
    rmSync(join(other, 'last-batch'));
    mkdirSync(join(other, 'last-batch'));
    expect(await reopen(other)).toBe('inaccessible');
    expect(await reopen(other, { repair: true })).toBe('inaccessible');
  });

  // What the super-user, who tests run as in containers, never gets.
  it.each(['Permission denied', 'Read-only file system'])(
    'where LevelDB says %s is not damaged',
    async (text) => {
      const dir = await closedStore();
      const refused = new Error('Database failed to open', {
        cause: Object.assign(new Error(`IO error: ${dir}/db/LOCK: ${text}`), { code: 'LEVEL_IO_ERROR' }),
      });
      const open = vi.spyOn(Level.prototype, 'open').mockRejectedValue(refused);
      try {
        expect(await reopen(dir)).toBe('inaccessible');
        expect(await reopen(dir, { repair: true })).toBe('inaccessible');
      } finally {
        open.mockRestore();
      }
      expect(await reopen(dir)).toBeUndefined();
    },
  );

  it('of another format is refused', async () => {
    const dir = await closedStore();
    const marker = JSON.parse(readFileSync(join(dir, 'devnet.json'), 'utf8'));
    writeFileSync(join(dir, 'devnet.json'), JSON.stringify({ ...marker, format: 3 }));
    await expectRefused(dir, 'formatVersion');
  });

  it('of an older format is opened, and then refused by versions that know only that', async () => {
    const dir = await closedStore();
    const marker = readMarker(dir)!;
    writeFileSync(join(dir, 'devnet.json'), JSON.stringify({ ...marker, format: 1 }));
    expect(await reopen(dir)).toBeUndefined();
    expect(readMarker(dir)).toEqual(marker);
  });

  it('of another chain is refused', async () => {
    const dir = await closedStore();
    const { identity } = options;
    await expectRefused(dir, 'otherChainId', { identity: { ...identity, chainId: 1n } });
    const genesisHash = new Bytes('other').take(32);
    await expectRefused(dir, 'otherGenesis', { identity: { ...identity, genesisHash } });
  });

  it('with an unreadable marker is damaged', async () => {
    const dir = await closedStore();
    writeFileSync(join(dir, 'devnet.json'), '{"format": 1, "cha');
    await expectRefused(dir, 'damaged');
  });

  it('whose database is gone is damaged, and is not filled with a new one', async () => {
    const dir = await closedStore();
    rmSync(join(dir, 'db'), { recursive: true });
    expect(await reopen(dir)).toBe('damaged');
    expect(await reopen(dir)).toBe('damaged');
    const copy = join(scratch(), 'copy');
    cpSync(dir, copy, { recursive: true });
    for (const log of ['ahead-0', 'ahead-1']) rmSync(join(copy, log), { force: true });
    expect(await reopen(copy, { repair: true })).toBe('damaged');
    // The write-ahead log still has the whole of so short a chain.
    const store = await openStore(dir, { repair: true });
    expect(store.getBlock(0n)?.hash).toEqual(genesis.hash);
    await store.close();
  });

  it('belongs to one process, and to one store in it', async () => {
    const dir = scratch();
    const store = await newStore(dir);
    expect(await reopen(dir)).toBe('locked');
    expect(await reopen(dir, { repair: true })).toBe('locked');
    expect(store.getBlock(0n)?.hash).toEqual(genesis.hash);
    await store.close();
    expect(await reopen(dir)).toBeUndefined();
  });

  it('can be written with fsync and without in turn', async () => {
    const dir = scratch();
    await (await newStore(dir, { fsync: true })).close();
    const store = await openStore(dir);
    expect(store.head.hash).toEqual(genesis.hash);
    await store.close();
  });
});

describe('temporary directory', () => {
  it('is gone when the store is closed', async () => {
    const root = scratch();
    const temporary = createTemporaryDirectory(root);
    expect(readdirSync(root)).toHaveLength(1);
    temporary.remove();
    expect(readdirSync(root)).toHaveLength(0);

    const store = await BlockStore.openTemporary(options, { decodeTransaction });
    expect(store.isEmpty).toBe(true);
    await store.close();
  });

  it('that is big is deleted by a process of its own', async () => {
    const root = scratch();
    const temporary = createTemporaryDirectory(root);
    mkdirSync(temporary.path);
    writeFileSync(join(temporary.path, 'db'), '');
    truncateSync(join(temporary.path, 'db'), 2 ** 30);
    temporary.remove();
    await eventually(() => expect(readdirSync(root)).toHaveLength(0), 5_000);
  });

  it('that nobody uses any more is swept, although its process lives', () => {
    const root = scratch();
    mkdirSync(join(root, `devnet-${process.pid}-aB3.gone`));
    sweepTemporaryDirectories(root);
    expect(readdirSync(root)).toHaveLength(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'of a dead process whose id another one has by now is swept',
    () => {
      const root = scratch();
      const owner = { pid: process.pid, host: hostname() };
      for (const [name, more] of [
        ['dead', { began: '1' }],
        ['live', {}],
      ] as const) {
        mkdirSync(join(root, `devnet-${process.pid}-${name}`));
        writeFileSync(
          join(root, `devnet-${process.pid}-${name}`, 'owner.json'),
          JSON.stringify({ ...owner, ...more }),
        );
      }
      const own = createTemporaryDirectory(root);
      sweepTemporaryDirectories(root);
      expect(readdirSync(root).sort()).toEqual([`devnet-${process.pid}-live`, basename(own.root)].sort());
    },
  );

  it('of a dead process is swept; those of live ones, other hosts and others are not', () => {
    const root = scratch();
    const dead = spawnSync(process.execPath, ['-e', '']).pid;
    const make = (name: string, owner: unknown) => {
      mkdirSync(join(root, name));
      if (owner) writeFileSync(join(root, name, 'owner.json'), JSON.stringify(owner));
      return join(root, name);
    };
    const swept = make(`devnet-${dead}-aB3`, { pid: dead, host: hostname() });
    const kept = [
      make(`devnet-${process.pid}-aB3`, { pid: process.pid, host: hostname() }),
      make(`devnet-${dead}-xyz`, { pid: dead, host: `${hostname()}-2` }),
      make(`devnet-${dead}-new`, undefined),
      make('devnet-notes', { pid: dead, host: hostname() }),
    ];
    sweepTemporaryDirectories(root);
    expect(existsSync(swept)).toBe(false);
    expect(kept.map((path) => existsSync(path))).toEqual(kept.map(() => true));
  });
});
