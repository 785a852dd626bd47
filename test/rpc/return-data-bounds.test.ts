import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EngineName } from '../../src/engine/engine-name.ts';
import { startNode, type TestNode } from './dev/node.ts';

/** RETURNDATACOPY of one byte where there is no return data (EIP-211), after a call that has returned nothing. */
const BEHIND = '0x60015f5f3e';
/** Of 32 bytes from the second on, where the identity precompile has returned 32. */
const PARTLY = '0x5f5f60205f60045afa602060015f3e';
/** From the largest offset, so that offset and length are above any word. */
const OVERFLOWING = '0x60015f195f3e';
/** With a place in memory that no gas pays for: geth looks at that first. */
const FAR = `0x60015f63${'ff'.repeat(4)}3e`;
/** What is there, and nothing at the end of it. */
const WITHIN = '0x5f5f60205f60045afa60205f5f3e5f60205f3e60205ff3';
const REASON = 'return data out of bounds';

describe.each<EngineName>(['fast', 'ethereumjs', 'shadow'])('return data on the engine %s', (engine) => {
  let node: TestNode;
  beforeEach(async () => {
    node = await startNode({ engine, automine: true });
  });
  afterEach(() => node.close());

  it.each([BEHIND, PARTLY, OVERFLOWING])('halts where it ends, and says so: %s', async (data) => {
    const [from] = node.accounts;
    for (const method of ['eth_call', 'eth_estimateGas'])
      await expect(node.rpc(method, { from, data })).rejects.toMatchObject({ code: -32015, message: REASON });
    const hash = await node.rpc('eth_sendTransaction', { from, data, gas: '0x30d40' });
    expect(await node.rpc('eth_getTransactionReceipt', hash)).toMatchObject({
      status: '0x0',
      gasUsed: '0x30d40',
    });
    const frame = await node.rpc('debug_traceTransaction', hash, { tracer: 'callTracer' });
    expect(frame.error).toBe(REASON);
    // As in geth: paid, and told without an error, which comes while it runs.
    const { structLogs } = await node.rpc('debug_traceTransaction', hash);
    expect(structLogs.at(-1)).toMatchObject({ op: 'RETURNDATACOPY' });
    expect(structLogs.at(-1).error).toBeUndefined();
    const [trace] = await node.rpc('trace_transaction', hash);
    expect(trace.error).toBe('Out of bounds');
  });

  it("is out of gas where the memory can't be paid", async () => {
    const [from] = node.accounts;
    await expect(node.rpc('eth_call', { from, data: FAR, gas: '0x30d40' })).rejects.toMatchObject({
      message: 'out of gas',
    });
  });

  it('can be copied up to its end', async () => {
    const [from] = node.accounts;
    expect(await node.rpc('eth_call', { from, data: WITHIN })).toBe(`0x${'00'.repeat(32)}`);
  });
});

it("is a revert without a reason for Hardhat's users, and no lack of gas", async () => {
  const node = await startNode({ compat: 'hardhat', automine: true });
  try {
    const [from] = node.accounts;
    await expect(node.rpc('eth_call', { from, data: BEHIND })).rejects.toThrow(
      'Transaction reverted without a reason string',
    );
  } finally {
    await node.close();
  }
});
