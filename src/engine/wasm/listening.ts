import { Address } from '@ethereumjs/util';
import * as halts from '../../core/memory/halts.ts';
import * as entry from '../../core/state/entries.ts';
import { EMPTY_BYTES } from '../../state/account.ts';
import { hexKey } from '../../state/hex-key.ts';
import type { StateView } from '../../state/view.ts';
import type { ExecuteOptions } from '../engine.ts';
import { haltReason, INSUFFICIENT_BALANCE, invalidOpcode, TOO_DEEP } from '../halt-reason.ts';
import { CALL_TYPES, type CallStart, callOf, type ListenedRun, type RunListener } from '../run-listener.ts';
import type { CoreCall, CoreListener } from './core.ts';
import { CoreStep } from './core-step.ts';
import { readCounts } from './counts.ts';
import type { Executor } from './executor.ts';
import { RunningState } from './running-state.ts';
import type { StateTables } from './state-tables.ts';

const WORD = 32;
/** Number of steps that are reported between two checks of the clock. */
const STEPS_A_LOOK = 32;
/** Memory that one entry of an access list takes, in bytes. */
const ACCESSED_BYTES = 200;

/** The listeners of a run. */
export interface Listeners {
  readonly listener: RunListener | undefined;
  readonly onAccessList: ExecuteOptions['onAccessList'];
}

/** Passes the core's events of a run to the listeners. */
export class Listening implements CoreListener {
  readonly #executor: Executor;
  readonly #run: ListenedRun;
  readonly #now: RunningState;
  readonly #listeners: Listeners;
  readonly #accessed = new Map<string, Set<string>>();
  /** memory that these entries take, in bytes */
  #held = 0;
  /** the open calls */
  readonly #open: { readonly gas: bigint; readonly isPrecompile: boolean; readonly created?: Address }[] = [];
  readonly #step: CoreStep;
  #stepsToLook = STEPS_A_LOOK;
  #waiting: Promise<void> | undefined;

  /** @param after the state that contains the run's writes when the run has ended */
  constructor(
    tables: StateTables,
    run: Omit<ListenedRun, 'now' | 'precompiles'>,
    after: StateView,
    listeners: Listeners,
  ) {
    const { executor } = tables;
    this.#executor = executor;
    this.#now = new RunningState(tables, after);
    const precompiles = () =>
      executor.rules.precompiles.numbers.map((number) => number.toString(16).padStart(40, '0'));
    this.#run = { ...run, now: this.#now, precompiles };
    this.#listeners = listeners;
    this.#step = new CoreStep(executor);
    listeners.listener?.start(this.#run);
  }

  /** The events that the core has to report. */
  get wants(): Parameters<Executor['listen']>[1] {
    const { listener, onAccessList } = this.#listeners;
    return {
      calls: listener?.calls !== undefined,
      touches: listener?.touches !== undefined || onAccessList !== undefined,
      counts: listener?.counts !== undefined,
      steps: listener?.steps !== undefined,
    };
  }

  /** Ends the run. The state after the run must contain its writes by now. */
  end(): void {
    this.#now.end();
    this.#run.pauses?.hold(-this.#held);
    const counts = this.#listeners.listener?.counts;
    if (counts) counts(readCounts(this.#executor.memory));
    this.#listeners.onAccessList?.(this.#accessed);
  }

  /** Reports that a deposit can't begin. */
  refuse(reason: string): void {
    this.#listeners.listener?.refuse?.(reason);
  }

  callBegins(...call: CoreCall): 0 | 1 {
    const [opcode, , to, gas] = call;
    const start = opcode === 0 ? callOf(this.#run.message, gas) : this.#call(...call);
    const creates = start.to === undefined;
    this.#open.push({
      gas,
      isPrecompile: this.#executor.isPrecompile(to),
      ...(creates && { created: this.#addressOf(to) }),
    });
    this.#listeners.listener!.calls!.begin(start);
    return this.#stopsSoon;
  }

  callRefused(isTooDeep: number, ...call: CoreCall): 0 | 1 {
    this.#listeners.listener!.calls!.refuse(this.#call(...call), isTooDeep ? TOO_DEEP : INSUFFICIENT_BALANCE);
    return this.#stopsSoon;
  }

  callEnds(halt: number, gasLeft: bigint, output: number, length: number, opcode: number): void {
    const { gas, isPrecompile, created } = this.#open.pop()!;
    const error = this.#errorOf(halt, opcode);
    const couldBegin = halt !== halts.NONCE_OVERFLOW;
    this.#listeners.listener!.calls!.end({
      gasUsed: couldBegin ? gas - gasLeft : 0n,
      output: this.#view(output, length),
      ...(error !== undefined && { error }),
      ...(couldBegin && created && { created }),
      isPrecompile,
    });
  }

  logged(log: number): void {
    const { memory } = this.#executor;
    const topics = memory.u32(log);
    this.#listeners.listener!.calls!.log({
      address: this.#addressOf(memory.u32(log + 8)),
      topics: Array.from({ length: topics }, (_, i) => memory.bytes(log + 16 + WORD * i, WORD)),
      data: this.#view(log + 16 + WORD * topics, memory.u32(log + 4)),
    });
  }

  destroys(account: number, beneficiary: number): void {
    const balance = this.#executor.memory.word(account + entry.BALANCE);
    this.#listeners.listener!.calls!.selfDestruct(
      this.#addressOf(account),
      this.#addressOf(beneficiary),
      balance,
    );
  }

  accessesAccount(account: number, getsWarm: number): void {
    const { listener, onAccessList } = this.#listeners;
    const address = this.#executor.addressOf(account);
    if (getsWarm && onAccessList) this.#slotsOf(address);
    listener?.touches?.account(new Address(address));
  }

  accessesSlot(slot: number, getsWarm: number): void {
    const { listener, onAccessList } = this.#listeners;
    if (!getsWarm && !listener?.touches) return;
    const { memory } = this.#executor;
    const address = this.#executor.addressOf(memory.u32(slot + entry.OWNER));
    const key = memory.wordBytes(slot + entry.KEY);
    if (getsWarm && onAccessList) {
      this.#slotsOf(address).add(hexKey(key));
      this.#hold();
    }
    listener?.touches?.slot(new Address(address), key);
  }

  step(): 0 | 1 {
    return this.#tell(() => this.#listeners.listener!.steps!.step(this.#step));
  }

  codeEnds(halt: number, hasStep: number): 0 | 1 {
    const steps = this.#listeners.listener!.steps!;
    return this.#tell(() => {
      // If the step is reported only now, the opcode couldn't run.
      const told = hasStep ? steps.step(this.#step) : undefined;
      const end = () => steps.codeEnds?.(this.#errorOf(halt, this.#step.opcode));
      return told ? told.then(end) : end();
    });
  }

  wait(): Promise<void> {
    const waiting = this.#waiting!;
    this.#waiting = undefined;
    return waiting;
  }

  /** Exceptions must not pass through the core's functions: the error is thrown when the run waits for the promise. */
  #tell(tell: () => Promise<void> | undefined): 0 | 1 {
    try {
      this.#waiting = tell();
    } catch (error) {
      this.#waiting = Promise.reject(error);
    }
    if (this.#waiting) return 1;
    if (--this.#stepsToLook > 0) return 0;
    this.#stepsToLook = STEPS_A_LOOK;
    const { pauses } = this.#run;
    if (pauses?.due) this.#waiting = pauses.pause();
    return this.#waiting ? 1 : 0;
  }

  /** geth's name of a frame's halt. @param opcode the opcode that halted, if it is invalid */
  #errorOf(halt: number, opcode: number): string | undefined {
    const name = this.#executor.haltOf(halt);
    if (name === undefined) return undefined;
    return halt === halts.INVALID_OPCODE ? invalidOpcode(opcode) : haltReason(name);
  }

  get #stopsSoon(): 0 | 1 {
    return this.#run.pauses?.due ? 1 : 0;
  }

  #call(...[opcode, from, to, gas, input, length, value]: CoreCall): CallStart {
    const type = CALL_TYPES[opcode]!;
    return {
      type,
      from: this.#addressOf(from),
      ...(type !== 'CREATE' && type !== 'CREATE2' && { to: this.#addressOf(to) }),
      gas,
      input: this.#view(input, length),
      ...(type !== 'STATICCALL' && { value: this.#executor.memory.word(value) }),
    };
  }

  #view(at: number, length: number): Uint8Array {
    return length === 0 ? EMPTY_BYTES : this.#executor.memory.view(at, length);
  }

  #addressOf(account: number): Address {
    return new Address(this.#executor.addressOf(account));
  }

  #hold(): void {
    this.#held += ACCESSED_BYTES;
    this.#run.pauses?.hold(ACCESSED_BYTES);
  }

  #slotsOf(address: Uint8Array): Set<string> {
    const name = hexKey(address);
    let slots = this.#accessed.get(name);
    if (!slots) {
      slots = new Set();
      this.#accessed.set(name, slots);
      this.#hold();
    }
    return slots;
  }
}
