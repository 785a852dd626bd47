import { afterEach, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.ts';
import { type Call, callsOf, type Wire } from '../../wire.ts';

const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935';
/** NUMBER, TIMESTAMP, COINBASE, GASLIMIT, PREVRANDAO, BASEFEE, BLOBBASEFEE, CHAINID, BLOCKHASH of the parent */
const SEEN = ['43', '42', '41', '45', '44', '48', '4a', '46', '6001430340'];
/** returns all of them, a word each */
const CODE = `0x${SEEN.map((code, i) => `${code}61${(32 * i).toString(16).padStart(4, '0')}52`).join('')}6101205ff3`;
const VIEWER = `0x${'e5'.repeat(20)}`;

let node: Awaited<ReturnType<typeof createDevnet>>;
afterEach(() => node.close());

const word = (number: string): string => BigInt(number).toString(16).padStart(64, '0');

function seenIn(block: Wire): string {
  const { number, timestamp, miner, gasLimit, mixHash, baseFeePerGas, parentHash } = block;
  const fields = [number, timestamp, miner, gasLimit, mixHash, baseFeePerGas, '0x1', '0x7a69', parentHash];
  return `0x${fields.map(word).join('')}`;
}

/** What calls, estimates and reads see of `pending`. */
async function pendingOf(rpc: Call) {
  const number = await rpc('eth_blockNumber');
  const parent = `0x${word(number)}`;
  return {
    seen: await rpc('eth_call', { to: VIEWER, data: '0x' }, 'pending'),
    parentInHistory: await rpc('eth_call', { to: HISTORY, data: parent }, 'pending'),
    many: await rpc('eth_callMany', [{ transactions: [{ to: VIEWER }] }], { blockNumber: 'pending' }),
    block: await rpc('eth_getBlockByNumber', 'pending', false),
    gas: await rpc('eth_estimateGas', { to: VIEWER, data: '0x' }),
  };
}

it.each(['fast', 'ethereumjs'] as const)(
  'calls at `pending` see the block that would be mined, by %s',
  async (engine) => {
    node = await createDevnet({ automine: true, engine, manualClock: true });
    const rpc = callsOf(node);
    await rpc('anvil_setCode', VIEWER, CODE);
    const [from, to] = await rpc('eth_accounts');
    await rpc('eth_sendTransaction', { from, to, value: '0x1' });
    await rpc('evm_setNextBlockTimestamp', '0x7fffffff');
    const empty = await pendingOf(rpc);
    const { hash } = await rpc('eth_getBlockByNumber', 'latest', false);
    expect(empty.block.transactions).toEqual([]);
    expect(BigInt(empty.block.timestamp)).toBe(0x7fffffffn);
    expect(empty.seen).toBe(seenIn(empty.block));
    expect(empty.many[0][0].value).toBe(empty.seen);
    expect(empty.parentInHistory).toBe(hash);

    await rpc('evm_setAutomine', false);
    // What a request reads is the chain at its moment, also where a transaction comes before it has read.
    const earlier = rpc('eth_getBlockByNumber', 'pending', false);
    await rpc('eth_sendTransaction', { from, to, value: '0x5' });
    expect((await earlier).transactions).toEqual([]);
    const waiting = await pendingOf(rpc);
    expect(waiting.block.transactions).toHaveLength(1);
    expect(waiting.seen).toBe(seenIn(waiting.block));
    expect(waiting.gas).toBe(empty.gas);
    expect(await rpc('eth_estimateGas', { from: to, to: from, value: '0x1' })).toBe('0x5208');
  },
);
