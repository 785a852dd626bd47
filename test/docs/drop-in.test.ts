import { expect, it, vi } from 'vitest';
import { createDevnet } from '../../src/index.ts';

it("viem's test client of docs/drop-in.md mines, sends and reads", async () => {
  const suite = await createDevnet({ port: 0, automine: true });
  vi.stubGlobal('NODE_URL', suite.url);
  try {
    const { client } = await import('drop-in:client.ts');
    await client.mine({ blocks: 3 });
    const [account, to] = await client.getAddresses();
    const hash = await client.sendTransaction({ account: account!, to: to!, value: 5n, chain: null });
    expect(await client.getTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      blockNumber: 4n,
    });
  } finally {
    vi.unstubAllGlobals();
    await suite.close();
  }
});
