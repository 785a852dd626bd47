import { encodeErrorResult, parseAbi } from 'viem';
import { afterEach, describe, expect, it } from 'vitest';
import { DevnetError } from '../../src/errors.ts';
import { startNode, type TestNode } from './dev/node.ts';

let node: TestNode | undefined;
afterEach(async () => {
  await node?.close();
  node = undefined;
});

const TO = `0x${'cc'.repeat(20)}`;

/** Code that reverts with data which stands behind it. */
function reverting(data: string): string {
  const size = (data.length / 2 - 1).toString(16).padStart(6, '0');
  // PUSH3 size, PUSH1 16, PUSH1 0, CODECOPY, PUSH3 size, PUSH1 0, REVERT
  return `0x62${size}601060003962${size}6000fd${data.slice(2)}`;
}

const reason = (text: string) =>
  encodeErrorResult({ abi: parseAbi(['error Error(string)']), errorName: 'Error', args: [text] });

describe('the message of an error', () => {
  it.each([
    ['ASCII', 'a'.repeat(20_000)],
    ['characters of three bytes', '代'.repeat(10_000)],
    ['pairs of surrogates', '😀'.repeat(10_000)],
    ['one byte and then pairs', `a${'😀'.repeat(10_000)}`],
  ])('has 1,000 bytes at most, of whole characters: %s', (_, text) => {
    const { message } = new DevnetError('reverted', { reason: text });
    expect(Buffer.byteLength(message)).toBeLessThanOrEqual(1_000);
    expect(Buffer.byteLength(message)).toBeGreaterThan(990);
    const kept = message.slice(0, -'...'.length);
    expect(`execution reverted: ${text}`.startsWith(kept)).toBe(true);
    expect(message.endsWith('...')).toBe(true);
    expect(Buffer.from(kept).toString()).toBe(kept);
  });

  it('that is no longer stays as it is', () => {
    for (const text of ['', 'x', 'a'.repeat(980), '代'.repeat(326)])
      expect(new DevnetError('server', { reason: text }).message).toBe(text);
  });

  const long = reason('r'.repeat(100_000));
  const state = { [TO]: { code: reverting(long) } };

  it.each(['anvil', 'hardhat', 'hardhat2'] as const)(
    'is cut, and data is whole, where a contract reverts with 100 kB: %s',
    async (compat) => {
      node = await startNode({ compat, automine: true, codeSizeLimit: 200_000 });
      const { rpc } = node;
      await rpc('anvil_setCode', TO, reverting(long));
      const call = { to: TO, gas: '0xf00000' };
      const [from] = (await rpc('eth_accounts')) as string[];
      for (const [method, ...params] of [
        ['eth_call', call, 'latest'],
        ['eth_call', call, 'latest', state],
        ['eth_estimateGas', { to: TO }],
        ['eth_fillTransaction', { from, to: TO }],
        ...(compat === 'anvil' ? [] : [['eth_sendTransaction', { ...call, from }]]),
      ] as [string, ...unknown[]][]) {
        const error = await rpc(method, ...params).then(
          () => undefined,
          (one) => one as { message: string; data: unknown },
        );
        expect(error, method).toBeDefined();
        expect(Buffer.byteLength(error!.message), method).toBeLessThanOrEqual(1_000);
        expect(error!.message, method).toMatch(/rrrrrr/);
        expect(JSON.stringify(error!.data), method).toContain(long.slice(2));
      }
      const [simulated] = await rpc(
        'eth_simulateV1',
        { blockStateCalls: [{ calls: [{ to: TO }] }] },
        'latest',
      );
      const [{ error, returnData }] = simulated.calls;
      expect(Buffer.byteLength(error.message)).toBeLessThanOrEqual(1_000);
      expect([error.data ?? returnData, returnData]).toContain(long);
    },
  );

  it('is cut where a caller sent a long text', async () => {
    node = await startNode({ automine: true });
    for (const [method, ...params] of [
      [`eth_${'x'.repeat(50_000)}`],
      ['eth_getBalance', 'y'.repeat(50_000)],
      ['eth_call', { to: TO, gas: 'z'.repeat(50_000) }, 'latest'],
      ['debug_traceCall', { to: TO }, 'latest', { tracer: `x${'t'.repeat(50_000)}` }],
      [
        'debug_traceCall',
        { to: TO },
        'latest',
        { tracer: `{ fault() {}, result() { throw '${'e'.repeat(50_000)}' } }` },
      ],
    ] as [string, ...unknown[]][]) {
      const { message } = await node.rpc(method, ...params).then(
        () => ({ message: 'none' }),
        (error) => error as Error,
      );
      expect(message, method).not.toBe('none');
      expect(Buffer.byteLength(message), method).toBeLessThanOrEqual(1_000);
    }
  });
});
