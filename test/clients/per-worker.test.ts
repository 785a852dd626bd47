import { createTestClient, custom, publicActions, walletActions } from 'viem';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet } from '../../src/index.ts';

const BOB = '0x0000000000000000000000000000000000000b0b';

describe("the README's node per Vitest worker", () => {
  let node: Awaited<ReturnType<typeof createDevnet>>;
  beforeAll(async () => {
    node = await createDevnet({ port: 0, automine: true });
  });
  afterAll(() => node.close());
  const start = () =>
    createTestClient({ mode: 'anvil', chain: foundry, transport: custom(node.provider) })
      .extend(publicActions)
      .extend(walletActions);

  it('serves a test client in its process', async () => {
    const client = start();
    const id = await client.snapshot();
    const [account] = await client.getAddresses();
    const hash = await client.sendTransaction({ account: account!, to: BOB, value: 5n });
    expect((await client.getTransactionReceipt({ hash })).status).toBe('success');
    expect(await client.getBalance({ address: BOB })).toBe(5n);
    await client.revert({ id });
    expect(await client.getBalance({ address: BOB })).toBe(0n);
  });

  it('answers the pool actions', async () => {
    const client = start();
    await client.setAutomine(false);
    const [account] = await client.getAddresses();
    const hash = await client.sendTransaction({ account: account!, to: BOB, value: 5n });
    expect(await client.getTxpoolStatus()).toEqual({ pending: 1, queued: 0 });
    const { pending } = await client.getTxpoolContent();
    expect(Object.values(Object.values(pending)[0]!)[0]!.hash).toBe(hash);
    expect(Object.keys((await client.inspectTxpool()).pending)).toHaveLength(1);
    await client.dropTransaction({ hash });
    expect(await client.getTxpoolStatus()).toEqual({ pending: 0, queued: 0 });
    await client.setAutomine(true);
  });
});
