import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createAddressFromString } from '@ethereumjs/util';
import { expect } from 'vitest';
import { DataDirError } from '../../../../src/chain/store/data-dir-error.ts';
import { createDevnet, type Devnet } from '../../../../src/index.ts';
import { replayRecording } from '../../../../src/replay/replay-recording.ts';
import { Promises } from '../../../promises.ts';
import type { Random } from '../../../random.ts';
import { StockChain } from '../../../stock-chain.ts';
import { callsOf } from '../../../wire.ts';
import { type DevnetProcess, type ProcessOptions, rpc, type UseUntilDead } from '../devnet-process.ts';
import { harm, tear } from './damage.ts';
import { type LoadOptions, prepare, useUntilDead, WRITTEN } from './load.ts';

const KEPT = 300n;
const HARDFORK = 'prague';
/** A process that neither answers nor ends for so long, in ms, hangs. */
const HANG = 60_000;

const MODES = [
  ['--block-time', '0.4', '--flashblock-interval', '50'],
  ['--block-time', '0.2', '--flashblock-interval', '0'],
  ['--automine'],
  ['--mixed-mining', '--block-time', '0.3'],
] as const;

/** How a round ends the process. */
export const WAYS = [
  'load',
  'flashblock',
  'seal',
  'start',
  'shutdown',
  'full disk',
  'read-only disk',
  'slow disk',
  'torn write',
  'damage',
] as const;
export type Way = (typeof WAYS)[number];

type Run = (args: readonly string[], options?: ProcessOptions) => DevnetProcess;

/** A chain that is killed again and again, and what it promised until then. */
export class Life {
  readonly #dir: string;
  readonly #run: Run;
  /** of the round */
  #random: Random;
  readonly #args: readonly string[];
  readonly #promises = new Promises();
  readonly #pruned: boolean;
  #stock: StockChain | undefined;
  /** number of the newest block that was executed again */
  #checked = 0n;

  /** @param options.dir for this chain alone; holds the data directory and copies of it */
  constructor({ dir, random }: { dir: string; random: Random }, { run }: { run: Run }) {
    this.#dir = dir;
    this.#run = run;
    this.#random = random;
    this.#pruned = random.chance(0.4);
    this.#args = [
      ...random.pick(MODES),
      ...(this.#pruned ? ['--prune-history', `${KEPT}`] : []),
      ...(random.chance(0.2) ? ['--fsync'] : []),
      ...(random.chance(0.3) ? ['--record', this.#recording] : []),
      ...['--hardfork', HARDFORK, '--data-dir', this.#data, '--port', '0'],
    ];
    mkdirSync(dir, { recursive: true });
  }

  /** What the command was started with. */
  get args(): readonly string[] {
    return this.#args;
  }

  get #data(): string {
    return join(this.#dir, 'data');
  }

  get #recording(): string {
    return join(this.#dir, 'recording');
  }

  /** Uses the chain, ends it, and checks what it left. */
  async round(way: Way, random: Random): Promise<void> {
    this.#random = random;
    await this.#ways[way]();
    await this.#expectWhole();
  }

  readonly #ways: Readonly<Record<Way, () => Promise<void>>> = {
    load: async () => {
      const { running, using } = await this.#use();
      await this.#last(this.#random.below(800));
      await this.#kill(running, using);
    },
    flashblock: () => this.#killAt('flashblock'),
    seal: () => this.#killAt('seal'),
    start: async () => {
      const running = this.#run(this.#args);
      await Promise.race([sleep(this.#random.below(500)), running.exited]);
      expect(running.child.exitCode, running.stderr).toBeNull();
      await running.kill('SIGKILL');
    },
    shutdown: async () => {
      const { running, using } = await this.#use();
      await sleep(this.#random.below(300));
      running.child.kill('SIGTERM');
      await sleep(this.#random.below(120));
      await this.#kill(running, using);
    },
    'full disk': async () => {
      const small = this.#random.chance(0.5) ? this.#mountSmall() : undefined;
      // Files that are larger already stay so: what grows is a log, up to a MiB.
      const options = small ? {} : { fileLimit: 40 + this.#random.below(1500) };
      try {
        await this.#useUntilRefused(options, /EFBIG|File too large|ENOSPC|No space left/);
      } finally {
        small?.unmount();
      }
    },
    'read-only disk': async () => {
      await this.#useUntilRefused(this.#faulty(`readonly:${1 + this.#random.below(200)}`), /EROFS/);
    },
    'slow disk': async () => {
      const { running, using } = await this.#use(this.#faulty('slow:15'));
      await this.#last(this.#random.below(1500));
      await this.#kill(running, using);
    },
    'torn write': async () => {
      await this.#ways.load();
      tear(this.#data, this.#random);
    },
    damage: async () => {
      await this.#ways.load();
      await this.#expectRepaired();
    },
  };

  /** Kills the process when something is announced, or shortly after. */
  async #killAt(awaited: 'flashblock' | 'seal'): Promise<void> {
    let tell = () => {};
    const { running, using } = await this.#use({}, (kind) => kind === awaited && tell());
    await sleep(this.#random.below(400));
    // In some modes it is never announced.
    await Promise.race([new Promise<void>((resolve) => (tell = resolve)), sleep(1_000)]);
    if (this.#random.chance(0.7)) await sleep(this.#random.below(6));
    await this.#kill(running, using);
  }

  async #use(
    options: ProcessOptions = {},
    onAnnounced: LoadOptions['onAnnounced'] = () => {},
  ): Promise<{ running: DevnetProcess; using: UseUntilDead }> {
    const random = this.#random;
    const load = { random, goesBack: random.chance(0.4), heavy: random.chance(0.25), onAnnounced };
    const running = this.#run(this.#args, options);
    const using = await this.#start(running, load);
    return { running, using };
  }

  async #start(running: DevnetProcess, load: LoadOptions): Promise<UseUntilDead> {
    const url = await inTime(running.listening(), 'the start');
    await prepare(url);
    return useUntilDead(url, await rpc(url, 'eth_accounts'), load, this.#promises);
  }

  async #kill(running: DevnetProcess, using: UseUntilDead): Promise<void> {
    await running.kill('SIGKILL');
    await inTime(using.over, 'the end of all requests');
    expect(running.stderr).toBe('');
  }

  /** Uses the chain until the disk refuses a write: it must end with an error that says so. */
  async #useUntilRefused(options: ProcessOptions, reason: RegExp): Promise<void> {
    let using: UseUntilDead | undefined;
    const running = this.#run(this.#args, options);
    try {
      using = await this.#start(running, { random: this.#random, goesBack: false, heavy: true });
    } catch {
      // The disk may be full already when the chain starts.
    }
    const code = await Promise.race([running.exited, this.#last(6_000)]);
    // The limit may not be reached in this time.
    if (code === undefined) await running.kill('SIGKILL');
    else {
      expect(code, running.stderr).toBe(1);
      expect(running.stderr).toMatch(reason);
    }
    if (using) await inTime(using.over, 'the end of all requests');
  }

  /** Puts the data directory on a disk of little size, where this user may. */
  #mountSmall(): { unmount: () => void } | undefined {
    const aside = join(this.#dir, 'aside');
    mkdirSync(this.#data, { recursive: true });
    cpSync(this.#data, aside, { recursive: true });
    const size = (readdirSync(aside, { recursive: true }) as string[]).reduce(
      (sum, name) => sum + statSync(join(aside, name)).size,
      100_000 + this.#random.below(4 * 2 ** 20),
    );
    const mount = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', this.#data]);
    if (mount.status !== 0) {
      rmSync(aside, { recursive: true });
      return undefined;
    }
    cpSync(aside, this.#data, { recursive: true });
    rmSync(aside, { recursive: true });
    return {
      unmount: () => {
        cpSync(this.#data, aside, { recursive: true });
        execFileSync('umount', [this.#data]);
        rmSync(this.#data, { recursive: true });
        renameSync(aside, this.#data);
      },
    };
  }

  #faulty(fault: string): ProcessOptions {
    const preload = join(import.meta.dirname, 'faulty-disk.cjs');
    return { env: { DISK_FAULT: fault, NODE_OPTIONS: `--require ${preload}` } };
  }

  /** What was promised is there, and every block is what EthereumJS's VM makes of it. */
  async #expectWhole(): Promise<void> {
    // The first start was killed: no chain has begun yet.
    if (!this.#promises.hasAny && !existsSync(join(this.#data, 'last-batch'))) return;
    const copy = this.#copy('copy');
    await this.#withChain({ dataDir: copy }, async (node) => {
      await this.#expectKept(node);
      await this.#executeAgain(node);
    });
    rmSync(copy, { recursive: true, force: true });
  }

  /** What was promised is there, but for blocks that may have been pruned. */
  async #expectKept(node: Devnet): Promise<void> {
    const call = callsOf(node);
    const head = BigInt(await call('eth_blockNumber'));
    await this.#promises.expectKept(call, this.#pruned ? head - KEPT + 1n : 0n);
  }

  /** What was recorded until the last kill comes out the same once more. */
  async expectReplayable(): Promise<void> {
    if (!existsSync(this.#recording)) return;
    const outcome = await replayRecording(this.#recording);
    expect(outcome, 'the recording, run again').toMatchObject({ pass: true });
  }

  async #executeAgain(node: Devnet): Promise<void> {
    const call = callsOf(node);
    this.#stock ??= await StockChain.begin(call, {
      hardfork: HARDFORK,
      accounts: node.accounts.map(({ address }) => createAddressFromString(address)),
      written: WRITTEN,
    });
    for (const block of await this.#stock.catchUp(call)) {
      const receipts = await call('eth_getBlockReceipts', `0x${block.header.number.toString(16)}`);
      expect(receipts).toHaveLength(block.transactions.length);
    }
    this.#checked = BigInt(await call('eth_blockNumber'));
  }

  /** Harms a copy: it must be found out or lose nothing, and a repair that is killed can be begun again. */
  async #expectRepaired(): Promise<void> {
    const copy = this.#copy('harmed');
    const harmed = harm(copy, this.#random);
    try {
      await this.#withChain({ dataDir: copy }, (node) => this.#expectKept(node));
    } catch (error) {
      if (!isDamaged(error)) throw new Error(`${harmed}`, { cause: error });
      const elsewhere = new Map([
        [this.#data, copy],
        [this.#recording, join(copy, 'recording')],
      ]);
      const args = this.#args.map((arg) => elsewhere.get(arg) ?? arg);
      const repairing = this.#run([...args, '--repair']);
      await sleep(this.#random.below(600));
      await repairing.kill('SIGKILL');
      try {
        await this.#withChain({ dataDir: copy, repair: true }, (node) => this.#executeAgain(node));
      } catch (second) {
        if (!isDamaged(second)) throw new Error(`${harmed}, repaired`, { cause: second });
      }
    }
    rmSync(copy, { recursive: true, force: true });
  }

  /** Waits so many ms, or until the chain would remove blocks that are to be executed again yet. */
  async #last(ms: number): Promise<void> {
    const most = this.#checked + KEPT - 50n;
    for (const end = performance.now() + ms; performance.now() < end; await sleep(2))
      if (this.#pruned && this.#promises.reached > most) return;
  }

  #copy(name: string): string {
    const copy = join(this.#dir, name);
    cpSync(this.#data, copy, { recursive: true });
    return copy;
  }

  async #withChain(options: { dataDir: string; repair?: boolean }, use: (node: Devnet) => Promise<void>) {
    const node = await createDevnet({ ...options, hardfork: HARDFORK, noMining: true });
    try {
      await use(node);
    } finally {
      await node.close();
    }
  }
}

function isDamaged(error: unknown): boolean {
  return error instanceof DataDirError && error.code === 'damaged';
}

async function inTime<T>(promise: Promise<T>, what: string): Promise<T> {
  const late = sleep(HANG, undefined, { ref: false }).then(() => {
    throw new Error(`${what}: nothing for ${HANG / 1000} s`);
  });
  return Promise.race([promise, late]);
}
