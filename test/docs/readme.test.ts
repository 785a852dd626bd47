import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';

const QUANTITY = expect.stringMatching(/^0x(0|[1-9a-f][0-9a-f]*)$/);
const ADDRESS = expect.stringMatching(/^0x[0-9a-f]{40}$/i);
const HASH = expect.stringMatching(/^0x[0-9a-f]{64}$/);
const DATA = expect.stringMatching(/^0x([0-9a-f]{2})*$/);

const BLOCK = {
  number: QUANTITY,
  hash: HASH,
  parentHash: HASH,
  nonce: '0x0000000000000000',
  sha3Uncles: HASH,
  logsBloom: expect.stringMatching(/^0x[0-9a-f]{512}$/),
  transactionsRoot: HASH,
  stateRoot: HASH,
  receiptsRoot: HASH,
  miner: ADDRESS,
  difficulty: '0x0',
  mixHash: HASH,
  extraData: DATA,
  size: QUANTITY,
  gasLimit: QUANTITY,
  gasUsed: QUANTITY,
  timestamp: QUANTITY,
  transactions: expect.any(Array),
  uncles: [],
  withdrawals: [],
  withdrawalsRoot: HASH,
  baseFeePerGas: QUANTITY,
  blobGasUsed: QUANTITY,
  excessBlobGas: QUANTITY,
  parentBeaconBlockRoot: HASH,
  requestsHash: HASH,
};

const SIMULATED_BLOCK = {
  ...BLOCK,
  stateRoot: `0x${'00'.repeat(32)}`,
  calls: [{ status: '0x1', gasUsed: QUANTITY, returnData: DATA, logs: [{ address: ADDRESS, data: DATA }] }],
};

/** method -> shape of its result */
const RESULTS: Record<string, unknown> = {
  eth_getBlockByNumber: BLOCK,
  eth_getStorageAt: HASH,
  eth_getTransactionCount: QUANTITY,
  eth_simulateV1: [SIMULATED_BLOCK],
};

interface Example {
  readonly id: number;
  readonly method: string;
  readonly body: string;
}

/** The JSON bodies of the README's ```sh blocks. */
function examples(): Example[] {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  return [...readme.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, command = '']) => {
    const body = /-d '([^']*)'/.exec(command)?.[1] ?? '';
    const { id, method } = JSON.parse(body) as { id: number; method: string };
    return { id, method, body };
  });
}

describe('the examples of the README', () => {
  let node: Awaited<ReturnType<typeof createDevnet>>;

  beforeAll(async () => {
    node = await createDevnet({ port: 0, manualClock: true });
  });
  afterAll(() => node.close());

  it('are the four methods that read pending', () => {
    expect(examples().map(({ method }) => method)).toEqual(Object.keys(RESULTS));
  });

  it.each(examples())('$method answers in the documented shape', async ({ id, method, body }) => {
    const response = await fetch(node.url!, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body,
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as { result: unknown };
    expect(answer).toMatchObject({ jsonrpc: '2.0', id });
    expect({ result: answer.result }).toMatchObject({ result: RESULTS[method] });
  });
});
