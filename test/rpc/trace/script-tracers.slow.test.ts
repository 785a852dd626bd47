import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wire } from '../../wire.ts';
import { encode, startKitchen } from '../devnet.ts';

type Kitchen = Awaited<ReturnType<typeof startKitchen>>;
let kitchen: Kitchen;
let relayed: string;
let failed: string;
let made: string;

beforeAll(async () => {
  kitchen = await startKitchen();
  const { send, to, seal } = kitchen;
  relayed = await send({ to, data: encode('relay', to, encode('emitMany', 1n, '0xcd')) });
  failed = await send({ to, data: encode('invalid') });
  made = await send({ to, data: encode('create', 7n), value: '0x5' });
  await seal();
});
afterAll(() => kitchen.node.close());

const CODE_AT = `0x${'ce'.repeat(20)}`;
/** The answer of a tracer for a call of a contract with this code. */
const ofCode = (code: string, tracer: string, config: object = {}, request: object = {}) =>
  kitchen.rpc('debug_traceCall', { from: kitchen.from, to: CODE_AT, gas: '0x30d40', ...request }, 'latest', {
    tracer,
    stateOverrides: { [CODE_AT]: { code, balance: '0x64' } },
    ...config,
  });
const errorOf = (answer: Promise<unknown>): Promise<Wire> =>
  answer.then(
    () => undefined,
    (error) => error,
  );
const traced = (hash: string, tracer: string, config: object = {}) =>
  kitchen.rpc('debug_traceTransaction', hash, { tracer, ...config });

const counting = (step: string, result = 'this.seen') =>
  `{seen: [], step: function(log, db) { this.seen.push(${step}); }, fault: function() {}, result: function(ctx, db) { return ${result}; }}`;
/** PUSH1 1, PUSH1 1, STOP */
const THREE = '0x6001600100';
/** PUSH1 0xff, PUSH1 0, MSTORE8, STOP */
const STORING = '0x60ff60005300';

describe("what geth's own tests of tracers in JavaScript expect", () => {
  test.each([
    [
      THREE,
      '{count: 0, step: function() { this.count += 1; }, fault: function() {}, result: function() { return this.count; }}',
      3,
    ],
    [THREE, counting('log.stack.length()'), [0, 1, 2]],
    [THREE, counting('log.memory.length()'), [0, 0, 0]],
    [THREE, counting('log.op.toString()'), ['PUSH1', 'PUSH1', 'STOP']],
    [THREE, counting('log.op.toNumber()'), [0x60, 0x60, 0]],
    [THREE, counting('log.op.isPush()'), [true, true, false]],
    [THREE, counting('log.getPC()'), [0, 2, 4]],
    [THREE, counting('log.getDepth()'), [1, 1, 1]],
    [THREE, counting('log.getGas() - 179000'), [0, -3, -6]],
    [THREE, counting('log.getCost()'), [3, 3, 0]],
    [THREE, counting('log.getRefund()'), [0, 0, 0]],
    [THREE, counting('[log.getError() === undefined]'), [[true], [true], [true]]],
    [THREE, counting('1', 'ctx.gasPrice + "." + ctx.gasUsed'), '0.21006'],
    [THREE, counting('1', 'toHex(toWord("0xffaa"))'), `0x${'ffaa'.padStart(64, '0')}`],
    [THREE, counting('1', 'toWord("0x01")[31]'), 1],
    [THREE, counting('1', 'toAddress("0xff")'), { ...Array(19).fill(0), 19: 255 }],
    [THREE, counting('1', 'toHex(toAddress("abc"))'), `0x${'abc'.padStart(40, '0')}`],
    [THREE, counting('1', 'toHex(slice([1, 2, 3, 4], 1, 3))'), '0x0203'],
    [
      THREE,
      counting('toHex(toAddress(Array.prototype.slice.call(log.contract.getAddress())))', 'this.seen[0]'),
      CODE_AT,
    ],
    [
      STORING,
      '{res: [], step: function(log) { var op = log.op.toString(); if (op === "MSTORE8" || op === "STOP") this.res.push(log.memory.slice(0, 2)) }, fault: function() {}, result: function() { return this.res }}',
      [
        { 0: 0, 1: 0 },
        { 0: 255, 1: 0 },
      ],
    ],
    [
      STORING,
      counting('log.op.toString() === "STOP" ? log.memory.getUint(0).toString(16) : 0', 'this.seen[3]'),
      'ff'.padEnd(64, '0'),
    ],
    [THREE, counting('1', 'isPrecompiled(toAddress("0x09"))'), true],
    [THREE, counting('1', 'isPrecompiled(toAddress("0x0900"))'), false],
    [THREE, counting('log.stack.length() ? log.stack.peek(0) : bigInt(7)'), ['7', '1', '1']],
    [THREE, counting('1', 'db.getBalance(ctx.to)'), '100'],
    [
      THREE,
      counting('1', '[ctx.type, ctx.gas, ctx.block > 0, ctx.value, ctx.intrinsicGas, ctx.error]'),
      ['CALL', 200000, true, '0', 21000, null],
    ],
  ])('%s with %s', async (code, tracer, expected) => {
    expect(await ofCode(code, tracer)).toEqual(expected);
  });

  test.each([
    ['log.memory.slice(-1, -2)', 'tracer accessed out of bound memory: offset -1, end -2'],
    ['log.stack.peek(-1)', 'tracer accessed out of bound stack: size 0, index -1'],
    ['log.memory.getUint(-64)', 'tracer accessed out of bound memory: available 0, offset -64, size 32'],
    ['log.memory.slice(5, 1025 * 1024)', 'reached limit for padding memory slice: 1049600'],
    ['nothing.here', 'ReferenceError: nothing is not defined'],
    ['(function() { throw "no" })()', 'no'],
    ['slice([1], 0, 2)', 'Tracer accessed out of bound memory: available 1, offset 0, size 2'],
    ['toHex({})', 'invalid buffer type'],
    ['(function() { try { toHex(1) } catch (e) {} })()', 'invalid buffer type'],
  ])('%s ends the trace', async (step, reason) => {
    expect(await errorOf(ofCode(THREE, counting(step)))).toMatchObject({
      code: -32000,
      message: `${reason}    in server-side tracer function 'step'`,
    });
  });

  test.each([
    ['{fault: function() {}}', 'trace object must expose a function result()'],
    ['{result: function() {}}', 'trace object must expose a function fault()'],
    [
      '{fault: function() {}, result: function() {}, enter: function() {}}',
      'trace object must expose either both or none of enter() and exit()',
    ],
    ['{', 'SyntaxError'],
    ['no such', 'SyntaxError'],
    ['a.b', 'ReferenceError: a is not defined'],
    ['(1)', 'a tracer has to be an object'],
  ])('%s is no tracer', async (tracer, reason) => {
    const error = await errorOf(ofCode(THREE, tracer));
    expect(error.code).toBe(-32000);
    expect(error.message).toContain(reason);
  });

  test('setup gets the configuration as JSON', async () => {
    const tracer =
      '{cfg: 0, setup: function(cfg) { this.cfg = cfg; }, fault: function() {}, result: function() { return this.cfg; }}';
    expect(await ofCode(THREE, tracer)).toBe('{}');
    expect(await ofCode(THREE, tracer, { tracerConfig: { foo: 'bar' } })).toBe('{"foo":"bar"}');
    expect(await traced(relayed, tracer, { tracerConfig: { a: [1] } })).toBe('{"a":[1]}');
  });

  test('a tracer without steps sees the context and the state', async () => {
    const plain = { from: kitchen.from, to: kitchen.other, value: '0x5', gas: '0x5208' };
    const tracer =
      '{fault: function() {}, result: function(ctx, db) { return [toHex(ctx.from), toHex(ctx.to), ctx.value, db.exists(ctx.to), db.exists(toAddress("0x1234567890")), db.getNonce(ctx.to)]; }}';
    expect(await kitchen.rpc('debug_traceCall', plain, 'latest', { tracer })).toEqual([
      ...[kitchen.from, kitchen.other, '5', true, false, 0],
    ]);
  });
});

/** A call tracer of `enter` and `exit`. */
const CALLS = `{
  open: [], root: null,
  hex: function(n) { return '0x' + bigInt(n).toString(16); },
  enter: function(f) {
    var call = { type: f.getType(), from: toHex(f.getFrom()), to: toHex(f.getTo()), input: toHex(f.getInput()), gas: this.hex(f.getGas()) };
    if (f.getValue() !== undefined) call.value = '0x' + f.getValue().toString(16);
    this.open.push(call);
  },
  exit: function(r) {
    var call = this.open.pop();
    call.gasUsed = this.hex(r.getGasUsed());
    if (r.getError() !== undefined) call.error = r.getError();
    if (r.getOutput().length > 0) call.output = toHex(r.getOutput());
    var parent = this.open.length ? this.open[this.open.length - 1] : this;
    (parent.calls = parent.calls || []).push(call);
  },
  fault: function() {},
  result: function(ctx) {
    var root = { type: ctx.type, from: toHex(ctx.from), to: toHex(ctx.to), input: toHex(ctx.input), gas: this.hex(ctx.gas), gasUsed: this.hex(ctx.gasUsed), value: '0x' + ctx.value.toString(16) };
    if (ctx.output.length > 0) root.output = toHex(ctx.output);
    if (ctx.error) root.error = ctx.error;
    if (this.calls) root.calls = this.calls;
    return root;
  }
}`;

const BLOCK_OVERRIDE = { tracer: CALLS };

describe('a call tracer in JavaScript agrees with the native one', () => {
  const without = (frame: Wire): Wire => {
    const { revertReason, ...rest } = frame;
    return { ...rest, ...(frame.calls && { calls: frame.calls.map(without) }) };
  };

  test.each([
    ['of a relayed call', () => relayed],
    ['of a failed one', () => failed],
    ['of one that creates', () => made],
    ['of a creation', () => kitchen.created],
  ])('%s', async (_, hash) => {
    expect(await traced(hash(), CALLS)).toEqual(without(await traced(hash(), 'callTracer')));
  });

  test.each([
    ['reverts inside', () => encode('relay', kitchen.to, encode('invalid'))],
    ['static calls', () => encode('relayStatic', kitchen.to, encode('read', 1n))],
    ['delegate calls', () => encode('delegate', kitchen.to, 3n)],
    ['CREATE2', () => encode('create2', `0x${'01'.repeat(32)}`, 3n)],
    ['self-destructions', () => encode('createAndDestroy', kitchen.other)],
    [
      'precompiles',
      () => encode('recover', `0x${'01'.repeat(32)}`, 27, `0x${'02'.repeat(32)}`, `0x${'03'.repeat(32)}`),
    ],
  ])('%s', async (_, data) => {
    const request = { from: kitchen.from, to: kitchen.to, data: data() };
    const ask = (tracer: string) => kitchen.rpc('debug_traceCall', request, 'latest', { tracer });
    const native = without(await ask('callTracer'));
    expect(await ask(CALLS)).toEqual(native);
    expect(await ask('callTracer')).toBeDefined();
  });

  test('in a block, by number, hash and RLP', async () => {
    const { number, hash } = await kitchen.rpc('eth_getBlockByNumber', 'latest', false);
    const native = (await kitchen.rpc('debug_traceBlockByNumber', number, { tracer: 'callTracer' })).map(
      ({ txHash, result }: Wire) => ({ txHash, result: without(result) }),
    );
    expect(native).toHaveLength(3);
    const raw = await kitchen.rpc('debug_getRawBlock', number);
    expect(await kitchen.rpc('debug_traceBlockByNumber', number, BLOCK_OVERRIDE)).toEqual(native);
    expect(await kitchen.rpc('debug_traceBlockByHash', hash, BLOCK_OVERRIDE)).toEqual(native);
    expect(await kitchen.rpc('debug_traceBlock', raw, BLOCK_OVERRIDE)).toEqual(native);
    const context =
      '{fault: function() {}, result: function(ctx) { return [toHex(ctx.blockHash), ctx.txIndex, toHex(ctx.txHash)]; }}';
    const places = await kitchen.rpc('debug_traceBlockByNumber', number, { tracer: context });
    expect(places).toEqual(
      native.map(({ txHash }: Wire, i: number) => ({ txHash, result: [hash, i, txHash] })),
    );
    const mux = await kitchen.rpc('debug_traceTransaction', relayed, {
      tracer: 'muxTracer',
      tracerConfig: { [CALLS]: {}, [counting('1', 'this.seen.length > 9')]: null, noopTracer: {} },
    });
    expect(Object.values(mux)).toEqual([native[0].result, true, {}]);
  });
});

describe('the state at a step', () => {
  test('is that before the opcode', async () => {
    // Slot 0 becomes 5, then 6; PUSH1 5 PUSH0 SSTORE PUSH1 6 PUSH0 SSTORE STOP.
    const tracer = counting('db.getState(log.contract.getAddress(), toWord("0x0"))[31]');
    expect(await ofCode('0x60055f5560065f5500', tracer)).toEqual([0, 0, 0, 5, 5, 5, 6]);
  });

  test('is what a reverted call has seen, and what is after it', async () => {
    // The inner call sets slot 0 to 5, jumps to nowhere, and fails; it is of the same contract with a byte of data.
    // CALLDATASIZE PUSH1 0x12 JUMPI PUSH0*2 PUSH1 1 PUSH0*2 ADDRESS GAS CALL STOP JUMPDEST PUSH1 5 PUSH0 SSTORE PUSH0 JUMP
    const code = '0x36600e575f5f60015f5f305af1005b60055f555f56';
    const tracer = `{seen: [],
      step: function(log, db) { if (log.getDepth() == 2) this.seen.push(db.getState(log.contract.getAddress(), toWord('0x'))[31]); else this.last = db.getState(log.contract.getAddress(), toWord('0x'))[31]; },
      fault: function(log, db) { this.seen.push([log.getError(), log.op.toString(), db.getState(log.contract.getAddress(), toWord('0x'))[31]]); },
      result: function(ctx, db) { return [this.seen, this.last, db.getState(ctx.to, toWord('0x'))[31]]; }}`;
    expect(await ofCode(code, tracer)).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 5, 5, ['invalid jump destination', 'JUMP', 5]],
      0,
      0,
    ]);
  });

  test('has the code, balances, and addresses of contracts to come', async () => {
    const tracer = counting(
      '1',
      '[toHex(db.getCode(ctx.to)), db.getBalance(ctx.to).plus(1).toString(), toHex(toContract(ctx.to, 1)), toHex(toContract2(ctx.to, "0x02", "0x00"))]',
    );
    const [code, balance, contract, contract2] = await ofCode(THREE, tracer);
    expect([code, balance]).toEqual([THREE, '101']);
    const { getContractAddress } = await import('viem');
    expect(contract).toBe(getContractAddress({ from: CODE_AT as `0x${string}`, nonce: 1n }).toLowerCase());
    expect(contract2).toBe(
      getContractAddress({
        opcode: 'CREATE2',
        from: CODE_AT as `0x${string}`,
        salt: `0x${'02'.padStart(64, '0')}`,
        bytecode: '0x00',
      }).toLowerCase(),
    );
  });

  test('an opcode that can not begin is a step with an error, one that fails is a fault', async () => {
    const tracer =
      '{seen: [], step: function(log) { if (log.getError()) this.seen.push(["step", log.op.toString(), log.getError()]); }, fault: function(log) { this.seen.push(["fault", log.op.toString(), log.getError()]); }, result: function(ctx) { return [this.seen, ctx.error]; }}';
    expect(await ofCode('0x01', tracer)).toEqual([
      [['step', 'ADD', 'stack underflow (0 <=> 2)']],
      expect.stringContaining('stack underflow'),
    ]);
    expect(await ofCode('0x5f5ffd', tracer)).toEqual([
      [['fault', 'REVERT', 'execution reverted']],
      'execution reverted',
    ]);
    expect(await ofCode('0xfe', tracer)).toEqual([
      [['fault', 'INVALID', 'invalid opcode: INVALID']],
      'invalid opcode: INVALID',
    ]);
    expect(await ofCode('0x5b5f56', tracer, {}, { gas: '0x5300' })).toEqual([
      [['step', expect.any(String), 'out of gas']],
      'out of gas',
    ]);
  });
});

describe('a tracer', () => {
  const endless = '{step: function() { while (true); }, fault: function() {}, result: function() {}}';

  test('that does not end is ended, and the node goes on meanwhile', async () => {
    const trace = errorOf(ofCode(THREE, endless, { timeout: '300ms' }));
    expect(await kitchen.rpc('eth_chainId')).toBeDefined();
    expect(await trace).toMatchObject({ code: -32000, message: 'execution timeout' });
    const ofResult = '{fault: function() {}, result: function() { while (true); }}';
    expect(await errorOf(ofCode(THREE, ofResult, { timeout: '0.2s' }))).toMatchObject({ code: -32000 });
    const first = await errorOf(ofCode(THREE, '(function() { while (true); })()', { timeout: '200ms' }));
    expect(first).toMatchObject({ code: -32000, message: 'execution timeout' });
    expect(await ofCode(THREE, counting('1'))).toEqual([1, 1, 1]);
  });

  test.each([['5'], ['soon'], ['5 s'], ['']])('has no time-out of "%s"', async (timeout) => {
    expect(await errorOf(ofCode(THREE, counting('1'), { timeout }))).toMatchObject({ code: -32602 });
  });

  test('that fills its memory is ended', async () => {
    const heap =
      '{step: function() { var all = []; while (true) all.push(new Array(1e5).fill(1.5)); }, fault: function() {}, result: function() {}}';
    const error = await errorOf(ofCode(THREE, heap, { timeout: '60s' }));
    expect(error.code).toBe(-32000);
    expect(error.message).toMatch(/memory/);
    const buffers =
      '{step: function() { var all = []; while (true) all.push(new Uint8Array(1e7).fill(1)); }, fault: function() {}, result: function() {}}';
    const outside = await errorOf(ofCode(THREE, buffers, { timeout: '60s' }));
    expect(outside.code).toBe(-32000);
  });

  test('has nothing of Node', async () => {
    const cases: [string, string][] = [
      ['typeof process', 'undefined'],
      ['typeof require', 'undefined'],
      ['typeof globalThis.fetch', 'undefined'],
      ['typeof WebAssembly.compile', 'function'],
      ['typeof this.constructor.constructor("return process")', 'EvalError'],
      ['eval("1")', 'EvalError'],
      ['log.constructor.constructor("return process")().pid', 'EvalError'],
      ['db.getState.constructor("return process")().pid', 'EvalError'],
      ['log.stack.peek.constructor("return process")().pid', 'EvalError'],
      ['Object.getPrototypeOf(async function* () {}).constructor("return 1")()', 'EvalError'],
      ['typeof SharedArrayBuffer.constructor("return process")', 'EvalError'],
      [
        'Reflect.ownKeys(globalThis).filter(function(k) { return /process|Buffer$|fetch|require|Worker/.test(String(k)) })',
        'ArrayBuffer',
      ],
      ['(async function() {}).constructor("return 1")()', 'EvalError'],
      ['(function() { return this })().constructor.constructor("return process")()', 'EvalError'],
    ];
    const tries = cases.map(
      ([step]) => `(function() { try { return String(${step}); } catch (e) { return String(e); } })()`,
    );
    // PUSH0, and STOP behind it.
    const [answers] = await ofCode('0x5f', counting(`[${tries}]`));
    for (const [i, [step, expected]] of cases.entries()) expect(answers[i], step).toContain(expected);
  });

  test.each(["import('node:fs')", "import /* */ ('node:fs')", 'import.meta'])(
    'can not use %s',
    async (step) => {
      expect(await errorOf(ofCode(THREE, counting(step)))).toMatchObject({ code: -32000 });
    },
  );

  test('can not reach out by errors or promises', async () => {
    const deep = `{seen: '', f: function(db, a) { try { return this.f(db, a) + db.getBalance(a); } catch (e) { this.seen = typeof e.constructor.constructor('return process'); } },
      step: function(log, db) { this.f(db, log.contract.getAddress()); }, fault: function() {}, result: function() { return this.seen; }}`;
    expect(await errorOf(ofCode(THREE, deep))).toMatchObject({ code: -32000 });
    const later = `{step: function() { Error.prepareStackTrace = function(e, s) { return s[0].getThis(); }; this.s = new Error('x').stack; Promise.resolve().then(function() { while (true); }); }, fault: function() {}, result: function() { return typeof this.s; }}`;
    expect(await ofCode(THREE, later)).toBe('string');
  });

  test('has globals of its own', async () => {
    // alto strips `const` and `let` from its tracers, which makes its variables global.
    const tracer =
      '{step: function() { x = typeof x === "undefined" ? 1 : x + 1; }, fault: function() {}, result: function() { return x; }}';
    expect(await ofCode(THREE, tracer)).toBe(3);
    expect(await ofCode(THREE, tracer)).toBe(3);
  });

  test('is found by its name only where there is one', async () => {
    expect(await errorOf(ofCode(THREE, 'nosuch'))).toMatchObject({
      code: -32000,
      message: 'tracer nosuch not found',
    });
  });
});

test('bigInt has the methods of BigInteger.js', async () => {
  const cases: [string, unknown][] = [
    ['bigInt("ff", 16).toString()', '255'],
    ['bigInt(10).pow(20).divide(3).toString(16)', (10n ** 20n / 3n).toString(16)],
    ['bigInt(7).mod(-3).toString()', '1'],
    ['bigInt(-7).over(2).valueOf()', -3],
    ['bigInt(5).equals(5) && bigInt(5).eq("5") && !bigInt(5).neq(5)', true],
    ['bigInt.max(2, 3).minus(bigInt.one)', '2'],
    ['bigInt(6).and(3).or(8).xor(1).shiftLeft(2)', '44'],
    ['bigInt(3).modPow(4, 5).toJSNumber()', 1],
    ['bigInt(3).modInv(11)', '4'],
    ['bigInt.gcd(12, 18) + "," + bigInt.lcm(4, 6)', '6,12'],
    ['bigInt("1e3").isEven()', true],
    ['bigInt(97).isPrime() && !bigInt(91).isPrime()', true],
    ['bigInt.isInstance(bigInt[5]) && !bigInt.isInstance(5)', true],
    ['bigInt(13).divmod(5)', { quotient: '2', remainder: '3' }],
    ['bigInt(2) + 3', 5],
    ['bigInt(0).isZero() && bigInt(2).gt(1) && bigInt(2).leq(2) && bigInt(1).compareTo(2) === -1', true],
    ['bigInt(255).bitLength()', '8'],
    ['bigInt(255).toArray(16)', { value: [15, 15], isNegative: false }],
    ['bigInt.fromArray([1, 2], 10)', '12'],
  ];
  const answers = await ofCode(THREE, counting('1', `[${cases.map(([expression]) => expression)}]`));
  for (const [i, [expression, expected]] of cases.entries()) expect(answers[i], expression).toEqual(expected);
});
