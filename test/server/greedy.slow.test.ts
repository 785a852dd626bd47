import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { liveNode } from '../live-node.ts';

const ADDRESS = '0x00000000000000000000000000000000000a11ce';
const word = (n: number) => `0x${n.toString(16).padStart(64, '0')}`;
const address = (n: number) => `0x${(n + 65_536).toString(16).padStart(40, '1')}`;
const many = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_, n) => make(n));
const objectOf = (count: number, make: (n: number) => [string, unknown]) =>
  Object.fromEntries(many(count, make));
const accounts = objectOf(4_000, (n) => [address(n), { balance: '0x1', stateDiff: { [word(n)]: word(1) } }]);
const state = (members: object) => `0x${gzipSync(JSON.stringify(members)).toString('hex')}`;

let node: Awaited<ReturnType<typeof liveNode>>;
beforeAll(async () => {
  node = await liveNode({ automine: true, maxStateSize: 4_000_000 });
});
afterAll(() => node.close());

const post = async (body: string) => {
  const response = await fetch(node.node.url!, { method: 'POST', body });
  return response.json() as Promise<{ result?: unknown; error?: { code: number; message: string } }>;
};

/** Processor time in milliseconds: that of the longest turn of the event loop while `work` runs, and of all. */
async function turnsOf<T>(work: () => Promise<T>) {
  const used = (since?: NodeJS.CpuUsage) => {
    const { user, system } = process.cpuUsage(since);
    return (user + system) / 1_000;
  };
  const start = process.cpuUsage();
  let [longest, before, isRunning] = [0, used(start), true];
  const turn = () => {
    const now = used(start);
    longest = Math.max(longest, now - before);
    before = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  const result = await work();
  isRunning = false;
  return { result, longest, all: used(start) };
}

describe('a request that takes long to read', () => {
  it.each([
    ['eth_call', [{ to: ADDRESS }, 'latest', accounts]],
    [
      'eth_call',
      [{ to: ADDRESS }, 'latest', { [ADDRESS]: { stateDiff: objectOf(10_000, (n) => [word(n), word(1)]) } }],
    ],
    ['eth_estimateGas', [{ to: ADDRESS }, 'latest', accounts]],
    ['eth_simulateV1', [{ blockStateCalls: [{ stateOverrides: accounts, calls: [{ to: ADDRESS }] }] }]],
    ['eth_callMany', [[{ transactions: many(1_500, (n) => ({ to: address(n) })) }], {}]],
    ['eth_getProof', [ADDRESS, many(10_000, word), 'latest']],
    ['eth_getLogs', [{ topics: [many(8_000, word)] }]],
    [
      'anvil_loadState',
      [
        state({
          accounts: objectOf(4_000, (n) => [
            address(n),
            { nonce: 1, balance: '0x1', code: '0x', storage: {} },
          ]),
        }),
      ],
    ],
  ])('%s lets others run meanwhile', async (method, params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const { result, longest, all } = await turnsOf(() => post(body));
    expect(result.error).toBeUndefined();
    expect(longest).toBeLessThan(all / 2);
  });

  it.each([
    ['of ASCII', '{}'],
    ['of other text', '"é€😀"'],
  ])('is answered in its turn among others of one connection, %s', async (_what, more) => {
    const { hostname, port } = new URL(node.node.url!);
    const requestOf = (id: number, params: string) => {
      const body = `{"jsonrpc":"2.0","id":${id},"method":"eth_chainId","params":${params}}`;
      return `POST / HTTP/1.1\r\nHost: ${hostname}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
    };
    const long = (count: number) => `[${many(count, () => more).join()}]`;
    // Some that begin before the end of the first 64 KiB and end behind it, some far behind, and short ones around all.
    const sizes = [0, 700, 0, 60_000 / more.length, 900, 3_000, 0, 200_000, 0, 5, 0, 30_000, 0];
    const requests = sizes.map((size, id) => requestOf(id, long(size)));
    const socket = connect(Number(port), hostname);
    let answers = '';
    socket.setEncoding('utf8').on('data', (text) => {
      answers += text;
      if (answers.split('HTTP/1.1 200').length > sizes.length) socket.end();
    });
    // At once, and in parts that end within heads and bodies.
    const bytes = Buffer.from(requests.join(''));
    for (let at = 0; at < bytes.length; at += 99_991) socket.write(bytes.subarray(at, at + 99_991));
    await once(socket, 'close');
    const ids = [...answers.matchAll(/"id":(\d+|null)/g)].map(([, id]) => Number(id));
    expect(ids).toEqual(sizes.map((_, id) => id));
    expect(answers.match(/"error":/g)).toHaveLength(sizes.filter((size) => size > 0).length);
  });

  it('is refused where it has more levels than any has', async () => {
    const params = '['.repeat(200_000) + ']'.repeat(200_000);
    const { error } = await post(`{"jsonrpc":"2.0","id":1,"method":"eth_call","params":${params}}`);
    expect(error).toEqual({
      code: -32600,
      message: 'Invalid request: more than 1000 objects and lists within one another',
    });
  });

  it('is refused where a filter has more addresses than may be hashed at once', async () => {
    const filter = { address: many(10_001, address) };
    const answer = await post(
      JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_newFilter', params: [filter] }),
    );
    expect(answer.error).toMatchObject({ code: -32602 });
    expect(answer.error!.message).toContain('10000 values at most');
  });
});

describe('a state that unpacks to more than --max-state-size', () => {
  it('is refused, and nothing of it is loaded', async () => {
    const bomb = state({ accounts: { [address(9_999)]: { balance: '0x1' } }, fill: ' '.repeat(4_000_000) });
    await expect(node.call('anvil_loadState', bomb)).rejects.toMatchObject({
      code: -32000,
      message: 'what the state unpacks to in bytes (--max-state-size) is over the limit of 4000000',
    });
    expect(await node.call('eth_getBalance', address(9_999), 'latest')).toBe('0x0');
  });

  it.each(['{"accounts":', '[1]', '{"accounts":[]}', '{"accounts":{"0x1":{}}}', '{"accounts":{"0x"', 'x'])(
    '%j is refused as invalid',
    async (text) => {
      const given = `0x${gzipSync(text).toString('hex')}`;
      await expect(node.call('anvil_loadState', given)).rejects.toMatchObject({ code: -32602 });
      await expect(node.call('anvil_loadState', given.slice(0, -8))).rejects.toMatchObject({ code: -32602 });
    },
  );

  it('loads an account whose storage and code are too large to be parsed at once', async () => {
    const storage = objectOf(1_200, (n) => [word(n), word(n + 1)]);
    const large = { nonce: 7, storage, code: `0x${'5b'.repeat(40_000)}`, balance: '0x5' };
    const around = { nonce: 1, balance: '0x2', code: '0x', storage: { [word(1)]: word(9) } };
    await node.call(
      'anvil_loadState',
      state({ accounts: { [address(1)]: around, [address(2)]: large, [address(3)]: around } }),
    );
    for (const at of [address(1), address(3)]) {
      expect(await node.call('eth_getBalance', at, 'latest')).toBe('0x2');
      expect(await node.call('eth_getStorageAt', at, word(1), 'latest')).toBe(word(9));
    }
    expect(await node.call('eth_getBalance', address(2), 'latest')).toBe('0x5');
    expect(await node.call('eth_getTransactionCount', address(2), 'latest')).toBe('0x7');
    expect((await node.call('eth_getCode', address(2), 'latest')).length).toBe(80_002);
    for (const n of [0, 600, 1_199])
      expect(await node.call('eth_getStorageAt', address(2), word(n), 'latest')).toBe(word(n + 1));
  });
});
