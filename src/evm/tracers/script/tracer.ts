import type { Message as EngineMessage, ExecResult } from '@ethereumjs/evm';
import { Address, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { SystemClock } from '../../../clock.ts';
import { EMPTY_BYTES } from '../../../state/account.ts';
import { integerBytes, integerOf, integerWord } from '../../../state/integers.ts';
import { type Awaitable, andThen } from '../../../state/view.ts';
import type { Pauses } from '../../../turns.ts';
import type { DevnetEVM } from '../../devnet-evm.ts';
import type { TracedRun, Tracer } from '../../engine.ts';
import { intrinsicGas } from '../../intrinsic-gas.ts';
import { endOf } from '../../listen.ts';
import type { CallEnd, CallListener, CallStart, ListenedRun, RunListener } from '../../run-listener.ts';
import { gasCost } from '../../validity.ts';
import type { OpcodeStep } from '../../watched-opcodes.ts';
import { errorBeforeRun } from '../step-error.ts';
import { CALLS, ENDS, opcodeName } from '../steps.ts';
import type { ScriptThread, StateRead } from './thread.ts';

export interface ScriptOptions {
  /** an expression in JavaScript: an object with geth's interface */
  readonly code: string;
  /** JSON that the tracer's `setup` gets */
  readonly config: string;
  /** most time of the trace, in milliseconds */
  readonly timeout: number;
  /** of a transaction in a block */
  readonly place?: {
    readonly blockHash: Uint8Array;
    readonly txHash: Uint8Array;
    readonly txIndex: number;
  };
}

const CREATE = 0xf0;
const CREATE2 = 0xf5;
/** SSTORE, CREATE, CALL, CREATE2, SELFDESTRUCT: what changes the state before the next step or end of a frame */
const WRITES = new Set([0x55, CREATE, 0xf1, CREATE2, 0xff]);
/** Characters of events that are sent at once. */
const MOST_CHARACTERS = 256 * 1024;

/** Which of its optional functions a tracer has. */
interface Wants {
  readonly steps: boolean;
  readonly frames: boolean;
}

/** A call that runs code. */
interface OpenFrame {
  readonly message: EngineMessage;
  readonly creates: boolean;
  isSent: boolean;
  last?: { readonly op: string; readonly hasError: boolean };
}

/**
 * A tracer in JavaScript, with geth's interface. It runs in another thread, which is sent the steps in batches. The run waits
 * for the tracer before each opcode that changes the state, and before the end of each frame: so the state that the tracer
 * reads at a step is that of the step.
 */
export class ScriptTracer implements Tracer, RunListener {
  readonly listener = this;
  readonly #options: ScriptOptions;
  readonly #thread: ScriptThread;
  readonly #clock = new SystemClock();
  readonly #id: number;
  #run: ListenedRun | undefined;
  #traced: TracedRun | undefined;
  #precompiles: string[] = [];
  #due = 0;
  #wants: Wants | undefined;
  readonly #frames: OpenFrame[] = [];
  /** calls that have begun and not ended */
  #depth = 0;
  #events: string[] = [];
  #characters = 0;
  #stack: readonly bigint[] = [];
  #memory: Uint8Array = EMPTY_BYTES;
  /** the account of the creation that the last step makes */
  #creates: Address | undefined;
  #end: CallEnd | undefined;
  #refusal: string | undefined;

  constructor(options: ScriptOptions, deps: { thread: ScriptThread }) {
    this.#options = options;
    this.#thread = deps.thread;
    this.#id = this.#thread.add((read) => this.#read(read));
  }

  start(run: ListenedRun): void {
    this.#run = run;
  }

  refuse(reason: string): void {
    this.#refusal = reason;
  }

  attach(evm: DevnetEVM, run: TracedRun): () => void {
    this.#traced = run;
    this.#precompiles = [...evm.forkPrecompiles.keys()];
    return evm.watch({
      before: (message) => {
        // The engine gives a creation's message its address while it runs.
        this.#frames.push({ message, creates: message.to === undefined, isSent: false });
      },
      after: () => {
        this.#frames.pop();
      },
      step: (step) => (this.#wants ? this.#step(step) : this.#begin().then(() => this.#step(step))),
      codeEnds: (result) => this.#codeEnds(result),
    });
  }

  readonly calls: CallListener = {
    begin: (call) => {
      if (this.#depth++ > 0) this.#enter(call);
    },
    end: (end) => {
      if (--this.#depth > 0) this.#exit(end);
      else this.#end = { ...end, output: outputOf(end).slice() };
    },
    refuse: (call, error) => {
      this.#enter(call);
      this.#exit({ gasUsed: 0n, output: EMPTY_BYTES, error, isPrecompile: false });
    },
    log: () => {},
    selfDestruct: (from, to, value) => {
      this.#enter({ type: 'SELFDESTRUCT', from, to, value, gas: 0n, input: EMPTY_BYTES });
      this.#exit({ gasUsed: 0n, output: EMPTY_BYTES, isPrecompile: false });
    },
  };

  /**
   * What the tracer's `result` returns, after the run.
   * @param gasUsed by the transaction, after refunds
   * @returns JSON
   * @throws DevnetError -32000 when the tracer has failed
   */
  async result(gasUsed: bigint): Promise<string> {
    await this.#begin();
    await this.#flush();
    const { message, env } = this.#run!;
    const { hardfork } = this.#traced!;
    const { from, to = created(from, message.nonce), data, value, gasLimit } = message;
    const { blockHash, txHash, txIndex } = this.#options.place ?? {};
    const error = this.#refusal ?? this.#end?.error;
    const text = await this.#askFor({
      kind: 'result',
      bytes: {
        from: digits(from.bytes),
        to: digits(to.bytes),
        input: digits(data),
        output: digits(this.#end?.output ?? EMPTY_BYTES),
        coinbase: digits(env.coinbase.bytes),
        ...(blockHash && { blockHash: digits(blockHash) }),
        ...(txHash && { txHash: digits(txHash) }),
      },
      integers: { value: word(value), gasPrice: word(gasCost(message, env, hardfork).gasPrice) },
      rest: {
        type: message.to ? 'CALL' : 'CREATE',
        gas: Number(gasLimit),
        gasUsed: Number(gasUsed),
        intrinsicGas: Number(intrinsicGas(message, hardfork).gas),
        block: Number(env.number),
        ...(error !== undefined && { error }),
        ...(txIndex !== undefined && { txIndex }),
      },
    });
    this.#pauses?.hold((text as string).length);
    return text as string;
  }

  get #pauses(): Pauses | undefined {
    return this.#run?.pauses;
  }

  /** Makes the tracer in its thread. */
  async #begin(): Promise<void> {
    if (this.#wants) return;
    await this.#thread.start(this.#pauses);
    const { code, config, timeout } = this.#options;
    this.#due = this.#clock.now() + timeout;
    const request = { kind: 'start', code, config, precompiled: this.#precompiles };
    this.#wants = (await this.#askFor(request)) as Wants;
  }

  #askFor(request: object): Promise<unknown> {
    return this.#ask(JSON.stringify(request));
  }

  #ask(text: string): Promise<unknown> {
    return this.#thread.ask(this.#id, text, this.#due, this.#pauses);
  }

  #send(event: object): void {
    const text = JSON.stringify(event);
    this.#characters += text.length;
    this.#events.push(text);
  }

  /** Waits until the tracer has had all events. */
  async #flush(): Promise<void> {
    if (this.#events.length === 0) return;
    const text = `{"kind":"events","list":[${this.#events.join(',')}]}`;
    this.#events = [];
    this.#characters = 0;
    await this.#ask(text);
  }

  #step(step: OpcodeStep): Promise<void> | undefined {
    const frame = this.#frames.at(-1)!;
    const { code } = step.opcode;
    if (code === CREATE || code === CREATE2) {
      const address = this.#createdBy(step);
      if (address instanceof Promise)
        return address.then((found) => {
          this.#creates = found;
          return this.#tell(step, frame);
        });
      this.#creates = address;
    }
    return this.#tell(step, frame);
  }

  #tell(step: OpcodeStep, frame: OpenFrame): Promise<void> | undefined {
    const { code } = step.opcode;
    const op = opcodeName(step, frame.message);
    const cost = step.cost + (CALLS.has(code) ? (step.callGas ?? 0n) : 0n);
    const error = errorBeforeRun(step, cost);
    frame.last = { op, hasError: error !== undefined };
    if (this.#wants!.steps) this.#sendStep(frame, { ...step, op, cost, error });
    // The opcode's frame may end, and what it wrote may be taken back, only after `codeEnds`.
    if (WRITES.has(code) || this.#characters >= MOST_CHARACTERS) return this.#flush();
    return undefined;
  }

  #sendStep(
    frame: OpenFrame,
    step: Pick<OpcodeStep, 'pc' | 'opcode' | 'cost' | 'gasLeft' | 'gasRefund' | 'depth' | 'address'> &
      Pick<OpcodeStep, 'stack' | 'memory'> & { readonly op: string; readonly error: string | undefined },
  ): void {
    const depth = step.depth + 1;
    const { message } = frame;
    if (!frame.isSent) {
      frame.isSent = true;
      // The data of a creation is its code, not an input.
      const input = frame.creates ? EMPTY_BYTES : message.data;
      this.#send({
        ...{
          kind: 'frame',
          depth,
          caller: digits(message.caller.bytes),
          address: digits(step.address.bytes),
        },
        ...{ value: word(message.value), input: digits(input) },
      });
    }
    const { stack, memory } = step;
    let common = 0;
    while (common < stack.length && stack[common] === this.#stack[common]) common++;
    this.#stack = stack;
    const isChanged = Buffer.compare(memory, this.#memory) !== 0;
    if (isChanged) this.#memory = memory.slice();
    this.#send({
      ...{ kind: 'step', pc: step.pc, opcode: opcodeAt(message, step), op: step.op, depth },
      ...{ gas: Number(step.gasLeft), cost: Number(step.cost), refund: Number(step.gasRefund) },
      ...{ common, stack: stack.slice(common).map(word) },
      ...(isChanged && { memory: digits(memory) }),
      ...(step.error !== undefined && { error: step.error }),
    });
  }
  #codeEnds(result: ExecResult): Promise<void> | undefined {
    const frame = this.#frames.at(-1)!;
    const { last } = frame;
    // Empty code has no steps.
    if (!last) return undefined;
    const { error } = endOf(result, false);
    if (error === undefined && !ENDS.has(last.op)) this.#sendStop(frame, result);
    if (error !== undefined && !last.hasError) this.#send({ kind: 'fault', error });
    return this.#flush();
  }

  /** Code that ends without STOP behaves as if STOP followed (yellow paper 9.4.1): geth has a step for it. */
  #sendStop(frame: OpenFrame, { runState, gasRefund = 0n }: ExecResult): void {
    if (!runState || !this.#wants?.steps) return;
    const { programCounter: pc, gasLeft, env, memory, memoryWordCount, stack } = runState;
    this.#sendStep(frame, {
      ...{ pc, gasLeft, gasRefund, cost: 0n, depth: env.depth, address: env.address },
      ...{ opcode: { code: 0, name: 'STOP' }, op: 'STOP', error: undefined },
      stack: stack.getStack(),
      memory: memory.read(0, 32 * Number(memoryWordCount), true),
    });
  }

  #enter({ type, from, to = this.#creates, gas, input, value }: Entered): void {
    if (!this.#wants?.frames) return;
    this.#send({
      ...{ kind: 'enter', type, from: digits(from.bytes), to: to ? digits(to.bytes) : '0'.repeat(40) },
      ...{ input: digits(input), gas: Number(gas), ...(value !== undefined && { value: word(value) }) },
    });
  }

  #exit(end: CallEnd): void {
    if (!this.#wants?.frames) return;
    const { gasUsed, error } = end;
    this.#send({
      ...{ kind: 'exit', gasUsed: Number(gasUsed), output: digits(outputOf(end)) },
      ...(error !== undefined && { error }),
    });
  }

  /** The account of the creation that a step makes; `undefined` where the stack or the memory isn't there. */
  #createdBy({ opcode, address, stack, memory }: OpcodeStep): Awaitable<Address | undefined> {
    if (opcode.code === CREATE)
      return andThen(this.#run!.after.getAccount(address), (account) =>
        created(address, account?.nonce ?? 0n),
      );
    const [offset, length, salt] = [stack.at(-2), stack.at(-3), stack.at(-4)];
    if (offset === undefined || length === undefined || salt === undefined || length > MOST_INIT_CODE)
      return undefined;
    // The step has the memory before it is expanded to the range that the opcode reads.
    const code = new Uint8Array(Number(length));
    if (length > 0n) code.set(memory.subarray(Number(offset), Number(offset + length)));
    return new Address(generateAddress2(address.bytes, integerWord(salt), code));
  }

  /** What the tracer reads: the state of the step that it is told of, or after the run. */
  #read([name, ...of]: StateRead): Awaitable<unknown> {
    const [first = '', second = '', third = ''] = of.map(String);
    const address = new Address(bytesOf(first.padStart(40, '0')));
    const state = this.#run!.after;
    switch (name) {
      case 'balance':
        return andThen(state.getAccount(address), (account) => word(account?.balance ?? 0n));
      case 'nonce':
        return andThen(state.getAccount(address), (account) => Number(account?.nonce ?? 0n));
      case 'exists':
        return andThen(state.getAccount(address), (account) => account !== undefined);
      case 'code':
        return andThen(state.getCode(address), digits);
      case 'slot':
        return andThen(state.getStorage(address, bytesOf(second)), (value) =>
          digits(integerWord(integerOf(value))),
        );
      case 'create':
        return digits(created(address, BigInt(second)).bytes);
      case 'create2':
        return digits(generateAddress2(address.bytes, bytesOf(second), bytesOf(third)));
      default:
        return null;
    }
  }
}

/** A call that a tracer is told of, or a self-destruction. */
type Entered = Omit<CallStart, 'type'> & { readonly type: CallStart['type'] | 'SELFDESTRUCT' };

/** Bytes of init code: far more than a block's gas can pay for. */
const MOST_INIT_CODE = 1n << 24n;

function created(from: Address, nonce: bigint): Address {
  return new Address(generateAddress(from.bytes, integerBytes(nonce)));
}

/** As in geth, only a call that succeeded or reverted has an output. */
function outputOf({ output, error }: CallEnd): Uint8Array {
  return error === undefined || error === 'execution reverted' ? output : EMPTY_BYTES;
}

/** The opcode's byte; 0 behind the end of the code. */
function opcodeAt({ code }: EngineMessage, { pc }: { readonly pc: number }): number {
  return (code instanceof Uint8Array ? code[pc] : undefined) ?? 0;
}

const word = (value: bigint): string => `0x${value.toString(16)}`;

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
