import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Job, Worker } from 'bullmq';
import { createTemporaryDirectory } from '../chain/store/temporary-dir.ts';
import type { Clock } from '../clock.ts';
import { checkPeer } from '../peer-version.ts';
import { connectRedis, getBytes, missing, type Redis } from '../redis/connect.ts';
import { ReplayThread } from '../replay/replay-thread.ts';
import {
  type CaseOutcomes,
  contentKey,
  type JobFile,
  type JobResult,
  QUEUE,
  type ReplayJob,
  type ReplayProgress,
  sha256Of,
  sha256OfFile,
} from './job.ts';
import { watchRedis } from './watch-redis.ts';

/** Milliseconds after which a job of an unresponsive worker is given to another one; the interval of checks for that. */
const LOCK_MS = 5_000;
const STALLED_EVERY = 2_000;
/** Number of workers that may die while processing a job before the job counts as failed. */
const MAX_DEATHS = 100;
/** Default of {@link WorkerOptions.most}: limits what is lost when a worker dies, however long all cases of a file take together. */
const MAX_OF_A_JOB = 1_000;
/** Milliseconds for which a rejected job of another version is left to other workers. */
const REFUSED_FOR = 1_000;
/**
 * Minimum interval of a job's progress messages in milliseconds: each message costs as much time as a small case, here, in Redis and at the
 * caller.
 */
const PROGRESS_EVERY = 1_000;

export interface WorkerOptions {
  /** `redis://` or `rediss://` */
  readonly redis: string;
  /** devnet's version */
  readonly version: string;
  /** maximum number of jobs at a time, each in a thread */
  readonly threads: number;
  /** milliseconds after which no further case of a job is started: the rest becomes a new job. Default: 1,000 */
  readonly most?: number;
}

export interface WorkerDeps {
  readonly clock: Clock;
  /** called with each finished job */
  readonly onJob: (path: string, cases: CaseOutcomes) => void;
  /** called once for each version whose jobs were rejected */
  readonly onRefused: (version: string) => void;
  /** called with a sentence when Redis doesn't answer, and when it answers again */
  readonly onRedis?: (line: string) => void;
}

/** A process that replays the jobs that {@link replayByWorkers} has put into the queue. */
export interface ReplayWorker {
  /** Aborts the current replays, and takes no new jobs. */
  close(): Promise<void>;
}

/** @throws Error when Redis can't be reached, or its packages are missing */
export async function startWorker(options: WorkerOptions, deps: WorkerDeps): Promise<ReplayWorker> {
  checkPeer('bullmq');
  const bullmq = await import('bullmq').catch(missing);
  const redis = await connectRedis(options.redis);
  const temporary = createTemporaryDirectory();
  const threads: ReplayThread[] = [];
  const refused = new Set<string>();
  const work = async (job: Job<ReplayJob, JobResult>, token?: string): Promise<JobResult> => {
    const { data } = job;
    if (data.version !== options.version) {
      if (!refused.has(data.version)) deps.onRefused(data.version);
      refused.add(data.version);
      await job.updateProgress({ refusedBy: options.version } satisfies ReplayProgress);
      await job.moveToDelayed(deps.clock.now() + REFUSED_FOR, token);
      throw new bullmq.DelayedError();
    }
    const thread = threads.pop() ?? new ReplayThread();
    const own = await mkdtemp(join(temporary.root, 'job-'));
    try {
      const path = await fetchJob(data, { redis, folder: own });
      let told = deps.clock.now();
      const outcome = await thread.run(path, {
        bail: data.bail,
        whole: data.whole ?? false,
        from: data.from,
        most: options.most ?? MAX_OF_A_JOB,
        onProgress: (done) => {
          if (deps.clock.now() - told < PROGRESS_EVERY) return;
          told = deps.clock.now();
          void job.updateProgress({ done } satisfies ReplayProgress).catch(() => {});
        },
      });
      deps.onJob(data.path, outcome.cases);
      return { cases: outcome.cases, next: outcome.next };
    } catch (error) {
      // Error messages name the file by the path that the user gave.
      throw new Error((error as Error).message.replaceAll(pathIn(own, data), data.path));
    } finally {
      threads.push(thread);
      await rm(own, { recursive: true, force: true });
    }
  };
  const worker: Worker<ReplayJob, JobResult> = new bullmq.Worker(QUEUE, work, {
    connection: redis,
    concurrency: options.threads,
    lockDuration: LOCK_MS,
    stalledInterval: STALLED_EVERY,
    maxStalledCount: MAX_DEATHS,
  });
  // The client reconnects by itself when a connection is lost. A failed job is reported to the process that requested it.
  worker.on('error', () => {});
  await worker.waitUntilReady();
  const watching = watchRedis(redis, { clock: deps.clock, tell: deps.onRedis ?? (() => {}) });
  return {
    close: async () => {
      watching[Symbol.dispose]();
      await worker.close();
      await Promise.all(threads.map((thread) => thread.close()));
      redis.destroy();
      temporary.remove();
    },
  };
}

function pathIn(folder: string, { path, files: [first], isFolder }: ReplayJob): string {
  return join(folder, isFolder ? basename(path) : first!.name);
}

/** Fetches a job's files to this machine, unless they exist here. @returns the path to replay */
async function fetchJob(job: ReplayJob, to: { redis: Redis; folder: string }): Promise<string> {
  if (await isHere(job)) return job.path;
  const path = pathIn(to.folder, job);
  if (job.isFolder) await mkdir(path);
  for (const file of job.files)
    await writeFile(job.isFolder ? join(path, file.name) : path, await contentOf(job, file, to.redis));
  return path;
}

/** Whether this machine has identical files under the job's path. Large files are read in chunks. */
async function isHere(job: ReplayJob): Promise<boolean> {
  for (const { name, sha256, bytes } of job.files) {
    const here = job.isFolder ? join(job.path, name) : job.path;
    // Checked first: a job with only some cases of a large file never equals the file, which would be read and hashed for each of its jobs.
    if ((await stat(here).catch(() => undefined))?.size !== bytes) return false;
    if ((await sha256OfFile(here).catch(() => '')) !== sha256) return false;
  }
  return true;
}

async function contentOf(job: ReplayJob, { name, sha256 }: JobFile, redis: Redis): Promise<Buffer> {
  const here = job.isFolder ? join(job.path, name) : job.path;
  const content = await getBytes(redis, contentKey(job.run, sha256));
  if (!content) throw new Error(`${here} is neither on the worker's machine nor in Redis`);
  if (sha256Of(content) !== sha256) throw new Error(`${here}: Redis has another content`);
  return content;
}
