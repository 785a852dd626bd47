import { afterEach, expect, it, vi } from 'vitest';
import { createDevnet, type Devnet } from '../../../src/index.ts';
import { TrieState } from '../../../src/state/trie-state.ts';
import { callsOf } from '../../wire.ts';

const [SENDER, OTHER, ELSEWHERE] = [
  'f39fd6e51aad88f6f4ce6ab8827279cfffb92266',
  '11'.repeat(20),
  '22'.repeat(20),
].map((digits) => `0x${digits}`);
const send = { from: SENDER, to: OTHER, value: '0x1' };

let node: Devnet;
afterEach(() => node.close());

/** @returns how many nodes of tries are read from the store meanwhile */
async function readsDuring(work: () => Promise<unknown>): Promise<number> {
  const reads = vi.spyOn(TrieState.prototype, 'getNode');
  await work();
  const { length } = reads.mock.calls;
  reads.mockRestore();
  return length;
}

it('after evm_revert a transaction reads no state that those taken back have read, also where a dev write came between', async () => {
  node = await createDevnet({ automine: true, engine: 'fast', manualClock: true });
  const ask = callsOf(node);
  await ask('eth_sendTransaction', send);
  await ask('eth_sendTransaction', send);
  const before = await ask('eth_getBlockByNumber', 'latest', false);
  const snapshot = await ask('evm_snapshot');
  for (let i = 0; i < 5; i++) await ask('eth_sendTransaction', send);
  await ask('anvil_setBalance', ELSEWHERE, '0x5');
  for (let i = 0; i < 5; i++) await ask('eth_sendTransaction', { ...send, to: ELSEWHERE });
  expect(await ask('eth_getBalance', ELSEWHERE, 'latest')).toBe('0xa');

  expect(await ask('evm_revert', snapshot)).toBe(true);
  expect(await ask('eth_getBlockByNumber', 'latest', false)).toEqual(before);
  expect(await ask('eth_getBalance', ELSEWHERE, 'latest')).toBe('0x0');
  expect(await readsDuring(() => ask('eth_sendTransaction', send))).toBe(0);
  expect(await ask('eth_getBalance', OTHER, 'latest')).toBe('0x3');
  expect(await ask('eth_getTransactionCount', SENDER, 'latest')).toBe('0x3');
});
