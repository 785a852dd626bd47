import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bytesToHex } from '@ethereumjs/util';
import { describe, expect, it, vi } from 'vitest';
import { SystemClock } from '../../src/clock.ts';
import { DevnetError } from '../../src/errors.ts';
import { replayRecording } from '../../src/replay/replay-recording.ts';
import { CurrentTask } from '../../src/sequencer/current-task.ts';
import { BOB, startChain, type TestChain } from './start-chain.ts';

const CODE = '0x60006000f3';

/** Time of a call here, milliseconds: none is over unless the test says so, however busy the machine is. */
const RPC_TIMEOUT = 1_000_003;

/** Lets the time of calls pass by hand, until it is disposed of. */
class MovedDeadlines implements Disposable {
  #moved = 0;
  #due: (() => void)[] = [];
  readonly #spies: { mockRestore(): void }[];

  constructor() {
    const { after, now } = SystemClock.prototype;
    const movedNow = () => this.#moved;
    const keep = (task: () => void) => this.#due.push(task);
    this.#spies = [
      vi.spyOn(SystemClock.prototype, 'now').mockImplementation(function (this: SystemClock) {
        return now.call(this) + movedNow();
      }),
      vi.spyOn(SystemClock.prototype, 'after').mockImplementation(function (
        this: SystemClock,
        ms,
        task,
        options,
      ) {
        if (ms === RPC_TIMEOUT) keep(task);
        return after.call(this, ms, task, options);
      }),
    ];
  }

  /** The time of all calls that have begun is over. */
  pass(): void {
    this.#moved += RPC_TIMEOUT;
    for (const task of this.#due.splice(0)) task();
  }

  [Symbol.dispose](): void {
    for (const spy of this.#spies) spy.mockRestore();
  }
}

/** What a call may change, read without waiting. */
async function stateOf({ node, call, accounts }: TestChain) {
  const { latest } = node.chain;
  return {
    head: bytesToHex(latest.hash),
    root: bytesToHex(latest.state.root),
    mode: node.sequencer.mode,
    pool: await call('txpool_content'),
    pending: await call('eth_getBlockByNumber', 'pending', false),
    nonce: await call('eth_getTransactionCount', accounts[0], 'pending'),
    automine: await call('hardhat_getAutomine'),
    interval: await call('anvil_getIntervalMining'),
  };
}

/** Runs calls while something else is under way, until the time of all is over. */
async function whileBusy(
  { node }: TestChain,
  deadlines: MovedDeadlines,
  calls: () => readonly Promise<unknown>[],
): Promise<unknown[]> {
  let release = () => {};
  const busy = node.sequencer.inTurn('outside', () => new Promise<void>((resolve) => (release = resolve)));
  const answering = Promise.allSettled(calls());
  await new Promise((turn) => setImmediate(turn));
  deadlines.pass();
  const answers = await answering;
  release();
  await busy;
  await node.sequencer.settled();
  return answers.map((answer) => (answer.status === 'rejected' ? answer.reason.kind : answer.value));
}

describe('a call whose time is over before its turn', () => {
  it('leaves nothing, whatever the method, and its recording replays', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'devnet-'));
    using deadlines = new MovedDeadlines();
    try {
      for (const options of [{ automine: true }, { noMining: true }, {}]) {
        const record = join(dir, `${Object.keys(options)}.jsonl`);
        let head: string;
        {
          await using chain = await startChain({ ...options, record, rpcTimeout: RPC_TIMEOUT });
          const { accounts, call, node } = chain;
          const dump = await call('anvil_dumpState');
          await chain.send();
          await call('evm_mine');
          await call('evm_mine');
          const snapshot = await call('evm_snapshot');
          const raw = await call('eth_signTransaction', {
            from: accounts[1],
            to: BOB,
            gas: '0x5208',
            nonce: '0x0',
            gasPrice: '0x3b9aca00',
          }).catch(() => undefined);
          const before = await stateOf(chain);
          const methods: (readonly [string, ...unknown[]])[] = [
            ['evm_mine'],
            ['hardhat_mine', '0x3'],
            ['anvil_mine', '0x7d0'],
            ['evm_mine_detailed', { blocks: 2 }],
            ['anvil_setBalance', BOB, '0x5'],
            ['anvil_addBalance', BOB, '0x5'],
            ['anvil_setCode', BOB, CODE],
            ['anvil_setNonce', accounts[0], '0x9'],
            ['anvil_setStorageAt', BOB, '0x0', `0x${'11'.repeat(32)}`],
            ['anvil_setCoinbase', BOB],
            ['evm_setBlockGasLimit', '0x1000000'],
            ['evm_increaseTime', 100],
            ['anvil_setTime', 1_800_000_000],
            ['evm_setNextBlockTimestamp', 1_800_000_000],
            ['anvil_setNextBlockBaseFeePerGas', '0x5'],
            ['anvil_setBlockTimestampInterval', 5],
            ['evm_revert', snapshot],
            ['anvil_rollback', 1],
            ['anvil_reorg', 1],
            ['devnet_reorg', 1],
            ['anvil_reset'],
            ['anvil_loadState', dump],
            ['anvil_dropAllTransactions'],
            ['evm_setIntervalMining', 7],
            ['evm_setAutomine', node.sequencer.mode.kind !== 'automine'],
          ];
          // In the other modes a transaction is admitted without waiting for a turn.
          if ('automine' in options) {
            methods.push(['eth_sendTransaction', { from: accounts[0], to: BOB, value: '0x1' }]);
            methods.push([
              'eth_sendTransaction',
              { from: accounts[0], to: BOB, nonce: '0x1', gas: '0x5208' },
            ]);
            if (raw) methods.push(['eth_sendRawTransaction', raw], ['eth_sendRawTransactionSync', raw]);
          }
          const answers = await whileBusy(chain, deadlines, () =>
            methods.map(([name, ...params]) => call(name, ...params)),
          );
          expect(answers).toEqual(methods.map(() => 'timedOut'));
          expect(await stateOf(chain)).toEqual(before);
          // The snapshot is still there.
          expect(await call('evm_revert', snapshot)).toBe(true);
          expect(await stateOf(chain)).toEqual(before);
          head = before.head;
        }
        expect(await replayRecording(record)).toMatchObject({ pass: true, lastblockhash: head });
      }
    } finally {
      rmSync(dir, { recursive: true });
    }
  });
});

describe('a call whose time is over while its task runs', () => {
  const error = new DevnetError('timedOut', { ms: 1 });
  const call = { name: 'some_method', params: [] };

  it('can not be ended, unless its task takes back what it does', () => {
    const current = new CurrentTask();
    current.begin(call);
    expect(current.expire(call, error)).toBeUndefined();
    current.allowExpiry('end');
    current.writes();
    expect(current.expire(call, error)).toBe('rollsBack');
    expect(() => current.writes()).toThrow(error);
  });

  it('can be ended up to its first write, where its task takes nothing back', () => {
    const current = new CurrentTask();
    current.begin(call);
    current.allowExpiry('firstWrite');
    current.writes();
    expect(current.expire(call, error)).toBeUndefined();
    current.writes();
    current.end();
    const other = { ...call };
    current.begin(other);
    current.allowExpiry('firstWrite');
    expect(current.expire(other, error)).toBe('runs');
    expect(() => current.writes()).toThrow(error);
  });

  it('can not be ended between its tasks, nor after a task', () => {
    const current = new CurrentTask();
    current.begin(call);
    current.end();
    expect(current.expire(call, error)).toBeUndefined();
    current.begin(call);
    current.allowExpiry('end');
    expect(current.expire(call, error)).toBeUndefined();
  });
});
