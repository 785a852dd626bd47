import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERRORS } from '../../src/errors.ts';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { runs } from '../fuzz.ts';

let node: Devnet;
/** what handlers threw that is no answer */
let thrown: unknown[] = [];
beforeAll(async () => {
  const onCall = ({ error }: { error?: unknown }) => {
    if (error !== undefined && !(error instanceof Error && 'code' in error)) thrown.push(error);
  };
  node = await createDevnet({ manualClock: true, timestamp: 1_700_000_000 }, { onCall });
  const [from] = (await node.provider.request({ method: 'eth_accounts' })) as string[];
  await node.provider.request({ method: 'eth_sendTransaction', params: [{ from, data: '0x6001600055' }] });
});
afterAll(() => node.close());

/** Waits for what is not there, or works as long as it is told to. */
const SLOW = /Sync$|^devnet_(tick|holdFlashblocks|delaySeal)$|^anvil_mine$/;

const hexText = fc.oneof(
  fc.constantFrom(
    '0x',
    '0x0',
    '0x1',
    '0x01',
    '0xzz',
    'latest',
    'pending',
    'earliest',
    'safe',
    'nonsense',
    '',
  ),
  fc.bigInt({ min: 0n, max: 2n ** 256n }).map((n) => `0x${n.toString(16)}`),
  fc.uint8Array({ maxLength: 70 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
  fc
    .constantFrom(20, 32, 65, 96)
    .chain((size) =>
      fc
        .uint8Array({ minLength: size, maxLength: size })
        .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
    ),
  fc.constant('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
);
const KEYS = [
  'from',
  'to',
  'data',
  'input',
  'value',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'nonce',
  'type',
  'accessList',
  'blobVersionedHashes',
  'authorizationList',
  'address',
  'topics',
  'fromBlock',
  'toBlock',
  'blockHash',
  'blockNumber',
  'tracer',
  'tracerConfig',
  'stateOverrides',
  'blockOverrides',
  'blockStateCalls',
  'calls',
  'balance',
  'code',
  'state',
  'stateDiff',
  'number',
  'time',
  'timestamp',
  'storageKeys',
  'types',
  'domain',
  'message',
  'primaryType',
];
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    hexText,
    fc.constantFrom(null, true, false, -1, 0, 1, 1.5, 1e300),
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(fc.constantFrom(...KEYS), hexText), tie('json'), { maxKeys: 4 }),
  ),
}));

describe('whatever is asked', () => {
  it.each(METHODS.map(({ name }) => name).filter((name) => !SLOW.test(name)))(
    '%s answers a result or a documented code',
    async (method) => {
      await fc.assert(
        fc.asyncProperty(fc.array(json, { maxLength: 4 }), async (params) => {
          thrown = [];
          try {
            await node.provider.request({ method, params });
          } catch (error) {
            const { code, message } = error as { code: number; message: string };
            expect(
              { code, message },
              `${JSON.stringify(params)} ${thrown.map((e) => (e as Error).stack)}`,
            ).not.toEqual({ code: ERRORS.internal.code, message: ERRORS.internal.message() });
          }
        }),
        { numRuns: runs(60), endOnFailure: true },
      );
    },
    30_000,
  );

  it('and the chain goes on', async () => {
    const before = await node.provider.request({ method: 'eth_blockNumber' });
    await node.provider.request({ method: 'evm_mine' });
    expect(BigInt((await node.provider.request({ method: 'eth_blockNumber' })) as string)).toBeGreaterThan(
      0n,
    );
    expect(before).toBeDefined();
  });
});
