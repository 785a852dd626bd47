import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDevnet, type Devnet } from '../../src/index.ts';
import { type Call, callsOf, type Wire } from '../wire.ts';
import { artifactFolder, callData, creation, lineOf } from './shop.ts';

const { folder, remove } = artifactFolder();
const SHOP = 'contracts/Shop.sol';
const VAULT = 'contracts/Vault.sol';
afterAll(remove);

describe.each(['fast', 'ethereumjs'] as const)('on the engine %s', (engine) => {
  let node: Devnet;
  let call: Call;
  let shop: string;
  let vault: string;
  const send = async (transaction: object): Promise<string> => {
    const [from] = await call('eth_accounts');
    return call('eth_sendTransaction', { from, gas: '0x300000', ...transaction });
  };
  const deploy = async (data: string): Promise<string> =>
    (await call('eth_getTransactionReceipt', await send({ data }))).contractAddress;
  /** The error's code, and its message. */
  const refusal = (method: string, ...params: unknown[]) =>
    call(method, ...params).then(
      () => undefined,
      ({ code, message }) => [code, message],
    );
  let buy: (value: number) => Promise<string>;

  beforeAll(async () => {
    node = await createDevnet({ automine: true, artifacts: folder, silent: true, engine });
    call = callsOf(node);
    vault = await deploy(creation('Vault'));
    shop = await deploy(creation('Shop', [vault, 1n]));
    // Hardhat's answer to a failing transaction is an error.
    buy = (value) => send({ to: shop, value: `0x${value}`, data: callData('Shop', 'buy', [0n]) });
  });
  afterAll(() => node.close());

  it('stack, memory and gas before each opcode are those of debug_traceTransaction', async () => {
    for (const hash of [await buy(4), await buy(1)]) {
      const { structLogs } = await call('debug_traceTransaction', hash, { enableMemory: true });
      const { steps } = await call('devnet_execution', hash);
      expect(steps).toBe(structLogs.length);
      // Not each of them, for time: keyframes are no nearer to each other.
      for (let i = 0; i < steps; i += 1 + (i % 7)) {
        const log = structLogs[i];
        const { stack, memory, pc, gas, op } = await call('devnet_step', hash, i);
        expect([i, pc, gas, op, stack, memory.slice(2)]).toEqual([
          i,
          log.pc,
          log.gas,
          log.op,
          log.stack,
          log.memory.map((word: string) => word.replace('0x', '')).join(''),
        ]);
      }
    }
  });

  it('a failed transaction is opened at the line that failed, with the calls that lead there and their variables', async () => {
    const hash = await buy(1);
    const { failure, files } = await call('devnet_execution', hash);
    expect(failure.message).toContain("custom error 'Short(");
    const { calls, frames, place } = await call('devnet_step', hash, failure.step);
    expect(calls).toBe(3);
    expect(place).toEqual({
      file: files.indexOf(VAULT),
      name: VAULT,
      line: lineOf(VAULT, 'revert Short'),
    });
    const variable = (name: string, value: string, kind = 'parameter') => ({
      ...{ name, kind, type: 'uint256', value },
    });
    expect(
      frames.map((frame: Wire) => [frame.contract, frame.function, frame.place?.line, frame.variables]),
    ).toEqual([
      ['Shop', 'buy', lineOf(SHOP, 'return pay'), [variable('id', '0'), variable('price', '3', 'local')]],
      ['Shop', 'pay', lineOf(SHOP, 'return vault.take'), [variable('price', '3')]],
      [
        'Vault',
        'take',
        lineOf(VAULT, 'revert Short'),
        [variable('price', '3'), variable('needed', '4', 'local')],
      ],
    ]);
    expect(frames.map(({ to, value }: Wire) => [to, value])).toEqual([
      [shop, '0x1'],
      [undefined, undefined],
      [vault, '0x1'],
    ]);
    const { text } = await call('devnet_source', hash, place.file);
    expect(text.split('\n')[place.line - 1]).toContain('revert Short');
  });

  it('lines are stepped through forward and back, over calls, into them and out of them', async () => {
    const hash = await buy(4);
    const { lines } = await call('devnet_execution', hash);
    const go = async (from: number, kind: string, rest: object = {}) => {
      const moment = await call('devnet_step', hash, { from, kind, ...rest });
      return moment && { step: moment.step, at: `${moment.place?.name.slice(10)}:${moment.place?.line}` };
    };
    const at = (file: string, text: string) => `${file.slice(10)}:${lineOf(file, text)}`;
    const breakpoints = [{ file: 0, line: lineOf(SHOP, 'uint price = prices') }];
    const price = await go(0, 'breakpoint', { breakpoints });
    expect(price.at).toBe(at(SHOP, 'uint price = prices'));
    const pay = await go(price.step, 'over');
    expect(pay.at).toBe(at(SHOP, 'return pay'));
    const inPay = await go(pay.step, 'line');
    expect(inPay.at).toBe(at(SHOP, 'function pay'));
    const take = await go((await go(inPay.step, 'line')).step, 'line');
    expect(take.at).toBe(at(VAULT, 'function take'));
    const inTake = await go(take.step, 'over');
    expect(inTake.at).toBe(at(VAULT, 'log("take")'));
    // Over the call of log and of fee.
    const fee = await go(inTake.step, 'over');
    expect(fee.at).toBe(at(VAULT, 'uint needed'));
    expect((await go(fee.step, 'over')).at).toBe(at(VAULT, 'if (msg.value'));
    const back = await go(fee.step, 'out');
    expect(back.at).toBe(at(SHOP, 'return vault.take'));
    expect((await go(back.step, 'out')).at).toBe(at(SHOP, 'return pay'));
    expect((await go(fee.step, 'over', { back: true })).at).toBe(at(VAULT, 'log("take")'));
    expect(await go(price.step, 'breakpoint', { breakpoints })).toBeNull();
    // All lines forward are all lines back.
    const forward = [];
    for (let step = -1, next = await call('devnet_step', hash, { line: 0 }); next; ) {
      expect(next.step).toBeGreaterThan(step);
      expect(next.index.line).toBe(forward.length);
      step = next.step;
      forward.push(step);
      next = await call('devnet_step', hash, { from: step, kind: 'line' });
    }
    expect(forward.length).toBe(lines);
    const backward = [forward.at(-1)];
    for (let step = forward.at(-1); ; backward.unshift(step)) {
      const before = await call('devnet_step', hash, { from: step, kind: 'line', back: true });
      if (!before) break;
      step = before.step;
    }
    expect(backward).toEqual(forward);
  });

  it('changes of storage and logs are those so far, without what was reverted', async () => {
    const hash = await buy(4);
    const { steps } = await call('devnet_execution', hash);
    const write = await call('devnet_step', hash, { from: 0, kind: 'sstore' });
    expect([write.op, write.storage]).toEqual(['SSTORE', []]);
    const after = await call('devnet_step', hash, { from: write.step, kind: 'opcode' });
    const before = Number(after.storage[0].before);
    expect(after.storage).toEqual([
      {
        step: write.step,
        address: vault,
        slot: '0x0',
        before: `0x${before.toString(16)}`,
        value: `0x${(before + 4).toString(16)}`,
        transient: false,
      },
    ]);
    expect(await call('devnet_step', hash, steps)).toBeNull();
    expect(await call('devnet_step', hash, { from: write.step, kind: 'sstore' })).toBeNull();
    const failed = await buy(1);
    const revert = await call('devnet_step', failed, { from: 0, kind: 'revert' });
    expect(revert.op).toBe('REVERT');
  });

  it('pages of steps have place, gas and line', async () => {
    const hash = await buy(4);
    const { steps } = await call('devnet_execution', hash);
    const page = await call('devnet_steps', hash, steps - 3, 10);
    expect(page.map(({ step }: Wire) => step)).toEqual([steps - 3, steps - 2, steps - 1]);
    expect(page.at(-1).op).toBe('RETURN');
    expect(await call('devnet_steps', hash, steps, 10)).toEqual([]);
  });

  it('a transaction without code has no steps', async () => {
    const hash = await send({ to: `0x${'11'.repeat(20)}`, value: '0x1' });
    expect(await call('devnet_execution', hash)).toMatchObject({
      steps: 0,
      lines: 0,
      files: [],
      failure: null,
    });
    expect(await call('devnet_step', hash, 0)).toBeNull();
    expect(await call('devnet_steps', hash, 0, 1)).toEqual([]);
    expect((await refusal('devnet_source', hash, 0))?.[0]).toBe(-32000);
  });

  it('bad parameters are refused', async () => {
    const hash = await buy(4);
    const unknown = `0x${'00'.repeat(32)}`;
    expect((await refusal('devnet_execution', '0x12'))?.[0]).toBe(-32602);
    expect((await refusal('devnet_execution', unknown))?.[0]).toBe(-32000);
    for (const bad of [-1, '0x1g', { line: -1 }, {}, { from: 0 }, { from: 0, kind: 'else' }, 2 ** 33, null])
      expect([bad, (await refusal('devnet_step', hash, bad))?.[0]]).toEqual([bad, -32602]);
    for (const [from, count] of [
      [0, 0],
      [0, 1_001],
      ['x', 1],
    ])
      expect((await refusal('devnet_steps', hash, from, count))?.[0]).toBe(-32602);
    expect((await refusal('devnet_step', unknown, 0))?.[0]).toBe(-32000);
  });
});
