import { afterEach, describe, expect, it } from 'vitest';
import { createDevnet } from '../../../src/index.ts';
import { callsOf } from '../../wire.ts';
import { MODES, startNode, type TestNode } from '../dev/node.ts';

let node: TestNode;
afterEach(() => node?.close());

const SET = '0x77359400';
const fees = async (count: string, newest: string): Promise<string[]> =>
  (await node.rpc('eth_feeHistory', count, newest, [])).baseFeePerGas;
const baseFeeOf = async (tag: string): Promise<string> => (await node.block(tag)).baseFeePerGas;

describe.each(Object.entries(MODES))('fees of the next block in mode %s', (_, mode) => {
  it('are those that were set, in every method', async () => {
    node = await startNode(mode);
    await node.rpc('evm_mine');
    await node.rpc('anvil_setNextBlockBaseFeePerGas', SET);
    const pending = await baseFeeOf('pending');
    expect((await fees('0x2', 'latest')).at(-1)).toBe(pending);
    expect((await fees('0x1', await node.rpc('eth_blockNumber'))).at(-1)).toBe(pending);
    expect(await node.rpc('eth_baseFee')).toBe(pending);
    const tip = BigInt(await node.rpc('eth_maxPriorityFeePerGas'));
    expect(BigInt(await node.rpc('eth_gasPrice'))).toBe(BigInt(pending) + tip);
    const history = await node.rpc('eth_feeHistory', '0x1', 'latest');
    expect(history.baseFeePerBlobGas.at(-1)).toBe(await node.rpc('eth_blobBaseFee'));
    await node.rpc('evm_mine');
    expect(await baseFeeOf('latest')).toBe(pending);
  });

  it('are the real ones where the block is there', async () => {
    node = await startNode(mode);
    for (const fee of [SET, '0x3b9aca00', '0xee6b2800']) {
      await node.rpc('anvil_setNextBlockBaseFeePerGas', fee);
      await node.rpc('evm_mine');
    }
    const last = Number(await node.rpc('eth_blockNumber'));
    const real = await Promise.all(
      Array.from({ length: last + 1 }, (_, number) => baseFeeOf(`0x${number.toString(16)}`)),
    );
    for (let newest = 0; newest < last; newest++)
      expect(await fees('0x1', `0x${newest.toString(16)}`), `after ${newest}`).toEqual(
        real.slice(newest, newest + 2),
      );
    expect(await fees('0x10', 'latest')).toEqual([...real, await baseFeeOf('pending')]);
  });
});

describe('fees of the next block', () => {
  it('after the pending block follow from it', async () => {
    node = await startNode(MODES.automine);
    await node.rpc('anvil_setNextBlockBaseFeePerGas', SET);
    const [pending, following] = await fees('0x1', 'pending');
    expect(pending).toBe(SET);
    // Of an empty block: an eighth less.
    expect(following).toBe(`0x${((BigInt(SET) * 7n) / 8n).toString(16)}`);
  });

  it('after a pending block with transactions are those that were set for the block after it', async () => {
    node = await startNode(MODES.interval);
    await node.transfer();
    await node.rpc('devnet_tick');
    await node.rpc('anvil_setNextBlockBaseFeePerGas', SET);
    expect(await baseFeeOf('pending')).not.toBe(SET);
    expect((await fees('0x1', 'pending')).at(-1)).toBe(SET);
    expect((await fees('0x1', 'latest')).at(-1)).toBe(await baseFeeOf('pending'));
    await node.rpc('devnet_seal');
    expect(await baseFeeOf('pending')).toBe(SET);
    expect((await fees('0x1', 'latest')).at(-1)).toBe(SET);
  });

  it('on a fork are its own, also after the block at which it was forked', async () => {
    node = await startNode(MODES.automine);
    for (let i = 0; i < 3; i++) await node.rpc('evm_mine');
    const served = await createDevnet({ port: 0, automine: true });
    const upstream = callsOf(served);
    for (let i = 0; i < 4; i++) await upstream('evm_mine');
    const fork = await createDevnet({ automine: true, forkUrl: served.url!, forkBlockNumber: 2n } as object);
    const rpc = callsOf(fork);
    const endingAt = async (newest: string) => (await rpc('eth_feeHistory', '0x2', newest)).baseFeePerGas;
    const feeOf = async (tag: string) => (await rpc('eth_getBlockByNumber', tag, false)).baseFeePerGas;
    await rpc('anvil_setNextBlockBaseFeePerGas', SET);
    expect(await endingAt('0x2')).toEqual([await feeOf('0x1'), await feeOf('0x2'), SET]);
    expect(await endingAt('latest')).toEqual([await feeOf('0x1'), await feeOf('0x2'), SET]);
    expect(await endingAt('0x1')).toEqual([await feeOf('0x0'), await feeOf('0x1'), await feeOf('0x2')]);
    await rpc('evm_mine');
    expect(await feeOf('0x3')).toBe(SET);
    await rpc('evm_mine');
    expect(await endingAt('0x2')).toEqual([await feeOf('0x1'), await feeOf('0x2'), SET]);
    expect(await endingAt('0x3')).toEqual([await feeOf('0x2'), SET, await feeOf('0x4')]);
    expect((await rpc('eth_feeHistory', '0x4', 'latest')).baseFeePerGas).toEqual([
      ...(await Promise.all(['0x1', '0x2', '0x3', '0x4'].map(feeOf))),
      await feeOf('pending'),
    ]);
    await fork.close();
    await served.close();
  });
});
