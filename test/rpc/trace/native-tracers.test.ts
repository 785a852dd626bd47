import { keccak256 } from 'viem';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wire } from '../../wire.ts';
import { startNode, type TestNode } from '../dev/node.ts';

const CALLER = `0x${'ca'.repeat(20)}`;
const CALLEE = `0x${'ce'.repeat(20)}`;
const EMPTY = `0x${'dd'.repeat(20)}`;
const word = (value: number) => `0x${value.toString(16).padStart(64, '0')}`;

let node: TestNode;
beforeEach(async () => {
  node = await startNode();
});
afterEach(() => node.close());

/** Sends a transaction to CALLER, after the contracts were given their code. */
async function run(code: string, callee = '00', gas = '0x30d40'): Promise<string> {
  await node.rpc('anvil_setCode', CALLER, `0x${code.replaceAll(' ', '')}`);
  await node.rpc('anvil_setCode', CALLEE, `0x${callee.replaceAll(' ', '')}`);
  await node.rpc('anvil_setStorageAt', CALLER, '0x7', word(9));
  return node.rpc('eth_sendTransaction', { from: node.accounts[0], to: CALLER, gas });
}
const traced = (hash: string, tracer: string, tracerConfig = {}): Promise<Wire> =>
  node.rpc('debug_traceTransaction', hash, { tracer, tracerConfig });

/** SLOAD 7, POP, SSTORE 8 twice, SLOAD 8, TSTORE 1, TLOAD 1. */
const SLOTS = '6007 54 50 6001 6008 55 6002 6008 55 6008 54 50 6003 6001 5d 6001 5c 50';
/** A CALL of CALLEE with all gas. */
const CALL = `5f5f5f5f5f73${CALLEE.slice(2)}5af150`;
const push = (address: string) => `73${address.slice(2)}`;

describe('erc7562Tracer', () => {
  test('has the slots that each frame accessed', async () => {
    const trace = await traced(await run(`${SLOTS} ${CALL} 00`, '5f5450 00'), 'erc7562Tracer');
    expect(trace.accessedSlots).toEqual({
      reads: { [word(7)]: [word(9)] },
      writes: { [word(8)]: 2 },
      transientReads: { [word(1)]: 1 },
      transientWrites: { [word(1)]: 1 },
    });
    expect(trace.calls).toHaveLength(1);
    expect(trace.calls[0].accessedSlots).toEqual({
      ...{ reads: { [word(0)]: [word(0)] }, writes: {}, transientReads: {}, transientWrites: {} },
    });
  });

  test('is a call tracer besides', async () => {
    const hash = await run(`${CALL} 00`, '5f5ffd');
    const { calls, ...trace } = await traced(hash, 'erc7562Tracer');
    const { calls: callsOfNative, ...native } = await traced(hash, 'callTracer');
    expect(trace).toMatchObject(native);
    expect(calls[0]).toMatchObject(callsOfNative[0]);
    expect(calls[0].error).toBe('execution reverted');
  });

  test('counts opcodes, but for ordinary ones, and GAS only where no call follows', async () => {
    const hash = await run(`${CALL} 5a50 4250 4250 00`);
    const trace = await traced(hash, 'erc7562Tracer');
    expect(trace.usedOpcodes).toEqual({ '0x0': 1, '0x5a': 1, '0x42': 2, '0xf1': 1 });
    expect(trace.calls[0].usedOpcodes).toEqual({ '0x0': 1 });
    const all = await traced(hash, 'erc7562Tracer', { ignoredOpcodes: [] });
    expect(all.usedOpcodes).toMatchObject({ '0x50': 4, '0x5f': 5, '0x73': 1, '0x42': 2 });
    const some = await traced(hash, 'erc7562Tracer', { ignoredOpcodes: ['0x42', '0x50'] });
    expect(Object.keys(some.usedOpcodes)).not.toContain('0x42');
    expect(some.usedOpcodes['0x5f']).toBe(5);
  });

  test('has the sizes of contracts, and accounts whose code was looked at', async () => {
    // EXTCODESIZE of EMPTY before ISZERO, EXTCODEHASH of CALLEE, EXTCODESIZE of CALLEE before POP, then a call.
    const code = `${push(EMPTY)} 3b 15 50 ${push(CALLEE)} 3f 50 ${push(CALLEE)} 3b 50 ${CALL} 00`;
    const trace = await traced(await run(code, '5f50 00'), 'erc7562Tracer');
    expect(trace.extCodeAccessInfo).toEqual([CALLEE, CALLEE]);
    expect(trace.contractSize).toEqual({
      [EMPTY]: { contractSize: 0, opcode: 0x3b },
      [CALLEE]: { contractSize: 3, opcode: 0x3f },
    });
  });

  test('tells a frame that ran out of gas, and what was hashed in all of them', async () => {
    // Hashes 32 bytes with 5 at their end and 0 bytes; gives the callee 100 gas for an endless loop.
    const code = `6005 5f52 6020 5f 20 50 5f 5f 20 50 5f5f5f5f5f73${CALLEE.slice(2)}6064f150 00`;
    const trace = await traced(await run(code, '5b5f56'), 'erc7562Tracer');
    expect(trace.outOfGas).toBe(false);
    expect(trace.calls[0]).toMatchObject({ outOfGas: true, error: 'out of gas' });
    expect(trace.keccak).toEqual(['0x', word(5)]);
    expect(trace.calls[0]).not.toHaveProperty('keccak');
  });

  test('has logs where they are asked for', async () => {
    const hash = await run('5f5fa0 00');
    expect(await traced(hash, 'erc7562Tracer')).not.toHaveProperty('logs');
    const { logs } = await traced(hash, 'erc7562Tracer', { withLog: true });
    expect(logs).toEqual([{ address: CALLER, topics: [], data: '0x', index: '0x0', position: '0x0' }]);
  });

  test('is there for calls and blocks', async () => {
    const hash = await run(`${SLOTS} 00`);
    const trace = await traced(hash, 'erc7562Tracer');
    const blocks = await node.rpc('debug_traceBlockByNumber', 'latest', { tracer: 'erc7562Tracer' });
    expect(blocks).toEqual([{ txHash: hash, result: trace }]);
    const call = { from: node.accounts[0], to: CALLER, gas: '0x30d40' };
    const { writes } = (await node.rpc('debug_traceCall', call, 'latest', { tracer: 'erc7562Tracer' }))
      .accessedSlots;
    expect(writes).toEqual({ [word(8)]: 2 });
  });

  test('refuses settings of other types', async () => {
    const hash = await run('00');
    const refused = node.codeOf('debug_traceTransaction', hash, {
      tracer: 'erc7562Tracer',
      tracerConfig: { ignoredOpcodes: 'all' },
    });
    expect(await refused).toBe(-32602);
  });
});

describe('keccak256PreimageTracer', () => {
  test('has all that was hashed, by its hash', async () => {
    const hash = await run('6005 5f52 6020 5f 20 50 5f5f20 50 6040 5f 20 50 00');
    const preimages = ['0x', word(5), `${word(5)}${'00'.repeat(32)}`] as const;
    expect(await traced(hash, 'keccak256PreimageTracer')).toEqual(
      Object.fromEntries(preimages.map((preimage) => [keccak256(preimage as `0x${string}`), preimage])),
    );
  });

  test('takes a hash that fails, and stands beside others in muxTracer', async () => {
    const hash = await run('20');
    expect(await traced(hash, 'keccak256PreimageTracer')).toEqual({});
    const config = { keccak256PreimageTracer: {}, erc7562Tracer: null, callTracer: { withLog: true } };
    const mux = await traced(hash, 'muxTracer', config);
    expect(mux).toEqual({
      keccak256PreimageTracer: {},
      erc7562Tracer: await traced(hash, 'erc7562Tracer'),
      callTracer: await traced(hash, 'callTracer'),
    });
  });
});

describe('gas by opcode', () => {
  test('of a transaction and of its block', async () => {
    const hash = await run(`6001 6002 01 50 ${CALL} 00`, '5f50 00');
    const one = await node.rpc('trace_transactionOpcodeGas', hash);
    expect(one.transactionHash).toBe(hash);
    const of = (name: string) => one.opcodeGas.find(({ opcode }: Wire) => opcode === name);
    expect(of('PUSH1')).toEqual({ opcode: 'PUSH1', count: 2, gasUsed: 6 });
    expect(of('PUSH0')).toEqual({ opcode: 'PUSH0', count: 6, gasUsed: 12 });
    expect(of('ADD')).toEqual({ opcode: 'ADD', count: 1, gasUsed: 3 });
    expect(of('CALL')).toEqual({ opcode: 'CALL', count: 1, gasUsed: 2600 });
    expect(of('STOP')).toEqual({ opcode: 'STOP', count: 2, gasUsed: 0 });
    const { gasUsed, blockHash, blockNumber } = await node.rpc('eth_getTransactionReceipt', hash);
    const sum = one.opcodeGas.reduce((total: number, entry: Wire) => total + entry.gasUsed, 21_000);
    expect(sum).toBe(Number(gasUsed));
    const whole = { blockHash, blockNumber: Number(blockNumber), transactions: [one] };
    expect(await node.rpc('trace_blockOpcodeGas', 'latest')).toEqual(whole);
    expect(await node.rpc('trace_blockOpcodeGas', { blockHash })).toEqual(whole);
  });

  test('is null for what is not there, and empty for a block without transactions', async () => {
    expect(await node.rpc('trace_transactionOpcodeGas', word(1))).toBeNull();
    expect(await node.rpc('trace_blockOpcodeGas', '0x99')).toBeNull();
    expect(await node.rpc('trace_blockOpcodeGas', '0x0')).toMatchObject({ blockNumber: 0, transactions: [] });
  });
});
