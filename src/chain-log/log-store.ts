import { connectRedis, type Redis, type RedisLimits } from '../redis/connect.ts';
import { failureText, isRefusedConnection, replyCode } from '../redis/refusal.ts';
import { type Ends, later, type Position, positionOf, START, textOf } from './position.ts';

/** Version of the format of the data in Redis. */
const FORMAT = 2;
/** Default of {@link LogStore.leaseMs}. */
const LEASE_MS = 5_000;
/** The ids of the chains in this Redis. */
const CHAINS = 'devnet:chains';
/** Advice if another program has written to a key. */
const OTHERS_KEY = 'choose another Redis or database (redis://host:port/1), or remove the key';

function wrongKind(key: string, expected: string, got: string): string {
  return `the key ${key} in Redis: expected a ${expected}, as devnet has it, got ${got}`;
}
/** Shares of a lease: after which a silent connection is closed, and the interval of pings on an idle connection. */
const SILENT = 0.6;
const SIGN = 0.2;
/** Maximum number of entries that a reader takes at a time. */
const COUNT = 64;
/** Separator of the tasks in an entry; the lines of a task are separated by one newline. */
const BETWEEN = '\n\n';

/** The description of a chain in Redis. */
export interface ChainRecord {
  readonly format: number;
  /** id of this log; `--new-log` replaces it */
  readonly id: string;
  /** the options as in a recording, without secrets */
  readonly options: Readonly<Record<string, unknown>>;
}

/** Tasks that are written together. Their numbers are consecutive and end with the number in `position`. */
export interface Entry {
  readonly position: Position;
  /** when the last of them was written, milliseconds on the leader's clock */
  readonly at: number;
  /** the lines of each task, as in a recording; empty if a new leader begins */
  readonly tasks: readonly (readonly string[])[];
  /** only where a new leader begins: the last position before */
  readonly after?: Position;
}

/** A snapshot's location, and the last task that it contains. */
export interface SnapshotPlace {
  readonly position: Position;
  /** the last positions of the leaders before the one that took the snapshot */
  readonly ends: Ends;
  /** location of everything but the store: a key of Redis, or a file name */
  readonly name: string;
  /** locations of the parts of the store, which consecutive snapshots share: keys of Redis, or file names */
  readonly parts: readonly string[];
  /** timestamp of the genesis block, seconds */
  readonly genesis: number;
}

/** The keys of a chain, and their Redis types. */
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

/** Lua: sets `last` to the id of the log's newest entry. The argument is the log's key. */
const lastOf = (key: string) => `
local newest = redis.call('XREVRANGE', ${key}, '+', '-', 'COUNT', 1)
local last = '0-0'
if newest[1] then last = newest[1][1] end`;
/** Lua: sets `place` to the newest snapshot's position (fence and task), or nil. The argument is the key of the list of snapshots. */
const snapshotOf = (key: string) => `
local snapshot = redis.call('LINDEX', ${key}, -1)
local place = snapshot and cjson.decode(snapshot).position`;
// Keys: lease, fence, leader, released, log, snapshots. Arguments: address, milliseconds, whether an expired lease may be replaced, fencing
// number of the newest leader that the caller knows of (0 = none). Always writes the fence, so that a Redis that rejects writes reports an
// error. The fence grows even if Redis has lost its key. If Redis has lost `released`, it is unknown whether the last leader has released
// its lease.
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
// Keys: lease, fence, leader, released, made, chain, chains. Arguments: own fence, address, milliseconds, time of Redis's last answer to
// the caller (milliseconds on Redis's clock), the caller's position, the chain's record (empty if unknown), chain id. A renewal that was in
// transit for longer than a lease proves nothing about the leader's present state. If Redis has lost its data, the data is written again,
// unless another chain has begun there. The position is written together with the lease: a reader of the lease also sees what is yet to
// come in the log.
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
// Keys: log, snapshots. Arguments: fence, milliseconds, fence and task of the caller's position. A snapshot or the caller may be ahead of
// the log, if Redis has lost a part of the log: then the chain continues from there.
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
// Keys: log, chain. Arguments: id, the preceding id, milliseconds, tasks, a part of the chain's record. Redis itself rejects an id that
// isn't later than all ids that the stream ever had; a stream without entries is recreated for entries that are written again. Another
// chain may have begun in a Redis that was emptied.
const APPEND = `
local chain = redis.call('GET', KEYS[2])
if chain and not string.find(chain, ARGV[5], 1, true) then return 'other' end
${lastOf('KEYS[1]')}
if last ~= ARGV[2] then return last end
if not newest[1] then redis.call('DEL', KEYS[1]) end
return redis.call('XADD', KEYS[1], ARGV[1], 'at', ARGV[3], 'tasks', ARGV[4])`;

/** Another node is, or may be, the leader. */
export class LeaseHeld extends Error {
  /** milliseconds until the lease expires unless it is renewed; 0 if it has expired without being released */
  readonly left: number;

  constructor(leader: string, left: number) {
    super(`${leader || 'another node'} leads this chain: follow it with devnet follow --redis`);
    this.left = left;
  }
}

/** Another chain with its own log has begun in this Redis. */
export class ChainReplaced extends Error {}

/** A chain's log in Redis. A lost connection is reopened; commands sent meanwhile are executed then, or fail. */
export class LogStore {
  readonly redis: Redis;
  readonly chainId: bigint;
  /** Milliseconds after which an unresponsive leader loses its lease, and for which Redis may be silent. */
  readonly leaseMs: number;
  readonly #prefix: string;
  /** the chain's record as stored, if known */
  #record: { readonly id: string; readonly text: string } | undefined;
  /** when Redis last answered a renewal, milliseconds on Redis's clock */
  #answered = 0;
  /** a separate connection, so that renewals don't wait for other commands */
  #leaseRedis: Redis | undefined;

  /** @param redis connection for everything except the lease and blocking reads */
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

  /** Opens the only chain in Redis. @throws Error naming the chains if there are several, or if there is none */
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

  /** Opens a connection for blocking reads, which is reopened when it is lost. */
  async openReader(): Promise<Redis> {
    const reader = this.redis.duplicate();
    reader.on('error', () => {});
    await reader.connect();
    return reader;
  }

  /** Closes all connections except those for blocking reads. */
  close(): void {
    this.redis.destroy();
    this.#leaseRedis?.destroy();
  }

  /**
   * @param options.ranOut whether the caller has waited for the lease of a leader that didn't release it
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
   * Renews the lease. Also writes the chain's record.
   * @param options.made returns the leader's last task, which may not have been written to the log yet
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

  /** Fencing number of the newest leader; 0 = there was none. */
  async fence(): Promise<number> {
    return Number((await this.redis.get(this.#key('fence'))) ?? 0);
  }

  async release(fence: number): Promise<void> {
    await this.#runForLease(RELEASE, this.#lease, [`${fence}`]);
  }

  /** Listens to the connection for the lease: `ready` when it was reopened, `refused` when no server listens at its address. */
  onLease({ ready, refused }: { ready: () => void; refused: () => void }): Disposable {
    const redis = this.#forLease();
    const onError = (error: unknown) => {
      if (isRefusedConnection(error)) refused();
    };
    redis.on('ready', ready).on('error', onError);
    return { [Symbol.dispose]: () => void redis.off('ready', ready).off('error', onError) };
  }

  /** URL of the leader's JSON-RPC; empty as long as the leader doesn't listen. */
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

  /** Writes the record of a new chain. {@link renew} and {@link addSnapshot} write it again if Redis has lost it. */
  async put({ id, options }: Omit<ChainRecord, 'format'>): Promise<void> {
    this.#record = { id, text: JSON.stringify({ format: FORMAT, id, options }) };
    await this.#putRecord();
  }

  async #putRecord(): Promise<void> {
    if (!this.#record) return;
    await this.redis.set(this.#key('chain'), this.#record.text);
    await this.redis.sAdd(CHAINS, `${this.chainId}`);
  }

  /** Lists the remaining data of a chain whose record is lost, as text; empty = nothing, so that a new chain can begin. */
  async remains(): Promise<readonly string[]> {
    const names = { log: 'a log', snapshots: 'snapshots', fence: 'a fencing number' };
    const found: string[] = [];
    for (const [name, words] of Object.entries(names))
      if ((await this.redis.exists(this.#key(name))) > 0) found.push(words);
    return found;
  }

  /**
   * Id of the chain's record, which distinguishes its files in a directory from those of other chains with the same chain id. Empty if
   * unknown.
   */
  get recordId(): string {
    return this.#record?.id ?? '';
  }

  /** Removes the log. The caller still has to remove the parts of snapshots. */
  async clear(): Promise<void> {
    await this.redis.del(['log', 'made', 'chain', 'snapshots'].map((name) => this.#key(name)));
  }

  /**
   * Writes an entry that a new leader begins: from there on the log rejects entries of earlier leaders.
   * @param options.at milliseconds on the leader's clock
   * @param options.own the new leader's own position
   * @returns the last position before
   */
  async begin(fence: number, { at, own }: { at: number; own: Position }): Promise<Position> {
    const keys = [this.#log, this.#key('snapshots')];
    const args = [fence, at, own.fence, own.task].map(String);
    return positionOf((await this.#run(BEGIN, keys, args)) as string)!;
  }

  /**
   * Appends an entry after the one that ends at `before`.
   * @returns the last position in the log: that of the entry if it was appended now or earlier; any other position means that it wasn't
   * appended
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
   * Reads the state of the log in Redis.
   * @returns `newest`: the last position in the log or in a snapshot, whichever is later; `made`: the leader's position when it last
   * renewed its lease; `isOther`: whether another chain has replaced the one whose record this object has read; `isAbandoned`: whether the
   * leader's lease has expired without being released
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

  /** Waits some seconds for entries after a position. @param reader a connection used only for this */
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

  /** Whether the log contains all tasks since the chain's first one. */
  async hasBeginning(): Promise<boolean> {
    const [oldest] = (await this.redis.xRange(this.#log, '-', '+', { COUNT: 1 })) ?? [];
    return oldest?.message.after === textOf(START);
  }

  /**
   * Whether a follower can start: the log contains all tasks since the chain's first one, or since the newest snapshot, all of whose parts
   * exist.
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

  /** The snapshots, oldest first. */
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

  /** Adds a snapshot, and removes all but the newest ones from the list. */
  async addSnapshot(snapshot: SnapshotPlace, keep: number) {
    const key = this.#key('snapshots');
    await this.#putRecord();
    await this.redis.rPush(key, JSON.stringify(snapshot));
    const all = await this.snapshots();
    await this.redis.lTrim(key, -keep, -1);
    return { kept: all.slice(-keep), forgotten: all.slice(0, -keep) };
  }

  /** The key of a part of a snapshot in Redis. */
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

  /** Describes an error of Redis as a sentence; if a key contains data that devnet can't have written, names the key. */
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
    // Commands sent before the connection is open wait, or time out.
    redis.connect().catch(() => {});
    this.#leaseRedis = redis;
    return redis;
  }
}

function limitsOf(leaseMs: number): RedisLimits {
  const [silent, ping] = [SILENT, SIGN].map((part) => Math.round(leaseMs * part)) as [number, number];
  return { silent, ping, wait: leaseMs };
}

/** @returns `undefined` if the text isn't JSON */
function parsed<T>(text: string): T | undefined {
  try {
    return JSON.parse(text) as T;
  } catch {
    return undefined;
  }
}

/** The beginning of an unexpected text, for a message. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40)}...` : text);
}
