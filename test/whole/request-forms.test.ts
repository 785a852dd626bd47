// One question may be asked in many forms: members in another order, members that say what is the default anyway, `data` or
// `input`, a tag or none, a block by tag, number or hash. None of them may change the answer, and both engines answer alike.
import type { Hex } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';
import { FUZZ, runs } from '../fuzz.ts';
import { Random } from '../random.ts';
import { CONSOLE, deployContracts, encode, NOBODY, outcomeOf, REVERTING, SHA256 } from '../rpc/text-calls.ts';
import { callsOf, type Wire } from '../wire.ts';

const GAS_CAP = '0x3938700';
/** An account that no call looks at. */
const UNRELATED = `0x${'0d'.repeat(20)}`;
/** returns its caller, the gas price, the value, the length of the data and slot 0 */
const TELLING = `0x${'7e'.repeat(20)}`;
const TELLING_CODE = '0x335f523a60205234604052366060525f5460805260a05ff3';

type Node = Awaited<ReturnType<typeof createDevnet>>;
interface Chain {
  readonly node: Node;
  readonly ask: (method: string, ...params: unknown[]) => Promise<Wire>;
  readonly printed: string[];
}

async function start(engine: 'fast' | 'ethereumjs'): Promise<Chain> {
  const printed: string[] = [];
  const node = await createDevnet(
    { engine, automine: true, manualClock: true, timestamp: 1_700_000_000, gasLimit: 60_000_000 },
    { onConsole: (line) => printed.push(line) },
  );
  return { node, ask: (method, ...params) => outcomeOf(callsOf(node)(method, ...params)), printed };
}

let chains: readonly Chain[];
let from: Hex;
let other: Hex;
let to: Hex;
/** number and hash of the newest block */
let head: { number: Hex; hash: Hex };

beforeAll(async () => {
  chains = [await start('fast'), await start('ethereumjs')];
  for (const { node } of chains) {
    const rpc = callsOf(node);
    [from, other] = await rpc('eth_accounts');
    to = await deployContracts(rpc, from);
    await rpc('anvil_setCode', TELLING, TELLING_CODE);
    await rpc('anvil_setStorageAt', TELLING, '0x0', `0x${'9'.padStart(64, '0')}`);
    await rpc('eth_sendTransaction', { from, to, data: encode('fill', 0n, 6n, 5n) });
    await rpc('evm_mine');
    head = await rpc('eth_getBlockByNumber', 'latest', false);
  }
});
afterAll(async () => {
  for (const { node } of chains) await node.close();
});

/** What each call does, and what it is: with a sender, a target, data, a value. */
const questions = (): Record<string, Wire> => ({
  'a read': { to, data: encode('read', 2n ** 128n + 2n) },
  'a transfer': { from, to: NOBODY, value: '0x9' },
  'a call of nobody': { from, to: NOBODY },
  writes: { from, to, data: encode('fill', 3n, 2n, 11n) },
  'writes that clear slots': { from, to, data: encode('fill', 0n, 1n, 0n) },
  'a creation inside': { from, to, data: encode('create', 3n) },
  'a creation': { from, data: '0x600a600c600039600a6000f3602a60005260206000f3' },
  'a creation that reverts': { from, data: '0x60006000fd' },
  'a revert with data': { from, to: REVERTING },
  'a halt': { from, to, data: encode('invalid') },
  'a revert swallowed': { from, to, data: encode('relay', REVERTING, '0x') },
  'a precompile': { from, to: SHA256, data: '0x010203' },
  'a precompile inside': { from, to, data: encode('relayStatic', SHA256, '0x0102') },
  'a line printed': { from, to, data: encode('relayStatic', CONSOLE, '0x41304fac') },
  'transient storage': { from, to, data: encode('tstoreThenLoad', 1n, 9n) },
  'a contract destroyed': { from, to, data: encode('createAndDestroy', NOBODY), value: '0x3' },
  'a long run': { from, to, data: encode('burn', 2_000n) },
  'all that a call is told of itself': { from: other, to: TELLING, data: '0x010203' },
  'a value that nobody has': { from: NOBODY, to, value: '0xde0b6b3a7640000' },
});

/** The same members, in another order. */
function shuffled<T extends object>(value: T, random: Random): T {
  const entries = Object.entries(value);
  for (let i = entries.length - 1; i > 0; i--) {
    const j = random.below(i + 1);
    [entries[i], entries[j]] = [entries[j]!, entries[i]!];
  }
  return Object.fromEntries(entries) as T;
}

function sameData(call: Wire, random: Random): Wire {
  const { data, ...rest } = call;
  if (data === undefined) return random.pick([call, { ...rest, data: '0x' }, { ...rest, input: '0x' }]);
  return random.pick([call, { ...rest, input: data }, { ...rest, input: data, data }]);
}

/** Each of the members, or not. */
function some(members: Wire, random: Random): Wire {
  return Object.fromEntries(Object.entries(members).filter(() => random.chance(0.4)));
}

/** The same call, in another form. */
function formOf(call: Wire, defaults: Wire, random: Random): Wire {
  const capitals = (address: string) =>
    random.chance(0.2) ? `0x${address.slice(2).toUpperCase()}` : address;
  const form = { ...some({ value: '0x0', accessList: [], ...defaults }, random), ...sameData(call, random) };
  for (const member of ['from', 'to']) if (form[member]) form[member] = capitals(form[member]);
  return shuffled(form, random);
}

/** The newest block, which is where calls run by default. */
function blockOf(random: Random): Wire {
  const { number, hash } = head;
  return random.pick([
    'latest',
    number,
    { blockNumber: number },
    { blockHash: hash },
    { blockHash: hash, requireCanonical: true },
  ]);
}

/** Overrides that change nothing that the call sees. */
function overridesOf(random: Random): Wire[] {
  return random.pick([[], [], [null], [{}], [{ [UNRELATED]: { balance: '0x1' } }], [{}, {}], [null, null]]);
}

/** Asks both chains; they must answer alike. */
async function both(method: string, ...params: unknown[]): Promise<Wire> {
  const [ours, theirs] = await Promise.all(chains.map(({ ask }) => ask(method, ...params)));
  expect(ours, `${method} ${JSON.stringify(params)}: fast beside ethereumjs`).toEqual(theirs);
  return ours;
}

/** What both chains come to by a request, which is then taken back. */
async function takenBack(method: string, ...params: unknown[]): Promise<Wire> {
  const outcomes = await Promise.all(
    chains.map(async ({ node, ask }) => {
      const rpc = callsOf(node);
      const id = await rpc('evm_snapshot');
      const answer = await ask(method, ...params);
      const { result } = answer;
      const outcome = {
        answer,
        receipt: result && (await rpc('eth_getTransactionReceipt', result)),
        raw: result && (await rpc('eth_getRawTransactionByHash', result)),
        block: await rpc('eth_getBlockByNumber', 'latest', true),
      };
      await rpc('evm_revert', id);
      return outcome;
    }),
  );
  expect(outcomes[0], `${method} ${JSON.stringify(params)}: fast beside ethereumjs`).toEqual(outcomes[1]);
  return outcomes[0];
}

describe('the form of a request never changes its answer', () => {
  const random = new Random(`request forms ${FUZZ}`);
  const forms = runs(4);
  const names = Object.keys(questions());

  it.each(names)('eth_call, eth_estimateGas, eth_createAccessList: %s', async (name) => {
    const call = questions()[name]!;
    for (const [method, defaults] of [
      [
        'eth_call',
        {
          gas: GAS_CAP,
          gasPrice: '0x0',
          chainId: '0x7a69',
          type: '0x0',
          ...(!call.from && { from: `0x${'0'.repeat(40)}` }),
        },
      ],
      ['eth_estimateGas', { gas: GAS_CAP, chainId: '0x7a69' }],
      ['eth_createAccessList', { chainId: '0x7a69' }],
    ] as const) {
      const answer = await both(method, call, 'latest');
      const { type: _, accessList: __, ...rest } = defaults as Wire;
      for (let i = 0; i < forms; i++) {
        // A list of accesses, if only an empty one, needs another type of transaction than 0.
        const kinds = random.pick([rest, defaults as Wire]);
        const { accessList: ___, ...form } = formOf(call, kinds, random);
        const params = [
          form,
          blockOf(random),
          ...(method === 'eth_createAccessList' ? [] : overridesOf(random)),
        ];
        expect(await both(method, ...params), `${method} ${JSON.stringify(params)}`).toEqual(answer);
      }
    }
  });

  it.each(names)('eth_fillTransaction, eth_sendTransaction: %s', async (name) => {
    const call = { from, ...questions()[name]! };
    const filled = await both('eth_fillTransaction', call);
    const sent = await takenBack('eth_sendTransaction', call);
    const defaultsOf = ({ gas, nonce, maxFeePerGas, maxPriorityFeePerGas, chainId, type }: Wire) => ({
      ...{ gas, nonce, maxFeePerGas, maxPriorityFeePerGas, chainId, type },
    });
    for (let i = 0; i < forms; i++) {
      const form = formOf(call, filled.result ? defaultsOf(filled.result.tx) : {}, random);
      expect(await both('eth_fillTransaction', form), JSON.stringify(form)).toEqual(filled);
      if (i % 2) continue;
      // The fees that are filled in for a transaction that is sent may be others than those that a client is told to sign.
      const [signed] = sent.answer.result ? sent.block.transactions : [{}];
      const request = formOf(call, defaultsOf(signed), random);
      expect(await takenBack('eth_sendTransaction', request), JSON.stringify(request)).toEqual(sent);
    }
  });

  it.each(names)('eth_simulateV1: %s', async (name) => {
    const call = questions()[name]!;
    for (const extra of [{}, { returnFullTransactions: true }, { traceTransfers: true }]) {
      const payload = { blockStateCalls: [{ calls: [call, { from: other, to: TELLING }] }], ...extra };
      const answer = await both('eth_simulateV1', payload, 'latest');
      for (let i = 0; i < forms / 2; i++) {
        const calls = payload.blockStateCalls[0]!.calls.map((one) => formOf(one, { type: '0x2' }, random));
        const block = { calls, ...some({ blockOverrides: {}, stateOverrides: {} }, random) };
        const defaults = { validation: false, traceTransfers: false, returnFullTransactions: false };
        const form = { ...some(defaults, random), blockStateCalls: [shuffled(block, random)], ...extra };
        const params = [shuffled(form, random), blockOf(random)];
        expect(await both('eth_simulateV1', ...params), JSON.stringify(params)).toEqual(answer);
      }
    }
  });

  it('one block of many calls, and the first of many blocks', async () => {
    // One takes all gas that is left, and one can't be in a block.
    const { 'a halt': _, 'a value that nobody has': __, ...rest } = questions();
    const calls = Object.values(rest);
    const all = await both('eth_simulateV1', { blockStateCalls: [{ calls }] }, 'latest');
    const more = await both(
      'eth_simulateV1',
      { blockStateCalls: [{ calls }, { calls: calls.slice(0, 3) }, {}] },
      'latest',
    );
    expect(more, 'three blocks').toMatchObject({ result: [{}, {}, {}] });
    expect(more.result[0]).toEqual(all.result[0]);
    const first = await both('eth_simulateV1', { blockStateCalls: [{ calls: calls.slice(0, 1) }] }, 'latest');
    expect(first.result[0].calls[0]).toEqual(all.result[0].calls[0]);
  });

  it('what is wrong with a request', async () => {
    const wrong: Wire[] = [
      { from, to, data: '0x012' },
      { from, to, data: '0x01g2' },
      { from, to, data: '0102' },
      { from, to, data: 1 },
      { from, to: to.slice(0, 41), data: '0x' },
      { from, to: `${to.slice(0, 41)}x` },
      { from, to, data: '0x01', input: '0x02' },
      { from, to, value: '0x01' },
      { from, to, value: -1 },
      { from, to, nonce: '0x0' },
      { from, to, maxFeePerGas: '0x1', gasPrice: '0x1' },
      { from, to, maxFeePerGas: '0x1', maxPriorityFeePerGas: '0x2' },
      'call',
    ];
    for (const call of wrong)
      for (const [method, ...rest] of [
        ['eth_call', 'latest'],
        ['eth_estimateGas'],
        ['eth_fillTransaction'],
        ['eth_sendTransaction'],
        ['eth_simulateV1', 'latest'],
      ] as const) {
        const wrapped = (one: Wire) =>
          method === 'eth_simulateV1' ? { blockStateCalls: [{ calls: [one] }] } : one;
        const ask = method === 'eth_sendTransaction' ? takenBack : both;
        const answer = await ask(method, wrapped(call), ...rest);
        if (typeof call === 'string') continue;
        for (let i = 0; i < 2; i++) {
          const form = shuffled({ ...some({ value: '0x0', chainId: '0x7a69' }, random), ...call }, random);
          expect(await ask(method, wrapped(form), ...rest), `${method} ${JSON.stringify(form)}`).toEqual(
            answer,
          );
        }
      }
  });
});
