import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mnemonicToAccount } from 'viem/accounts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codeOf, type Wire } from '../wire.ts';
import { type RunningLine, runLine } from './running.ts';

const BOB = '0x00000000000000000000000000000000000000b0';
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';
const OTHER_WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow';
/** Init code that says 5 with Hardhat's console.log(uint256). */
const SAYS_FIVE = '0x63f82c50f15f5260056020525f5f6024601c6a636f6e736f6c652e6c6f675afa00';
/** Init code whose contract has `size` bytes of code. */
const sized = (size: number) => `0x62${size.toString(16).padStart(6, '0')}5ff3`;

let running: RunningLine | undefined;
let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'devnet-flags-'));
});
afterEach(async () => {
  await running?.end();
  running = undefined;
  rmSync(dir, { recursive: true, force: true });
});
const start = async (line: string, ...more: string[]) => {
  running = await runLine(line.replaceAll('DIR', dir), ...more);
  return running;
};
const ethOf = async ({ rpc }: RunningLine, address: string) =>
  BigInt(await rpc('eth_getBalance', address, 'latest')) / 10n ** 18n;

/** What a flag of anvil does here, as somebody outside sees it. */
type Effect = (run: RunningLine) => Promise<void>;

const ACCOUNTS: Record<string, Effect> = {
  '-a 3': async ({ accounts }) => expect(accounts).toHaveLength(3),
  '--balance 5': async (run) => expect(await ethOf(run, run.accounts[9]!)).toBe(5n),
  [`--fund-accounts ${BOB}:7`]: async (run) => expect(await ethOf(run, BOB)).toBe(7n),
  [`--fund-accounts ${BOB}`]: async (run) => expect(await ethOf(run, BOB)).toBe(10_000n),
  "--derivation-path m/44'/60'/1'/0/": async ({ accounts }) =>
    expect(accounts[0]).toBe(
      mnemonicToAccount('test test test test test test test test test test test junk', {
        path: "m/44'/60'/1'/0/0",
      }).address.toLowerCase(),
    ),
  [`--auto-impersonate --automine --fund-accounts ${BOB}`]: async ({ send, rpc, accounts }) => {
    expect(accounts).not.toContain(BOB);
    expect((await rpc('eth_getTransactionReceipt', await send({ from: BOB }))).from).toBe(BOB);
  },
};

const CHAIN: Record<string, Effect> = {
  '--chain-id 900': async ({ rpc }) => expect(await rpc('eth_chainId')).toBe('0x384'),
  '--timestamp 1700000000': async ({ block }) =>
    expect(Number((await block('earliest')).timestamp)).toBe(1_700_000_000),
  '--number 7 --automine': async ({ number, send }) => {
    expect(await number()).toBe(7);
    await send();
    expect(await number()).toBe(8);
  },
  '--hardfork cancun': async ({ rpc, block }) => {
    expect((await rpc('anvil_nodeInfo')).hardFork).toBe('Cancun');
    expect(await block()).not.toHaveProperty('requestsHash');
  },
  '--gas-limit 5000000': async ({ block }) => expect((await block()).gasLimit).toBe('0x4c4b40'),
  '--disable-block-gas-limit --automine': async ({ send, rpc }) => {
    const hash = await send({ gas: '0x5f5e1000' });
    expect((await rpc('eth_getTransactionReceipt', hash)).status).toBe('0x1');
  },
  '--base-fee 7': async ({ block }) => expect((await block('0x0')).baseFeePerGas).toBe('0x7'),
  '--gas-price 9 --hardfork berlin': async ({ rpc }) => expect(await rpc('eth_gasPrice')).toBe('0x9'),
  '--disable-min-priority-fee --automine': async ({ rpc, block, send }) => {
    expect(await rpc('eth_maxPriorityFeePerGas')).toBe('0x0');
    expect(await rpc('eth_gasPrice')).toBe((await block('pending')).baseFeePerGas);
    const { maxPriorityFeePerGas } = await rpc('eth_getTransactionByHash', await send());
    expect(maxPriorityFeePerGas).toBe('0x0');
  },
  '--code-size-limit 10': async ({ rpc }) => {
    expect(await codeOf(rpc('eth_call', { data: sized(11) }))).toBe(-32015);
    expect(await codeOf(rpc('eth_call', { data: sized(10) }))).toBeUndefined();
  },
  '--disable-code-size-limit': async ({ rpc }) =>
    expect(await codeOf(rpc('eth_call', { data: sized(60_000) }))).toBeUndefined(),
  '--disable-default-create2-deployer': async ({ rpc }) =>
    expect(await rpc('eth_getCode', DEPLOYER)).toBe('0x'),
  '--enable-tx-gas-limit --automine': async ({ send }) => {
    expect(await codeOf(send({ gas: '0x1000001' }))).toBe(-32003);
    expect(await codeOf(send({ gas: '0x1000000' }))).toBeUndefined();
  },
  '--init fixtures/genesis/cancun-to-bpo1.json': async ({ rpc }) => {
    const { config } = JSON.parse(readFileSync('fixtures/genesis/cancun-to-bpo1.json', 'utf8'));
    expect(Number(await rpc('eth_chainId'))).toBe(Number(config.chainId));
  },
  '--slots-in-an-epoch 1 --automine': async ({ send, block }) => {
    for (let i = 0; i < 3; i++) await send();
    expect([(await block('safe')).number, (await block('finalized')).number]).toEqual(['0x2', '0x1']);
  },
  '-n ethereum --steps-tracing --transaction-block-keeper 5': async ({ rpc }) =>
    expect(await rpc('eth_chainId')).toBe('0x7a69'),
};

const MINING: Record<string, Effect> = {
  '-b 3': async ({ advance, number }) => {
    await advance(2999);
    expect(await number()).toBe(0);
    await advance(1);
    expect(await number()).toBe(1);
  },
  '--no-mining': async ({ send, advance, number, rpc }) => {
    await send();
    await advance(60_000);
    expect(await number()).toBe(0);
    await rpc('evm_mine');
    expect(await number()).toBe(1);
  },
  '--mixed-mining -b 5': async ({ send, advance, number }) => {
    await send();
    expect(await number()).toBe(1);
    await advance(5000);
    expect(await number()).toBe(2);
  },
  ...Object.fromEntries(
    [
      ['fees', 1],
      ['fifo', 0],
    ].map(([order, first]) => [
      `--order ${order} --no-mining`,
      async ({ send, rpc, block, accounts }: RunningLine) => {
        const fees = (tip: string) => ({ maxFeePerGas: '0x77359400', maxPriorityFeePerGas: tip });
        const hashes = [await send(fees('0x1')), await send({ from: accounts[2], ...fees('0x5') })];
        await rpc('evm_mine');
        expect((await block()).transactions[0]).toBe(hashes[Number(first)]);
      },
    ]),
  ),
  '--max-transactions 2 --no-mining': async ({ send, rpc, block }) => {
    for (let i = 0; i < 5; i++) await send();
    expect((await block('pending')).transactions).toHaveLength(2);
    for (const held of [2, 2, 1]) {
      await rpc('evm_mine');
      expect((await block()).transactions).toHaveLength(held);
    }
  },
  // Over the partial blocks of a block, too.
  '--max-transactions 3 -b 2': async ({ send, advance, block, number }) => {
    for (let i = 0; i < 2; i++) await send();
    await advance(200);
    for (let i = 0; i < 4; i++) await send();
    await advance(200);
    expect((await block('pending')).transactions).toHaveLength(3);
    await advance(1600);
    expect(await number()).toBe(1);
    expect((await block()).transactions).toHaveLength(3);
    await advance(200);
    expect((await block('pending')).transactions).toHaveLength(3);
  },
  '--max-transactions 1 --automine': async ({ send, rpc, number, accounts }) => {
    const nonce = Number(await rpc('eth_getTransactionCount', accounts[0]));
    for (const later of [2, 1, 0]) await send({ nonce: `0x${(nonce + later).toString(16)}` });
    expect(await number()).toBe(3);
  },
  '--prune-history 2 --no-mining': async ({ rpc, block }) => {
    await rpc('anvil_mine', '0x8');
    await expect.poll(() => block('earliest').then(({ number }) => Number(number))).toBeGreaterThan(4);
  },
};

const SERVER: Record<string, Effect> = {
  '--allow-origin https://a.test': async (run) =>
    expect(await corsOf(run, 'https://a.test')).toBe('https://a.test'),
  '--no-cors': async (run) => expect(await corsOf(run, 'https://a.test')).toBeNull(),
  '--no-request-size-limit': async ({ node }) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'web3_sha3',
      params: [`0x${'00'.repeat(6e6)}`],
    });
    const answer = await fetch(node.url!, { method: 'POST', body });
    expect(((await answer.json()) as Wire).result).toMatch(/^0x[0-9a-f]{64}$/);
  },
  '--config-out DIR/config.json': async () =>
    expect(JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8')).available_accounts).toHaveLength(10),
  '--ipc DIR/node.ipc': async () => expect(existsSync(join(dir, 'node.ipc'))).toBe(true),
  '--host 0.0.0.0': async ({ node }) => expect(node.url).toMatch(/^http:\/\/0\.0\.0\.0:/),
};

async function corsOf({ node }: RunningLine, origin: string): Promise<string | null> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_chainId' });
  const answer = await fetch(node.url!, { method: 'POST', headers: { origin }, body });
  return answer.headers.get('access-control-allow-origin');
}

describe.each(Object.entries({ ACCOUNTS, CHAIN, MINING, SERVER }))("anvil's flags: %s", (_, effects) => {
  it.each(Object.entries(effects))('%s', async (line, effect) => {
    await effect(await start(line));
  });
});

describe("anvil's flags", () => {
  it('--mnemonic', async () => {
    const { accounts } = await start('', '--mnemonic', OTHER_WORDS);
    expect(accounts[0]).toBe(mnemonicToAccount(OTHER_WORDS).address.toLowerCase());
  });

  it('--dump-state writes at the end what --load-state begins with; --state does both', async () => {
    for (const [write, read] of [
      ['--dump-state DIR/a.json', '--load-state DIR/a.json'],
      ['--state DIR/b.json', '--state DIR/b.json'],
    ] as const) {
      const first = await start(`${write} --automine`);
      await first.rpc('anvil_setBalance', BOB, '0xde0b6b3a7640000');
      expect(await first.end()).toBe(0);
      const second = await start(`${read} --automine`);
      expect(await ethOf(second, BOB)).toBe(1n);
      await second.end();
    }
  });

  it('--state-interval writes it meanwhile', async () => {
    await start('--dump-state DIR/a.json -s 1');
    await expect.poll(() => existsSync(join(dir, 'a.json')), { timeout: 10_000 }).toBe(true);
  });

  it('-q prints nothing', async () => {
    const { printed, send } = await start('-q --automine');
    await send();
    expect(printed.stdout).toBe('');
  });

  it('--disable-console-log keeps what contracts say, which is printed otherwise', async () => {
    for (const [line, says] of [
      ['', true],
      ['--disable-console-log', false],
    ] as const) {
      const run = await start(`${line} --automine`);
      await run.send({ to: undefined, data: SAYS_FIVE, gas: '0x30000' });
      await run.end();
      expect(/^\s*5$/m.test(run.printed.stdout), line).toBe(says);
    }
  });

  it('--print-traces prints the calls of a transaction', async () => {
    const run = await start('--print-traces --automine');
    await run.send();
    await run.end();
    expect(run.printed.stdout.toLowerCase()).toContain(`${run.accounts[1]}`);
  });
});
