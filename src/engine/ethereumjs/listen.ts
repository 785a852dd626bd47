import type { Message as EngineMessage, EVMResult, ExecResult } from '@ethereumjs/evm';
import { Address, bigIntToAddressBytes, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { isDelegation } from '../../protocol/validity.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { integerBytes, integerWord } from '../../state/integers.ts';
import type { AccountState, StateView } from '../../state/view.ts';
import { CALL_STIPEND } from '../estimate.ts';
import { haltReason, invalidOpcode, TOO_DEEP, TOO_POOR } from '../halt-reason.ts';
import {
  CALL_TYPES,
  type CallEnd,
  type CallListener,
  type CallStart,
  type CallType,
  type ListenedRun,
  type RunListener,
  type StepListener,
  type TouchListener,
} from '../run-listener.ts';
import { countingSteps } from './counting-steps.ts';
import type { DevnetEVM, OpcodeObserver } from './devnet-evm.ts';
import { EngineStep, stopBehind } from './engine-step.ts';
import type { OpcodeStep, RunState } from './watched-opcodes.ts';

const ADDRESS_MASK = (1n << 160n) - 1n;
const MAX_DEPTH = 1024;
/** Init code in bytes: far more than a block's gas can pay for. */
const MAX_INIT_CODE = 1n << 24n;
const SLOAD = 0x54;
const SSTORE = 0x55;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const INVALID = 0xfe;
/** STOP, RETURN, SELFDESTRUCT */
const ENDS = new Set([0x00, 0xf3, 0xff]);
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT: the address is on top of the stack */
const ADDRESS_FIRST = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the address is second on the stack */
const ADDRESS_SECOND = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/**
 * Tells a listener what happens in the next run of EthereumJS's EVM. Calls cost little. Steps, and touched accounts and slots, are
 * found by a look at each opcode, which takes as long as the run itself.
 * @returns a function that ends it
 */
export function listen(evm: DevnetEVM, given: RunListener, run: ListenedRun): () => void {
  const listener = countingSteps(given);
  listener.start(run);
  const { calls, touches, steps } = listener;
  const observer = calls && new CallObserver(calls);
  const reservoir = () => (run.hardfork.has(8037) ? evm.stateGasReservoir : undefined);
  const stepper = steps && new StepTeller(steps, run.now, reservoir);
  const ends = [
    observer &&
      evm.watch({
        observer,
        before: (message) => observer.begin(message),
        after: (result) => observer.end(result),
      }),
    touches && evm.watch({ step: (data) => tellTouches(data, touches, run.now) }),
    touches && tellAuthorities(evm, touches),
    stepper &&
      evm.watch({
        before: () => stepper.begin(),
        after: () => stepper.end(),
        step: (data, runState) => stepper.step(data, runState),
        codeEnds: (result) => stepper.codeEnds(result),
      }),
  ];
  return () => {
    for (const end of ends) end?.();
  };
}

/** Tells of the accounts that are read before the outermost frame begins: after the sender, the authorities of EIP-7702. */
function tellAuthorities(evm: DevnetEVM, listener: TouchListener): () => void {
  const { stateManager } = evm;
  let isSender = true;
  stateManager.onRead = (address) => {
    if (!isSender) listener.account(address);
    isSender = false;
  };
  return evm.watch({
    before: () => {
      stateManager.onRead = undefined;
    },
  });
}

/** Tells of the engine's steps, and of the STOP behind code that ends without one, for which the engine has none. */
class StepTeller {
  readonly #listener: StepListener;
  readonly #now: StateView;
  /** of state gas, at the moment; `undefined` before EIP-8037 */
  readonly #reservoir: () => bigint | undefined;
  /** of each frame that runs: its last opcode; `undefined` before the first one */
  readonly #last: (number | undefined)[] = [];

  constructor(listener: StepListener, now: StateView, reservoir: () => bigint | undefined) {
    this.#listener = listener;
    this.#now = now;
    this.#reservoir = reservoir;
  }

  begin(): void {
    this.#last.push(undefined);
  }

  end(): void {
    this.#last.pop();
  }

  step(data: OpcodeStep, runState: RunState): Promise<void> | undefined {
    const step = new EngineStep(data, runState, this.#now);
    this.#last[this.#last.length - 1] = step.opcode;
    return this.#listener.step(step);
  }

  codeEnds(result: ExecResult): Promise<void> | undefined {
    const { runState, gasRefund = 0n } = result;
    const last = this.#last.at(-1);
    // Empty code has no steps.
    if (last === undefined || !runState) return undefined;
    const { error } = endOf(result, false);
    const stop = () =>
      new EngineStep(stopBehind(runState, gasRefund, this.#reservoir()), runState, this.#now);
    const told = error === undefined && !ENDS.has(last) ? this.#listener.step(stop()) : undefined;
    const end = () => this.#listener.codeEnds?.(error);
    return told ? told.then(end) : end();
  }
}

/** Turns the engine's messages into calls. A call that balance or depth refuses has no message: it is read off the stack. */
class CallObserver implements OpcodeObserver {
  readonly #listener: CallListener;
  readonly #open: { readonly message: EngineMessage; readonly creates: boolean }[] = [];
  /** the call that the current opcode is making, until its message arrives */
  #call: { type: CallType; runState: RunState; refuse: (() => void) | undefined } | undefined;

  constructor(listener: CallListener) {
    this.#listener = listener;
  }

  beforeCall(opcode: number, runState: RunState): void {
    const type = CALL_TYPES[opcode]!;
    this.#call = { type, runState, refuse: this.#refusal(type, runState) };
  }

  afterCall(): void {
    const call = this.#call;
    this.#call = undefined;
    call?.refuse?.();
  }

  log(topicCount: number, { env, stack, memory }: RunState): void {
    const words = stack.getStack();
    if (words.length < 2 + topicCount || env.isStatic) return;
    const [offset, length] = [words.at(-1)!, words.at(-2)!];
    this.#listener.log({
      address: env.address,
      topics: words
        .slice(-2 - topicCount, -2)
        .reverse()
        .map((word) => integerWord(word)),
      data: length === 0n ? EMPTY_BYTES : memory.read(Number(offset), Number(length)),
    });
  }

  selfdestruct({ env, stack }: RunState): void {
    const heir = stack.getStack().at(-1);
    if (heir === undefined || env.isStatic) return;
    this.#listener.selfDestruct(env.address, toAddress(heir), env.contract.balance);
  }

  begin(message: EngineMessage): void {
    const type = this.#call?.type ?? (message.to ? 'CALL' : 'CREATE');
    const inContext = type === 'DELEGATECALL' && this.#call;
    this.#listener.begin({
      type,
      // The message of a DELEGATECALL names as caller the caller of the frame that makes it.
      from: inContext ? inContext.runState.env.address : message.caller,
      ...(message.to && { to: message.codeAddress }),
      gas: message.gasLimit,
      input: message.data,
      ...(type !== 'STATICCALL' && { value: message.value }),
    });
    this.#call = undefined;
    // The engine gives a creation's message its address while it runs.
    this.#open.push({ message, creates: message.to === undefined });
  }

  end({ execResult }: EVMResult): void {
    const open = this.#open.pop();
    if (!open) return;
    const { message, creates } = open;
    this.#listener.end(endOf(execResult, message.isCompiled, creates ? message.to : undefined));
  }

  /** Reads a call that is going to be refused off the stack, before the opcode pops it. @returns tells of it */
  #refusal(type: CallType, runState: RunState): (() => void) | undefined {
    const { env, memory, messageGasLimit } = runState;
    const words = runState.stack.getStack().reverse();
    const creates = type === 'CREATE' || type === 'CREATE2';
    const transfers = type === 'CALL' || type === 'CALLCODE';
    const value = creates ? words[0] : transfers ? words[2] : 0n;
    const isTooDeep = env.depth >= MAX_DEPTH;
    const isTooPoor = value !== undefined && type !== 'DELEGATECALL' && env.contract.balance < value;
    const [offset, length] = creates ? words.slice(1, 3) : words.slice(transfers ? 3 : 2);
    if ((!isTooDeep && !isTooPoor) || offset === undefined || length === undefined) return undefined;
    const call: CallStart = {
      type,
      from: env.address,
      ...(!creates && { to: toAddress(words[1]!) }),
      gas: (messageGasLimit ?? 0n) + (transfers && value ? CALL_STIPEND : 0n),
      input: length === 0n ? EMPTY_BYTES : memory.read(Number(offset), Number(length)).slice(),
      ...(type !== 'STATICCALL' && { value: type === 'DELEGATECALL' ? env.callValue : (value ?? 0n) }),
    };
    return () => this.#listener.refuse(call, isTooDeep ? TOO_DEEP : TOO_POOR);
  }
}

/** @param created the account of a creation */
function endOf(result: ExecResult, isPrecompile: boolean, created?: Address): CallEnd {
  const { exceptionError, executionGasUsed, returnValue, runState } = result;
  const error = exceptionError && nameOf(exceptionError.error, runState);
  return {
    gasUsed: executionGasUsed,
    output: returnValue,
    ...(error !== undefined && { error }),
    ...(created && { created }),
    isPrecompile,
  };
}

/** @returns a promise where the creator's nonce or the callee's code has to be fetched */
function tellTouches(
  { opcode: { code }, stack, address, memory }: OpcodeStep,
  listener: TouchListener,
  now: StateView,
): Promise<void> | undefined {
  const top = stack.at(-1);
  if (code === CREATE) {
    const creator = now.getAccount(address);
    const tell = (account: AccountState | undefined) =>
      listener.account(new Address(generateAddress(address.bytes, integerBytes(account?.nonce ?? 0n))));
    if (creator instanceof Promise) return creator.then(tell);
    tell(creator);
  } else if (top === undefined) {
    return undefined;
  } else if (code === SLOAD || code === SSTORE) {
    listener.slot(address, integerWord(top));
  } else if (ADDRESS_FIRST.has(code)) {
    listener.account(toAddress(top));
  } else if (ADDRESS_SECOND.has(code) && stack.length >= 5) {
    const called = toAddress(stack.at(-2)!);
    listener.account(called);
    // The delegation (EIP-7702) that a call follows may have been set by this transaction.
    const tell = (calledCode: Uint8Array) => {
      if (isDelegation(calledCode)) listener.account(new Address(calledCode.slice(3)));
    };
    const calledCode = now.getCode(called);
    if (calledCode instanceof Promise) return calledCode.then(tell);
    tell(calledCode);
  } else if (code === CREATE2 && stack.length >= 4) {
    const [offset, length, salt] = [stack.at(-2)!, stack.at(-3)!, stack.at(-4)!];
    // No transaction has the gas for more: the opcode fails.
    if (length > MAX_INIT_CODE) return undefined;
    // The step has the memory before it is expanded to the range that the opcode reads.
    const init = new Uint8Array(Number(length));
    init.set(memory.subarray(Number(offset), Number(offset + length)));
    listener.account(new Address(generateAddress2(address.bytes, integerWord(salt), init)));
  }
  return undefined;
}

function toAddress(word: bigint): Address {
  return new Address(bigIntToAddressBytes(word & ADDRESS_MASK));
}

function nameOf(halt: string, runState: RunState | undefined): string {
  const isInvalid = halt === 'invalid opcode' && runState !== undefined;
  return isInvalid ? invalidOpcode(haltedAt(runState)) : haltReason(halt);
}

/** The opcode that halted. Behind a jump the library takes one that it doesn't know for INVALID, and stays at it. */
function haltedAt({ opCode, code, programCounter }: RunState): number | undefined {
  return opCode === INVALID ? code[programCounter] : opCode;
}
