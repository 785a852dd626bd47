import type { Message as EngineMessage, EVMResult, ExecResult } from '@ethereumjs/evm';
import { Address, equalsBytes, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { isDelegation } from '../../protocol/validity.ts';
import { EMPTY_BYTES, EMPTY_ROOT, hasCode } from '../../state/account.ts';
import { integerBytes, integerWord } from '../../state/integers.ts';
import { CALL_STIPEND } from '../estimate.ts';
import { haltReason, INSUFFICIENT_BALANCE, invalidOpcode, TAKEN, TOO_DEEP } from '../halt-reason.ts';
import {
  CALL_TYPES,
  type CallEnd,
  type CallStart,
  type CallType,
  type ListenedRun,
  type RunListener,
  type TouchListener,
} from '../run-listener.ts';
import { countingSteps } from '../tracers/counting-steps.ts';
import type { DevnetEVM } from './devnet-evm.ts';
import { bytesAt, type OpcodeStep, type RunState, toAddress } from './opcode-step.ts';
import type { OpcodeListener } from './watched-opcodes.ts';

const MAX_DEPTH = 1024;
/** The limit of init code in bytes: far more than a block's gas can pay for. */
const MAX_INIT_CODE = 1n << 24n;
const SLOAD = 0x54;
const SSTORE = 0x55;
const LOG0 = 0xa0;
const LOG4 = 0xa4;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
const INVALID = 0xfe;
const SELFDESTRUCT = 0xff;
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT: the address is on top of the stack */
const ADDRESS_FIRST = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the address is second on the stack */
const ADDRESS_SECOND = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/** The opcodes of which listeners of calls are told: calls, creations, logs and self-destructs. */
const TOLD_AS_CALLS = new Set([
  0xa0,
  0xa1,
  0xa2,
  0xa3,
  LOG4,
  CREATE,
  0xf1,
  0xf2,
  0xf4,
  CREATE2,
  0xfa,
  SELFDESTRUCT,
]);

/** Reports the events of the next run of EthereumJS's EVM to a listener, until the EVM is released. */
export function listen(evm: DevnetEVM, given: RunListener, run: ListenedRun): void {
  const listener = countingSteps(given);
  listener.start(run);
  const teller = new RunTeller(listener, run);
  evm.watched.listener = teller;
  evm.events.on('beforeMessage', (message) => {
    evm.stateManager.onRead = undefined;
    teller.begin(message);
  });
  evm.events.on('afterMessage', (result) => teller.end(result));
  const { touches } = listener;
  if (!touches) return;
  // Before the outermost frame begins, the accounts that are read after the sender are the authorities of EIP-7702's authorizations.
  let isSender = true;
  evm.stateManager.onRead = (address) => {
    if (!isSender) touches.account(address);
    isSender = false;
  };
}

/** A call or creation that an opcode makes, until the library reports its message. */
interface MadeCall {
  readonly type: CallType;
  readonly by: Address;
  /** what is reported if the library reports no message */
  readonly unbegun: Unbegun | undefined;
}

/** A call that won't begin, or a creation that may not begin. */
interface Unbegun {
  readonly call: CallStart;
  /** why it doesn't begin; absent: the creation fails only if its address is taken */
  readonly refusal?: string | undefined;
  readonly created?: Address | undefined;
}

/** Translates the opcodes and messages of a run to events for its listener. */
class RunTeller implements OpcodeListener {
  readonly #listener: RunListener;
  readonly #run: ListenedRun;
  readonly #open: { readonly message: EngineMessage; readonly creates: boolean }[] = [];
  #call: MadeCall | undefined;

  readonly opcodes: ReadonlySet<number> | undefined;

  constructor(listener: RunListener, run: ListenedRun) {
    this.#listener = listener;
    this.opcodes = listener.steps || listener.touches ? undefined : TOLD_AS_CALLS;
    this.#run = run;
  }

  async step(step: OpcodeStep): Promise<void> {
    const { calls, touches, steps } = this.#listener;
    await steps?.step(step);
    if (touches) await this.#tellTouches(step, touches);
    const { opcode } = step;
    const type = CALL_TYPES[opcode];
    if (!calls || step.isHalted) return;
    if (type) this.#call = { type, by: step.address, unbegun: unbegunOf(step, type, this.#run) };
    else if (opcode === SELFDESTRUCT) this.#tellDestroyed(step);
    else if (opcode >= LOG0 && opcode <= LOG4) this.#tellLog(step);
  }

  /**
   * Reports a call that is refused because of balance or depth, and a creation at an address that is taken: for these the library has no
   * message (for the creation at Amsterdam).
   */
  async called(): Promise<void> {
    const { unbegun } = this.#call ?? {};
    this.#call = undefined;
    if (!unbegun) return;
    const { call, refusal, created } = unbegun;
    const calls = this.#listener.calls!;
    if (refusal !== undefined) return calls.refuse(call, refusal);
    const account = await this.#run.now.getAccount(created!);
    const isTaken =
      account && (account.nonce > 0n || hasCode(account) || !equalsBytes(account.storageRoot, EMPTY_ROOT));
    if (!isTaken) return;
    calls.begin(call);
    calls.end({
      gasUsed: call.gas,
      output: EMPTY_BYTES,
      error: TAKEN,
      created: created!,
      isPrecompile: false,
    });
  }

  codeEnds(result: ExecResult): Promise<void> | undefined {
    return this.#listener.steps?.codeEnds?.(endOf(result, false).error);
  }

  begin(message: EngineMessage): void {
    const { type = message.to ? 'CALL' : 'CREATE', by } = this.#call ?? {};
    this.#call = undefined;
    this.#listener.calls?.begin({
      type,
      // For DELEGATECALL, the message's caller is the caller of the frame that makes the call.
      from: type === 'DELEGATECALL' && by ? by : message.caller,
      ...(message.to && { to: message.codeAddress }),
      gas: message.gasLimit,
      input: message.data,
      ...(type !== 'STATICCALL' && { value: message.value }),
    });
    // The library sets the address of a creation's message while the message runs.
    this.#open.push({ message, creates: message.to === undefined });
  }

  end({ execResult }: EVMResult): void {
    const { message, creates } = this.#open.pop()!;
    this.#call = undefined;
    // False if the interpreter hasn't started the code and the callee is not a precompile.
    const hasRun = execResult.runState !== undefined || message.isCompiled;
    if (execResult.exceptionError && !hasRun) this.#listener.calls?.endsUnpaid?.();
    this.#listener.calls?.end(endOf(execResult, message.isCompiled, creates ? message.to : undefined));
  }

  #tellLog(step: OpcodeStep): void {
    const topicCount = step.opcode - LOG0;
    if (step.stackHeight < 2 + topicCount || step.runState.env.isStatic) return;
    this.#listener.calls!.log({
      address: step.address,
      topics: Array.from({ length: topicCount }, (_, i) => integerWord(step.word(3 + i)!)),
      data: dataOf(step, step.word(1)!, step.word(2)!),
    });
  }

  #tellDestroyed(step: OpcodeStep): void {
    const { isStatic, contract } = step.runState.env;
    const beneficiary = step.word(1);
    if (beneficiary === undefined || isStatic) return;
    this.#listener.calls!.selfDestruct(step.address, toAddress(beneficiary), contract.balance);
  }

  /** Reports the accounts and slots that an opcode names. */
  async #tellTouches(step: OpcodeStep, listener: TouchListener): Promise<void> {
    const { opcode, address } = step;
    const top = step.word(1);
    if (opcode === CREATE || opcode === CREATE2) {
      const created = createdBy(step);
      if (created) listener.account(created);
    } else if (top === undefined) {
      return;
    } else if (opcode === SLOAD || opcode === SSTORE) {
      listener.slot(address, integerWord(top));
    } else if (ADDRESS_FIRST.has(opcode)) {
      listener.account(toAddress(top));
    } else if (ADDRESS_SECOND.has(opcode) && step.stackHeight >= 5) {
      const called = toAddress(step.word(2)!);
      listener.account(called);
      // The delegation (EIP-7702) that a call follows may have been set by this transaction.
      const code = await this.#run.now.getCode(called);
      if (isDelegation(code)) listener.account(new Address(code.slice(3)));
    }
  }
}

/**
 * The event to report if the library has no message for a call or creation. Reads the arguments on the stack before the opcode pops them.
 */
function unbegunOf(step: OpcodeStep, type: CallType, { hardfork }: ListenedRun): Unbegun | undefined {
  const { env, messageGasLimit = 0n } = step.runState;
  const creates = type === 'CREATE' || type === 'CREATE2';
  const transfers = type === 'CALL' || type === 'CALLCODE';
  const value = creates ? step.word(1) : transfers ? step.word(3) : 0n;
  const refusal =
    env.depth >= MAX_DEPTH
      ? TOO_DEEP
      : value !== undefined && env.contract.balance < value
        ? INSUFFICIENT_BALANCE
        : undefined;
  const created = creates && hardfork.has(7928) ? createdBy(step) : undefined;
  const first = creates ? 2 : transfers ? 4 : 3;
  const [offset, length] = [step.word(first), step.word(first + 1)];
  if ((refusal === undefined && !created) || offset === undefined || length === undefined) return undefined;
  const call: CallStart = {
    type,
    from: step.address,
    ...(!creates && { to: toAddress(step.word(2)!) }),
    gas: messageGasLimit + (transfers && value ? CALL_STIPEND : 0n),
    input: dataOf(step, offset, length).slice(),
    ...(type !== 'STATICCALL' && { value: type === 'DELEGATECALL' ? env.callValue : (value ?? 0n) }),
  };
  return { call, refusal, created };
}

/** The address of the account that a creation will create; `undefined` where the opcode can't run. */
function createdBy(step: OpcodeStep): Address | undefined {
  const { bytes } = step.address;
  if (step.opcode === CREATE)
    return new Address(generateAddress(bytes, integerBytes(step.runState.env.contract.nonce)));
  const [offset, length, salt] = [step.word(2), step.word(3), step.word(4)];
  // No transaction has enough gas for longer init code.
  if (salt === undefined || length! > MAX_INIT_CODE) return undefined;
  return new Address(generateAddress2(bytes, integerWord(salt), dataOf(step, offset!, length!)));
}

/** A range of the memory, with the contents that it has after the opcode has expanded the memory. */
function dataOf(step: OpcodeStep, offset: bigint, length: bigint): Uint8Array {
  return length === 0n ? EMPTY_BYTES : bytesAt(step.memory(), Number(offset), Number(length));
}

/** @param created the account that a creation has created */
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

function nameOf(halt: string, runState: RunState | undefined): string {
  const isInvalid = halt === 'invalid opcode' && runState !== undefined;
  return isInvalid ? invalidOpcode(haltedAt(runState)) : haltReason(halt);
}

/**
 * The opcode that halted. At a jump target the library replaces an unknown opcode by INVALID, and the program counter still points to it.
 */
function haltedAt({ opCode, code, programCounter }: RunState): number | undefined {
  return opCode === INVALID ? code[programCounter] : opCode;
}
