import type { Address } from '@ethereumjs/util';
import type { Overlay } from '../state/overlay.ts';
import type { StateView } from '../state/view.ts';
import type { Pauses } from '../turns.ts';
import type { BlockEnv, Log, Message } from './types.ts';

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

/** The run that is listened to. */
export interface ListenedRun {
  readonly message: Message;
  readonly env: BlockEnv;
  /** the state before the transaction */
  readonly before: StateView;
  /** the state after it, once the run has ended */
  readonly after: Overlay;
  readonly pauses: Pauses | undefined;
}

/** Watches one run by what either engine tells of it. */
export interface RunListener {
  /** Called before the run; once more if that begins anew in the other engine. */
  start(run: ListenedRun): void;
  /** Called when a deposit can't begin, with the reason: nothing runs then. */
  refuse?(reason: string): void;
  readonly calls?: CallListener;
  readonly touches?: TouchListener;
}

/** One listener that passes everything on to several. */
export function listenerOfAll(listeners: readonly RunListener[]): RunListener | undefined {
  if (listeners.length < 2) return listeners[0];
  const calls = listeners.flatMap((listener) => listener.calls ?? []);
  const touches = listeners.flatMap((listener) => listener.touches ?? []);
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
  };
}
