// The same requests, well-formed and not, to a node on each engine: answers, errors, printed lines and blocks are equal.
import { encodeAbiParameters, type Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { FUZZ, runs } from '../fuzz.ts';
import { Random } from '../random.ts';
import {
  CONSOLE,
  deployContracts,
  encode,
  NOBODY,
  outcomeOf,
  REVERTING,
  SHA256,
  spoil,
} from '../rpc/text-calls.ts';
import { type Call, callsOf } from '../wire.ts';

/** returns 20 KiB */
const LARGE = `0x${'a1'.repeat(20)}`;
/** log(string) */
const LOG = `0x41304fac${encodeAbiParameters([{ type: 'string' }], ['hello']).slice(2)}` as Hex;
const SLOT = 2n ** 128n + 2n;

type Node = Awaited<ReturnType<typeof createDevnet>>;
interface Chain {
  readonly node: Node;
  readonly rpc: Call;
  readonly printed: string[];
}

let chains: readonly Chain[];
let from: Hex;
let to: Hex;

beforeAll(async () => {
  chains = await Promise.all(
    (['fast', 'ethereumjs'] as const).map(async (engine) => {
      const printed: string[] = [];
      const node = await createDevnet(
        { engine, automine: true, manualClock: true, timestamp: 1_700_000_000 },
        { onConsole: (line) => printed.push(line) },
      );
      return { node, rpc: callsOf(node), printed };
    }),
  );
  for (const { rpc } of chains) {
    [from] = await rpc('eth_accounts');
    to = await deployContracts(rpc, from);
    await rpc('eth_sendTransaction', { from, to, data: encode('fill', 0n, 8n, 5n) });
    await rpc('anvil_setCode', LARGE, '0x6150005ff3');
  }
});
afterAll(async () => {
  for (const { node } of chains) await node.close();
});

/** Asks both, and expects the same. */
async function both(method: string, ...params: unknown[]): Promise<unknown> {
  const answers: { outcome: unknown; lines: readonly string[] }[] = [];
  for (const { rpc, printed } of chains) {
    printed.length = 0;
    const outcome = await outcomeOf(rpc(method, ...params));
    answers.push({ outcome, lines: [...printed] });
  }
  expect(answers[0]).toEqual(answers[1]);
  return answers[0]!.outcome;
}

/** Sends on both, and compares all that the nodes know of it. */
async function sent(request: unknown): Promise<unknown> {
  const outcome = (await both('eth_sendTransaction', request)) as { result?: Hex };
  if (outcome.result)
    for (const method of [
      'eth_getRawTransactionByHash',
      'eth_getTransactionByHash',
      'eth_getTransactionReceipt',
    ])
      await both(method, outcome.result);
  await both('eth_getBlockByNumber', 'latest', true);
  return outcome;
}

const CALLS = (): [string, unknown][] => [
  ['a read', { to, data: encode('read', SLOT) }],
  ['with a sender', { from: to, to, data: encode('read', SLOT) }],
  ['with `input`', { input: encode('read', SLOT), to }],
  ['in capitals', { to: `0x${to.slice(2).toUpperCase()}`, data: encode('read', SLOT) }],
  ['without data', { to }],
  ['a transfer', { from, to: NOBODY, value: '0xde0b6b3a7640000' }],
  ['a transfer that its sender cannot pay', { from: REVERTING, to, value: '0x1' }],
  ['a transfer with a fee that its sender cannot pay', { from: NOBODY, to, maxFeePerGas: '0x77359400' }],
  ['it creates contracts', { to, data: encode('create', 3n) }],
  ['transient storage', { to, data: encode('tstoreThenLoad', 1n, 9n) }],
  ['it reverts', { to, data: encode('delegate', SHA256, 1n) }],
  ['it reverts with data', { from, to: REVERTING, data: '0x' }],
  ['it halts', { to, data: encode('invalid') }],
  ['it calls a precompile', { to, data: encode('relayStatic', SHA256, '0x0102') }],
  ['it goes to a precompile', { from, to: SHA256, data: '0x0102' }],
  ['it prints', { from, to, data: encode('relayStatic', CONSOLE, LOG) }],
  ['it goes to the console', { to: CONSOLE, data: LOG }],
  ['it takes long', { to, data: encode('burn', 1_000_000n) }],
  ['it returns much', { to: LARGE, data: '0x' }],
  ['gas', { from, to, data: encode('read', SLOT), gas: '0x186a0' }],
  ['too little gas', { from, to, data: encode('fill', 1n, 9n, 5n), gas: '0x7530' }],
  ['less gas than it costs to begin', { from, to, gas: '0x5207' }],
  ['a nonce', { from, to, nonce: '0x9' }],
  ['a gas price', { from, to, gasPrice: '0x77359400' }],
  ['a tip alone', { from, to, maxPriorityFeePerGas: '0x1' }],
  ['a cap below the base fee', { from, to, maxFeePerGas: '0x1' }],
  ['a tip above the cap', { from, to, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' }],
  ['a type', { from, to, type: '0x1' }],
  ['an access list', { from, to, accessList: [{ address: to, storageKeys: ['0x1'] }] }],
  ['both kinds of fees', { from, to, gasPrice: '0x77359400', maxFeePerGas: '0x77359400' }],
  ['it creates', { from, data: '0x6001600055' }],
  ['it creates with value', { from, data: '0x60016000556000', value: '0x1' }],
  ['the data have an odd digit', { to, data: '0x012' }],
  ['the data have another character', { to, data: '0x01g2' }],
  ['the data have a character that ends like a digit', { to, data: '0x01\u0130\u0131' }],
  ['the data lack 0x', { to, data: '0102' }],
  ['the data are empty text', { to, data: '' }],
  ['the address is short', { to: to.slice(0, 41), data: '0x' }],
  ['the sender has another character', { from: `${to.slice(0, 41)}-`, to, data: '0x' }],
  ['both names of the data differ', { to, data: '0x01', input: '0x02' }],
  ['both names of the gas differ', { to, gas: '0x5208', gasLimit: '0x5209' }],
  ['the value is above any word', { from, to, value: `0x1${'0'.repeat(64)}` }],
  ['a member is a number', { to, data: 1 }],
  ['a member is null', { to, data: null, gas: null }],
  ['a member is unknown', { from, to, unknown: '0x1' }],
  ['it is no object', 'call'],
];

describe.each(['eth_call', 'eth_estimateGas', 'eth_fillTransaction', 'eth_createAccessList'])(
  '%s',
  (method) => {
    it('answers alike on both engines, on latest and on pending, twice', async () => {
      for (const [name, call] of CALLS())
        for (const tags of method === 'eth_fillTransaction'
          ? [[], []]
          : [['latest'], ['pending'], ['latest'], []])
          expect([name, await both(method, call, ...tags)]).toBeDefined();
    });

    it('leaves nothing behind', async () => {
      const root = () => both('eth_getProof', to, ['0x0', '0x1'], 'latest');
      const before = await root();
      const call = { from, to, data: encode('fill', 0n, 3n, 5n) };
      const first = await both(method, call);
      expect(await both(method, call)).toEqual(first);
      expect(await root()).toEqual(before);
    });
  },
);

it('calls see each new block, and what was taken back', async () => {
  const slot = 2n ** 128n + 100n;
  const data = encode('read', slot);
  const word = (n: bigint) => ({ result: `0x${n.toString(16).padStart(64, '0')}` });
  for (let i = 1n; i < 5n; i++) {
    await sent({ from, to, data: encode('fill', 100n, 1n, i) });
    expect(await both('eth_call', { to, data }, 'latest')).toEqual(word(i));
    expect(await both('eth_call', { to, data }, 'pending')).toEqual(word(i));
    await both('eth_estimateGas', { from, to, data: encode('fill', 100n, 1n, 0n) });
  }
  const { result: id } = (await both('evm_snapshot')) as { result: Hex };
  await both('anvil_setStorageAt', to, `0x${slot.toString(16)}`, word(7n).result);
  for (const tag of ['latest', 'pending'])
    expect(await both('eth_call', { to, data }, tag)).toEqual(word(7n));
  await both('evm_revert', id);
  for (const tag of ['latest', 'pending'])
    expect(await both('eth_call', { to, data }, tag)).toEqual(word(4n));
});

it('estimates and fills follow the chain, and wait behind what waits', async () => {
  const call = { from, to, data: encode('fill', 0n, 3n, 5n) };
  await both('anvil_setNextBlockBaseFeePerGas', '0x3b9aca00');
  await both('evm_increaseTime', 100);
  for (const method of ['eth_estimateGas', 'eth_fillTransaction']) await both(method, call);
  await both('evm_setAutomine', false);
  await both('eth_sendTransaction', { from, to: NOBODY, value: '0x1' });
  for (const method of ['eth_estimateGas', 'eth_fillTransaction']) await both(method, call);
  await both('evm_mine');
  await both('evm_setAutomine', true);
});

describe('eth_sendTransaction', () => {
  it('sends alike on both engines', async () => {
    for (const [, request] of CALLS()) await sent(request);
    for (const [, request] of CALLS()) await sent({ ...(request as object), gas: '0x186a0' });
  });

  it('refuses a locked account, and signs for an impersonated one whose key it has', async () => {
    await both('personal_lockAccount', from);
    expect(await sent({ from, to, gas: '0x186a0' })).toMatchObject({ code: -32000 });
    await both('personal_unlockAccount', from, '');
    await both('anvil_impersonateAccount', from);
    await sent({ from, to, gas: '0x186a0' });
    await both('anvil_stopImpersonatingAccount', from);
  });

  it('gives each of many at a time its own nonce', async () => {
    for (const { rpc } of chains) {
      const nonce = Number(await rpc('eth_getTransactionCount', from, 'latest'));
      const request = { from, to: NOBODY, value: '0x1', gas: '0x5208' };
      const hashes = await Promise.all(Array.from({ length: 20 }, () => rpc('eth_sendTransaction', request)));
      const nonces = await Promise.all(
        hashes.map(async (hash) => Number((await rpc('eth_getTransactionByHash', hash)).nonce)),
      );
      expect(nonces).toEqual(nonces.map((_, i) => nonce + i));
    }
  });
});

it('in random text everything is answered alike', async () => {
  const random = new Random(`both engines ${FUZZ}`);
  const data = [encode('value'), encode('fill', 1n, 2n, 3n), encode('create', 3n), '0x', encode('invalid')];
  const fee = () => random.pick(['0x1', '0x3b9aca00', '0x77359400', '0xffffffffff']);
  for (let i = 0; i < runs(80); i++) {
    const spoilt = (text: string) => spoil(text, 0.05, random);
    const request = {
      ...(random.chance(0.8) && { from: spoilt(random.pick([from, NOBODY])) }),
      to: spoilt(random.pick([to, NOBODY, REVERTING])),
      ...(random.chance(0.5) && { gas: spoilt(random.pick(['0x5208', '0x30d40', '0xf4240'])) }),
      ...(random.chance(0.6) && { data: spoilt(random.pick(data)) }),
      ...(random.chance(0.4) && { value: spoilt(random.pick(['0x0', '0x1', '0xffffffff'])) }),
      ...(random.chance(0.2) && { maxFeePerGas: fee() }),
      ...(random.chance(0.2) && { maxPriorityFeePerGas: fee() }),
    };
    await both('eth_call', request, 'latest');
    await both('eth_estimateGas', request);
    await both('eth_fillTransaction', request);
    if (random.chance(0.3)) await sent(request);
  }
});
