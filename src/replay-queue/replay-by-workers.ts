import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { resolve } from 'node:path';
import type { Queue, QueueEvents } from 'bullmq';
import type { Clock } from '../clock.ts';
import { checkPeer } from '../peer-version.ts';
import { connectRedis, missing, type Redis } from '../redis/connect.ts';
import { type FileOutcome, failedFile } from '../replay/replay-file.ts';
import { type Replayed, ReplayTally, wholeFile } from '../replay/replay-tally.ts';
import {
  type CaseOutcomes,
  contentKey,
  type JobFile,
  type JobResult,
  MAX_BYTES,
  type Piece,
  piecesOf,
  QUEUE,
  type ReplayJob,
  type ReplayProgress,
} from './job.ts';
import { watchRedis } from './watch-redis.ts';

/** Maximum number of a run's jobs in Redis at a time, and of bytes of their contents. */
const MAX_OPEN_JOBS = 256;
const MAX_OPEN_BYTES = 256 * 2 ** 20;
/** Seconds after which Redis removes a content, for runs that were killed before they could. */
const CONTENT_TTL = 3_600;
/** Interval of checks whether the run makes progress, in milliseconds. */
const CHECK_EVERY = 2_000;

export interface QueueOptions {
  /** `redis://` or `rediss://` */
  readonly redis: string;
  /** devnet's version: workers of other versions return the jobs to the queue */
  readonly version: string;
  /** end at the first case that fails */
  readonly bail: boolean;
  /** whether recordings that end without a stop line fail */
  readonly whole?: boolean;
}

export interface QueueDeps {
  readonly clock: Clock;
  /** called with each result, in the order of the paths */
  readonly onFile: (outcome: FileOutcome) => void;
  /** Receives the progress of all files together. */
  readonly onProgress?: ((done: Replayed) => void) | undefined;
  /** called with a sentence that says why the run doesn't progress, or that it does again */
  readonly onWaiting: (reason: string) => void;
}

/**
 * Replays fixtures on the workers of a queue in Redis: see {@link startWorker}. If a worker dies, its job is given to another one. Results
 * and their order are the same as in a replay in this process.
 * @returns whether all passed
 * @throws Error when Redis can't be reached at the start, or its packages are missing
 */
export async function replayByWorkers(
  paths: readonly string[],
  options: QueueOptions,
  deps: QueueDeps,
): Promise<boolean> {
  const run = await QueuedRun.start(options, deps);
  try {
    return await run.replay(paths);
  } finally {
    await run.close();
  }
}

/** An unfinished job. */
interface OpenJob {
  readonly id: string;
  /** the path that the user gave */
  readonly path: string;
  /** whether its contents have been stored in Redis and it has been added to the queue */
  isAdded: boolean;
  readonly data: ReplayJob;
  readonly bytes: number;
  /** results of workers that did the cases before this job's */
  readonly earlier: CaseOutcomes;
  readonly onDone: (done: Replayed) => void;
  readonly onEnd: (cases: CaseOutcomes) => void;
}

class QueuedRun {
  readonly #redis: Redis;
  readonly #watching: Disposable;
  readonly #queue: Queue<ReplayJob, JobResult>;
  readonly #events: QueueEvents;
  readonly #options: QueueOptions;
  readonly #deps: QueueDeps;
  readonly #id = randomUUID();
  readonly #open = new Map<string, OpenJob>();
  /** emits `end` when a job is done or the run has to end */
  readonly #ends = new EventEmitter();
  readonly #told = new Set<string>();
  /** writes to Redis, in progress or done: added jobs and removed contents; none of these promises rejects */
  readonly #writes: Promise<void>[] = [];
  #bailed = false;
  #openBytes = 0;
  /** number of added jobs, number of finished jobs, and the latter number at the last check */
  #added = 0;
  #done = 0;
  #doneBefore = 0;

  private constructor(
    redis: Redis,
    { queue, events }: { queue: Queue; events: QueueEvents },
    options: QueueOptions,
    deps: QueueDeps,
  ) {
    this.#redis = redis;
    this.#queue = queue;
    this.#events = events;
    this.#options = options;
    this.#deps = deps;
    this.#watching = watchRedis(redis, { clock: deps.clock, tell: deps.onWaiting });
    // The client reconnects by itself when a connection is lost.
    queue.on('error', () => {});
    events.on('error', () => {});
    events.on('completed', ({ jobId, returnvalue }) => this.#end(jobId, returnvalue as unknown as JobResult));
    events.on('failed', ({ jobId, failedReason }) => this.#fail(jobId, failedReason));
    events.on('progress', ({ jobId, data }) => this.#progress(jobId, data as ReplayProgress));
  }

  static async start(options: QueueOptions, deps: QueueDeps): Promise<QueuedRun> {
    checkPeer('bullmq');
    const { Queue, QueueEvents } = await import('bullmq').catch(missing);
    const redis = await connectRedis(options.redis);
    const queue = new Queue(QUEUE, { connection: redis });
    const events = new QueueEvents(QUEUE, { connection: redis });
    await events.waitUntilReady();
    return new QueuedRun(redis, { queue, events }, options, deps);
  }

  async replay(paths: readonly string[]): Promise<boolean> {
    const { onFile, onProgress, clock } = this.#deps;
    const outcomes: (FileOutcome | undefined)[] = [];
    const tally = new ReplayTally();
    let reported = 0;
    let pass = true;
    const files: Promise<void>[] = [];
    let bail = () => {};
    const bailed = new Promise<void>((resolve) => {
      bail = resolve;
    });
    const done = (i: number, outcome: FileOutcome) => {
      outcomes[i] = outcome;
      onProgress?.(tally.set(i, wholeFile(outcome.cases)));
      pass &&= outcome.pass;
      for (let next = outcomes[reported]; next; next = outcomes[++reported]) onFile(next);
      if (pass || !this.#options.bail) return;
      this.#bailed = true;
      this.#ends.emit('end');
      bail();
    };
    const checking = clock.every(CHECK_EVERY, () => this.#check().catch(() => {}));
    try {
      for (const [i, path] of paths.entries()) {
        if (this.#bailed) break;
        try {
          const jobs = await this.#addFile(path, (done) => onProgress?.(tally.set(i, done)));
          const all = Promise.all(jobs.map(({ cases }) => cases));
          files.push(all.then((parts) => done(i, outcomeOf(path, parts))));
        } catch (error) {
          done(i, failedFile(path, error as Error));
        }
      }
      await Promise.race([Promise.all(files), bailed]);
    } finally {
      checking[Symbol.dispose]();
    }
    return pass;
  }

  /** Removes unfinished jobs from Redis, and disconnects. */
  async close(): Promise<void> {
    const left = [...this.#open.values()];
    this.#open.clear();
    await Promise.all(this.#writes);
    await Promise.allSettled(left.flatMap((job) => [this.#queue.remove(job.id), this.#removeContents(job)]));
    await Promise.allSettled([this.#events.close(), this.#queue.close()]);
    this.#watching[Symbol.dispose]();
    this.#redis.destroy();
  }

  /**
   * Adds a file's jobs as soon as the limits allow.
   * @throws Error when the file can't be read
   */
  async #addFile(
    path: string,
    onDone: (done: Replayed) => void,
  ): Promise<{ readonly cases: Promise<CaseOutcomes> }[]> {
    const tally = new ReplayTally();
    const jobs: { readonly cases: Promise<CaseOutcomes> }[] = [];
    for await (const piece of piecesOf(path)) {
      while (!this.#bailed && (this.#open.size >= MAX_OPEN_JOBS || this.#openBytes >= MAX_OPEN_BYTES))
        await once(this.#ends, 'end');
      if (this.#bailed) break;
      const k = jobs.length;
      const cases = await this.#add(path, piece, (done) =>
        onDone(tally.set(k, { ...done, files: piece.share * done.files })),
      );
      jobs.push(cases);
    }
    return jobs;
  }

  async #add(
    path: string,
    { files, isFolder }: Piece,
    onDone: (done: Replayed) => void,
  ): Promise<{ readonly cases: Promise<CaseOutcomes> }> {
    const { version, bail, whole = false } = this.#options;
    const described = files.map(({ name, sha256, bytes }): JobFile => ({ name, sha256, bytes }));
    const shared = { version, run: this.#id, path: resolve(path), files: described, isFolder, bail, whole };
    const data: ReplayJob = { ...shared, from: 0 };
    const id = `${this.#id}-${this.#added++}`;
    const bytes = files.reduce((sum, { content }) => sum + (content?.length ?? 0), 0);
    let end = (_: CaseOutcomes): void => {};
    const cases = new Promise<CaseOutcomes>((onEnd) => {
      end = onEnd;
    });
    const job: OpenJob = { id, path, isAdded: false, data, bytes, earlier: {}, onDone, onEnd: end };
    // Registered first, so that the end of an earlier job with the same content doesn't remove the content.
    this.#open.set(id, job);
    this.#openBytes += bytes;
    for (const { sha256, content } of files)
      if (content && content.length <= MAX_BYTES)
        await this.#redis.set(contentKey(this.#id, sha256), Buffer.from(content), {
          expiration: { type: 'EX', value: CONTENT_TTL },
        });
    await this.#submit(id, data);
    job.isAdded = true;
    return { cases };
  }

  /** Adds a job to the queue, unless the queue already contains it. */
  async #submit(id: string, data: ReplayJob): Promise<void> {
    await this.#queue.add('replay', data, { jobId: id, removeOnComplete: true, removeOnFail: true });
  }

  #end(id: string, { cases, next }: JobResult): void {
    const job = this.#open.get(id);
    if (!job) return;
    this.#open.delete(id);
    this.#done++;
    const all = { ...job.earlier, ...cases };
    if (next !== undefined) {
      this.#goOn(job, next, all);
      return;
    }
    this.#openBytes -= job.bytes;
    job.onDone(wholeFile(all));
    job.onEnd(all);
    this.#writes.push(this.#removeContents(job).catch(() => {}));
    this.#ends.emit('end');
  }

  /** Adds a job for the cases that a worker has left. @param next the first of these cases */
  #goOn(job: OpenJob, next: number, earlier: CaseOutcomes): void {
    const id = `${this.#id}-${this.#added++}`;
    const rest: OpenJob = { ...job, id, isAdded: false, data: { ...job.data, from: next }, earlier };
    this.#open.set(id, rest);
    // If Redis can't be reached now, #check adds the job again later.
    const added = () => {
      rest.isAdded = true;
    };
    this.#writes.push(this.#submit(id, rest.data).then(added, added));
  }

  #fail(id: string, error: string): void {
    const job = this.#open.get(id);
    if (!job) return;
    const { path, data } = job;
    this.#end(id, { cases: failedFile(path, new Error(error.replaceAll(data.path, path))).cases });
  }

  #progress(id: string, progress: ReplayProgress): void {
    if ('done' in progress) this.#open.get(id)?.onDone(progress.done);
    else if (this.#open.has(id))
      this.#tell(
        `a worker of devnet ${progress.refusedBy} has refused a job of devnet ${this.#options.version}: it waits for another`,
      );
  }

  /** Reports why the run doesn't progress, and adds jobs again that are neither in the queue nor known to be done. */
  async #check(): Promise<void> {
    const stands = this.#done === this.#doneBefore;
    this.#doneBefore = this.#done;
    if (!stands || this.#open.size === 0) return;
    if ((await this.#queue.getWorkersCount()) === 0)
      this.#tell('waiting for a worker: start one with `devnet worker --redis URL`');
    for (const { id, data, isAdded } of [...this.#open.values()])
      if (isAdded && (await this.#queue.getJobState(id)) === 'unknown' && this.#open.has(id))
        await this.#submit(id, data);
  }

  #tell(reason: string): void {
    if (this.#told.has(reason)) return;
    this.#told.add(reason);
    this.#deps.onWaiting(reason);
  }

  /** Removes a job's contents, unless other jobs of this run need them, too. */
  async #removeContents({ data }: OpenJob): Promise<void> {
    const needed = new Set(
      [...this.#open.values()].flatMap((job) => job.data.files.map(({ sha256 }) => sha256)),
    );
    const keys = data.files
      .filter(({ sha256 }) => !needed.has(sha256))
      .map(({ sha256 }) => contentKey(this.#id, sha256));
    if (keys.length > 0) await this.#redis.del(keys);
  }
}

function outcomeOf(path: string, parts: readonly CaseOutcomes[]): FileOutcome {
  const cases: CaseOutcomes = Object.assign({}, ...parts);
  return { path, pass: Object.values(cases).every(({ pass }) => pass), cases };
}
