import type { Address } from '@ethereumjs/util';
import type { Hardfork } from '../protocol/hardfork.ts';
import type { BlockEnv, Log, Message } from '../protocol/types.ts';
import type { Awaitable, StateView } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { RunCounts } from './run-counts.ts';
import { countingSteps } from './tracers/counting-steps.ts';

export type CallType = 'CALL' | 'CALLCODE' | 'DELEGATECALL' | 'STATICCALL' | 'CREATE' | 'CREATE2';

/** The type of the call or creation that an opcode makes. */
export const CALL_TYPES: Readonly<Record<number, CallType>> = {
  240: 'CREATE',
  241: 'CALL',
  242: 'CALLCODE',
  244: 'DELEGATECALL',
  245: 'CREATE2',
  250: 'STATICCALL',
};

/** A call or creation when it begins. Byte strings may be views that change later. */
export interface CallStart {
  readonly type: CallType;
  /** the account that makes it */
  readonly from: Address;
  /** the account that is called; absent for a creation */
  readonly to?: Address;
  /** gas limit of the frame; for the outermost frame the transaction's gas limit minus the intrinsic gas */
  readonly gas: bigint;
  /** call data or init code */
  readonly input: Uint8Array;
  /** wei; absent for STATICCALL */
  readonly value?: bigint;
}

/** The outermost call of a transaction, before it begins. @param gas the transaction's gas limit without the intrinsic gas */
export function callOf({ from, to, data, value }: Message, gas: bigint): CallStart {
  return { type: to ? 'CALL' : 'CREATE', from, ...(to && { to }), gas, input: data, value };
}

/** The result of a call or creation. */
export interface CallEnd {
  /** before refunds; for the outermost frame, without the intrinsic gas */
  readonly gasUsed: bigint;
  /** return data, the code of a new contract, or a revert's data; may be a view that changes later */
  readonly output: Uint8Array;
  /** error message as in geth; absent = it succeeded */
  readonly error?: string;
  /** the address of a creation, also of one that failed after its address was computed */
  readonly created?: Address;
  readonly isPrecompile: boolean;
}

/** Receives the calls of a run, those of reverted frames included. */
export interface CallListener {
  begin(call: CallStart): void;
  /**
   * The most recently begun call ends before its value is transferred: the address of a creation is taken, or the gas for a new account
   * can't be paid (EIP-8037, since Amsterdam). Only the engine `ethereumjs` calls this; it derives the logs of ETH transfers from these
   * events.
   */
  endsUnpaid?(): void;
  /** The most recently begun call that is still open has ended. */
  end(end: CallEnd): void;
  /** A call that is refused because of its caller's balance or the depth limit: neither `begin` nor `end` is called for it. */
  refuse(call: CallStart, error: string): void;
  log(log: Log): void;
  /** @param balance wei that `beneficiary` receives */
  selfDestruct(account: Address, beneficiary: Address, balance: bigint): void;
}

/**
 * Receives the accounts and slots that opcodes name (the same one possibly several times), the contracts that opcodes create, and for
 * EIP-7702
 * the authorities of the transaction and the targets of delegations that calls follow.
 */
export interface TouchListener {
  account(address: Address): void;
  /** @param key 32 bytes */
  slot(address: Address, key: Uint8Array): void;
}

/** The frame whose code runs. Byte strings may be views that change later. */
export interface StepFrame {
  readonly caller: Address;
  /** wei; a DELEGATECALL has the value of its caller's frame */
  readonly value: bigint;
  /** call data; empty for a creation, whose call data is its code */
  readonly input: Uint8Array;
  readonly code: Uint8Array;
}

/**
 * The next step of a frame's code: the opcode's gas is known, but the opcode hasn't run. Each value is read from the engine when it is
 * requested. The object is valid until the listener returns, or until the listener's promise is settled.
 */
export interface RunStep {
  /** the byte in the code; 0 beyond the code's end */
  readonly opcode: number;
  /** the opcode's name in the yellow paper or its EIP; `INVALID` where the hardfork doesn't have it */
  readonly name: string;
  readonly pc: number;
  /** whether it is the implicit STOP at the end of code without one (yellow paper, 9.4.1) */
  readonly isBehindCode: boolean;
  /** 0 for the outermost frame */
  readonly depth: number;
  /** the account whose storage the opcode accesses */
  readonly address: Address;
  readonly gasLeft: bigint;
  /** gas of the opcode, without the gas that a call passes on */
  readonly cost: bigint;
  /** gas that a call passes on, in addition to the cost and without the stipend; 0 for other opcodes */
  readonly passedGas: bigint;
  /** whether the opcode can't run for lack of gas. If the opcode would need gigabytes of memory, the cost doesn't include that memory. */
  readonly isOutOfGas: boolean;
  /** refund counter of the run, including the opcode itself */
  readonly refund: bigint;
  /** refund counter of the run before the opcode */
  readonly refundBefore: bigint;
  /** EIP-8037: the reservoir before the opcode, and the opcode's state gas (negative if state gas is returned); absent without that EIP */
  readonly stateGas?: { readonly reservoir: bigint; readonly cost: bigint } | undefined;
  /** number of words on the stack */
  readonly stackHeight: number;
  /** @param n 1 = the word on top of the stack. @returns `undefined` where there is none */
  word(n: number): bigint | undefined;
  /** bottom first */
  stack(): readonly bigint[];
  /** before the opcode expands it: a view that changes when the run continues */
  memory(): Uint8Array;
  /** return data of the last call that the frame made: a view that changes when the run continues */
  returnData(): Uint8Array;
  /** only for SLOAD and SSTORE: the value in the slot before the opcode */
  slotValue(): Awaitable<bigint>;
  frame(): StepFrame;
}

/**
 * Receives the steps of a run, including those of reverted frames. The run awaits the promises. If one rejects, the run ends with the
 * error.
 */
export interface StepListener {
  step(step: RunStep): Promise<void> | undefined;
  /**
   * The code of a frame has ended, and its writes aren't rolled back yet. @param error as in {@link CallEnd}, but before the code deposit
   * is charged
   */
  codeEnds?(error: string | undefined): Promise<void> | undefined;
}

/** The run that is listened to. */
export interface ListenedRun {
  readonly message: Message;
  readonly env: BlockEnv;
  readonly hardfork: Hardfork;
  /** 40 hex digits each, without 0x */
  readonly precompiles: () => readonly string[];
  /** the state before the transaction */
  readonly before: StateView;
  /**
   * The current state: the state before the step while a listener makes the run wait; the state after the transaction once the run has
   * ended.
   */
  readonly now: StateView;
  readonly pauses: Pauses | undefined;
}

/** Observes one run by the events that either engine reports. */
export interface RunListener {
  /** Called before the run. */
  start(run: ListenedRun): void;
  /** Called when a deposit can't begin, with the reason: nothing runs then. */
  refuse?(reason: string): void;
  readonly calls?: CallListener;
  readonly touches?: TouchListener;
  readonly steps?: StepListener | undefined;
  /** Called with the opcodes that ran, when the run has ended. The codes are views that change later. */
  readonly counts?: ((counts: RunCounts) => void) | undefined;
}

/** Combines several listeners to one that passes every event to each of them. */
export function listenerOfAll(all: readonly RunListener[]): RunListener | undefined {
  // An engine either counts opcodes or reports steps. If it reports steps, the counts are derived from them.
  const listeners = all.some(({ steps }) => steps) ? all.map(countingSteps) : all;
  if (listeners.length < 2) return listeners[0];
  const calls = listeners.flatMap((listener) => listener.calls ?? []);
  const touches = listeners.flatMap((listener) => listener.touches ?? []);
  const steps = listeners.flatMap((listener) => listener.steps ?? []);
  const counts = listeners.flatMap((listener) => listener.counts ?? []);
  return {
    start: (run) => {
      for (const listener of listeners) listener.start(run);
    },
    refuse: (reason) => {
      for (const listener of listeners) listener.refuse?.(reason);
    },
    ...(calls.length > 0 && {
      calls: {
        begin: (call) => {
          for (const listener of calls) listener.begin(call);
        },
        endsUnpaid: () => {
          for (const listener of calls) listener.endsUnpaid?.();
        },
        end: (end) => {
          for (const listener of calls) listener.end(end);
        },
        refuse: (call, error) => {
          for (const listener of calls) listener.refuse(call, error);
        },
        log: (log) => {
          for (const listener of calls) listener.log(log);
        },
        selfDestruct: (...destroyed) => {
          for (const listener of calls) listener.selfDestruct(...destroyed);
        },
      },
    }),
    ...(touches.length > 0 && {
      touches: {
        account: (address) => {
          for (const listener of touches) listener.account(address);
        },
        slot: (address, key) => {
          for (const listener of touches) listener.slot(address, key);
        },
      },
    }),
    ...(steps.length > 0 && {
      steps: {
        step: (step) => inTurn(steps, (listener) => listener.step(step)),
        codeEnds: (error) => inTurn(steps, (listener) => listener.codeEnds?.(error)),
      },
    }),
    ...(counts.length > 0 && {
      counts: (counted) => {
        for (const tell of counts) tell(counted);
      },
    }),
  };
}

/** Passes a step to one listener after the other; each listener waits for the promise of the one before. */
function inTurn(
  listeners: readonly StepListener[],
  tell: (listener: StepListener) => Promise<void> | undefined,
): Promise<void> | undefined {
  let told: Promise<void> | undefined;
  for (const listener of listeners) told = told ? told.then(() => tell(listener)) : tell(listener);
  return told;
}
