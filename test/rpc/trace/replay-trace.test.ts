import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wire } from '../../wire.ts';
import { startNode, type TestNode } from '../dev/node.ts';
import { initOf } from '../otterscan/programs.ts';

/** Stores its own balance in memory. */
const CALLEE = '475f5200';
/** PUSH1 5, DUP1, SSTORE to slot 5, MSTORE, then a call of {@link CALLEE} and an opcode that doesn't exist. */
const callerOf = (callee: string) =>
  `600580555f5f5f5f5f73${callee.slice(2)}61ffff f1 50 602a5f52 0c`.replaceAll(' ', '');

let node: TestNode;
let hash: string;
let caller: string;
const KINDS = ['trace', 'stateDiff', 'vmTrace'];

beforeAll(async () => {
  node = await startNode();
  const deploy = async (runtime: string) => {
    const created = await node.rpc('eth_sendTransaction', {
      from: node.accounts[0],
      data: initOf(runtime),
      gas: '0x7a120',
    });
    return (await node.rpc('eth_getTransactionReceipt', created)).contractAddress;
  };
  const callee = await deploy(CALLEE);
  caller = await deploy(callerOf(callee));
  hash = await node.rpc('eth_sendTransaction', { from: node.accounts[0], to: caller, gas: '0x7a120' });
});
afterAll(() => node.close());

describe('a replayed transaction', () => {
  test('has what was asked for, and nothing else', async () => {
    const all = await node.rpc('trace_replayTransaction', hash, KINDS);
    expect(all.trace).toHaveLength(2);
    expect(all.stateDiff[node.accounts[0]!].nonce['*']).toBeDefined();
    expect(all.vmTrace.code).toBe(await node.rpc('eth_getCode', caller, 'latest'));
    expect(await node.rpc('trace_replayTransaction', hash, [])).toEqual({
      output: '0x',
      stateDiff: null,
      trace: [],
      vmTrace: null,
    });
    expect(await node.rpc('trace_replayTransaction', `0x${'ab'.repeat(32)}`, KINDS)).toBeNull();
    expect(await node.codeOf('trace_replayTransaction', hash, ['nosuch'])).toBe(-32602);
  });

  test('is the same in its block', async () => {
    const one = await node.rpc('trace_replayTransaction', hash, KINDS);
    const ofBlock = await node.rpc('trace_replayBlockTransactions', 'latest', KINDS);
    expect(ofBlock).toEqual([{ ...one, transactionHash: hash }]);
    expect(await node.rpc('trace_replayBlockTransactions', '0x0', KINDS)).toEqual([]);
    expect(await node.rpc('trace_replayBlockTransactions', '0x999', KINDS)).toBeNull();
  });
});

describe('the operations of a run', () => {
  let ops: Wire[];
  const op = (name: string) => ops.find((one) => one.op === name);
  beforeAll(async () => {
    ops = (await node.rpc('trace_replayTransaction', hash, ['vmTrace'])).vmTrace.ops;
  });

  test('come with their cost and the gas left after them', () => {
    for (const [i, { cost, ex, op }] of ops.slice(1, -1).entries())
      if (op !== 'CALL') expect(ex.used).toBe(ops[i]!.ex.used - cost);
    expect(op('PUSH1')).toMatchObject({ pc: 0, cost: 3 });
  });

  test('show what they pushed, stored and wrote', () => {
    expect(op('PUSH1').ex.push).toEqual(['0x5']);
    expect(op('DUP1').ex.push).toEqual(['0x5', '0x5']);
    expect(op('SSTORE').ex).toMatchObject({ push: [], store: { key: '0x5', val: '0x5' }, mem: null });
    expect(op('CALL').ex.push).toEqual(['0x1']);
    expect(op('MSTORE').ex.mem).toEqual({ off: 0, data: `0x${'2a'.padStart(64, '0')}` });
  });

  test('hold the operations of the frame that they opened', () => {
    const { sub } = op('CALL');
    expect(sub.code).toBe(`0x${CALLEE}`);
    expect(sub.ops.map((one: Wire) => one.op)).toEqual(['SELFBALANCE', 'PUSH0', 'MSTORE', 'STOP']);
    expect(sub.ops[3].ex).toMatchObject({ push: [], mem: null });
    expect(op('PUSH1').sub).toBeNull();
  });

  test('have no effect where they fail', () => {
    expect(ops.at(-1)).toMatchObject({ op: 'INVALID', ex: null });
  });
});

test('a call is traced by operations too', async () => {
  const { vmTrace } = await node.rpc('trace_call', { to: caller, gas: '0x7a120' }, ['vmTrace'], 'latest');
  expect(vmTrace.ops.length).toBeGreaterThan(5);
});
