import { setImmediate } from 'node:timers/promises';
import { devAccounts } from '../../src/accounts.ts';
import { openChainStore } from '../../src/boot/chain-store.ts';
import { Chain } from '../../src/chain/chain.ts';
import { type Clock, ManualClock, type Task } from '../../src/clock.ts';
import { EthereumjsEngine } from '../../src/engine/ethereumjs/ethereumjs-engine.ts';
import { TransactionDecoder } from '../../src/mempool/decode.ts';
import { Mempool } from '../../src/mempool/mempool.ts';
import { signTransaction } from '../../src/mempool/sign.ts';
import { type DevnetOptions, resolveOptions } from '../../src/options/options.ts';
import { chooseCrypto } from '../../src/protocol/crypto.ts';
import { singleHardfork } from '../../src/protocol/hardfork.ts';
import type { Message } from '../../src/protocol/types.ts';
import { ChainTime } from '../../src/sequencer/chain-time.ts';
import { CurrentTask } from '../../src/sequencer/current-task.ts';
import { Feed } from '../../src/sequencer/feed/feed.ts';
import type { Cause } from '../../src/sequencer/inputs.ts';
import { Assembler } from '../../src/sequencer/mining/assembler.ts';
import { Sequencer } from '../../src/sequencer/sequencer.ts';
import { Settings, seedOf } from '../../src/sequencer/settings.ts';
import { TaskClock } from '../../src/sequencer/task-clock.ts';
import { GENESIS, GWEI } from './start-chain.ts';

/** A clock as the system's may be: it stands, or jumps over what was due. */
export class JumpingClock implements Clock {
  #now: number;
  /** milliseconds that each look at {@link precise} takes */
  perLook = 0;
  readonly #timers = new Set<{ due: number; task: Task }>();

  constructor(start: number) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  precise(): number {
    this.#now += this.perLook;
    return this.#now;
  }

  /** Moves time on, as work does: no timer runs. */
  pass(ms: number): void {
    this.#now += ms;
  }

  after(ms: number, task: Task): Disposable {
    const timer = { due: this.#now + ms, task };
    this.#timers.add(timer);
    return { [Symbol.dispose]: () => this.#timers.delete(timer) };
  }

  every(): Disposable {
    throw new Error('not used');
  }

  /** As when somebody sets the system's time: timers run on. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const timer of this.#timers) timer.due -= ms;
  }

  /** Moves time on at once, then runs what is due now, and what that made due, until nothing is. */
  async jump(ms: number): Promise<void> {
    this.#now += ms;
    for (;;) {
      const due = [...this.#timers].find((timer) => timer.due <= this.#now);
      if (!due) return;
      this.#timers.delete(due);
      await due.task();
    }
  }
}

/** A sequencer and what it needs, each part open to a test. */
export async function bareSequencer(options: DevnetOptions = {}, start = Number(GENESIS) * 1000) {
  const config = resolveOptions({ timestamp: GENESIS, baseFee: GWEI, ...options });
  const crypto = await chooseCrypto();
  const schedule = singleHardfork(config.chainId, config.hardfork, crypto);
  const { accounts: count, mnemonic, derivationPath: path } = config;
  const accounts = devAccounts({ mnemonic, path, count }, crypto);
  const decoder = new TransactionDecoder({ transactionGasCap: false });
  const clock = new JumpingClock(start);
  const { store } = await openChainStore(config, {
    schedule,
    accounts: accounts.map(({ address }) => address),
    decoder,
    now: () => clock.now(),
    version: 'test',
  });
  const chain = new Chain({ slotsInAnEpoch: 32n }, { store });
  const time = new ChainTime({ offset: 0, allowEqual: config.allowEqualTimestamps }, { clock });
  const engine = new EthereumjsEngine({ schedule, crypto });
  const mempool = new Mempool();
  const { coinbase, gasLimit, extraData } = config;
  const settings = new Settings({ seed: seedOf('test'), every: { coinbase, gasLimit, extraData } }, { time });
  const listenerErrors: unknown[] = [];
  const feed = new Feed({ onError: (error) => listenerErrors.push(error) });
  const fatal: unknown[] = [];
  const tasks: { readonly cause: Cause; readonly at: number }[] = [];
  const wall = new ManualClock();
  const current = new CurrentTask();
  const assembler = new Assembler(
    { order: config.order, gasCap: false, maxTransactions: config.maxTransactions },
    { chain, engine, mempool, settings, current, wall, feed, pause: () => setImmediate() },
  );
  const sequencer = new Sequencer(
    {
      mode: config.mining,
      minGasPrice: 0n,
    },
    {
      assembler,
      chain,
      engine,
      mempool,
      settings,
      clock: new TaskClock({ clock }),
      reserves: true,
      current,
      wall,
      feed,
      inputs: {
        began: (cause, at) => tasks.push({ cause, at }),
        ended: () => {},
        ticked: () => {},
        admitted: () => {},
        expired: () => {},
        refused: () => {},
        leftOut: () => {},
        dropped: () => {},
        logsHead: false,
      },
      end: new AbortController(),
      onFatal: (error) => fatal.push(error),
    },
  );
  await sequencer.start();
  return {
    accounts,
    chain,
    clock,
    engine,
    fatal,
    feed,
    listenerErrors,
    mempool,
    sequencer,
    tasks,
    wall,
    settings,
    store,
    time,
    /** A signed transfer of 1 wei. */
    transfer: (from: number, nonce: bigint, fields: Partial<Message> = {}) =>
      signTransaction(
        {
          type: 2,
          from: accounts[from]!.address,
          to: accounts[9]!.address,
          nonce,
          gasLimit: 21_000n,
          maxFeePerGas: 10n * GWEI,
          maxPriorityFeePerGas: GWEI,
          value: 1n,
          data: new Uint8Array(),
          accessList: [],
          ...fields,
        },
        accounts[from]!,
        decoder.commonFor(schedule.at(0n, 0n).common),
      ),
    [Symbol.asyncDispose]: async () => {
      await sequencer.stop();
      await store.close();
    },
  };
}
