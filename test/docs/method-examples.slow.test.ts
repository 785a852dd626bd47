import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestClient, custom, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DevnetError } from '../../src/errors.ts';
import { createDevnet } from '../../src/index.ts';
import { METHODS } from '../../src/rpc/all-methods.ts';
import { CONTRACT, type Facts, methodExamples, REFUSED, SHOWN, TRANSACTIONS } from './method-examples.ts';

const EXAMPLES = methodExamples();
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'devnet-examples-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Request = (method: string, ...params: readonly unknown[]) => Promise<unknown>;

/** The chain of the examples: one sealed transaction, one pre-confirmed, one that waits. Time stands still. */
async function openChain(method: string) {
  const node = await createDevnet({ manualClock: true, timestamp: 1_800_000_000n });
  const request: Request = (name, ...params) => node.provider.request({ method: name, params });
  await request('eth_sendRawTransaction', TRANSACTIONS.sealed);
  await node.clock.advance(2000);
  await request('eth_sendRawTransaction', TRANSACTIONS.preconfirmed);
  await node.clock.advance(200);
  if (method === 'devnet_stopRecording')
    await request('devnet_startRecording', join(folder, 'stopped.jsonl'));
  const { hash } = (await request('eth_getBlockByNumber', 'latest', false)) as { hash: string };
  const facts: Facts = {
    ...SHOWN,
    blockHash: hash,
    block: (await request('debug_getRawBlock', 'latest')) as string,
    filter: (await request('eth_newFilter', {})) as string,
    subscription: (await request('eth_subscribe', 'newHeads')) as string,
    snapshot: (await request('evm_snapshot')) as string,
    ...(method === 'anvil_loadState' && { state: (await request('anvil_dumpState')) as string }),
    path: join(folder, 'chain.jsonl'),
    codeHash: ((await request('eth_getAccount', CONTRACT)) as { codeHash: string }).codeHash,
    ...(method.startsWith('personal_') && {
      account: (await request('personal_newAccount', 'passphrase')) as string,
    }),
  };
  await request('eth_sendRawTransaction', TRANSACTIONS.waiting);
  return { node, request, facts };
}

type Chain = Awaited<ReturnType<typeof openChain>>;

/** Kinds of methods that leave the chain as it is: they share one. */
const READS = new Set(METHODS.filter(({ kind }) => kind === 'read').map(({ name }) => name));
let shared: Promise<Chain> | undefined;
afterAll(async () => (await shared)?.node.close());

/** Runs `use` with a chain of its own, unless the method only reads. */
async function withChain(method: string, use: (chain: Chain) => Promise<void>): Promise<void> {
  if (READS.has(method)) {
    shared ??= openChain(method);
    return use(await shared);
  }
  const chain = await openChain(method);
  try {
    await use(chain);
  } finally {
    await chain.node.close();
  }
}

/** What becomes of a promise. Only a send that waits for its receipt needs time to go on. */
async function settled(promise: Promise<unknown>, { node }: Pick<Chain, 'node'>, method: string) {
  let outcome: string | undefined;
  const settling = promise.then(
    () => {
      outcome = 'answered';
    },
    (error: DevnetError) => {
      outcome = error.kind;
    },
  );
  while (method.endsWith('Sync') && outcome === undefined) {
    await new Promise(setImmediate);
    await node.clock.advance(200);
  }
  await settling;
  return outcome;
}

describe('the requests in docs/methods are answered:', () => {
  it.each(EXAMPLES)('$method', ({ method, params }) =>
    withChain(method, async ({ node, request, facts }) => {
      const outcome = await settled(request(method, ...params(facts)), { node }, method);
      expect(outcome).toBe(REFUSED[method] ?? 'answered');
    }),
  );
});

describe('the lines with viem in docs/methods work:', () => {
  it.each(EXAMPLES.filter(({ viem }) => viem))('$method', ({ method, viem }) =>
    withChain(method, async ({ node }) => {
      const asked: string[] = [];
      const provider = {
        request: (request: { method: string; params?: unknown }) => {
          asked.push(request.method);
          return node.provider.request(request as Parameters<typeof node.provider.request>[0]);
        },
      };
      const client = createTestClient({
        mode: 'anvil',
        chain: foundry,
        transport: custom(provider, { retryCount: 0 }),
      })
        .extend(publicActions)
        .extend(walletActions);
      const line = new Function('client', `return ${viem}`) as (given: typeof client) => Promise<unknown>;
      expect(await settled(line(client), { node }, method)).toBe('answered');
      expect(asked.length).toBeGreaterThan(0);
    }),
  );
});
