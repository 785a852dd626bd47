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
  /** gas limit of the frame; the outermost one has the transaction's without the intrinsic gas */
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

/** What a call or creation came to. */
export interface CallEnd {
  /** before refunds; for the outermost frame, without the intrinsic gas */
  readonly gasUsed: bigint;
  /** return data, the code of a new contract, or a revert's data; may be a view that changes later */
  readonly output: Uint8Array;
  /** error message as in geth; absent = it succeeded */
  readonly error?: string;
  /** the account of a creation, also of one that failed after it had an address */
  readonly created?: Address;
  readonly isPrecompile: boolean;
}

/** Receives the calls of a run, those of reverted frames included. */
export interface CallListener {
  begin(call: CallStart): void;
  /**
   * The call that began last ends before its value is transferred: the address of a creation is taken, or since Amsterdam the gas of a new
   * account can't be paid (EIP-8037). Only the engine `ethereumjs` tells it, which makes logs of transfers of what it hears.
   */
  endsUnpaid?(): void;
  /** The call that began last and hasn't ended has ended. */
  end(end: CallEnd): void;
  /** A call that its caller's balance or the depth limit doesn't allow: it neither begins nor ends. */
  refuse(call: CallStart, error: string): void;
  log(log: Log): void;
  /** @param balance wei that `heir` receives */
  selfDestruct(account: Address, heir: Address, balance: bigint): void;
}

/**
 * Receives the accounts and slots that opcodes name, also more than once; contracts that opcodes create; and of EIP-7702
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
  /** wei; a DELEGATECALL has its caller's */
  readonly value: bigint;
  /** call data; empty for a creation, whose data is its code */
  readonly input: Uint8Array;
  readonly code: Uint8Array;
}

/**
 * What the code of a frame is about to do: the opcode's gas is known, and nothing else has happened. Each value is read from the
 * engine when it is asked for. All of it is valid until the listener returns, or until its promise is settled.
 */
export interface RunStep {
  /** the byte in the code; 0 behind the code's end */
  readonly opcode: number;
  /** the opcode's name in the yellow paper or its EIP; `INVALID` where the hardfork doesn't have it */
  readonly name: string;
  readonly pc: number;
  /** whether it is the STOP that follows on code without one (yellow paper, 9.4.1) */
  readonly isBehindCode: boolean;
  /** 0 for the outermost frame */
  readonly depth: number;
  /** whose storage the opcode works on */
  readonly address: Address;
  readonly gasLeft: bigint;
  /** gas of the opcode, without that which a call passes on */
  readonly cost: bigint;
  /** gas that a call passes on, in addition to the cost and without the stipend; 0 for other opcodes */
  readonly passedGas: bigint;
  /** whether the opcode can't begin for want of gas. Where it would need gigabytes of memory, the cost is without that. */
  readonly isOutOfGas: boolean;
  /** of the run, with that of the opcode itself */
  readonly refund: bigint;
  /** of the run, before the opcode */
  readonly refundBefore: bigint;
  /** EIP-8037: the reservoir before the opcode, and the state gas that it costs (below 0 where some comes back); absent without that EIP */
  readonly stateGas?: { readonly reservoir: bigint; readonly cost: bigint } | undefined;
  /** words */
  readonly stackHeight: number;
  /** @param n 1 = the word on top of the stack. @returns `undefined` where there is none */
  word(n: number): bigint | undefined;
  /** bottom first */
  stack(): readonly bigint[];
  /** before the opcode expands it: a view that changes when the run goes on */
  memory(): Uint8Array;
  /** of the last call that the frame made: a view that changes when the run goes on */
  returnData(): Uint8Array;
  /** only for SLOAD and SSTORE: what is in the slot, before the opcode */
  slotValue(): Awaitable<bigint>;
  frame(): StepFrame;
}

/** Receives the steps of a run, those of reverted frames included. The run waits for the promises, and ends with what they throw. */
export interface StepListener {
  step(step: RunStep): Promise<void> | undefined;
  /** The code of a frame has ended, and what it wrote isn't taken back yet. @param error as of {@link CallEnd}, without the costs of new code */
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
  /** The state as it is now: while a listener has the run wait, that before the step; once it has ended, that after the transaction. */
  readonly now: StateView;
  readonly pauses: Pauses | undefined;
}

/** Watches one run by what either engine tells of it. */
export interface RunListener {
  /** Called before the run. */
  start(run: ListenedRun): void;
  /** Called when a deposit can't begin, with the reason: nothing runs then. */
  refuse?(reason: string): void;
  readonly calls?: CallListener;
  readonly touches?: TouchListener;
  readonly steps?: StepListener | undefined;
  /** Called with what ran, when the run has ended. The codes in it are views that change later. */
  readonly counts?: ((counts: RunCounts) => void) | undefined;
}

/** One listener that passes everything on to several. */
export function listenerOfAll(all: readonly RunListener[]): RunListener | undefined {
  // An engine counts, or it tells of steps, by which what ran can be counted, too.
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

/** Each listener hears of a step when those before it have let the run go on. */
function inTurn(
  listeners: readonly StepListener[],
  tell: (listener: StepListener) => Promise<void> | undefined,
): Promise<void> | undefined {
  let told: Promise<void> | undefined;
  for (const listener of listeners) told = told ? told.then(() => tell(listener)) : tell(listener);
  return told;
}
