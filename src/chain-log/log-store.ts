import { connectRedis, type Redis, type RedisLimits } from '../redis/connect.ts';
import { failureText, isRefusedConnection, replyCode } from '../redis/refusal.ts';
import { type Ends, later, type Position, positionOf, START, textOf } from './position.ts';

/** Version of what is kept in Redis. */
const FORMAT = 2;
/** Default of {@link LogStore.leaseMs}. */
const LEASE_MS = 5_000;
/** The ids of the chains in this Redis. */
const CHAINS = 'devnet:chains';
/** What to do where another program has written to a key. */
const OTHERS_KEY = 'choose another Redis or database (redis://host:port/1), or remove the key';

function wrongKind(key: string, expected: string, got: string): string {
  return `the key ${key} in Redis: expected a ${expected}, as devnet has it, got ${got}`;
}
/** Parts of a lease: after which a silent connection is given up, and between two signs of life of an idle one. */
const SILENT = 0.6;
const SIGN = 0.2;
/** Entries that a reader takes at a time. */
const COUNT = 64;
/** What is between two tasks of an entry; the lines of a task are one line apart. */
const BETWEEN = '\n\n';

/** What a chain in Redis is made of. */
export interface ChainRecord {
  readonly format: number;
  /** of this log; another one replaces it with `--new-log` */
  readonly id: string;
  /** as in a recording, without secrets */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Tasks that are written together. Their numbers are in a row and end with that of `position`. */
export interface Entry {
  readonly position: Position;
  /** when the last of them was written, milliseconds on the leader's clock */
  readonly at: number;
  /** the lines of a recording, for each task; none: a leader begins */
  readonly tasks: readonly (readonly string[])[];
  /** where a leader begins: the last position before */
  readonly after?: Position;
}

/** A snapshot, and the last task that is in it. */
export interface SnapshotPlace {
  readonly position: Position;
  /** the last positions of the leaders before the one that took it */
  readonly ends: Ends;
  /** what isn't in the store: a key of Redis, or a file's name */
  readonly name: string;
  /** the store, in parts, of which snapshots share those that they have in common: keys of Redis, or names of files */
  readonly parts: readonly string[];
  /** timestamp of the genesis block, seconds */
  readonly genesis: number;
}

/** The keys of a chain, and their types. */
const KINDS = {
  lease: 'string',
  fence: 'string',
  leader: 'string',
  released: 'string',
  made: 'string',
  chain: 'string',
  log: 'stream',
  snapshots: 'list',
} as const;

/** Lua: the id of the log's newest entry, in `last`. The log is the given key. */
const lastOf = (key: string) => `
local newest = redis.call('XREVRANGE', ${key}, '+', '-', 'COUNT', 1)
local last = '0-0'
if newest[1] then last = newest[1][1] end`;
/** Lua: fence and task of the newest snapshot's position, where there is one. The list of snapshots is the given key. */
const snapshotOf = (key: string) => `
local snapshot = redis.call('LINDEX', ${key}, -1)
local place = snapshot and cjson.decode(snapshot).position`;
// Keys: lease, fence, leader, released, log, snapshots. Arguments: address, milliseconds, whether it may be one that ran out, the fence
// of the newest leader that the caller knows of (0 = none). Writes the fence in any case, so that a Redis that takes no writes says so.
// The fence grows also where Redis lost its key. Where Redis lost it, whether the last leader gave its lease back isn't known.
const ACQUIRE = `
local fence = redis.call('GET', KEYS[2])
if fence then redis.call('SET', KEYS[2], fence) end
if redis.call('GET', KEYS[1]) then return {0, redis.call('PTTL', KEYS[1]), redis.call('GET', KEYS[3])} end
local known = tonumber(ARGV[4])
local isFirst = not fence and known == 0
local isReleased = fence and tonumber(fence) >= known and redis.call('GET', KEYS[4]) == fence
if not isFirst and not isReleased and ARGV[3] == '0' then return {0, 0, redis.call('GET', KEYS[3])} end
${lastOf('KEYS[5]')}
${snapshotOf('KEYS[6]')}
fence = math.max(tonumber(fence or 0), tonumber(string.match(last, '^%d+')), place and place.fence or 0, known) + 1
redis.call('SET', KEYS[2], string.format('%.0f', fence))
redis.call('SET', KEYS[1], string.format('%.0f', fence), 'PX', ARGV[2])
redis.call('SET', KEYS[3], ARGV[1])
return {fence}`;
// Keys: lease, fence, leader, released, made, chain, chains. Arguments: own fence, address, milliseconds, when Redis answered the caller
// last (milliseconds on its own clock), the caller's position, the chain's record (empty while it isn't known), chain id. A renewal that
// was on its way for longer than the lease lasts says nothing of the leader now. A Redis that lost its data is written anew, unless
// another chain has begun in it. The position is written with the lease: who sees the lease sees what is still to come in the log.
const RENEW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local fence = tonumber(redis.call('GET', KEYS[2]) or 0)
if fence > tonumber(ARGV[1]) then return {'replaced', now} end
if now - tonumber(ARGV[4]) > tonumber(ARGV[3]) then return {'late', now} end
if ARGV[6] ~= '' then
  local chain = redis.call('GET', KEYS[6])
  if chain and chain ~= ARGV[6] then return {'replaced', now} end
  redis.call('SET', KEYS[6], ARGV[6])
  redis.call('SADD', KEYS[7], ARGV[7])
end
redis.call('SET', KEYS[5], ARGV[5])
redis.call('SET', KEYS[2], ARGV[1])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[3])
redis.call('SET', KEYS[3], ARGV[2])
return {'renewed', now}`;
// Keys: lease, fence, leader, released. Arguments: own fence.
const RELEASE = `
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[4], ARGV[1])`;
// Keys: log, snapshots. Arguments: fence, milliseconds, fence and task of the caller's position. A snapshot may have more than the log, and
// so may the caller, where Redis lost a part of the log: then the chain goes on from that.
const BEGIN = `${lastOf('KEYS[1]')}
${snapshotOf('KEYS[2]')}
local own = { fence = tonumber(ARGV[3]), task = tonumber(ARGV[4]) }
for _, other in ipairs({ own, place or own }) do
  local fence, task = string.match(last, '^(%d+)-(%d+)$')
  fence, task = tonumber(fence), tonumber(task)
  if other.fence > fence or (other.fence == fence and other.task > task) then
    last = string.format('%.0f-%.0f', other.fence, other.task)
  end
end
redis.call('XADD', KEYS[1], ARGV[1] .. '-0', 'after', last, 'at', ARGV[2])
return last`;
// Keys: log, chain. Arguments: id, the id before, milliseconds, tasks, a part of the chain's record. The server itself refuses an
// id that isn't a later one than any that the stream has had; a stream without entries is begun anew, for those that are written again.
// Another chain may have begun in a Redis that was emptied.
const APPEND = `
local chain = redis.call('GET', KEYS[2])
if chain and not string.find(chain, ARGV[5], 1, true) then return 'other' end
${lastOf('KEYS[1]')}
if last ~= ARGV[2] then return last end
if not newest[1] then redis.call('DEL', KEYS[1]) end
return redis.call('XADD', KEYS[1], ARGV[1], 'at', ARGV[3], 'tasks', ARGV[4])`;

/** Another node is the leader, or may be it. */
export class LeaseHeld extends Error {
  /** milliseconds until the lease ends unless it is renewed; 0 when it has ended, and wasn't given back */
  readonly left: number;

  constructor(leader: string, left: number) {
    super(`${leader || 'another node'} leads this chain: follow it with devnet follow --redis`);
    this.left = left;
  }
}

/** Another chain has begun in this Redis, with a log of its own. */
export class ChainReplaced extends Error {}

/** A chain's log in Redis. A lost connection is made again; what was asked meanwhile is answered then, or fails. */
export class LogStore {
  readonly redis: Redis;
  readonly chainId: bigint;
  /** Milliseconds after which a leader that isn't heard of has no lease any more, and for which Redis may be silent. */
  readonly leaseMs: number;
  readonly #prefix: string;
  /** the chain's record as it is kept, once it is known */
  #record: { readonly id: string; readonly text: string } | undefined;
  /** when Redis answered a renewal last, milliseconds on its own clock */
  #answered = 0;
  /** its own connection: no renewal waits behind anything else */
  #leaseRedis: Redis | undefined;

  /** @param redis connection for everything but the lease and waiting reads */
  constructor(redis: Redis, chainId: bigint, leaseMs: number) {
    this.redis = redis;
    this.chainId = chainId;
    this.leaseMs = leaseMs;
    this.#prefix = `devnet:${chainId}`;
  }

  /** @throws Error when Redis can't be reached */
  static async open(url: string, chainId: bigint, leaseMs = LEASE_MS): Promise<LogStore> {
    return new LogStore(await connectRedis(url, limitsOf(leaseMs)), chainId, leaseMs);
  }

  /** The chain to follow, where Redis has only one. @throws Error naming the chains, or that there is none */
  static async openOnly(url: string, leaseMs = LEASE_MS): Promise<LogStore> {
    const redis = await connectRedis(url, limitsOf(leaseMs));
    const chains = await redis.sMembers(CHAINS).catch((error: unknown) => {
      redis.destroy();
      throw new Error(
        replyCode(error) === 'WRONGTYPE'
          ? `${wrongKind(CHAINS, 'set', 'something else')}: ${OTHERS_KEY}`
          : failureText(error),
      );
    });
    if (chains.length === 1) return new LogStore(redis, BigInt(chains[0]!), leaseMs);
    redis.destroy();
    throw new Error(
      chains.length === 0
        ? 'this Redis has the log of no chain: start its leader with devnet --redis'
        : `this Redis has the logs of chains ${chains.sort().join(', ')}: choose one with --chain-id`,
    );
  }

  get #lease(): string[] {
    return ['lease', 'fence', 'leader', 'released'].map((name) => this.#key(name));
  }

  get #log(): string {
    return this.#key('log');
  }

  /** Opens a connection for waiting reads, which is made again when it is lost. */
  async openReader(): Promise<Redis> {
    const reader = this.redis.duplicate();
    reader.on('error', () => {});
    await reader.connect();
    return reader;
  }

  /** Ends all connections but those for waiting reads. */
  close(): void {
    this.redis.destroy();
    this.#leaseRedis?.destroy();
  }

  /**
   * @param options.ranOut whether the caller has waited for a leader that didn't give its lease back
   * @param options.known fencing number of the newest leader that the caller knows of; 0 = none
   * @returns the fencing number, which grows with each leader
   * @throws LeaseHeld
   */
  async acquire(address: string, { ranOut, known }: { ranOut: boolean; known: number }): Promise<number> {
    const keys = [...this.#lease, this.#log, this.#key('snapshots')];
    const args = [address, `${this.leaseMs}`, ranOut ? '1' : '0', `${known}`];
    const [fence, left, leader] = (await this.#runForLease(ACQUIRE, keys, args)) as [
      number,
      number?,
      string?,
    ];
    if (fence === 0) throw new LeaseHeld(leader ?? '', left!);
    return fence;
  }

  /**
   * Writes the chain's record as well.
   * @param options.made gives the leader's last task, which may still have to be written to the log
   * @returns false when there is a later leader, or another chain
   */
  async renew(fence: number, { address, made }: { address: string; made: () => Position }): Promise<boolean> {
    const keys = [...this.#lease, this.#key('made'), this.#key('chain'), CHAINS];
    for (;;) {
      const lease = [`${fence}`, address, `${this.leaseMs}`, `${this.#answered}`, textOf(made())];
      const args = [...lease, this.#record?.text ?? '', `${this.chainId}`];
      const [answer, now] = (await this.#runForLease(RENEW, keys, args)) as [string, number];
      this.#answered = now;
      if (answer !== 'late') return answer === 'renewed';
    }
  }

  /** Number of the newest leader; 0 = there was none. */
  async fence(): Promise<number> {
    return Number((await this.redis.get(this.#key('fence'))) ?? 0);
  }

  async release(fence: number): Promise<void> {
    await this.#runForLease(RELEASE, this.#lease, [`${fence}`]);
  }

  /** Listens to the connection for the lease: `ready` when it was made again, `refused` when nobody listens at its address. */
  onLease({ ready, refused }: { ready: () => void; refused: () => void }): Disposable {
    const redis = this.#forLease();
    const onError = (error: unknown) => {
      if (isRefusedConnection(error)) refused();
    };
    redis.on('ready', ready).on('error', onError);
    return { [Symbol.dispose]: () => void redis.off('ready', ready).off('error', onError) };
  }

  /** Address of the leader's JSON-RPC; empty while it doesn't listen. */
  async leader(): Promise<string> {
    return (await this.redis.get(this.#key('leader'))) ?? '';
  }

  async chain(): Promise<ChainRecord | undefined> {
    const text = await this.redis.get(this.#key('chain'));
    if (text === null) return undefined;
    const chain = parsed<ChainRecord>(text);
    if (typeof chain?.format !== 'number' || typeof chain.options !== 'object' || chain.options === null)
      throw new Error(
        `the key ${this.#key('chain')} in Redis: expected the record of a chain as JSON, got ${shown(text)}`,
      );
    if (chain.format === FORMAT) {
      this.#record = { id: chain.id, text };
      return chain;
    }
    throw new Error(`the log has the format ${chain.format}; this program reads ${FORMAT}`);
  }

  /** Writes what a new chain is made of. {@link renew} and {@link addSnapshot} write it again, where Redis lost it. */
  async put({ id, options }: Omit<ChainRecord, 'format'>): Promise<void> {
    this.#record = { id, text: JSON.stringify({ format: FORMAT, id, options }) };
    await this.#putRecord();
  }

  async #putRecord(): Promise<void> {
    if (!this.#record) return;
    await this.redis.set(this.#key('chain'), this.#record.text);
    await this.redis.sAdd(CHAINS, `${this.chainId}`);
  }

  /** What is there of a chain whose record is lost, in words; empty = nothing, so that a new chain can begin. */
  async remains(): Promise<readonly string[]> {
    const names = { log: 'a log', snapshots: 'snapshots', fence: 'a fencing number' };
    const found: string[] = [];
    for (const [name, words] of Object.entries(names))
      if ((await this.redis.exists(this.#key(name))) > 0) found.push(words);
    return found;
  }

  /** Of the chain's record: what a directory has of this chain and not of another with its chain id. Empty while it isn't known. */
  get recordId(): string {
    return this.#record?.id ?? '';
  }

  /** Removes the log. Parts of snapshots are still to be removed. */
  async clear(): Promise<void> {
    await this.redis.del(['log', 'made', 'chain', 'snapshots'].map((name) => this.#key(name)));
  }

  /**
   * Writes that a leader begins: from here on the log takes nothing of earlier ones.
   * @param options.at milliseconds on the leader's clock
   * @param options.own what the leader has itself
   * @returns the last position before
   */
  async begin(fence: number, { at, own }: { at: number; own: Position }): Promise<Position> {
    const keys = [this.#log, this.#key('snapshots')];
    const args = [fence, at, own.fence, own.task].map(String);
    return positionOf((await this.#run(BEGIN, keys, args)) as string)!;
  }

  /**
   * Appends an entry after the one that ends at `before`.
   * @returns the last position in the log: that of the entry, also where it was there already; else it isn't appended
   * @throws ChainReplaced
   */
  async append({ position, at, tasks }: Entry, before: Position): Promise<Position> {
    const text = tasks.map((lines) => lines.join('\n')).join(BETWEEN);
    const args = [textOf(position), textOf(before), `${at}`, text, `"id":"${this.#record?.id ?? ''}`];
    const last = positionOf((await this.#run(APPEND, [this.#log, this.#key('chain')], args)) as string);
    if (last) return last;
    throw new ChainReplaced();
  }

  /** The last position in the log. */
  async last(): Promise<Position> {
    const [newest] = (await this.redis.xRevRange(this.#log, '+', '-', { COUNT: 1 })) ?? [];
    return newest ? positionOf(newest.id)! : START;
  }

  /**
   * What Redis has at this moment.
   * @returns `newest`: the last position in the log or in a snapshot, whichever is later; `made`: the leader's position when it
   * renewed its lease last; `isOther`: whether another chain has
   * begun in the place of the one whose record this object has read; `isAbandoned`: whether the leader's lease is over, and the
   * leader has not given it back
   */
  async extent(): Promise<{
    readonly newest: Position;
    readonly made: Position;
    readonly isOther: boolean;
    readonly isAbandoned: boolean;
  }> {
    const [text, last, snapshots, [lease, fence, released, made]] = await Promise.all([
      this.redis.get(this.#key('chain')),
      this.last(),
      this.snapshots(),
      this.redis.mGet(['lease', 'fence', 'released', 'made'].map((name) => this.#key(name))),
    ]);
    const snapshot = snapshots.at(-1)?.position ?? START;
    const own = this.#record?.id;
    return {
      newest: later(last, snapshot),
      made: positionOf(made ?? '') ?? START,
      isOther: text !== null && own !== undefined && parsed<ChainRecord>(text)?.id !== own,
      isAbandoned: lease === null && (fence === null || released !== fence),
    };
  }

  /** Waits for entries after a position, at most some seconds. @param reader a connection for this alone */
  async read(reader: Redis, after: Position): Promise<Entry[]> {
    const BLOCK = Math.round(this.leaseMs * SIGN);
    const answer = (await reader.xRead({ key: this.#log, id: textOf(after) }, { BLOCK, COUNT })) as
      | { messages: { id: string; message: Record<string, string> }[] }[]
      | null;
    return (answer?.[0]?.messages ?? []).map(({ id, message: { at, tasks, after: before } }) => ({
      position: positionOf(id)!,
      at: Number(at),
      tasks: tasks === undefined ? [] : tasks.split(BETWEEN).map((task) => task.split('\n')),
      ...(before !== undefined && { after: positionOf(before)! }),
    }));
  }

  /** Whether the log has all tasks since the chain's first one. */
  async hasBeginning(): Promise<boolean> {
    const [oldest] = (await this.redis.xRange(this.#log, '-', '+', { COUNT: 1 })) ?? [];
    return oldest?.message.after === textOf(START);
  }

  /**
   * Whether a follower can start: the log has all tasks since the chain's first one, or since the newest snapshot, of which
   * all parts are there.
   */
  async isWhole(partsOf: (snapshot: SnapshotPlace) => Promise<boolean>): Promise<boolean> {
    if (await this.hasBeginning()) return true;
    const newest = (await this.snapshots()).at(-1);
    return newest !== undefined && (await partsOf(newest));
  }

  /** Removes the entries before a position. */
  async trim(position: Position): Promise<void> {
    await this.redis.sendCommand(['XTRIM', this.#log, 'MINID', textOf(position)]);
  }

  /** The snapshots, the oldest first. */
  async snapshots(): Promise<readonly SnapshotPlace[]> {
    const texts = await this.redis.lRange(this.#key('snapshots'), 0, -1);
    return texts.map((text) => {
      const place = parsed<SnapshotPlace>(text);
      if (typeof place?.name === 'string' && typeof place.position?.task === 'number') return place;
      throw new Error(
        `the list ${this.#key('snapshots')} in Redis: expected the places of snapshots as JSON, got ${shown(text)}`,
      );
    });
  }

  /** Adds a snapshot, and forgets all but the newest ones. */
  async addSnapshot(snapshot: SnapshotPlace, keep: number) {
    const key = this.#key('snapshots');
    await this.#putRecord();
    await this.redis.rPush(key, JSON.stringify(snapshot));
    const all = await this.snapshots();
    await this.redis.lTrim(key, -keep, -1);
    return { kept: all.slice(-keep), forgotten: all.slice(0, -keep) };
  }

  /** Where a part of a snapshot is kept in Redis. */
  snapshotKey(name: string): string {
    return this.#key(`snapshot:${name}`);
  }

  /** The keys of all parts of snapshots. */
  async snapshotKeys(): Promise<string[]> {
    const keys: string[] = [];
    for await (const some of this.redis.scanIterator({ MATCH: this.snapshotKey('*'), COUNT: 1_000 }))
      keys.push(...some);
    return keys;
  }

  /** An error of Redis as a sentence: where a key has what no chain of devnet has there, with its name. */
  async explained(error: unknown): Promise<Error> {
    if (replyCode(error) === 'WRONGTYPE' || replyCode(error) === 'ERR') {
      const wrong = await this.#wrongKey().catch(() => undefined);
      if (wrong) return new Error(`${wrong}: ${OTHERS_KEY}`);
    }
    const text = failureText(error);
    return text === (error as Error).message ? (error as Error) : new Error(text, { cause: error });
  }

  async #wrongKey(): Promise<string | undefined> {
    const kinds = Object.entries(KINDS).map(([name, kind]) => [this.#key(name), kind] as const);
    for (const [key, expected] of [...kinds, [CHAINS, 'set'] as const]) {
      const got = await this.redis.type(key);
      if (got !== 'none' && got !== expected) return wrongKind(key, expected, `a ${got}`);
    }
    const key = this.#key('fence');
    const fence = await this.redis.get(key);
    return fence === null || /^\d{1,15}$/.test(fence)
      ? undefined
      : `the key ${key} in Redis: expected the number of a leader, got ${shown(fence)}`;
  }

  #key(name: string): string {
    return `${this.#prefix}:${name}`;
  }

  #run(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.redis.eval(script, { keys, arguments: args });
  }

  #runForLease(script: string, keys: string[], args: string[]): Promise<unknown> {
    return this.#forLease().eval(script, { keys, arguments: args });
  }

  #forLease(): Redis {
    if (this.#leaseRedis) return this.#leaseRedis;
    const timeout = Math.round(this.leaseMs * (1 - SILENT));
    const redis = this.redis.duplicate({ commandOptions: { timeout } });
    redis.on('error', () => {});
    // What is asked meanwhile waits, or fails in time.
    redis.connect().catch(() => {});
    this.#leaseRedis = redis;
    return redis;
  }
}

function limitsOf(leaseMs: number): RedisLimits {
  const [silent, ping] = [SILENT, SIGN].map((part) => Math.round(leaseMs * part)) as [number, number];
  return { silent, ping, wait: leaseMs };
}

/** @returns `undefined` for what is no JSON */
function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** The beginning of a text that isn't what it should be. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
