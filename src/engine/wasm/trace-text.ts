import { bytesToHex } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../../state/account.ts';
import { andThen } from '../../state/view.ts';
import type { CallListener, RunListener, RunStep, StepListener, TouchListener } from '../run-listener.ts';
import { textOf } from '../shadow/differences.ts';

const SLOAD = 0x54;

/** Converts the events of a run to text, so that two runs can be compared. */
export class TraceText implements RunListener {
  readonly #onEvent: (text: string) => void;
  readonly #touched = new Set<string>();
  #memory: Uint8Array = EMPTY_BYTES;
  readonly calls?: CallListener;
  readonly touches?: TouchListener;
  readonly steps?: StepListener;

  /**
   * @param like a listener; this one gets the same parts
   * @param onEvent receives each event in order, except touched accounts and slots
   */
  constructor(like: RunListener, onEvent: (text: string) => void) {
    this.#onEvent = onEvent;
    if (like.calls) this.calls = this.#calls();
    if (like.touches) this.touches = this.#touches();
    if (like.steps) this.steps = this.#steps();
  }

  start(): void {
    this.#touched.clear();
    this.#memory = EMPTY_BYTES;
  }

  refuse(reason: string): void {
    this.#onEvent(`refused: ${reason}`);
  }

  /** The touched accounts and slots, sorted: engines may report them in different orders, and more than once. */
  get touched(): string {
    return [...this.#touched].sort().join(' ');
  }

  #calls(): CallListener {
    const tell = (what: string, value: unknown) => this.#onEvent(`${what} ${textOf(value)}`);
    return {
      begin: (call) => tell('call', call),
      end: (end) => tell('end', end),
      refuse: (call, error) => tell(`refused: ${error}`, call),
      log: ({ address, topics, data }) => tell('log', [address, topics, data]),
      selfDestruct: (account, beneficiary, balance) => tell('destroyed', [account, beneficiary, balance]),
    };
  }

  #touches(): TouchListener {
    return {
      account: (address) => void this.#touched.add(address.toString()),
      slot: (address, key) => void this.#touched.add(`${address}[${bytesToHex(key)}]`),
    };
  }

  #steps(): StepListener {
    return {
      step: (step) => {
        const isRead = step.opcode === SLOAD && step.stackHeight > 0 && !step.isOutOfGas;
        const tell = (value: bigint | undefined) => this.#onEvent(this.#textOf(step, value));
        const told = andThen(isRead ? step.slotValue() : undefined, tell);
        return told instanceof Promise ? told : undefined;
      },
      codeEnds: (error) => {
        this.#onEvent(`code ends: ${error ?? 'without an error'}`);
        return undefined;
      },
    };
  }

  #textOf(step: RunStep, value: bigint | undefined): string {
    const { pc, name, opcode, isBehindCode, depth, address, gasLeft, cost, passedGas, isOutOfGas } = step;
    const { refund, refundBefore, stateGas, stackHeight } = step;
    const memory = step.memory();
    const isChanged = Buffer.compare(memory, this.#memory) !== 0;
    if (isChanged) this.#memory = memory.slice();
    return textOf({
      ...{
        pc,
        name,
        opcode,
        isBehindCode,
        depth,
        address: address.toString(),
        gasLeft,
        cost,
        passedGas,
        isOutOfGas,
      },
      ...{ refund, refundBefore, stateGas, stackHeight, top: step.word(1), stack: step.stack(), value },
      returnData: step.returnData(),
      ...(isChanged && { memory }),
      ...(pc === 0 && { frame: step.frame() }),
    });
  }
}
