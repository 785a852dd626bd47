import { setTimeout as sleep } from 'node:timers/promises';
import { differenceOf, viewOf } from './compare.mjs';
import { FAULTS } from './faults.mjs';
import { isAtLeast, Ledger, parsed } from './ledger.mjs';
import { Load } from './load.mjs';
import { Hangs, Member } from './member.mjs';
import { RedisServer } from './redis.mjs';
import { runningTime } from './running-time.mjs';

const CHAIN_ID = 31337;
/** Milliseconds after which a call counts as hanging: more than twice the 5 s for which a node waits for a position. */
const HANG = 12_000;
/** Milliseconds within which all nodes must agree again after all faults have ended. */
const AGREE = 40_000;
/** Milliseconds between two checks of the leader, and between two checks whether all nodes agree again. */
const WATCH = 250;
/** Number of blocks kept with pruned history: while a busy machine compares the newest blocks, new ones are made. */
const PRUNED_TO = 12;
/** Milliseconds for which a first start is retried: on a busy machine Redis may take longer than a single start waits for it. */
const FIRST_STARTS = 60_000;
/** Messages of a node about data that is lost, or may be lost. */
const TOLD = /not in the log|another node leads|lost|is over, and another|begin a new|new chain/i;

const MODES = {
  automine: { automine: true },
  flashblocks: { blockTime: 1, flashblockInterval: 200 },
  interval: { blockTime: 1, flashblockInterval: 0 },
};

/** One of the first nodes didn't start, before any fault: the machine is too busy. The seed has no result then. */
export class NotBegun extends Error {}

/** A leader, two followers, a reference node and Redis, driven by a seed through two faults at a time. */
export class Cluster {
  #random;
  #options;
  #log;
  #failures = [];
  #ledger = new Ledger();
  #load;
  #members = [];
  /** a follower without faults, which executes the log independently */
  #reference;
  /** the node that leads, as far as this program knows */
  #leader;
  #accounts = [];
  /** options of the chain, as for `createDevnet` */
  #chainOptions;
  /** observed positions of the leader, with their time, and whether Redis had them */
  #seen = [];
  #watching;
  #ends = false;
  redis;
  excused = 0;
  /** whether the chain is gone, and the nodes have said so */
  isGone = false;

  /**
   * @param options.runner starts and stops nodes: see {@link Member}
   * @param options.redisTimeout milliseconds; `undefined` if the command has no such option
   * @param options.mayPrune whether some leaders run with `--prune-history`
   * @param options.slowness factor for the time limits of this program
   * @param options.plan returns the names of the faults of a round
   */
  constructor(random, options, log) {
    this.#random = random;
    this.#options = options;
    this.#log = log;
    this.redis = new RedisServer({ keeps: random.chance(0.5) });
  }

  get failures() {
    return this.#failures;
  }

  get acknowledged() {
    return this.#load?.acknowledged ?? 0;
  }

  async run(rounds) {
    try {
      await this.#begin();
      for (let round = 0; round < rounds && this.#failures.length === 0 && !this.isGone; round++) {
        await this.#breakTwo(round);
        await this.#mend();
        if (this.isGone || this.#failures.length > 0) break;
        await this.#check();
      }
    } catch (error) {
      if (error instanceof NotBegun) throw error;
      this.fail(error instanceof Hangs ? error.message : (error.stack ?? String(error)));
    }
    return this.#failures;
  }

  fail(what) {
    this.#failures.push(what);
    this.#log(`FAILED: ${what}`);
  }

  async close() {
    this.#ends = true;
    await this.#load?.end();
    await this.#watching;
    for (const member of [...this.#members, ...(this.#reference ? [this.#reference] : [])])
      await member.dispose();
    await this.redis.close();
  }

  /** The states and the last log lines of all nodes, for the report of a failure. */
  async outputs() {
    const members = [...this.#members, this.#reference].filter(Boolean);
    const log = await this.redis.describe(CHAIN_ID).catch((error) => String(error));
    const states = await Promise.all(
      members.map(async (member) => {
        const lines = member.output
          .split('\n')
          .filter((line) => !/"event":"(call|transaction|block)"/.test(line));
        const status = member.end ?? JSON.stringify(await member.look())?.slice(0, 400) ?? 'no answer';
        return `--- ${member.name}, port ${member.port}, door ${member.door.port}: ${status}\n${lines.slice(-12).join('\n')}`;
      }),
    );
    return [`--- Redis: ${log}`, ...states];
  }

  // The actions of faults.

  async kill(member) {
    this.#ended(member);
    await member.kill();
  }

  async end(member) {
    const isHealthy = (await member.look())?.isHealthy;
    this.#ended(member);
    await member.close().catch((error) => {
      // A node that can't reach Redis may wait for it for some seconds.
      if (isHealthy) this.fail(error.message);
    });
  }

  async startLeader(member, also = {}) {
    const isStarted = await member.start('lead', { ...this.#leaderOptions(), ...also }, this.#patience(30));
    if (isStarted) this.#leader = member;
    else this.#log(`${member.name} did not start as leader: ${member.end ?? 'it waits'}`);
    return isStarted;
  }

  async killRedis() {
    await this.redis.kill();
    this.#lostData();
  }

  async flush() {
    await this.redis.flush();
    this.#lostData();
  }

  async promote(member) {
    const { result, error } = await member
      .ask('devnet_promote', [], { ms: this.#patience(25_000) })
      .catch((reason) => ({ error: { message: String(reason) } }));
    this.#log(`  promote ${member.name}: ${result ? `leads from ${result.position}` : error?.message}`);
    if (!result) return false;
    if (this.#leader !== member) this.#ledger.leaderChanged();
    this.#leader = member;
    return true;
  }

  async addLate() {
    const late = this.#members.find((member) => !member.isRunning) ?? (await this.#newMember());
    const isStarted = await late.start('follow', this.#followerOptions(), this.#patience(15));
    this.#log(`  late follower ${late.name}: ${isStarted ? 'came' : (late.end ?? 'it waits')}`);
  }

  async snapshot() {
    await this.#load.pause();
    try {
      const count = this.#ledger.entries.length;
      const { result: id } = await this.#leader.ask('evm_snapshot');
      return id && { id, count, leader: this.#leader };
    } catch {
      return undefined;
    } finally {
      this.#load.resume();
    }
  }

  async revert({ id, count, leader }) {
    if (leader !== this.#leader || !leader.canAnswer) return;
    await this.#load.pause();
    try {
      const { result } = await leader.ask('evm_revert', [id]);
      if (result === true) this.#ledger.goBack(count);
    } catch (error) {
      // Whether the chain went back isn't known.
      if (!(error instanceof Hangs)) this.#ledger.goBack(count);
    } finally {
      this.#load.resume();
    }
  }

  // Everything else.

  async #begin() {
    const random = this.#random;
    await this.redis.start();
    const mode = random.of(Object.keys(MODES));
    const prunes = random.chance(0.3) && this.#options.mayPrune;
    this.#chainOptions = {
      ...MODES[mode],
      snapshotInterval: random.of([10, 30, 300]),
      ...(prunes && { pruneHistory: PRUNED_TO }),
    };
    this.#log(
      `${JSON.stringify(this.#chainOptions)}; Redis ${this.redis.keeps ? 'keeps' : 'loses'} its data at an end`,
    );
    const leader = await this.#newMember();
    // A node that didn't start in time may have begun its chain already.
    await this.#startFirst(leader, (tries) => this.startLeader(leader, tries > 1 ? { newLog: true } : {}));
    const followers = [await this.#newMember(), await this.#newMember()];
    this.#reference = await this.#prepared('reference');
    const start = (follower) =>
      this.#startFirst(follower, () => follower.start('follow', this.#followerOptions(), this.#patience(30)));
    await Promise.all([...followers, this.#reference].map(start));
    this.#accounts = (await leader.call('eth_accounts')).slice(0, 5);
    this.#load = new Load(() => this.#members, {
      ledger: this.#ledger,
      random: this.#random,
      onFailure: (what) => this.fail(what),
    });
    this.#load.begin(this.#accounts);
    this.#watching = this.#watch();
  }

  /** @throws NotBegun */
  async #startFirst(member, start) {
    const until = runningTime() + this.#patience(FIRST_STARTS);
    for (let tries = 1; !(await start(tries)); tries++)
      if (runningTime() > until)
        throw new NotBegun(`${member.name} did not start: ${member.end ?? 'it waits'}`);
  }

  async #newMember() {
    const member = await this.#prepared(`node ${this.#members.length + 1}`);
    this.#members.push(member);
    return member;
  }

  async #prepared(name) {
    const { runner } = this.#options;
    const member = new Member(name, { runner, redisPort: this.redis.port, hang: this.#patience(HANG) });
    await member.prepare();
    return member;
  }

  get #limit() {
    return this.#options.redisTimeout ?? 5_000;
  }

  /** Scales a time limit by the slowness of the machine. */
  #patience(ms) {
    return Math.round(ms * this.#options.slowness);
  }

  #common() {
    const { redisTimeout } = this.#options;
    return redisTimeout === undefined ? {} : { redisTimeout };
  }

  #leaderOptions() {
    return { ...this.#chainOptions, ...this.#common() };
  }

  #followerOptions() {
    // A follower that is promoted needs the leader's interval; the other options are in the log.
    const { snapshotInterval } = this.#chainOptions;
    return { snapshotInterval, ...this.#common() };
  }

  #ended(member) {
    if (member !== this.#leader) return;
    this.#ledger.leaderChanged();
    // Positions that the leader had not written to Redis end with it: no node can be behind them.
    this.#seen = this.#seen.filter(({ isWritten }) => isWritten);
  }

  #lostData() {
    if (this.redis.losses > 0) this.#ledger.lost();
  }

  /** While faults happen, records which positions are in Redis. */
  async #watch() {
    let checkedLosses = 0;
    while (!this.#ends) {
      await sleep(WATCH);
      const before = performance.now();
      const leader = this.#leader;
      const seen = await leader?.look();
      if (seen?.role !== 'leader' || !seen.isHealthy) continue;
      this.#seen.push({ position: seen.position, at: seen.at, isWritten: seen.waiting === 0 });
      if (seen.waiting > 0 || !this.redis.isUp || leader !== this.#leader) continue;
      const { losses } = this.redis;
      if (losses > 0) {
        // After a loss Redis has again what the newest snapshot contains.
        const snapshot = await this.redis.newestSnapshot(CHAIN_ID).catch(() => undefined);
        if (snapshot && this.redis.losses === losses) {
          const { fence, task } = snapshot;
          this.#ledger.kept(`${fence}-${task}`, before);
        }
        checkedLosses = losses;
      } else if (checkedLosses === losses) this.#ledger.kept(seen.position, before);
    }
  }

  #choose(on) {
    const followers = this.#members.filter((member) => member.canAnswer && member !== this.#leader);
    if (/follower|promotion/.test(on)) return followers.length > 0 ? this.#random.of(followers) : undefined;
    return /leader/.test(on) ? this.#leader : this.#random.of(this.#members);
  }

  async #breakTwo(round) {
    const names = this.#options.plan(this.#random);
    const isLong = this.#random.chance(0.5);
    const lasts = isLong ? this.#limit + this.#patience(2_500) : this.#random.whole(300, 1_500);
    const apart = this.#random.whole(0, 800);
    this.#log(`round ${round + 1}: ${names.join(' + ')} (${apart} ms apart, for ${lasts} ms)`);
    const open = [];
    const leaderBefore = this.#leader;
    for (const [i, name] of names.entries()) {
      if (i > 0) await sleep(apart);
      const { on, begin, end } = FAULTS[name];
      const member = this.#choose(on);
      if (!member || (/restart the leader|link|door|stop/.test(`${name} ${on}`) && !member.isRunning))
        continue;
      if (on === 'redis' && !this.redis.isUp) continue;
      try {
        await begin({ cluster: this, member });
      } catch (error) {
        if (error instanceof Hangs) this.fail(error.message);
        else this.#log(`  ${name}: ${error.message}`);
      }
      if (end) open.push({ end, member, name });
    }
    await sleep(lasts);
    await this.#checkBroken({ names, isLong, leaderBefore });
    // As an operator on duty would do who sees that there is no leader.
    if (this.#random.chance(0.4)) await this.#replaceLeader();
    for (const { end, member, name } of open) {
      try {
        await end({ cluster: this, member });
      } catch (error) {
        this.#log(`  the end of ${name}: ${error.message}`);
      }
    }
  }

  /** During faults: a node that answers 200 at /healthz isn't stale, and at most one node leads. */
  async #checkBroken({ isLong }) {
    await this.#expectOneLeader();
    if (!isLong) return;
    const now = runningTime();
    const past = this.#seen.filter(({ at }) => at < now - this.#limit - this.#patience(2_000)).at(-1);
    if (!past) return;
    for (const member of this.#members) {
      const isHealthy = member.canAnswer && (await member.answersHealthy().catch(() => false));
      const seen = await member.look();
      if (
        isHealthy &&
        seen?.isHealthy &&
        seen.role === 'follower' &&
        !isAtLeast(seen.position, past.position)
      )
        this.fail(
          `${member.name} answers 200 at /healthz, and is at ${seen.position}, though the leader was at ${past.position} ` +
            `${Math.round(now - past.at)} ms ago`,
        );
    }
  }

  async #leaders() {
    const seen = await Promise.all(this.#members.map((member) => member.look()));
    return this.#members.filter((_, i) => seen[i]?.role === 'leader' && seen[i].isHealthy);
  }

  async #expectOneLeader() {
    for (const wait of [0, this.#patience(300), this.#limit]) {
      await sleep(wait);
      const leaders = await this.#leaders();
      if (leaders.length <= 1) return;
      if (wait === this.#limit)
        this.fail(`two nodes claim to lead: ${leaders.map(({ name }) => name).join(', ')}`);
    }
  }

  async #replaceLeader() {
    const leaders = await this.#leaders();
    if (leaders.length > 0 || !this.redis.isUp) return;
    const follower = this.#choose('promotion');
    if (follower) await this.promote(follower);
  }

  /** Acts as a supervisor and an operator would, until one node leads and all others follow. */
  async #mend() {
    if (!this.redis.isUp) await this.redis.start();
    const until = runningTime() + this.#patience(AGREE);
    let state = '';
    while (runningTime() < until && this.#failures.length === 0) {
      const seen = await Promise.all(this.#members.map((member) => member.look()));
      const leading = this.#members.filter((_, i) => seen[i]?.role === 'leader');
      const running = this.#members.filter((member) => member.isRunning);
      if (leading.length === 0 && !(await this.#findLeader(running))) return;
      if (leading.length === 1 && this.#leader !== leading[0]) {
        this.#ledger.leaderChanged();
        this.#leader = leading[0];
      }
      for (const member of [...this.#members, this.#reference])
        if (!member.isRunning && member !== this.#leader)
          await member.start('follow', this.#followerOptions(), this.#patience(15));
      const all = [...this.#members, this.#reference];
      const looks = await Promise.all(all.map((member) => member.look()));
      state = all
        .map(
          ({ name, end }, i) =>
            `${name}: ${looks[i] ? `${looks[i].role} ${looks[i].position} ${looks[i].problem ?? ''}` : (end ?? 'no answer')}`,
        )
        .join('; ');
      const leaders = looks.filter((look) => look?.role === 'leader' && look.isHealthy);
      const isWhole = looks.every((look) => look?.isHealthy);
      if (isWhole && leaders.length === 1 && (await this.#isLevel(all))) return;
      await sleep(WATCH);
    }
    if (this.#failures.length === 0)
      this.fail(`the nodes don't agree ${this.#patience(AGREE)} ms after all was mended: ${state}`);
  }

  /** @returns false if the chain is gone */
  async #findLeader(running) {
    // Former followers have the chain even if Redis has lost it.
    const old = this.#leader;
    const isPromoted = running.length > 0 && (this.redis.losses > 0 || this.#random.chance(0.5));
    if (isPromoted && (await this.promote(this.#random.of(running)))) return true;
    this.#ledger.leaderChanged();
    const again = old.isRunning ? this.#members.find((member) => !member.isRunning) : old;
    if (!again) return true;
    if (await this.startLeader(again)) {
      const isNew = /new chain/.test(again.said);
      if (isNew && this.#ledger.entries.some(({ isDurable }) => isDurable))
        this.fail(`${again.name} began a new chain, though Redis had the old one`);
      if (isNew) this.isGone = true;
      else if (!/goes on at block/.test(again.said))
        this.fail(`${again.name} does not say which chain it leads`);
      return !isNew;
    }
    if (running.length === 0 && /lost|no log|--new-log/.test(again.end ?? '')) {
      // No node has the chain, and the started node says so.
      this.isGone = true;
      if (this.redis.losses === 0)
        this.fail(`the chain is gone, though Redis has lost nothing: ${again.end}`);
      return false;
    }
    return true;
  }

  /** Whether all nodes reach the leader's position at the time of the call. */
  async #isLevel(all) {
    const leader = await this.#leader.look();
    for (let tries = 0; tries < 20; tries++) {
      const looks = await Promise.all(all.map((member) => member.look()));
      if (looks.every((look) => look && isAtLeast(look.position, leader?.position))) return true;
      await sleep(100);
    }
    return false;
  }

  /** Without faults: all nodes give equal responses, and all acknowledged writes are there. */
  async #check() {
    await this.#expectOneLeader();
    await this.#load.pause();
    const all = [...this.#members, this.#reference];
    // Waits until all nodes have executed the acknowledged writes.
    await this.#isLevel(all);
    for (let tries = 1; ; tries++) {
      try {
        await this.#compare(all);
        break;
      } catch (error) {
        // The chain grows meanwhile, and on a slow machine the compared blocks may have been pruned.
        const isRemoved = this.#chainOptions.pruneHistory !== undefined && error.code !== undefined;
        if (!isRemoved || tries === 4) throw error;
      }
    }
    for (const member of [this.#leader, this.#random.of(all)]) await this.#expectKept(member);
    this.#load.resume();
  }

  /** Checks that all nodes return the same data as the reference node. */
  async #compare(all) {
    const heads = await Promise.all(all.map(async (member) => Number(await member.call('eth_blockNumber'))));
    const head = Math.min(...heads);
    const subjects = {
      accounts: this.#accounts,
      addresses: this.#ledger.entries.map(({ address }) => address),
    };
    const [expected, ...views] = await Promise.all(
      [this.#reference, ...this.#members].map((member) => viewOf(member, head, subjects)),
    );
    for (const [i, member] of this.#members.entries()) {
      const difference = differenceOf(expected, views[i]);
      if (difference) this.fail(`${member.name} differs from the reference at block ${head}: ${difference}`);
    }
  }

  async #expectKept(member) {
    const missing = await this.#ledger.missing(member);
    if (missing.length === 0) return;
    const lost = missing.filter(({ isExcused }) => !isExcused);
    if (lost.length > 0)
      this.fail(
        `${member.name} lacks ${lost.length} acknowledged writes: ${JSON.stringify(lost[0])}, and its position is ` +
          `${(await member.look())?.position}`,
      );
    const excused = missing.filter(({ isExcused }) => isExcused);
    this.excused += excused.length;
    const told = [...this.#members].some(({ output, end }) => TOLD.test(output) || TOLD.test(end ?? ''));
    const alive = excused.filter(({ by }) =>
      this.#members.some(({ name, end }) => name === by && end !== 'SIGKILL'),
    );
    if (excused.length > 0 && !told && alive.length === excused.length && this.redis.losses === 0)
      this.#log(`  ${excused.length} writes lost with the leader`);
    // No node may claim a position that is lost.
    const [entry] = excused.filter(({ position }) => position);
    if (entry && parsed(entry.position).fence < parsed((await this.#leader.look())?.position).fence) {
      const { status } = await member.ask('eth_blockNumber', [], { position: entry.position });
      if (status === 200)
        this.fail(
          `${member.name} answers for position ${entry.position}, but lacks the write that was acknowledged with it: ${JSON.stringify(entry)}`,
        );
    }
    this.#ledger.entries = this.#ledger.entries.filter((one) => !excused.includes(one));
  }
}
