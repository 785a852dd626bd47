import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { decodeEntry } from '../../../src/fork-cache/cache-entry.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import { FUZZ, runs } from '../../fuzz.ts';
import { Random } from '../../random.ts';
import type { Wire } from '../../wire.ts';
import { blockFiles, folder, removeFoldersAfterEachTest } from './cache-folder.ts';
import { closeChainsAfterEachTest, encode, forkOf, original, type TestChain } from './chains.ts';
import { closeProxiesAfterEachTest, type Fault, proxyOf } from './proxy.ts';

/*
 * The other node, or the disk with the cache, at its worst: at random places of random answers. A seed is a case; a case that
 * fails names its seed.
 */

closeProxiesAfterEachTest();
removeFoldersAfterEachTest();
closeChainsAfterEachTest();

type Original = Awaited<ReturnType<typeof original>>;
type Proxy = Awaited<ReturnType<typeof proxyOf>>;

/** Reads and writes of all kinds, each on its own. */
const STEPS: readonly ((fork: TestChain, one: Original) => Promise<unknown>)[] = [
  (fork, one) => fork.call('eth_call', { to: one.token, data: encode('balanceOf', one.accounts[1]) }),
  (fork, one) => fork.call('eth_getBalance', one.token),
  (fork, one) => fork.call('eth_getCode', one.token),
  (fork, one) => fork.call('eth_getStorageAt', one.token, '0x2'),
  (fork, one) => fork.call('eth_getBalance', one.accounts[1], '0x2'),
  (fork, one) => fork.call('eth_getTransactionReceipt', one.sent[0]),
  (fork, one) => fork.call('eth_getTransactionByHash', one.sent[1]),
  (fork) => fork.call('eth_getBlockByNumber', '0x1', true),
  (fork, one) => fork.call('eth_getLogs', { fromBlock: '0x0', toBlock: 'latest', address: one.token }),
  async (fork, one) => {
    const data = encode('transfer', one.accounts[2], 5n);
    return fork.receipt(await fork.send({ to: one.token, data, gas: '0x186a0' }));
  },
];

async function answersOf(fork: TestChain, one: Original): Promise<unknown[]> {
  const answers: unknown[] = [];
  for (const step of STEPS) answers.push(await step(fork, one).catch((error: unknown) => error));
  return answers;
}

/** More bytes than a quantity or a word has. */
const TOO_LONG = `0x${'11'.repeat(40)}`;
/** What a node may not answer. */
const NONSENSE = [null, undefined, 7, '', 'hello', [], {}, '0xzz', TOO_LONG];
/** Members without which nobody knows what an answer is about. */
const NAMING = ['hash', 'number', 'blockHash', 'blockNumber', 'transactionHash', 'address', 'topics', 'logs'];

/** An answer in which something is missing or wrong. `undefined` where nothing can be. */
function spoilt(random: Random, method: string, result: Wire): Wire {
  // That there are no logs is an answer, too, and so is any code: nothing but a proof (--fork-verify) shows that it is another's.
  const nonsense = NONSENSE.filter(
    (value) =>
      !(Array.isArray(value) && method === 'eth_getLogs') &&
      !(value === null && method.includes('ByHash')) &&
      !(value === TOO_LONG && method === 'eth_getCode'),
  );
  if (typeof result !== 'object' || result === null || random.below(3) === 0) return random.pick(nonsense);
  const copy = structuredClone(result);
  const named = Array.isArray(copy) ? copy[random.below(copy.length)] : copy;
  // A call may name its block by hash or by number: it is found by the one that was asked for.
  const asked = method === 'eth_getBlockByNumber' ? ['hash', 'number'] : NAMING;
  const member = random.pick(asked.filter((name) => named && name in named && isChecked(method, name)));
  if (!member) return random.pick(nonsense);
  if (random.below(2) === 0) delete named[member];
  else
    named[member] = random.pick([
      null,
      7,
      'hello',
      {},
      ...(isTold(method, member, named) ? [OTHER_HASH] : []),
    ]);
  return copy;
}

const OTHER_HASH = `0x${'22'.repeat(32)}`;

/** Whether a wrong hash shows: that of the fork block has to follow from its fields, others have to be those that were asked for. */
function isTold(method: string, member: string, { number }: Wire): boolean {
  return /[hH]ash$/.test(member) && (method !== 'eth_getBlockByNumber' || number === '0x3');
}

/** Members that say whether this is what was asked for. */
function isChecked(method: string, member: string): boolean {
  if (method === 'eth_getTransactionByHash') return member === 'hash';
  if (method === 'eth_getTransactionReceipt')
    return ['transactionHash', 'blockNumber', 'logs'].includes(member);
  if (method === 'eth_getLogs') return ['address', 'topics', 'blockNumber'].includes(member);
  return true;
}

const FAULTS: readonly Fault[] = [
  'hang',
  'hang up',
  'cut',
  { status: 429 },
  { status: 503 },
  { status: 200, body: '<html>' },
  { status: 200, body: '{"jsonrpc":"2.0","id":1}' },
  { status: 200, body: '{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"missing trie node"}}' },
];

/** From the next request on, spoils some of the answers, until it is called off. */
function spoil(random: Random, proxy: Proxy): { count: number } {
  const spoilings = { count: 0 };
  const often = 2 + random.below(6);
  const what = random.below(3);
  proxy.state.fault = () => {
    if (what === 1 || random.below(often) > 0) return undefined;
    spoilings.count++;
    return random.pick(FAULTS);
  };
  proxy.state.change = (method, result) => {
    if (what === 0 || random.below(often) > 0) return result;
    spoilings.count++;
    return spoilt(random, method, result);
  };
  return spoilings;
}

/** Each entry of a cache has to be what the other node says when it is well. */
async function expectTruth(forkCache: string, one: Original, seed: number): Promise<void> {
  for (const path of blockFiles(forkCache))
    for (const line of readFileSync(path, 'utf8').split('\n')) {
      const entry = decodeEntry(Buffer.from(line));
      if (!entry) continue;
      const { method, params, result } = entry;
      expect(result, `seed ${seed}: ${method}(${JSON.stringify(params)})`).toEqual(
        await one.call(method, ...params),
      );
    }
}

it(
  'an answer that is missing, wrong, late or cut fails its call with a clear error, and nothing of it is kept',
  async () => {
    const one = await original();
    const healthy = await forkOf(one);
    const expected = await answersOf(healthy, one);
    let [spoilings, failures] = [0, 0];
    const first = FUZZ === 1 ? 1 : Math.floor(Math.random() * 2 ** 31);
    for (let seed = first; seed < first + runs(12); seed++) {
      const random = new Random(seed);
      const proxy = await proxyOf(one.url);
      const options: DevnetOptions = { forkCache: folder(), forkBlockNumber: 3, forkRetries: 0 };
      const hurried = { ...options, forkTimeout: 400 };
      const spoiling = spoil(random, proxy);
      const started = await forkOf(proxy, hurried).catch((error: Error) => error);
      if (started instanceof Error) {
        failures++;
        // The start names the URL, and says what is wrong with it.
        expect(started.message, `seed ${seed}`).toMatch(/127\.0\.0\.1/);
      } else {
        const answers = await answersOf(started, one);
        for (const [i, answer] of answers.entries()) {
          if (!(answer instanceof Error)) {
            // A fork that was without some answers gives others the later it sends.
            if (i < STEPS.length - 1) expect(answer, `seed ${seed}, step ${i}`).toEqual(expected[i]);
            continue;
          }
          failures++;
          expect(answer, `seed ${seed}, step ${i}`).toMatchObject({
            code: expect.toSatisfy((code: number) => code === -32000 || code === -32003),
            message: expect.stringMatching(/127\.0\.0\.1|missing trie node|was dropped/),
          });
        }
        await started.node.close();
      }
      spoilings += spoiling.count;
      proxy.state.fault = () => undefined;
      proxy.state.change = undefined;
      await expectTruth(options.forkCache!, one, seed);
      const again = await forkOf(proxy, options);
      expect(await answersOf(again, one), `seed ${seed}`).toEqual(expected);
      await again.node.close();
    }
    expect(Math.min(spoilings, failures)).toBeGreaterThan(10);
  },
  120_000 * FUZZ,
);

// In parts, each with a limit of its own: two chains a seed are a lot of work for one core that others use too.
it.each([0, 1, 2, 3, 4])(
  'a cache in which bytes were flipped is found out, and what they said is fetched anew (part %i)',
  async (part) => {
    const one = await original();
    const proxy = await proxyOf(one.url);
    const options: DevnetOptions = { forkCache: folder(), forkBlockNumber: 3, forkRetries: 0 };
    const filling = await forkOf(proxy, options);
    const expected = await answersOf(filling, one);
    await filling.node.close();
    const [path] = blockFiles(options.forkCache!);
    const whole = readFileSync(path!);
    const first = FUZZ === 1 ? 1 + part * runs(5) : Math.floor(Math.random() * 2 ** 31);
    for (let seed = first; seed < first + runs(5); seed++) {
      const random = new Random(seed);
      const bytes = Buffer.from(whole);
      // One flip is the hardest to find.
      for (let flips = random.pick([1, 1, 2, 10, 100]); flips > 0; flips--)
        bytes[random.below(bytes.length)]! ^= 1 << random.below(8);
      const lost = entriesIn(whole) - entriesIn(bytes);
      writeFileSync(path!, bytes);
      proxy.seen.length = 0;
      const again = await forkOf(proxy, options);
      expect(await answersOf(again, one), `seed ${seed}`).toEqual(expected);
      await again.node.close();
      if (lost > 0) expect(proxy.seen.length, `seed ${seed}`).toBeGreaterThan(0);
      await expectTruth(options.forkCache!, one, seed);
      // What was fetched anew is there again.
      proxy.seen.length = 0;
      const third = await forkOf(proxy, options);
      expect(await answersOf(third, one), `seed ${seed}`).toEqual(expected);
      expect(proxy.seen, `seed ${seed}`).toEqual([]);
      await third.node.close();
    }
  },
  120_000 * FUZZ,
);

/** Whole entries in a file of the cache. */
function entriesIn(bytes: Buffer): number {
  let count = 0;
  for (let start = 0, end = bytes.indexOf(10); end >= 0; start = end + 1, end = bytes.indexOf(10, start))
    if (decodeEntry(bytes.subarray(start, end))) count++;
  return count;
}
