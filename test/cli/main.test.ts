import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { DEFAULT_MNEMONIC, deriveAccounts } from '../../src/accounts.ts';
import { type Io, main } from '../../src/cli/main.ts';
import { type DevnetOptions, resolveOptions } from '../../src/options/options.ts';

function fixture(create?: () => Promise<never>, env: Io['env'] = {}) {
  const signals = new EventEmitter();
  const seen = {
    stdout: '',
    stderr: '',
    options: undefined as DevnetOptions | undefined,
    followed: undefined as unknown,
    closed: 0,
    exits: [] as number[],
    fail: (_error: Error) => {},
  };
  let start = () => {};
  const started = new Promise<void>((resolve) => {
    start = resolve;
  });
  const io: Io = {
    version: '1.2.3',
    stdout: {
      write: (text) => {
        seen.stdout += text;
      },
    },
    stderr: {
      write: (text) => {
        seen.stderr += text;
      },
    },
    env,
    signals,
    exit: (code) => {
      seen.exits.push(code);
    },
    flush: async () => {},
    loadFollow: async () => async (stream, options) => {
      seen.followed = [stream, options];
      throw new Error('the end');
    },
    load: async () =>
      create ??
      (async (options) => {
        seen.options = options;
        start();
        const { accounts: count, mnemonic, derivationPath: path } = resolveOptions(options);
        return {
          url: 'http://127.0.0.1:4711',
          accounts: deriveAccounts({ count, mnemonic, path }),
          genesisTimestamp: 1_700_000_000n,
          repaired: undefined,
          closed: new Promise<void>((_, reject) => {
            seen.fail = reject;
          }),
          close: async () => {
            seen.closed++;
          },
        };
      }),
  };
  return { io, seen, signals, started };
}

/** Starts with these arguments, ends by SIGTERM, and gives what was seen. */
async function run(...args: string[]) {
  const { io, seen, signals, started } = fixture();
  const running = main(args, io);
  await Promise.race([started, running]);
  signals.emit('SIGTERM');
  const code = await running;
  return { ...seen, code, listeners: signals.eventNames() };
}

describe('arguments', () => {
  it('without any, all defaults apply, and it listens on 8545', async () => {
    expect(await run()).toMatchObject({ code: 0, stderr: '', options: { port: 8545 } });
  });

  it.each<[string, DevnetOptions]>([
    ['-p 0 --host 0.0.0.0 -a 3 --balance 1.5', { port: 0, host: '0.0.0.0', accounts: 3, balance: '1.5' }],
    ['--chain-id 901 -b 0.5 --gas-limit 60000000', { chainId: 901n, blockTime: 0.5, gasLimit: 60_000_000n }],
    [
      '--chain 901 --blockTime=1 --block-gas-limit 60000000 --base-fee 0x5',
      { chainId: 901n, blockTime: 1, gasLimit: 60_000_000n, baseFee: 5n },
    ],
    ['--genesis-timestamp 1000', { timestamp: 1000n }],
    ['--no-mining', { noMining: true }],
    ['--no-mine -q', { noMining: true, silent: true }],
    ['--quiet --automine', { silent: true, automine: true }],
    ['--mixed-mining --flashblock-interval 0', { mixedMining: true, flashblockInterval: 0 }],
    [
      '--block-base-fee-per-gas 7 --order fifo --timestamp 1000',
      { baseFee: 7n, order: 'fifo', timestamp: 1000n },
    ],
    ['--allow-host a.test b.test --preset base', { allowHost: ['a.test', 'b.test'], preset: 'base' }],
    [
      '--compat anvil --hardfork Prague --seed 7',
      { compat: 'anvil', hardfork: 'Prague' as 'prague', seed: '7' },
    ],
    [
      '--data-dir d --fsync --repair --slots-in-an-epoch 1',
      { dataDir: 'd', fsync: true, repair: true, slotsInAnEpoch: 1 },
    ],
    [
      '--init fixtures/genesis/cancun-to-bpo1.json --enable-tx-gas-limit --allow-equal-timestamps',
      { init: 'fixtures/genesis/cancun-to-bpo1.json', enableTxGasLimit: true, allowEqualTimestamps: true },
    ],
    [
      '--rpc-timeout 5 --max-batch-size 1 --max-body-size 2 --max-response-size 3 --call-gas-limit 30000 --max-pool-size 4 --max-subscriptions 5 --max-filters 6 --notification-buffer 7 --send-buffer 8 --flashblock-buffer 9',
      {
        rpcTimeout: 5,
        maxBatchSize: 1,
        maxBodySize: 2,
        maxResponseSize: 3,
        callGasLimit: 30_000n,
        maxPoolSize: 4,
        maxSubscriptions: 5,
        maxFilters: 6,
        notificationBuffer: 7,
        sendBuffer: 8,
        flashblockBuffer: 9,
      },
    ],
    [
      '--extra-data 0x01 --coinbase 0x0000000000000000000000000000000000000001 --min-gas-price 1 --manual-clock',
      {
        extraData: '0x01',
        coinbase: '0x0000000000000000000000000000000000000001',
        minGasPrice: 1n,
        manualClock: true,
      },
    ],
  ])('%s', async (args, options) => {
    expect(await run(...args.split(' '))).toMatchObject({ code: 0, stderr: '', options });
  });

  it("anvil's ANVIL_IP_ADDR is the address where --host says none", async () => {
    for (const [args, host] of [
      [[], '::1'],
      [['--host', '0.0.0.0'], '0.0.0.0'],
    ] as const) {
      const { io, seen, signals, started } = fixture(undefined, { ANVIL_IP_ADDR: '::1' });
      const running = main(args, io);
      await started;
      signals.emit('SIGTERM');
      await running;
      expect(seen.options).toEqual({ host, port: 8545 });
    }
  });

  it('--silent prints no banner', async () => {
    expect((await run('--silent')).stdout).toBe('');
    expect((await run()).stdout).toMatch(/Listening on 127.0.0.1:4711\n$/);
  });

  it('a mnemonic and a path are taken as they are', async () => {
    const { options } = await run('-m', DEFAULT_MNEMONIC, '--derivation-path', "m/44'/1'/0'/0/");
    expect(options).toMatchObject({ mnemonic: DEFAULT_MNEMONIC, derivationPath: "m/44'/1'/0'/0/" });
  });
});

it("a fork's flags are anvil's", async () => {
  const shared = ['--fork-block-number', '-5', '--fork-header', 'A: b, c', '--fork-header', 'D: e'];
  const times = ['--timeout', '5', '--retries', '1', '--fork-retry-backoff', '2', '--fork-chain-id', '3'];
  for (const flag of ['-f', '--fork-url', '--rpc-url']) {
    const { options } = await run(flag, 'http://h', ...shared, ...times);
    expect(options).toMatchObject({
      forkUrl: 'http://h',
      forkBlockNumber: -5n,
      forkHeaders: ['A: b, c', 'D: e'],
      forkTimeout: 5,
      forkRetries: 1,
      forkRetryBackoff: 2,
      forkChainId: 3n,
    });
  }
});

describe('refusals are one line on stderr and exit 1', () => {
  it.each([
    ['--flashblock-intervall 5', /unknown option '--flashblock-intervall'.*--flashblock-interval\?/],
    ['-p abc', /^error: --port: expected a whole number from 0 to 65535, got 'abc'/],
    ['-p 70000', /^error: --port: .* got 70000/],
    ['--chain-id x', /^error: --chain-id: /],
    ['--base-fee -1', /--block-base-fee-per-gas/],
    ['--automine --no-mining', /^error: --automine excludes --no-mining/],
    ['--repair', /^error: --repair needs --data-dir/],
    ['-m test', /^error: --mnemonic: .*got 1/],
    ['-p', /argument missing/],
    [
      'folow ws://x',
      /unknown command 'folow': expected completions, debug, export, follow, fork-cache, promote, replay/,
    ],
    ['--port 1 stray', /too many arguments/],
    ['--fork-url ftp://127.0.0.1', /^error: --fork-url: expected a URL of http, https, ws or wss, got 'ftp/],
    ['--fork-url http://a --dump-state b', /^error: --fork-url excludes --dump-state/],
    ['--retries 3', /^error: --retries needs --fork-url/],
    ['--state-interval 5', /^error: --state-interval needs --dump-state/],
  ])('%s', async (args, message) => {
    const { code, stderr, stdout, options } = await run(...args.split(' '));
    expect([code, stdout, options]).toEqual([1, '', undefined]);
    expect(stderr).toMatch(message);
    expect(stderr).toMatch(/^.+\n$/);
  });

  it('so is a failure to start', async () => {
    const { io, seen } = fixture(async () => {
      throw new Error('port 8545 is taken\nat somewhere');
    });
    expect(await main([], io)).toBe(1);
    expect(seen.stderr).toBe('error: port 8545 is taken\n');
  });

  it('what other nodes and files say in it is printed with escapes', async () => {
    const { io, seen } = fixture(async () => {
      throw new Error('the leader \u009b2J\u202e\rsays no');
    });
    expect(await main([], io)).toBe(1);
    expect(seen.stderr).toBe('error: the leader \\u009b2J\\u202e\\rsays no\n');
  });
});

describe('--help and --version', () => {
  it('print to stdout without loading the engine', async () => {
    for (const flag of ['--help', '-V']) {
      const { code, stdout, stderr, options } = await run(flag);
      expect([code, stderr, options]).toEqual([0, '', undefined]);
      expect(stdout).not.toBe('');
    }
  });

  it('help groups the flags', async () => {
    const { stdout } = await run('-h');
    for (const heading of ['Server:', 'Accounts:', 'Chain:', 'Mining:', 'Storage:'])
      expect(stdout).toContain(`\n${heading}\n`);
  });
});

describe('devnet follow', () => {
  it('takes the stream, options of its own and those of the chain', async () => {
    const { io, seen } = fixture();
    const args =
      'follow ws://127.0.0.1:1/flashblocks --rpc http://127.0.0.1:2 --strict --port 0 --accounts 3';
    expect(await main(args.split(' '), io)).toBe(1);
    const options = { rpc: 'http://127.0.0.1:2', strict: true, port: 0, accounts: 3 };
    expect(seen.followed).toEqual(['ws://127.0.0.1:1/flashblocks', options]);
  });

  it('needs a stream', async () => {
    const { io, seen } = fixture();
    expect(await main(['follow'], io)).toBe(1);
    expect(seen.stderr).toMatch(/^error: /);
  });
});

describe('signals', () => {
  it('the first closes the node, and the listeners are gone after it', async () => {
    expect(await run()).toMatchObject({ closed: 1, code: 0, exits: [], listeners: [] });
  });

  it('a signal ends an import, cleanly', async () => {
    const { io, seen, signals } = fixture();
    const importing: Io = {
      ...io,
      load: async () => async (_, hooks) => {
        hooks!.onImport!({ number: 1n, imported: 1, bytes: 1, total: 2 });
        signals.emit('SIGINT');
        hooks!.onImport!({ number: 2n, imported: 2, bytes: 2, total: 2 });
        throw new Error('not reached');
      },
    };
    expect(await main(['--import', 'chain.rlp'], importing)).toBe(0);
    expect(seen.stderr).toBe('');
  });

  it('a signal ends a start that waits for the node that is forked', async () => {
    const { io, seen, signals } = fixture();
    const waiting: Io = {
      ...io,
      load: async () => () => {
        setImmediate(() => signals.emit('SIGTERM'));
        return new Promise(() => {});
      },
    };
    expect(await main(['--fork-url', 'http://127.0.0.1:1'], waiting)).toBe(0);
    expect(seen.stderr).toBe('');
  });

  it('a second one ends the process at once', async () => {
    const { io, seen, signals, started } = fixture();
    const code = main([], io);
    await started;
    signals.emit('SIGINT');
    signals.emit('SIGINT');
    expect(seen.exits).toEqual([130]);
    await code;
  });

  it('one that comes while starting closes the node when it has started', async () => {
    const { io, seen, signals } = fixture();
    const code = main([], io);
    signals.emit('SIGTERM');
    expect(await code).toBe(0);
    expect(seen.closed).toBe(1);
  });
});

describe('a chain that can not go on', () => {
  it('is closed, and told in one line with exit 1', async () => {
    const { io, seen, started } = fixture();
    const code = main([], io);
    await started;
    seen.fail(new Error('no space left on device\nat somewhere'));
    expect(await code).toBe(1);
    expect(seen).toMatchObject({ closed: 1, stderr: 'error: no space left on device\n' });
  });
});
