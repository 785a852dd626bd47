import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SystemClock } from '../../src/clock.ts';
import { connectRedis, withoutPassword } from '../../src/redis/connect.ts';
import type { ConsensusCase } from '../../src/replay/consensus/fixture.ts';
import { type FileOutcome, replayFixture } from '../../src/replay/replay-file.ts';
import { replayFiles } from '../../src/replay/replay-files.ts';
import { MAX_BYTES, piecesOf, sha256Of } from '../../src/replay-queue/job.ts';
import { type QueueOptions, replayByWorkers } from '../../src/replay-queue/replay-by-workers.ts';
import { startWorker } from '../../src/replay-queue/worker.ts';
import { HAS_REDIS, useRedis } from '../redis-server.ts';
import { ConsensusBuilder, transfer } from '../replay/consensus/builder.ts';
import { chainFile, GENESIS, sampleChain } from '../replay/sample-chain.ts';

const recording = (name: string) => resolve(import.meta.dirname, `../../fixtures/recordings/${name}.jsonl`);
const clock = new SystemClock();
let dir = '';
let fixture: ConsensusCase;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-queue-'));
  const builder = new ConsensusBuilder('Cancun');
  const first = await builder.next(builder.genesis, { send: [transfer(0n)] });
  fixture = builder.valid(first).build(first);
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

/** A BlockchainTests file. @param most bytes that its cases have together at least */
function consensusFile(name: string, most: number, change: (i: number) => object = () => ({})): string {
  const cases: Record<string, unknown> = { _info: { comment: 'of a test' } };
  for (let i = 0, bytes = 0; bytes <= most; i++) {
    cases[`case ${i}`] = { ...fixture, _info: { comment: 'x'.repeat(50_000) }, ...change(i) };
    bytes += 50_000;
  }
  const path = join(dir, name);
  writeFileSync(path, JSON.stringify(cases));
  return path;
}

describe('the jobs of a file', () => {
  it('are one for a recording, and several for a large BlockchainTests file, which have all cases once', async () => {
    const content = readFileSync(recording('manual'));
    const file = { name: 'manual.jsonl', content, bytes: content.length, sha256: sha256Of(content) };
    expect(await all(piecesOf(recording('manual')))).toEqual([{ isFolder: false, share: 1, files: [file] }]);
    const path = consensusFile('large.json', 1_000_000);
    const pieces = await all(piecesOf(path));
    expect(pieces.length).toBeGreaterThan(3);
    for (const {
      files: [file],
    } of pieces)
      expect(file!.content!.length).toBeLessThan(2 ** 18 + 100);
    const contents = pieces.map(({ files: [file] }) => JSON.parse(Buffer.from(file!.content!).toString()));
    const { _info, ...cases } = JSON.parse(readFileSync(path, 'utf8'));
    expect(Object.assign({}, ...contents)).toEqual(cases);
    expect(contents.flatMap(Object.keys)).toEqual(Object.keys(cases));
  });

  it('have a large recording by its hash only, which nobody has in memory', async () => {
    const path = join(dir, 'large.jsonl');
    const [header] = readFileSync(recording('manual'), 'utf8').split('\n', 1);
    writeFileSync(path, `${header}\n`);
    truncateSync(path, MAX_BYTES + 1);
    const [piece, ...others] = await all(piecesOf(path));
    expect(others).toEqual([]);
    const sha256 = sha256Of(readFileSync(path));
    expect(piece).toEqual({
      isFolder: false,
      share: 1,
      files: [{ name: 'large.jsonl', bytes: MAX_BYTES + 1, sha256 }],
    });
    rmSync(path);
  });
});

describe('a BlockchainTests file', () => {
  it('is run as it is read: one that is cut fails after the cases before that, here and for workers', async () => {
    const path = consensusFile('cut.json', 400_000);
    const text = readFileSync(path);
    writeFileSync(path, text.subarray(0, -10));
    const foreign = `${path} is no recording, BlockchainTests or GeneralStateTests file`;
    const seen: number[] = [];
    const onProgress = ({ cases }: { cases: number }) => seen.push(cases);
    await expect(replayFixture(path, { onProgress })).rejects.toThrow(foreign);
    expect(seen).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    await expect(all(piecesOf(path))).rejects.toThrow(foreign);
  });

  it('is run up to the case at which the time is over, and on from there', async () => {
    const path = consensusFile('parts.json', 200_000);
    const whole = await replayFixture(path);
    const names = Object.keys(whole.cases);
    const parts: FileOutcome[] = [];
    for (let from: number | undefined = 0; from !== undefined; from = parts.at(-1)!.next)
      parts.push(await replayFixture(path, { from, most: 0 }));
    expect(parts.map(({ next }) => next)).toEqual([...names.slice(1).map((_, i) => i + 1), undefined]);
    expect(Object.assign({}, ...parts.map(({ cases }) => cases))).toEqual(whole.cases);
  });
});

describe('a shard', () => {
  it('has every n-th case and file: all shards together have each once', async () => {
    const paths = [recording('manual'), consensusFile('some.json', 300_000), recording('automine')];
    const outcomesOf = async (shard?: { index: number; count: number }) => {
      const outcomes: FileOutcome[] = [];
      await replayFiles(paths, { bail: false, update: false, shard, onFile: (it) => outcomes.push(it) });
      return outcomes;
    };
    const whole = await outcomesOf();
    const shards = await Promise.all([0, 1, 2].map((index) => outcomesOf({ index, count: 3 })));
    for (const [i, { cases }] of whole.entries()) {
      const parts = shards.map((shard) => shard[i]!.cases);
      expect(Object.assign({}, ...parts)).toEqual(cases);
      expect(parts.flatMap(Object.keys).sort()).toEqual(Object.keys(cases).sort());
    }
    expect(shards.map((shard) => shard.flatMap(({ cases }) => Object.keys(cases)).length)).toEqual([4, 2, 3]);
  });
});

describe('the URL of Redis', () => {
  it('is told without user and password', () => {
    expect(withoutPassword('rediss://me:secret@example.org:6380/2')).toBe('rediss://example.org:6380/2');
    expect(() => withoutPassword('http://me:secret@example.org')).toThrow(
      /^the URL of Redis: expected redis:/,
    );
    expect(() => withoutPassword('me:secret')).toThrow(/^the URL of Redis: expected redis:/);
  });

  it('where nobody answers is an error in one line', async () => {
    await expect(connectRedis('redis://me:secret@127.0.0.1:1')).rejects.toThrow(
      /^no Redis at redis:\/\/127\.0\.0\.1:1: ECONNREFUSED$/,
    );
  });
});

describe.skipIf(!HAS_REDIS)('a replay by workers', () => {
  const redis = useRedis();

  async function replay(paths: readonly string[], options: Partial<QueueOptions> = {}) {
    const outcomes: FileOutcome[] = [];
    const reasons: string[] = [];
    let done = 0;
    const pass = await replayByWorkers(
      paths,
      { redis: redis.url, version: '1', bail: false, ...options },
      {
        clock,
        onFile: (outcome) => outcomes.push(outcome),
        onProgress: ({ files }) => {
          done = files;
        },
        onWaiting: (reason) => reasons.push(reason),
      },
    );
    return { pass, outcomes, reasons, done };
  }

  const worker = (version = '1', refused: string[] = []) =>
    startWorker(
      { redis: redis.url, version, threads: 2 },
      { clock, onJob: () => {}, onRefused: (other) => refused.push(other) },
    );

  /** What a run has left in Redis, apart from what BullMQ keeps of a queue. */
  async function left(): Promise<string[]> {
    const client = await connectRedis(redis.url);
    const keys = await client.keys('*');
    client.destroy();
    return keys.filter((key) => !/^bull:devnet-replay:(?:meta|events|id|stalled-check|marker)$/.test(key));
  }

  it('comes to what one process comes to, in the order in which the files were named', async () => {
    const noFixture = join(dir, 'other.json');
    writeFileSync(noFixture, '{}');
    const paths = [
      recording('mixed'),
      consensusFile('two-jobs.json', 1_500_000, (i) => (i === 7 ? { lastblockhash: '0x12' } : {})),
      join(dir, 'none.json'),
      relative(process.cwd(), noFixture),
      recording('automine'),
    ];
    const local: FileOutcome[] = [];
    await replayFiles(paths, { bail: false, update: false, onFile: (it) => local.push(it) });
    const workers = [await worker(), await worker()];
    expect(await replay(paths)).toMatchObject({ pass: false, outcomes: local, done: expect.closeTo(5) });
    await Promise.all(workers.map((it) => it.close()));
    expect(await left()).toEqual([]);
  });

  it('a worker whose time for a job is over leaves the other cases to the next one', async () => {
    const path = consensusFile('slow.json', 1_000_000, (i) => (i === 5 ? { lastblockhash: '0x12' } : {}));
    const local = await replayFixture(path);
    const jobs: number[] = [];
    const only = await startWorker(
      { redis: redis.url, version: '1', threads: 2, most: 0 },
      { clock, onJob: (_, cases) => jobs.push(Object.keys(cases).length), onRefused: () => {} },
    );
    // Parts of the file are added up.
    const replayed = await replay([path]).finally(() => only.close());
    expect(replayed).toMatchObject({ pass: false, outcomes: [local], done: expect.closeTo(1) });
    expect(jobs).toEqual(Object.keys(local.cases).map(() => 1));
    expect(await left()).toEqual([]);
  });

  it('ends at the first failure where that was asked for, and takes back what is left', async () => {
    const failing = consensusFile('failing.json', 0, () => ({ lastblockhash: '0x12' }));
    const only = await worker();
    const { pass, outcomes } = await replay([failing, ...Array(40).fill(recording('manual'))], {
      bail: true,
    });
    await only.close();
    expect(pass).toBe(false);
    expect(outcomes[0]).toMatchObject({ path: failing, pass: false });
    expect(outcomes.length).toBeLessThan(41);
    expect(await left()).toEqual([]);
  });

  it('says that there is no worker, and goes on when there is one', async () => {
    let started: ReturnType<typeof worker> | undefined;
    const run = replayByWorkers(
      [recording('manual')],
      { redis: redis.url, version: '1', bail: false },
      {
        clock,
        onFile: () => {},
        onWaiting: (reason) => {
          expect(reason).toContain('devnet worker --redis');
          started = worker();
        },
      },
    );
    expect(await run).toBe(true);
    await (await started!).close();
  });

  it('is left by a worker of another version to one of its own', async () => {
    const refused: string[] = [];
    const other = await worker('2', refused);
    const run = replay([recording('manual')]);
    while (refused.length === 0) await new Promise(setImmediate);
    const own = await worker();
    const { pass, reasons } = await run;
    expect(pass).toBe(true);
    expect(refused).toEqual(['1']);
    expect(reasons).toEqual([expect.stringContaining('devnet 2 has refused a job of devnet 1')]);
    await Promise.all([other.close(), own.close()]);
  });

  it('a folder with an exported chain is a job too', async () => {
    const blocks = await sampleChain();
    const folder = join(dir, 'exported');
    mkdirSync(folder);
    writeFileSync(join(folder, 'genesis.json'), JSON.stringify(GENESIS));
    using file = chainFile(blocks);
    copyFileSync(file.path, join(folder, 'chain.rlp'));
    const local = await replayFixture(folder);
    expect(local.pass).toBe(true);
    const only = await worker();
    expect((await replay([folder])).outcomes).toEqual([local]);
    await only.close();
  });
});
