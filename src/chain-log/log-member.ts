import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { isDeepStrictEqual } from 'node:util';
import { deriveAccounts } from '../accounts.ts';
import { createNode, type Node, type NodeHooks } from '../boot/node.ts';
import { createTemporaryDirectory } from '../chain/store/temporary-dir.ts';
import { type Clock, SystemClock } from '../clock.ts';
import { DevnetError } from '../errors.ts';
import { type Config, type DevnetOptions, resolveOptions } from '../options/options.ts';
import { sharedOptions, withShared } from '../options/recorded.ts';
import { SCALE } from '../options/table/scale.ts';
import type { Redis } from '../redis/connect.ts';
import { failureText, replyCode } from '../redis/refusal.ts';
import { Liveness, secondsOf } from '../remote/liveness.ts';
import type { Member, MemberStatus } from '../rpc/member.ts';
import { Samples } from '../sequencer/feed/metrics.ts';
import { LeaderClient } from './leader-client.ts';
import { acquireLease, type Granted, Lease } from './lease.ts';
import { LogStore } from './log-store.ts';
import { LogWriter } from './log-writer.ts';
import { LoggedChain, TasksMissing } from './logged-chain.ts';
import { hasReached, includes, later, type Position, positionOf, START, textOf } from './position.ts';
import { Progress } from './progress.ts';
import { getSnapshot, hasAnySnapshot, remove, type SnapshotStorage, strayParts } from './snapshot-file.ts';
import { Snapshotter } from './snapshotter.ts';

/** Limits for tasks that wait for Redis: their number, and their size in bytes. */
const MAX_TASKS = 50_000;
const MAX_BYTES = 64 * 2 ** 20;
/** Delay before a failed read is retried, in milliseconds. */
const RETRY_MS = 200;
/** Interval at which the leader checks whether Redis still has its writes, in milliseconds. */
const CHECK_MS = 2_000;
/** Milliseconds that a leader waits before it ends, so that the response can be sent. */
const ANSWER_MS = 50;
/** Timeout in milliseconds for asking Redis whether there is a later leader. */
const ASK_MS = 1_000;
/** Maximum time in milliseconds that an ending leader waits for Redis. */
const FLUSH_MS = 5_000;
/** Number of tasks whose lag is kept. */
const SAMPLES = 10_000;

export interface JoinHooks extends NodeHooks {
  /** Called with lines to print: about Redis, and about changes of the leader. */
  readonly onFollow?: ((line: string) => void) | undefined;
}

/** A node that takes part in a log as leader or follower. */
export interface Joined {
  readonly node: Node;
  readonly config: Config;
  /** The caller must call this when the node listens. @param url `http://host:port` */
  readonly listening: (url: string) => Promise<void>;
}

/** The kinds of requests to Redis: renewing the lease, appending to the log, reading the log. */
type Asked = 'lease' | 'log' | 'read';

type JoinOptions = DevnetOptions & { readonly redis: string };

/**
 * Starts the leader of a chain: of the existing chain, if Redis has the log of a chain with this id, otherwise of a new one.
 * @throws LeaseHeld while another node is the leader, OptionError, Error when Redis can't be reached
 */
export async function leadLog(options: JoinOptions, hooks: JoinHooks): Promise<Joined> {
  const config = resolveOptions(options);
  const clock = new SystemClock();
  const store = await LogStore.open(options.redis, config.chainId, options.redisTimeout);
  const member = new LogMember(options, { store, clock, hooks });
  try {
    if (!config.newLog && !(await store.chain())) await member.refuseRemains();
    member.keepLease(await acquireLease({ address: '', known: 0 }, { store, clock }));
    const known = config.newLog ? undefined : await store.chain();
    if (!known) return await member.begin(config);
    const own = sharedOf(config);
    if (Object.keys(own).length > 0 && !isDeepStrictEqual(jsonOf(own), known.options))
      throw new Error(
        `Redis has the log of chain ${config.chainId}, which began with other options: leave them out to go on with ` +
          'it, or begin a new one with --new-log',
      );
    if (config.manualClock)
      throw new Error('a chain in Redis goes on by the clock: leave out --manual-clock');
    return await member.join();
  } catch (error) {
    const reason = await store.explained(error);
    await member.close();
    throw reason;
  }
}

/** Starts a follower, and waits until it has caught up. @throws see {@link leadLog} */
export async function followLog(options: JoinOptions, hooks: JoinHooks): Promise<Joined> {
  const { redis, chainId, redisTimeout } = options;
  const store =
    chainId === undefined
      ? await LogStore.openOnly(redis, redisTimeout)
      : await LogStore.open(redis, resolveOptions({ chainId }).chainId, redisTimeout);
  const member = new LogMember(options, { store, clock: new SystemClock(), hooks });
  try {
    return await member.join();
  } catch (error) {
    const reason = await store.explained(error);
    await member.close();
    throw reason;
  }
}

class LogMember implements Member {
  readonly #options: JoinOptions;
  readonly #store: LogStore;
  readonly #clock: Clock;
  readonly #hooks: JoinHooks;
  readonly #progress: Progress;
  readonly #leader: LeaderClient;
  readonly #lag = new Samples(SAMPLES);
  readonly #liveness: Liveness;
  readonly #temporary = createTemporaryDirectory();
  /** config of the chain in the log, for a node that has joined it */
  #config: Config | undefined;
  #node: Node | undefined;
  #chain: LoggedChain | undefined;
  /** number of chains begun so far; each has its own directory */
  #chains = 0;
  #reader: Redis | undefined;
  #reading: Promise<void> | undefined;
  #lease: Lease | undefined;
  #writer: LogWriter | undefined;
  #snapshotter: Snapshotter | undefined;
  /** regularly checks whether Redis still has everything that was written */
  #checking: Disposable | undefined;
  #url = '';
  #last: Position = START;
  /** the leader's position if the leader is known to be ahead of this node */
  #ahead: Position | undefined;
  /** whether Redis lacks tasks that this node has, and the leader doesn't respond */
  #isLost = false;
  /** whether the leader doesn't react at all and has lost its lease */
  #isCutOff = false;
  #looking: Promise<void> | undefined;
  /** when the last answered look at the leader began, milliseconds on the clock */
  #probedAt = Number.NEGATIVE_INFINITY;
  /** the requests that Redis rejects, and the reasons */
  readonly #refused = new Map<Asked, string>();
  /** the beginning of the rejections, milliseconds on the clock; and whether they were reported */
  #refusedSince = 0;
  #isRefusalTold = false;
  /** whether a promotion is in progress */
  #isPromoted = false;
  /** a node that is becoming the leader: it has the lease, and executes the log up to its own first entry */
  #candidate:
    | { readonly fence: number; readonly done: () => void; readonly failed: (reason: Error) => void }
    | undefined;
  #isAway = false;
  #isJoined = false;
  #isReplaced = false;
  #isClosed = false;
  #closing: Promise<void> | undefined;

  constructor(options: JoinOptions, deps: { store: LogStore; clock: Clock; hooks: JoinHooks }) {
    this.#options = options;
    this.#store = deps.store;
    this.#clock = deps.clock;
    this.#hooks = deps.hooks;
    this.#progress = new Progress({ begin: START, wait: deps.store.leaseMs }, deps);
    this.#leader = new LeaderClient(
      { silent: deps.store.leaseMs },
      { progress: this.#progress, find: () => this.#store.leader(), clock: deps.clock },
    );
    this.#liveness = new Liveness(
      { limit: deps.store.leaseMs },
      {
        clock: deps.clock,
        onSilent: (ms) => {
          if (!this.#writer && this.#isJoined) this.#tell(this.#unheard(ms));
        },
        onAlive: (ms) => {
          if (!this.#writer && this.#isJoined)
            this.#tell(`this node hears of its log again, after ${secondsOf(ms)}`);
        },
      },
    );
    this.#watch();
  }

  get position(): string {
    return textOf(this.#made);
  }

  /** The last task in this node's chain. */
  get #made(): Position {
    return this.#writer?.position ?? this.#progress.position;
  }

  get isLeader(): boolean {
    return this.#writer !== undefined;
  }

  readonly status = (): MemberStatus => ({
    role: this.#writer ? 'leader' : 'follower',
    position: this.position,
    waiting: this.#writer?.waiting ?? Math.max(0, this.#newest.task - this.#progress.position.task),
    cuts: this.#writer?.cuts ?? 0,
    lagMs: this.#lag.percentiles(),
    leader: this.#writer ? this.#address : this.#leader.address,
    heardMs: this.#liveness.ms,
    problem: this.#problem ?? null,
  });

  haltReason(): DevnetError | undefined {
    if (!this.#writer || this.#lease!.isHeld) return undefined;
    return refusal(
      `this node has not reached Redis for ${secondsOf(this.#lease!.age)}: another node may lead the chain by now, so ` +
        'nothing changes it here until Redis answers',
    );
  }

  async resumed(): Promise<void> {
    await this.#lease?.held();
  }

  async waitUntilReached(position: string): Promise<boolean> {
    if (!this.#writer) return this.#progress.waitUntilReached(position);
    const asked = positionOf(position);
    const own = this.#writer.position;
    if (!asked) return false;
    if (asked.fence <= own.fence) return includes(own, asked, this.#progress.ends);
    // A client got a response from a later leader, unless the position is made up.
    if (!(await this.#isNewest(own.fence))) this.#clock.after(ANSWER_MS, () => this.#onSuperseded());
    return false;
  }

  /** Whether Redis confirms that there is no later leader; false if Redis doesn't answer. */
  async #isNewest(fence: number): Promise<boolean> {
    const { redis } = this.#store;
    if (!redis.isReady) return false;
    return new Promise((resolve) => {
      const limit = this.#clock.after(ASK_MS, () => resolve(false));
      this.#store
        .fence()
        .then((newest) => newest <= fence)
        .catch(() => false)
        .then(resolve)
        .finally(() => limit[Symbol.dispose]());
    });
  }

  async promote(): Promise<void> {
    if (this.#writer) throw refusal('this node is the leader');
    if (this.#isPromoted) throw refusal('this node is about to become the leader');
    this.#isPromoted = true;
    try {
      const granted = await acquireLease(
        { address: this.#address, known: this.#progress.position.fence },
        { store: this.#store, clock: this.#clock },
      );
      this.keepLease(granted);
      void this.#leader.tellSuperseded(granted.fence);
      await this.#takeOver(granted.fence);
    } catch (error) {
      throw refusal((await this.#store.explained(error)).message);
    } finally {
      this.#isPromoted = false;
    }
  }

  /** Keeps the lease, starting with a granted one. */
  keepLease(granted: Granted): void {
    this.#lease = new Lease(granted, this.#address, {
      store: this.#store,
      clock: this.#clock,
      made: () => this.#made,
      onSuperseded: () => this.#onSuperseded(),
      onAnswer: (refused) => this.#onAnswer('lease', refused),
      onHalt: () =>
        this.#tell(
          'this node makes no blocks: its lease is over, and another node may lead the chain by now',
        ),
      onResume: () => this.#tell('this node makes blocks again: it has its lease, and no other node has led'),
    });
  }

  /**
   * Must be called before a new chain is begun without an explicit request (--new-log).
   * @throws Error if Redis has data of a chain but not its record: a part of the data was lost
   */
  async refuseRemains(): Promise<void> {
    const { chainId } = this.#store;
    const found = [...(await this.#store.remains())];
    if (await hasAnySnapshot(this.#snapshotStorage)) found.push(`snapshots in ${this.#options.snapshotDir}`);
    if (found.length > 0)
      throw new Error(
        `Redis still has ${found.join(' and ')} of chain ${chainId}, but no record of what the chain was made with: a part of ` +
          'its data is lost. Restore its data, or begin a new chain with --new-log',
      );
  }

  /** Begins a new chain as its leader. */
  async begin(config: Config): Promise<Joined> {
    const { fence } = this.#lease!;
    // The names of snapshot parts contain the id of the record that the new one replaces.
    await this.#store.chain().catch(() => undefined);
    await this.#store.clear();
    await remove(await strayParts([], this.#snapshotStorage), this.#snapshotStorage);
    await this.#store.put({ id: randomBytes(8).toString('hex'), options: sharedOf(config) });
    await this.#store.begin(fence, { at: this.#clock.now(), own: START });
    this.#write(fence);
    this.#node = await createNode(config, { ...this.#hooks, member: this, log: this.#writer! });
    this.#takeSnapshots(this.#node, config);
    this.#hooks.onFollow?.(`new chain: this node leads it from block ${this.#node.chain.genesis} on`);
    return this.#joined(this.#node, config);
  }

  /** Executes the log up to its end, and continues as a follower, or as the leader if this node has a lease. */
  async join(): Promise<Joined> {
    const chain = await this.#store.chain();
    if (!chain) throw new Error('this Redis has no log of this chain: start its leader with devnet --redis');
    const { redis: _, chainId, ...options } = this.#options;
    const config = resolveOptions(withShared(chain.options, options));
    this.#config = config;
    const begin = () =>
      new LoggedChain(
        { chain, dataDir: `${this.#temporary.path}-${this.#chains++}` },
        {
          options,
          clock: this.#clock,
          hooks: {
            ...this.#hooks,
            member: this,
            isLeader: () => this.isLeader,
            forward: (method, params, forwarded) => this.#leader.request(method, params, forwarded),
          },
        },
      );
    await this.#restore(begin);
    await this.#leader.refresh();
    this.#reader = await this.#store.openReader();
    const caughtUp = this.#catchUp(await this.#store.last(), begin);
    if (this.#lease) await Promise.all([caughtUp, this.#takeOver(this.#lease.fence)]);
    else await caughtUp;
    return this.#joined(this.#chain!.node!, config);
  }

  /**
   * Starts from the newest readable snapshot, or before the log's first task if there is no snapshot.
   * @param begin makes a chain on which nothing has been executed
   */
  async #restore(begin: () => LoggedChain): Promise<LoggedChain> {
    const failed = new Map<string, string>();
    for (;;) {
      // While a snapshot was read that has been removed meanwhile, newer ones may have been added.
      const place = (await this.#store.snapshots()).findLast(({ name }) => !failed.has(name));
      if (!place) break;
      this.#hooks.onProgress?.({ task: 'Fetching the newest snapshot' });
      const chain = begin();
      try {
        await chain.restore(place, await getSnapshot(place, this.#snapshotStorage));
        return this.#goOnWith(chain);
      } catch (error) {
        await chain.close().catch(() => {});
        const { message, code } = error as NodeJS.ErrnoException;
        // Missing parts are described by the error's text; any other text is from the decoder.
        const what = code === undefined ? "is damaged, or another version's" : `can't be read (${code})`;
        const text = message.startsWith('the snapshot') ? message : `the snapshot ${place.name} ${what}`;
        failed.set(place.name, text);
        this.#tell(`${text}: this node takes what was before it`);
      }
    }
    if (!(await this.#store.hasBeginning())) {
      const [first] = failed.values();
      const what = first
        ? `${first}, and so it is with all others, while the log has only what came after them`
        : "Redis has lost the log's beginning, and has no snapshot";
      // As long as this node has the lease, no other node takes snapshots.
      const advice = this.#lease
        ? 'restore them, let a follower lead that has the chain (devnet promote), or begin a new chain with --new-log'
        : 'start this node again when the leader has taken a new one';
      throw new Error(`${what}: ${advice}`);
    }
    return this.#goOnWith(begin());
  }

  #goOnWith(chain: LoggedChain): LoggedChain {
    this.#chain = chain;
    this.#progress.moveTo(chain.position, chain.ends);
    return chain;
  }

  /**
   * Continues from the newest snapshot, because the log has been trimmed beyond this node's position.
   * @param begin makes a chain on which nothing has been executed
   * @throws the reason if no snapshot is later than this node's position
   */
  async #skip(reason: TasksMissing, begin: () => LoggedChain): Promise<void> {
    const { position } = this.#chain!;
    const newest = (await this.#store.snapshots()).at(-1)?.position;
    if (!newest || hasReached(position, newest)) throw reason;
    this.#tell(
      `the log was trimmed beyond ${textOf(position)} while this node read it: it goes on from the newest snapshot`,
    );
    const behind = this.#chain!;
    this.#chain = undefined;
    await behind.close();
    const { position: next } = await this.#restore(begin);
    if (hasReached(position, next)) throw reason;
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#candidate?.failed(new Error('this node ends before it leads the chain'));
    this.#checking?.[Symbol.dispose]();
    this.#liveness.close();
    this.#reader?.destroy();
    await this.#reading;
    await this.#snapshotter?.close();
    this.#progress.close();
    await (this.#chain?.close() ?? this.#node?.close());
    // A replaced leader has nothing to write, and no lease.
    await this.#writer?.close(this.#isReplaced ? 0 : FLUSH_MS);
    const released = this.#lease?.release().catch(() => {});
    if (!this.#isReplaced) await released;
    this.#store.close();
    this.#temporary.remove();
  }

  get #snapshotStorage(): SnapshotStorage {
    return { store: this.#store, dir: this.#options.snapshotDir };
  }

  get #address(): string {
    return this.#options.advertise ?? this.#url;
  }

  #joined(node: Node, config: Config): Joined {
    this.#isJoined = true;
    return {
      config,
      node: { ...node, close: () => this.close() },
      listening: async (url) => {
        this.#url = reachable(url);
        await this.#lease?.moveTo(this.#address);
      },
    };
  }

  /**
   * Reads the log in the background.
   * @param begin makes a chain on which nothing has been executed
   * @returns a promise that resolves when the chain is started and has reached `end`
   */
  #catchUp(end: Position, begin: () => LoggedChain): Promise<void> {
    const from = this.#progress.position;
    return new Promise((resolve, reject) => {
      const look = () => {
        this.#reportCatchUp(from, end);
        if (this.#chain?.node && hasReached(this.#progress.position, end)) resolve();
      };
      // A snapshot may contain everything that is in the log.
      look();
      this.#reading = this.#read(look, begin).then(
        () => reject(new Error('the node was closed')),
        (error: unknown) => {
          reject(error);
          this.#fail(error);
        },
      );
    });
  }

  #reportCatchUp(from: Position, end: Position): void {
    const { position } = this.#progress;
    const first = position.fence === from.fence ? from.task : 0;
    this.#hooks.onProgress?.({
      ...{ task: 'Catching up with the log', done: position.task - first, unit: 'tasks' },
      // The number of tasks of an earlier leader isn't known.
      ...(position.fence === end.fence && { total: end.task - first }),
    });
  }

  async #read(onEntry: () => void, begin: () => LoggedChain): Promise<void> {
    while (!this.#isClosed && !this.#writer) {
      let entries: Awaited<ReturnType<LogStore['read']>>;
      try {
        entries = await this.#store.read(this.#reader!, this.#progress.position);
        this.#onAnswer('read');
      } catch (error) {
        if (this.#isClosed) return;
        if (replyCode(error) !== undefined) this.#onAnswer('read', error);
        await new Promise<void>((resolve) => this.#clock.after(RETRY_MS, resolve));
        continue;
      }
      this.#last = entries.at(-1)?.position ?? this.#last;
      // After a silence the entries read may have been in transit for as long, and the leader may have more by now.
      if (entries.length > 0 && !this.#liveness.isSilent) this.#liveness.sawSign();
      else this.#looking ??= this.#lookAtLeader();
      for (const entry of entries) {
        if (this.#isClosed) return;
        try {
          await this.#chain!.take(entry);
        } catch (error) {
          // Before it has caught up, this chain has had no readers.
          if (this.#isJoined || !(error instanceof TasksMissing)) throw error;
          await this.#skip(error, begin);
          onEntry();
          break;
        }
        this.#progress.moveTo(this.#chain!.position, this.#chain!.ends);
        this.#comesUp();
        // Entries written before this node joined don't tell its lag.
        if (this.#isJoined && entry.tasks.length > 0) this.#lag.add(this.#clock.now() - entry.at);
        if (entry.after) this.#onLeader(entry.position.fence);
        onEntry();
      }
    }
  }

  /**
   * Called when the log is silent, or has new entries after a silence. Only the leader, which also writes its position beside its lease,
   * knows whether entries are missing in the log. If the leader doesn't respond, its last known position counts, and Redis must have
   * everything that this node has: otherwise a part of the log is lost, and maybe more. A leader that can reach neither Redis nor this node
   * may have made more tasks, and have answered calls accordingly, before its lease expired.
   */
  async #lookAtLeader(): Promise<void> {
    let asked = this.#clock.now();
    const extent = () => this.#store.extent().catch(() => undefined);
    const [{ position: leaderPosition, isSilent }, found] = await Promise.all([
      this.#leader.probe(),
      extent(),
    ]);
    let kept = found;
    if (isSilent) {
      // While the leader was waited for its lease may have ended.
      asked = this.#clock.now();
      kept = await extent();
    }
    this.#looking = undefined;
    if (kept?.isOther)
      return this.#fail(new Error('another chain has begun in this Redis: that of this node is over'));
    const { position } = this.#progress;
    const known = later(leaderPosition ?? this.#ahead ?? START, kept?.made ?? START);
    if (leaderPosition ?? kept) this.#probedAt = asked;
    this.#ahead = hasReached(position, known) ? undefined : known;
    this.#isLost = !leaderPosition && kept !== undefined && !hasReached(kept.newest, position);
    this.#isCutOff = isSilent && kept?.isAbandoned === true;
    // Since the lease was last renewed, only Redis has answered, and Redis doesn't know the tasks of such a leader.
    if (this.#isCutOff) this.#liveness.expire();
    if (!this.#ahead && !this.#isLost && !this.#isCutOff && (leaderPosition ?? kept))
      this.#liveness.sawSign(asked);
  }

  /** Must be called with each entry: a node that has reached a recent position of the leader needn't look again. */
  #comesUp(): void {
    if (!this.#ahead || !hasReached(this.#progress.position, this.#ahead)) return;
    this.#ahead = undefined;
    if (!this.#isLost && !this.#isCutOff) this.#liveness.sawSign(this.#probedAt);
  }

  /** The newest task known to this node. */
  get #newest(): Position {
    return this.#ahead && !hasReached(this.#last, this.#ahead) ? this.#ahead : this.#last;
  }

  /** The reason for which `/healthz` responds with 503. */
  get #problem(): string | undefined {
    if (this.#writer) return this.haltReason()?.message;
    return this.#liveness.isSilent ? this.#unheard(this.#liveness.ms) : undefined;
  }

  /** @param ms milliseconds since the last sign of the log */
  #unheard(ms: number): string {
    const refused = this.#refused.get('read');
    const why = refused
      ? `: Redis refuses to be read: ${refused}`
      : this.#ahead
        ? `: the leader is at ${textOf(this.#ahead)}, the log at ${textOf(this.#progress.position)}`
        : this.#isLost
          ? `: Redis has lost the log up to ${textOf(this.#progress.position)}, and the leader does not answer`
          : this.#isCutOff
            ? ': the leader does not answer, and its lease is over, so it may have made what is not in the log'
            : '';
    return `this node has not heard of its log for ${secondsOf(ms)}, so its chain may be old${why}`;
  }

  /** Must be called when Redis has executed a request, or with the reason why Redis rejects it. */
  #onAnswer(asked: Asked, refused?: unknown): void {
    if (this.#isClosed) return;
    const now = this.#clock.now();
    if (refused === undefined) {
      if (asked !== 'read') this.#liveness.sawSign();
      this.#refused.delete(asked);
      if (this.#refused.size > 0 || !this.#isRefusalTold) return;
      this.#isRefusalTold = false;
      this.#tell(`Redis does again what it refused, after ${secondsOf(now - this.#refusedSince)}`);
      return;
    }
    if (this.#refused.size === 0) this.#refusedSince = now;
    this.#refused.set(asked, (refused as Error).message);
    // Not reported at once: a Redis that was just started rejects requests while it loads its data.
    if (this.#isRefusalTold || now - this.#refusedSince < this.#store.leaseMs / 5) return;
    this.#isRefusalTold = true;
    const waits = this.#writer ? 'blocks go on, followers wait' : 'this chain waits for its log';
    this.#tell(`${failureText(refused)}: ${waits}`);
  }

  #tell(line: string): void {
    if (!this.#isClosed) this.#hooks.onFollow?.(line);
  }

  #onLeader(fence: number): void {
    this.#leader.replaced();
    if (this.#candidate?.fence !== fence) {
      void this.#leader.refresh().catch(() => {});
      return;
    }
    const { done } = this.#candidate;
    if (!this.#chain!.node)
      throw new Error(
        'the log has no task: its leader ended before the chain began. Begin it with --new-log',
      );
    this.#candidate = undefined;
    this.#write(fence);
    this.#chain!.node!.logTo(this.#writer!);
    this.#chain!.release();
    this.#takeSnapshots(this.#chain!.node!, this.#config!);
    const { number } = this.#chain!.node!.chain.latest.header;
    this.#hooks.onFollow?.(
      `the chain goes on at block ${number}: this node leads it from ${textOf(this.#writer!.position)} on`,
    );
    done();
  }

  /** Ends the log of the previous leader, executes its tasks, and continues from there. */
  async #takeOver(fence: number): Promise<void> {
    const done = new Promise<void>((resolve, reject) => {
      this.#candidate = { fence, done: resolve, failed: reject };
    });
    // Prevents an unhandled rejection if the node ends before `done` is awaited.
    done.catch(() => {});
    try {
      await this.#store.begin(fence, { at: this.#clock.now(), own: this.#progress.position });
    } catch (error) {
      this.#candidate = undefined;
      await this.#lease?.release().catch(() => {});
      throw error;
    }
    await done;
  }

  #write(fence: number): void {
    this.#writer = new LogWriter(
      { begin: { fence, task: 0 }, mostTasks: MAX_TASKS, mostBytes: MAX_BYTES },
      {
        store: this.#store,
        clock: this.#clock,
        onCut: (reason) => {
          this.#tell(
            `${reason}: followers that have not read it must be started again, after the next snapshot`,
          );
          this.#snapshotter?.request();
        },
        onSuperseded: () => this.#onSuperseded(),
        onAnswer: (refused) => this.#onAnswer('log', refused),
      },
    );
    this.#checking = this.#clock.every(CHECK_MS, () => this.#check().catch(() => {}));
  }

  /** Writes again what Redis has lost, if nothing else is being written. */
  async #check(): Promise<void> {
    if (this.#isAway || this.#isClosed) return;
    await this.#writer!.check();
    await this.#snapshotter?.check();
  }

  #takeSnapshots(node: Node, config: Config): void {
    this.#snapshotter = new Snapshotter(
      { interval: this.#options.snapshotInterval ?? SCALE.snapshotInterval.default },
      {
        ...this.#snapshotStorage,
        node,
        prunes: config.pruneHistory !== undefined,
        scratch: this.#temporary.root,
        writer: this.#writer!,
        ends: this.#progress.ends,
        onError: (error) => {
          if (!this.#isAway && this.#refused.size === 0)
            this.#hooks.onFollow?.(`no snapshot was taken: ${failureText(error)}`);
        },
      },
    );
  }

  #onSuperseded(): void {
    this.#isReplaced = true;
    this.#fail(new Error('another node leads this chain now: what this one made since is not in the log'));
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    // Before the node has joined, its starter gets the error.
    if (this.#isJoined) this.#hooks.onFatal(error);
    void this.close();
  }

  /** Reports once when Redis is away, and when it is back. */
  #watch(): void {
    const { redis } = this.#store;
    const { onFollow: onLine = () => {} } = this.#hooks;
    redis.on('reconnecting', () => {
      if (this.#isAway || this.#isClosed) return;
      this.#isAway = true;
      onLine(
        `Redis is away: ${this.#writer ? 'blocks go on, followers wait' : 'this chain waits for its log'}`,
      );
    });
    redis.on('ready', () => {
      this.#isAway = false;
      onLine('Redis is back');
    });
  }
}

/** The options of a chain in the form in which its log has them. */
function sharedOf(config: Config): Readonly<Record<string, unknown>> {
  const { mnemonic, derivationPath: path, accounts: count } = config;
  // Accounts are included only if they don't belong to the public mnemonic.
  const own = config.recorded().mnemonic !== undefined;
  return sharedOptions(config, own ? deriveAccounts({ mnemonic, path, count }) : []);
}

const jsonOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

/** The URL of a listener for other machines: with the machine's name if it listens on all addresses. */
function reachable(url: string): string {
  return url.replace(/^http:\/\/(?:0\.0\.0\.0|\[::\])(?=:)/, `http://${hostname()}`);
}

function refusal(reason: string): DevnetError {
  return new DevnetError('server', { reason });
}
