import { Address, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { SystemClock } from '../../../clock.ts';
import { intrinsicGas } from '../../../protocol/intrinsic-gas.ts';
import { gasCost } from '../../../protocol/validity.ts';
import { EMPTY_BYTES } from '../../../state/account.ts';
import { integerBytes, integerOf, integerWord } from '../../../state/integers.ts';
import { type Awaitable, andThen } from '../../../state/view.ts';
import type { Pauses } from '../../../turns.ts';
import type { Tracer } from '../../engine.ts';
import type {
  CallEnd,
  CallListener,
  CallStart,
  ListenedRun,
  RunListener,
  RunStep,
  StepListener,
} from '../../run-listener.ts';
import { errorBeforeRun } from '../step-error.ts';
import { opcodeName } from '../steps.ts';
import type { ScriptThread, StateRead } from './thread.ts';

export interface ScriptOptions {
  /** a JavaScript expression that evaluates to an object with geth's tracer interface */
  readonly code: string;
  /** JSON that is passed to the tracer's `setup` */
  readonly config: string;
  /** maximum duration of the trace, in milliseconds */
  readonly timeout: number;
  /** for a transaction in a block */
  readonly place?: {
    readonly blockHash: Uint8Array;
    readonly txHash: Uint8Array;
    readonly txIndex: number;
  };
}

const CREATE = 0xf0;
const CREATE2 = 0xf5;
/** SSTORE, CREATE, CALL, CREATE2, SELFDESTRUCT: opcodes that change the state before the next step or end of a frame */
const WRITES = new Set([0x55, CREATE, 0xf1, CREATE2, 0xff]);
/** Number of characters of events that are sent in one batch. */
const MAX_CHARACTERS = 256 * 1024;

/** The optional functions that a tracer has. */
interface Wants {
  readonly steps: boolean;
  readonly frames: boolean;
}

/** An open call. */
interface OpenFrame {
  isSent: boolean;
  /** whether the error of the last step has been sent to the tracer */
  isErrorSent: boolean;
}

/**
 * A JavaScript tracer with geth's interface. It runs in another thread, which receives the steps in batches. The run waits for the tracer
 * before each opcode that changes the state, and before the end of each frame. So the state that the tracer reads at a step is the state of
 * that step.
 */
export class ScriptTracer implements Tracer, RunListener {
  readonly listener = this;
  readonly #options: ScriptOptions;
  readonly #thread: ScriptThread;
  readonly #clock = new SystemClock();
  readonly #id: number;
  #run: ListenedRun | undefined;
  #due = 0;
  #wants: Wants | undefined;
  readonly #frames: OpenFrame[] = [];
  #events: string[] = [];
  #characters = 0;
  #stack: readonly bigint[] = [];
  #memory: Uint8Array = EMPTY_BYTES;
  /** the account that the last step, a creation, makes */
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
    this.#frames.length = 0;
  }

  refuse(reason: string): void {
    this.#refusal = reason;
  }

  readonly calls: CallListener = {
    begin: (call) => {
      if (this.#frames.length > 0) this.#enter(call);
      this.#frames.push({ isSent: false, isErrorSent: false });
    },
    end: (end) => {
      this.#frames.pop();
      if (this.#frames.length > 0) this.#exit(end);
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

  readonly steps: StepListener = {
    step: (step) => (this.#wants ? this.#step(step) : this.#begin().then(() => this.#step(step))),
    codeEnds: (error) => {
      if (error !== undefined && !this.#frames.at(-1)!.isErrorSent) this.#send({ kind: 'fault', error });
      return this.#flush();
    },
  };

  /**
   * Returns the value of the tracer's `result`, after the run.
   * @param gasUsed by the transaction, after refunds
   * @returns JSON
   * @throws DevnetError -32000 when the tracer has failed
   */
  async result(gasUsed: bigint): Promise<string> {
    await this.#begin();
    await this.#flush();
    const { message, env, hardfork } = this.#run!;
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

  /** Creates the tracer in its thread. */
  async #begin(): Promise<void> {
    if (this.#wants) return;
    await this.#thread.start(this.#pauses);
    const { code, config, timeout } = this.#options;
    this.#due = this.#clock.now() + timeout;
    const request = { kind: 'start', code, config, precompiled: this.#run!.precompiles() };
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

  /** Waits until the tracer has processed all events. */
  #flush(): Promise<void> | undefined {
    if (this.#events.length === 0) return undefined;
    const text = `{"kind":"events","list":[${this.#events.join(',')}]}`;
    this.#events = [];
    this.#characters = 0;
    return this.#ask(text).then(() => {});
  }

  #step(step: RunStep): Promise<void> | undefined {
    const { opcode } = step;
    if (opcode === CREATE || opcode === CREATE2) {
      const address = this.#createdBy(step);
      if (address instanceof Promise)
        return address.then((found) => {
          this.#creates = found;
          return this.#tell(step);
        });
      this.#creates = address;
    }
    return this.#tell(step);
  }

  #tell(step: RunStep): Promise<void> | undefined {
    const error = errorBeforeRun(step);
    const frame = this.#frames.at(-1)!;
    frame.isErrorSent = error !== undefined;
    if (this.#wants!.steps) this.#sendStep(frame, step, error);
    // The opcode's frame can end, and its writes can be rolled back, only after `codeEnds`, which flushes, too.
    return WRITES.has(step.opcode) || this.#characters >= MAX_CHARACTERS ? this.#flush() : undefined;
  }

  #sendStep(frame: OpenFrame, step: RunStep, error: string | undefined): void {
    const depth = step.depth + 1;
    if (!frame.isSent) {
      frame.isSent = true;
      const { caller, value, input } = step.frame();
      this.#send({
        ...{ kind: 'frame', depth, caller: digits(caller.bytes), address: digits(step.address.bytes) },
        ...{ value: word(value), input: digits(input) },
      });
    }
    const stack = step.stack();
    let common = 0;
    while (common < stack.length && stack[common] === this.#stack[common]) common++;
    this.#stack = stack;
    const memory = step.memory();
    const isChanged = Buffer.compare(memory, this.#memory) !== 0;
    if (isChanged) this.#memory = memory.slice();
    this.#send({
      ...{ kind: 'step', pc: step.pc, opcode: step.opcode, op: opcodeName(step), depth },
      ...{ gas: Number(step.gasLeft), cost: Number(step.cost + step.passedGas), refund: Number(step.refund) },
      ...{ common, stack: stack.slice(common).map(word) },
      ...(isChanged && { memory: digits(memory) }),
      ...(error !== undefined && { error }),
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

  /** The account that a creation will make; `undefined` if the stack or the memory is too small. */
  #createdBy(step: RunStep): Awaitable<Address | undefined> {
    const { address } = step;
    if (step.opcode === CREATE)
      return andThen(this.#run!.now.getAccount(address), (account) => created(address, account?.nonce ?? 0n));
    const [offset, length, salt] = [step.word(2), step.word(3), step.word(4)];
    if (offset === undefined || length === undefined || salt === undefined || length > MAX_INIT_CODE)
      return undefined;
    // The step shows the memory before the opcode has expanded it to the range that it reads.
    const code = new Uint8Array(Number(length));
    if (length > 0n) code.set(step.memory().subarray(Number(offset), Number(offset + length)));
    return new Address(generateAddress2(address.bytes, integerWord(salt), code));
  }

  /** Answers a read of the tracer from the state at its current step, or from the state after the run. */
  #read([name, ...of]: StateRead): Awaitable<unknown> {
    const [first = '', second = '', third = ''] = of.map(String);
    const address = new Address(bytesOf(first.padStart(40, '0')));
    const state = this.#run!.now;
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

/** A call or self-destruct that is reported to a tracer. */
type Entered = Omit<CallStart, 'type'> & { readonly type: CallStart['type'] | 'SELFDESTRUCT' };

/** Maximum size of init code in bytes: far more than a block's gas can pay for. */
const MAX_INIT_CODE = 1n << 24n;

function created(from: Address, nonce: bigint): Address {
  return new Address(generateAddress(from.bytes, integerBytes(nonce)));
}

/** As in geth, only a call that succeeded or reverted has an output. */
function outputOf({ output, error }: CallEnd): Uint8Array {
  return error === undefined || error === 'execution reverted' ? output : EMPTY_BYTES;
}

const word = (value: bigint): string => `0x${value.toString(16)}`;

function digits(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

function bytesOf(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, 'hex'));
}
