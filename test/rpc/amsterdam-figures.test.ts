import { createHash } from 'node:crypto';
import { hexToBytes } from '@ethereumjs/util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';

const CONTRACT = '0x00000000000000000000000000000000000000c1';
const FACTORY = '0x4e59b44847b379578588920ca78fbf26c0b4956c';
const DEPOSITS = '0x0000bff46984e3725691fa540a8c7589300d8282';
const EXITS = '0x000064d678505ad48f8ccb093bc65613800e8282';

const hex = (value: number | bigint) => `0x${value.toString(16)}`;
const sha256 = (...parts: Uint8Array[]) =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
/** EIP-7685: the hash of a block's requests. @param requests with their types, as hex */
const requestsHash = (...requests: string[]) =>
  `0x${sha256(...requests.map((request) => sha256(hexToBytes(request as `0x${string}`)))).toString('hex')}`;

// Figures of gas are in test/engine/wasm/amsterdam.test.ts.
describe('figures of blocks at amsterdam', () => {
  let node: Devnet;
  let call: Call;
  let from: string;
  beforeAll(async () => {
    node = await createDevnet({ hardfork: 'amsterdam', automine: true, manualClock: true });
    call = callsOf(node);
    from = node.accounts[0]!.address.toLowerCase();
  });
  afterAll(() => node.close());

  const send = async (transaction: object): Promise<{ receipt: Wire; block: Wire }> => {
    const hash = await call('eth_sendTransaction', { from, ...transaction });
    const receipt = await call('eth_getTransactionReceipt', hash);
    return { receipt, block: await call('eth_getBlockByNumber', receipt.blockNumber, false) };
  };
  const listedOf = async (address: string): Promise<Wire> =>
    (await call('eth_getBlockAccessList', 'latest')).find((account: Wire) => account.address === address);

  it('EIP-7778: a block counts gas before refunds, a receipt what is paid', async () => {
    await call('anvil_setCode', CONTRACT, '0x600060005500');
    await call('anvil_setStorageAt', CONTRACT, '0x0', `0x${'1'.padStart(64, '0')}`);
    const { receipt, block } = await send({ to: CONTRACT });
    // 15,000, two PUSHes, 2,100 for the slot and 10,000 for its change; a fifth of it is refunded at most
    expect(Number(block.gasUsed)).toBe(27_106);
    expect(Number(receipt.gasUsed)).toBe(27_106 - 5_421);
    expect(receipt.cumulativeGasUsed).toBe(receipt.gasUsed);
    const { gasUsedRatio } = await call('eth_feeHistory', '0x1', 'latest', []);
    expect(gasUsedRatio).toEqual([27_106 / 200_000_000]);
  });

  it('EIP-7928: a slot that keeps its value is read, and a change that is undone is none', async () => {
    // SSTORE(0, 0); SSTORE(1, 1), SSTORE(1, 0); SSTORE(2, 2)
    await call('anvil_setCode', CONTRACT, '0x5f5f5560016001555f600155600260025500');
    await send({ to: CONTRACT });
    const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;
    expect(await listedOf(CONTRACT)).toEqual({
      address: CONTRACT,
      storageChanges: [{ key: word(2), changes: [{ index: '0x1', value: word(2) }] }],
      storageReads: [word(0), word(1)],
      balanceChanges: [],
      nonceChanges: [],
      codeChanges: [],
    });
  });

  it('EIP-7954: code has 65,536 bytes at most, init code 131,072', async () => {
    // PUSH3 size PUSH0 RETURN
    const status = async (size: number) =>
      (await send({ data: `0x62${size.toString(16).padStart(6, '0')}5ff3`, gas: hex(150_000_000) })).receipt
        .status;
    expect([await status(65_536), await status(65_537)]).toEqual(['0x1', '0x0']);
    const init = (size: number) => ({ data: `0x${'00'.repeat(size)}`, gas: hex(150_000_000) });
    expect((await send(init(131_072))).receipt.status).toBe('0x1');
    await expect(send(init(131_073))).rejects.toThrow(/131072/);
  });

  it('EIP-7997: the factory of CREATE2 is there from the first block, with nonce 1', async () => {
    expect(await call('eth_getTransactionCount', FACTORY, '0x0')).toBe('0x1');
    const { receipt } = await send({ to: FACTORY, data: `0x${'00'.repeat(32)}60015ff3` });
    expect(receipt.status).toBe('0x1');
    expect((await listedOf(FACTORY)).nonceChanges).toHaveLength(1);
  });

  it('EIP-8282: a deposit and an exit of a builder are requests of types 0x03 and 0x04', async () => {
    const empty = requestsHash();
    const key = 'ab'.repeat(48);
    const credentials = `03${'00'.repeat(11)}${from.slice(2)}`;
    const signature = 'cd'.repeat(96);
    const gwei = 10n ** 9n;
    const big = gwei.toString(16).padStart(16, '0');
    const little = Buffer.from(big, 'hex').reverse().toString('hex');
    const deposit = await send({
      to: DEPOSITS,
      data: `0x${key}${credentials}${big}${signature}`,
      value: hex(gwei * gwei + 1n),
    });
    expect(deposit.receipt.status).toBe('0x1');
    expect(deposit.block.requestsHash).toBe(requestsHash(`0x03${key}${credentials}${little}${signature}`));
    const exit = await send({ to: EXITS, data: `0x${key}`, value: '0x1' });
    expect(exit.receipt.status).toBe('0x1');
    expect(exit.block.requestsHash).toBe(requestsHash(`0x04${from.slice(2)}${key}`));
    await call('evm_mine');
    expect((await call('eth_getBlockByNumber', 'latest', false)).requestsHash).toBe(empty);
  });
});
