import { keccak256, toHex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_MNEMONIC } from '../../../src/accounts.ts';
import type { DevnetOptions } from '../../../src/index.ts';
import type { Wire } from '../../wire.ts';
import { ALICE, MODES, startNode, type TestNode } from './node.ts';

let node: TestNode;
afterEach(() => node.close());

const status = (hash: string): Promise<Wire> => node.rpc('devnet_transactionStatus', hash);
const eventsOf = async (hash: string): Promise<string[]> =>
  (await status(hash)).events.map(({ event }: Wire) => event);

const GWEI = 10n ** 9n;
const UNKNOWN = `0x${'12'.repeat(32)}`;
const signer = mnemonicToAccount(DEFAULT_MNEMONIC);
const signed = (fields: object) =>
  signer.signTransaction({
    ...{ chainId: 31_337, nonce: 0, to: ALICE, value: 1n, gas: 21_000n },
    ...{ maxFeePerGas: 10n * GWEI, maxPriorityFeePerGas: GWEI },
    ...fields,
  });

const ENGINES: [string, DevnetOptions][] = [
  ['fast', { engine: 'fast' }],
  ['ethereumjs', { engine: 'ethereumjs' }],
  ['shadow', { engine: 'shadow' }],
];

describe.each(ENGINES)('on the engine %s', (_, engine) => {
  it('a transaction is received, waits for a flashblock, is pre-confirmed at its index and sealed', async () => {
    node = await startNode({ ...engine, ...MODES.interval });
    await node.tick();
    const hash = await node.transfer();
    expect(await status(hash)).toMatchObject({
      ...{ hash, status: 'waiting', waitsFor: 'flashblock', blockNumber: null, replacedBy: null },
      events: [{ event: 'received' }],
    });
    await node.tick();
    const place = { blockNumber: '0x1', transactionIndex: '0x0', flashblockIndex: 2 };
    expect(await status(hash)).toMatchObject({
      ...{ status: 'preconfirmed', reason: null, waitsFor: null, ...place },
      blockHash: (await node.block('pending')).hash,
    });
    await node.rpc('devnet_seal');
    const sealed = await status(hash);
    expect(sealed).toMatchObject({ status: 'sealed', ...place, blockHash: (await node.block()).hash });
    expect(sealed.events).toEqual([
      { event: 'received', at: expect.any(Number) },
      { event: 'preconfirmed', at: expect.any(Number), blockNumber: '0x1', flashblockIndex: 2 },
      { event: 'sealed', at: expect.any(Number), blockNumber: '0x1' },
    ]);
    const times = sealed.events.map(({ at }: Wire) => at);
    expect(times).toEqual(times.toSorted((a: number, b: number) => a - b));
  });

  it('with automine it is received and sealed, and a revert takes it back', async () => {
    node = await startNode({ ...engine, ...MODES.automine });
    const snapshot = await node.rpc('evm_snapshot');
    const hash = await node.rpc('eth_sendRawTransaction', await signed({}));
    expect(await status(hash)).toMatchObject({ status: 'sealed', blockNumber: '0x1', flashblockIndex: null });
    expect(await eventsOf(hash)).toEqual(['received', 'sealed']);
    await node.rpc('evm_revert', snapshot);
    expect(await status(hash)).toMatchObject({ status: 'reorged', blockHash: null, blockNumber: null });
    expect(await eventsOf(hash)).toEqual(['received', 'sealed', 'reorged']);
    await node.rpc('eth_sendRawTransaction', await signed({}));
    expect((await status(hash)).status).toBe('sealed');
    expect(await eventsOf(hash)).toEqual(['received', 'sealed', 'reorged', 'received', 'sealed']);
  });
});

describe('a transaction that waits', () => {
  it('says which nonces before it are missing', async () => {
    node = await startNode(MODES.interval);
    const [two, five] = [
      await node.transfer('0x1', { nonce: '0x2' }),
      await node.transfer('0x1', { nonce: '0x5' }),
    ];
    await node.tick();
    const gap = { status: 'waiting', waitsFor: 'nonce', reason: 'nonce gap: nonces 0 to 1 are missing' };
    expect(await status(two)).toMatchObject(gap);
    expect(await status(five)).toMatchObject(gap);
    await node.transfer('0x1', { nonce: '0x0' });
    expect(await status(two)).toMatchObject({ reason: 'nonce gap: nonce 1 is missing' });
  });

  it.each(Object.entries({ manual: MODES.manual, interval: MODES.interval }))(
    'says that its fee cap, or one before it, is below the base fee, in %s mode',
    async (_, options) => {
      node = await startNode(options);
      const fees = (cap: bigint) => ({ maxFeePerGas: toHex(cap), maxPriorityFeePerGas: '0x1' });
      const low = await node.transfer('0x1', fees(1000n));
      const behind = await node.transfer('0x1', fees(100n * GWEI));
      if ('noMining' in options) expect((await status(low)).waitsFor).toBe('fee');
      await node.tick();
      const baseFee = BigInt((await node.block('pending')).baseFeePerGas);
      expect(await status(low)).toMatchObject({
        ...{ status: 'waiting', waitsFor: 'fee' },
        reason: `its fee cap of 1000 wei is below the base fee, ${baseFee} wei`,
      });
      expect(await status(behind)).toMatchObject({
        waitsFor: 'fee',
        reason: expect.stringMatching(/nonce 0, whose fee cap of 1000 wei/),
      });
    },
  );

  it('says that its gas limit is above that of the block, or what the open block has left', async () => {
    node = await startNode(MODES.interval);
    const large = await node.transfer('0x1', { gas: '0x1000000' });
    await node.rpc('evm_setBlockGasLimit', '0xf00000');
    expect(await status(large)).toMatchObject({
      waitsFor: 'gas',
      reason: 'its gas limit of 16777216 is above the block gas limit, 15728640',
    });
    await node.rpc('evm_setBlockGasLimit', '0x1000001');
    await node.transfer('0x1', { from: node.accounts[1] });
    await node.tick();
    const { gasLimit, gasUsed } = await node.block('pending');
    const [left] = [BigInt(gasLimit) - BigInt(gasUsed)];
    const last = await node.transfer('0x1', { gas: '0xfffff0', from: node.accounts[2] });
    expect(left).toBeLessThan(0xfffff0n);
    expect(await status(last)).toMatchObject({
      waitsFor: 'block',
      reason: `for the next block: its gas limit of 16777200 is above what the open block has left, ${left}`,
    });
  });

  it('says that blocks are mined on demand', async () => {
    node = await startNode(MODES.manual);
    expect(await status(await node.transfer())).toMatchObject({
      waitsFor: 'block',
      reason: 'for the next block, which is mined on demand',
    });
  });
});

describe('the end of a transaction that is in no block', () => {
  it('dropped on demand', async () => {
    node = await startNode(MODES.interval);
    const hash = await node.transfer();
    await node.rpc('anvil_dropTransaction', hash);
    expect(await status(hash)).toMatchObject({ status: 'dropped', reason: 'dropped on demand' });
    expect(await eventsOf(hash)).toEqual(['received', 'dropped']);
  });

  it('replaced in the mempool, by the one with higher fees', async () => {
    node = await startNode(MODES.interval);
    const first = await node.rpc('eth_sendRawTransaction', await signed({}));
    const second = await node.rpc(
      'eth_sendRawTransaction',
      await signed({ maxFeePerGas: 20n * GWEI, maxPriorityFeePerGas: 2n * GWEI }),
    );
    await node.tick();
    const replaced = await status(first);
    expect(replaced).toMatchObject({ status: 'replaced', replacedBy: second });
    expect(replaced.reason).toMatch(/replaced by transaction/);
    expect(replaced.events.at(-1)).toMatchObject({ event: 'replaced', replacedBy: second });
    expect((await status(second)).status).toBe('preconfirmed');
  });

  it('replaced in the open block, by a failing one (devnet_failPreconfirmed)', async () => {
    node = await startNode(MODES.interval);
    const hash = await node.transfer();
    await node.tick();
    const failing = await node.rpc('devnet_failPreconfirmed', hash);
    expect(await status(hash)).toMatchObject({ status: 'replaced', replacedBy: failing });
    expect(await status(failing)).toMatchObject({ status: 'preconfirmed', flashblockIndex: 1 });
  });

  it('dropped after it was pre-confirmed, and the others of its block are pre-confirmed anew', async () => {
    node = await startNode(MODES.interval);
    const [hash, other] = [await node.transfer(), await node.transfer('0x1', { from: node.accounts[1] })];
    await node.tick();
    await node.rpc('devnet_dropPreconfirmed', hash);
    expect((await status(hash)).status).toBe('dropped');
    expect(await eventsOf(hash)).toEqual(['received', 'preconfirmed', 'reorged', 'dropped']);
    expect((await status(other)).status).toBe('preconfirmed');
    expect(await eventsOf(other)).toEqual(['received', 'preconfirmed', 'reorged', 'preconfirmed']);
  });

  it('reorged, and in the mempool again or dropped', async () => {
    node = await startNode(MODES.interval);
    const hash = await node.transfer();
    await node.tick();
    await node.rpc('devnet_seal');
    await node.rpc('devnet_reorg', 1, { reinclude: true });
    expect((await status(hash)).status).toBe('sealed');
    expect((await eventsOf(hash)).slice(-2)).toEqual(['reorged', 'sealed']);
    await node.rpc('devnet_reorg', 1, { reinclude: false });
    expect(await status(hash)).toMatchObject({ status: 'dropped', reason: 'its block was taken back' });
    expect((await eventsOf(hash)).slice(-2)).toEqual(['reorged', 'dropped']);
  });

  it('gone with the open block of a snapshot on the same head', async () => {
    node = await startNode(MODES.interval);
    const snapshot = await node.rpc('evm_snapshot');
    const hash = await node.transfer();
    await node.tick();
    await node.rpc('evm_revert', snapshot);
    expect((await status(hash)).status).toBe('reorged');
  });

  it('gone with the chain that anvil_reset takes back', async () => {
    node = await startNode(MODES.automine);
    const hash = await node.transfer();
    await node.rpc('anvil_reset');
    expect((await status(hash)).status).toBe('reorged');
  });

  it.each<[string, DevnetOptions]>([
    ['by default', {}],
    ['as Hardhat 3', { compat: 'hardhat' }],
    ['as Hardhat 2', { compat: 'hardhat2' }],
  ])('refused, with its reason, %s', async (_, options) => {
    node = await startNode({ ...MODES.automine, ...options });
    const send = async (fields: object) => {
      const raw = await signed(fields);
      const error: Wire = await node.rpc('eth_sendRawTransaction', raw).catch((it: unknown) => it);
      expect(error).toBeInstanceOf(Error);
      return status(keccak256(raw));
    };
    expect(await send({ maxFeePerGas: 1n, maxPriorityFeePerGas: 1n })).toMatchObject({
      ...{ status: 'refused', reason: expect.stringMatching(/fee/i) },
      events: [{ event: 'refused', reason: expect.stringMatching(/fee/i) }],
    });
    expect(await send({ chainId: 5 })).toMatchObject({
      status: 'refused',
      reason: expect.stringMatching(/chain id/i),
    });
    expect(await send({ value: 10n ** 30n })).toMatchObject({ status: 'refused' });
  });

  it.each(['eth_sendRawTransactionSync', 'eth_sendRawTransactionConditional'])(
    'refused by %s',
    async (method) => {
      node = await startNode(MODES.interval);
      await node.rpc('devnet_refuseSender', signer.address, true);
      const raw = await signed({});
      const rest = method.endsWith('Sync') ? [] : [{}];
      await expect(node.rpc(method, raw, ...rest)).rejects.toThrow();
      expect(await status(keccak256(raw))).toMatchObject({
        status: 'refused',
        reason: expect.stringMatching(/devnet_refuseSender/),
      });
    },
  );

  it('a sealed one that is sent again is sealed, and the refusal is in its life', async () => {
    node = await startNode(MODES.automine);
    const raw = await signed({});
    const hash = await node.rpc('eth_sendRawTransaction', raw);
    await expect(node.rpc('eth_sendRawTransaction', raw)).rejects.toThrow();
    expect((await status(hash)).status).toBe('sealed');
    expect(await eventsOf(hash)).toEqual(['received', 'sealed', 'refused']);
  });

  it('bytes that are no transaction are not remembered', async () => {
    node = await startNode(MODES.automine);
    await expect(node.rpc('eth_sendRawTransaction', '0x02c0')).rejects.toThrow();
    expect(await status(keccak256('0x02c0'))).toMatchObject({ status: 'unknown', reason: null, events: [] });
  });
});

it('the newest 32 events of a transaction are kept', async () => {
  node = await startNode(MODES.automine);
  const hash = await node.rpc('eth_sendRawTransaction', await signed({}));
  const again = await signed({});
  for (let i = 0; i < 40; i++) await node.rpc('eth_sendRawTransaction', again).catch(() => {});
  expect(await eventsOf(hash)).toHaveLength(32);
});

it('a hash that the node does not know is unknown, and bad ones are refused', async () => {
  node = await startNode(MODES.automine);
  expect(await status(UNKNOWN)).toEqual({
    ...{ hash: UNKNOWN, status: 'unknown', reason: null, waitsFor: null, replacedBy: null },
    ...{ blockHash: null, blockNumber: null, transactionIndex: null, flashblockIndex: null, events: [] },
  });
  for (const bad of [[], ['0x12'], [7], [UNKNOWN, UNKNOWN]])
    expect(await node.codeOf('devnet_transactionStatus', ...bad)).toBe(-32602);
});
