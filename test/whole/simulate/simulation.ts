import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { createNode, type Node } from '../../../src/boot/node.ts';
import type { ManualClock } from '../../../src/clock.ts';
import { DevnetError, ERRORS } from '../../../src/errors.ts';
import { type DevnetOptions, resolveOptions } from '../../../src/options/options.ts';
import { Promises } from '../../promises.ts';
import { StockChain } from '../../stock-chain.ts';
import { type Call, callsOf } from '../../wire.ts';
import { FaultyDisk } from './faulty-disk.ts';
import { FollowerLink } from './follower-link.ts';
import { Observer } from './observer.ts';
import type { Setting, Step, Transaction, Whose } from './steps.ts';

const START = 1_700_000_000;
const HARDFORK = 'prague';
const KEPT = 24;
const DEV_WRITTEN = '0x000000000000000000000000000000000000de00';
/** A step that takes so long, in ms, hangs. */
const HANG = 30_000;

const MODES: Readonly<Record<Setting['mode'], DevnetOptions>> = {
  flashblocks: { blockTime: 1, flashblockInterval: 200 },
  interval: { blockTime: 2, flashblockInterval: 0 },
  automine: { automine: true },
  mixed: { mixedMining: true, blockTime: 3 },
};

const TRANSACTIONS: Readonly<Record<Transaction, object>> = {
  transfer: { value: '0x7', gas: '0x5208' },
  wide: { data: `0x${'fe'.repeat(9_000)}`, gas: '0xf4240' },
  // PUSH1 0x2a, PUSH1 0, SSTORE, PUSH1 1, PUSH1 0, PUSH1 0, LOG1
  logs: { to: undefined, data: '0x602a600055600160006000a1', gas: '0x30d40' },
  // returns two bytes of code
  create: { to: undefined, data: '0x61600160005260026000f3', gas: '0x30d40' },
  fail: { to: undefined, data: '0xfe', gas: '0x186a0' },
};

/** A process of the simulation: a node over a disk that fails, which can be killed and started again. */
class Process {
  readonly #options: DevnetOptions;
  readonly #root: string;
  #lives = 0;
  disk = new FaultyDisk();
  node!: Node;
  /** what ended the chain */
  failure: unknown;

  constructor(root: string, options: DevnetOptions) {
    this.#root = root;
    this.#options = options;
  }

  get call(): Call {
    return callsOf(this.node);
  }

  get clock(): ManualClock {
    return this.node.clock as ManualClock;
  }

  get #dir(): string {
    return join(this.#root, `${this.#lives}`);
  }

  async start(): Promise<void> {
    this.failure = undefined;
    this.disk = new FaultyDisk();
    const config = resolveOptions({ ...this.#options, dataDir: this.#dir });
    const onFatal = (error: unknown) => {
      this.failure = error;
    };
    this.node = await createNode(config, { version: '0', disk: this.disk, onFatal });
  }

  /** Ends the process without a warning; what it has written is there for the next one. */
  async kill(): Promise<void> {
    this.disk.die();
    const { node } = this;
    const dir = this.#dir;
    this.#lives++;
    // LevelDB's own thread is at rest once no batch is under way.
    await new Promise((resolve) => setImmediate(resolve));
    cpSync(dir, this.#dir, { recursive: true, filter: (path) => !path.endsWith('LOCK') });
    await node.close().catch(() => {});
    rmSync(dir, { recursive: true, force: true });
  }
}

/** A node, its follower, clients and disks on one clock, driven step by step. */
export class Simulation {
  readonly #root = mkdtempSync(join(tmpdir(), 'devnet-simulate-'));
  readonly #setting: Setting;
  readonly #sequencer: Process;
  readonly #follower: Process | undefined;
  readonly #promises = new Promises();
  #link: FollowerLink | undefined;
  #observer!: Observer;
  #stock: StockChain | undefined;
  #snapshot: { id: string; number: bigint } | undefined;

  private constructor(setting: Setting) {
    this.#setting = setting;
    const common: DevnetOptions = {
      hardfork: HARDFORK,
      timestamp: START,
      manualClock: true,
      seed: 'simulation',
    };
    const { fsync } = setting;
    this.#sequencer = new Process(join(this.#root, 'sequencer'), {
      ...common,
      fsync,
      ...MODES[setting.mode],
      ...(setting.prune && { pruneHistory: KEPT }),
    });
    if (!setting.writes)
      this.#follower = new Process(join(this.#root, 'follower'), { ...common, fsync, noMining: true });
  }

  static async begin(setting: Setting): Promise<Simulation> {
    const simulation = new Simulation(setting);
    await simulation.#follower?.start();
    await simulation.#sequencer.start();
    simulation.#attach(simulation.#sequencer);
    return simulation;
  }

  /** Lets a step happen, and checks all that must be true after it. */
  async step(step: Step): Promise<void> {
    await inTime(this.#do(step), JSON.stringify(step));
    await this.#settle();
    await inTime(this.#check(), 'the checks');
  }

  /**
   * Mends all that is broken: the follower must then agree, and all blocks be what EthereumJS makes of them.
   * @returns the last block, and the chain time that passed
   */
  async end(): Promise<{ readonly hash: string; readonly seconds: number }> {
    if (this.#link) {
      this.#link.isHeld = false;
      this.#link.failing = 0;
      this.#link.cut();
    }
    await this.#settle();
    await this.#check();
    await this.#executeAgain();
    const { hash, timestamp } = await this.#sequencer.call('eth_getBlockByNumber', 'latest', false);
    return { hash, seconds: Number(timestamp) - START };
  }

  async close(): Promise<void> {
    this.#detach(this.#sequencer);
    for (const process of [this.#sequencer, this.#follower]) await process?.node.close().catch(() => {});
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #do(step: Step): Promise<void> {
    const { call } = this.#sequencer;
    switch (step.do) {
      case 'together':
        await Promise.all(step.steps.map((one) => this.#do(one)));
        return;
      case 'send':
        return this.#send(step);
      case 'advance':
        return this.#sequencer.clock.advance(step.ms);
      case 'dev':
        return this.#dev(step);
      case 'read':
        return this.#read(step.what);
      case 'snapshot': {
        const number = BigInt(await call('eth_blockNumber'));
        const id = await this.#tried('evm_snapshot');
        this.#snapshot = id && { id, number };
        return;
      }
      case 'revert': {
        const { id, number } = this.#snapshot ?? {};
        if (id === undefined) return;
        this.#snapshot = undefined;
        return this.#promises.takeBack(number!, () => this.#tried('evm_revert', id));
      }
      case 'rollback':
      case 'reorg': {
        const head = BigInt(await call('eth_blockNumber'));
        const method = step.do === 'reorg' ? 'devnet_reorg' : 'anvil_rollback';
        const to = head - BigInt(step.depth);
        return this.#promises.takeBack(to, () => this.#tried(method, `0x${step.depth.toString(16)}`));
      }
      case 'disk':
        this.#process(step.whose)?.disk.fail(step.fault);
        return;
      case 'slow disk': {
        const process = this.#process(step.whose);
        if (process) process.disk.delay = step.turns;
        return;
      }
      case 'kill':
        this.#process(step.whose)?.disk.die();
        return;
      case 'restart': {
        const process = this.#process(step.whose);
        if (!process || process.disk.hasFailed) return;
        this.#detach(process);
        await process.node.close().catch((error: unknown) => {
          if (!process.disk.hasFailed) throw error;
        });
        if (process.disk.hasFailed) return;
        await process.start();
        this.#attach(process);
        return;
      }
      case 'link':
        return this.#connection(step.what);
    }
  }

  async #send({ from, what, to }: Step & { do: 'send' }): Promise<void> {
    const accounts = this.#sequencer.node.accounts.map(({ address }) => address.toString());
    const transaction = { from: accounts[from], to: `0x${(to + 1).toString(16).padStart(40, 'c')}` };
    await this.#tried('eth_sendTransaction', { ...transaction, ...TRANSACTIONS[what] });
  }

  async #dev({ what, amount }: Step & { do: 'dev' }): Promise<void> {
    const hex = `0x${amount.toString(16)}`;
    switch (what) {
      case 'balance': {
        if (!this.#setting.writes) return;
        // The write of a disk that fails may be there or not.
        const write = this.#sequencer.call('anvil_setBalance', DEV_WRITTEN, hex);
        return this.#promises
          .balance(DEV_WRITTEN, hex, () => write)
          .catch((error) => this.#expectDead(error));
      }
      case 'mine':
        return void (await this.#tried('anvil_mine', `0x${(amount % 5).toString(16)}`));
      case 'time':
        return void (await this.#tried('evm_increaseTime', amount * amount));
      case 'skip':
        return void (await this.#tried('devnet_skipFlashblocks', amount % 4));
      case 'delay':
        return void (await this.#tried('devnet_delaySeal', amount));
      case 'drop': {
        const { transactions } = await this.#sequencer.call('eth_getBlockByNumber', 'pending', false);
        const hash = transactions[amount % (transactions.length || 1)];
        return void (hash && (await this.#tried('devnet_dropPreconfirmed', hash)));
      }
      case 'mode':
        return void (await this.#tried('evm_setIntervalMining', 1 + (amount % 3)));
    }
  }

  async #read(what: (Step & { do: 'read' })['what']): Promise<void> {
    const calls = [{ to: `0x${'cc'.repeat(20)}`, value: '0x0' }];
    if (what === 'simulate') await this.#tried('eth_simulateV1', { blockStateCalls: [{ calls }] }, 'pending');
    if (what === 'trace') await this.#tried('debug_traceBlockByNumber', 'latest', { tracer: 'callTracer' });
    if (what === 'logs') await this.#tried('eth_getLogs', { fromBlock: 'earliest', toBlock: 'pending' });
  }

  #connection(what: (Step & { do: 'link' })['what']): void {
    const link = this.#link;
    if (!link) return;
    if (what === 'lose') link.lose();
    if (what === 'repeat') link.repeat();
    if (what === 'hold') link.isHeld = true;
    if (what === 'release') link.isHeld = false;
    if (what === 'cut') link.cut();
    if (what === 'fail requests') link.failing++;
  }

  /** A call that may be refused, but never fails for a reason of the node's own. @returns undefined if refused */
  async #tried(method: string, ...params: unknown[]) {
    try {
      return await this.#sequencer.call(method, ...params);
    } catch (error) {
      this.#expectDead(error);
      return undefined;
    }
  }

  /** An error is a documented one; -32603 only where the disk has failed. */
  #expectDead(error: unknown): void {
    if (this.#sequencer.disk.hasFailed) return;
    if (!(error instanceof DevnetError) || error.code === ERRORS.internal.code) throw error;
  }

  #process(whose: Whose): Process | undefined {
    return whose === 'sequencer' ? this.#sequencer : this.#follower;
  }

  /** Starts what has died, and delivers what waits for the follower. */
  async #settle(): Promise<void> {
    const { call } = this.#sequencer;
    if (this.#sequencer.disk.hasFailed) {
      // Reads are answered from what was written, until the chain is closed: the disk may have failed in that.
      await call('eth_getBlockByNumber', 'latest', true).catch((error: unknown) => {
        if (!(error instanceof DevnetError && error.kind === 'disconnected')) throw error;
      });
      await this.#again(this.#sequencer);
      this.#snapshot = undefined;
    }
    const follower = this.#follower;
    if (!follower) return;
    const deliver = async () => {
      await this.#link!.deliver(() => follower.disk.hasFailed).catch(() => {});
      return follower.disk.hasFailed;
    };
    while (await inTime(deliver(), 'the follower')) await this.#again(follower);
    expect(follower.failure, 'the failure of the follower').toBeUndefined();
  }

  async #again(process: Process): Promise<void> {
    this.#detach(process);
    await process.kill();
    await process.start();
    this.#attach(process);
    if (process === this.#sequencer)
      await this.#promises.expectKept(process.call, this.#first(await process.call('eth_blockNumber')));
  }

  #first(head: string): bigint {
    return this.#setting.prune ? BigInt(head) - BigInt(KEPT) + 1n : 0n;
  }

  /** Begins to listen to a process that was started. */
  #attach(process: Process): void {
    const { node } = this.#sequencer;
    if (process === this.#sequencer) this.#observer = new Observer(node, this.#promises);
    if (this.#follower) this.#link = new FollowerLink({ sequencer: node, follower: this.#follower.node });
  }

  #detach(process: Process): void {
    if (process === this.#sequencer) this.#observer.close();
    this.#link?.close();
  }

  async #check(): Promise<void> {
    expect(this.#sequencer.failure, 'the failure of the chain').toBeUndefined();
    await this.#observer.check();
    if (this.#setting.prune) await this.#executeAgain();
    const [link, follower] = [this.#link, this.#follower];
    if (!link || !follower || link.isHeld || link.isBehind) return;
    expect(link.mismatches).toEqual([]);
    const blocks = async (call: Call, tag: string) => [
      await call('eth_getBlockByNumber', tag, true),
      await call('eth_getBlockReceipts', tag),
    ];
    // Without pre-confirmation each of them dates the next block by its own clock.
    const preconfirms = this.#sequencer.node.sequencer.published.length > 0;
    for (const tag of link.isComplete && preconfirms ? ['latest', 'pending'] : ['latest'])
      expect(await blocks(follower.call, tag), `the follower's ${tag} block`).toEqual(
        await blocks(this.#sequencer.call, tag),
      );
  }

  async #executeAgain(): Promise<void> {
    const { call, node } = this.#sequencer;
    this.#stock ??= await StockChain.begin(call, {
      hardfork: HARDFORK,
      accounts: node.accounts.map(({ address }) => address),
      written: { addresses: [DEV_WRITTEN], slots: [] },
    });
    await this.#stock.catchUp(call);
  }
}

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what}: it hangs`)), HANG);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
