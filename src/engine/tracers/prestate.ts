import { Address, generateAddress } from '@ethereumjs/util';
import { isDelegation } from '../../protocol/validity.ts';
import { integerBytes } from '../../state/integers.ts';
import type { AccountState, Awaitable, StateView } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import type { Tracer } from '../engine.ts';
import type { ListenedRun, RunListener, TouchListener } from '../run-listener.ts';

/** An account, with the slots of it that a run touched. */
export interface TouchedAccount {
  readonly account: AccountState | undefined;
  readonly code: Uint8Array;
  /** slot -> value without leading zeros */
  readonly storage: ReadonlyMap<string, Uint8Array>;
}

/** By `0x` address, in the order of the first touch. */
export type TouchedState = ReadonlyMap<string, TouchedAccount>;

interface Touch {
  readonly address: Address;
  readonly account: Awaitable<AccountState | undefined>;
  readonly code: Awaitable<Uint8Array>;
  /** `0x` slot of 32 bytes */
  readonly storage: Map<string, Awaitable<Uint8Array>>;
}

/** Memory that a touched account or slot takes, in bytes: its values before and after, and their texts. */
const TOUCH_BYTES = 1000;

/**
 * Records the accounts and slots that a run touches, as geth's prestateTracer does: sender, recipient, coinbase, authorities, and those
 * that opcodes name. Values are read from the state before the transaction.
 */
export class PrestateRecorder implements Tracer, RunListener {
  readonly listener = this;
  readonly #touched = new Map<string, Touch>();
  #before: StateView | undefined;
  /** the state after the run, once the run has ended */
  #now: StateView | undefined;
  #pauses: Pauses | undefined;
  /** bytes */
  #held = 0;

  start({ message, env, before, now, pauses }: ListenedRun): void {
    this.#hold(-this.#held);
    this.#touched.clear();
    this.#pauses = pauses;
    this.#before = before;
    this.#now = now;
    const { from, nonce, to } = message;
    this.#touch(from);
    this.#touch(to ?? new Address(generateAddress(from.bytes, integerBytes(nonce))));
    this.#touch(env.coinbase);
  }

  readonly touches: TouchListener = {
    account: (address) => this.#touch(address),
    slot: (address, key) => {
      this.#touch(address);
      const { storage } = this.#touched.get(address.toString())!;
      const name = `0x${Buffer.from(key).toString('hex')}`;
      if (storage.has(name)) return;
      this.#hold(TOUCH_BYTES);
      storage.set(name, quiet(this.#before!.getStorage(address, key)));
    },
  };

  /** The touched accounts and slots before the transaction. */
  before(): Promise<TouchedState> {
    return this.#collect((touch) => ({
      account: touch.account,
      code: touch.code,
      slot: (_, value) => value,
    }));
  }

  /** The same accounts and slots after the transaction. */
  after(): Promise<TouchedState> {
    const after = this.#now!;
    return this.#collect(({ address }) => ({
      account: after.getAccount(address),
      code: after.getCode(address),
      slot: (slot) => after.getStorage(address, Buffer.from(slot.slice(2), 'hex')),
    }));
  }

  async #collect(
    read: (touch: Touch) => {
      account: Awaitable<AccountState | undefined>;
      code: Awaitable<Uint8Array>;
      slot: (slot: string, before: Awaitable<Uint8Array>) => Awaitable<Uint8Array>;
    },
  ): Promise<TouchedState> {
    const state = new Map<string, TouchedAccount>();
    // Delegation targets found in this loop are appended to the map, so the loop reaches them too.
    for (const [key, touch] of this.#touched) {
      if (this.#pauses?.due) await this.#pauses.pause();
      if (touch.code instanceof Promise) this.#touchDelegate(await touch.code);
      const { account, code, slot } = read(touch);
      const storage = new Map<string, Uint8Array>();
      for (const [name, value] of touch.storage) {
        storage.set(name, await slot(name, value));
        if (this.#pauses?.due) await this.#pauses.pause();
      }
      state.set(key, { account: await account, code: await code, storage });
    }
    return state;
  }

  #touch(address: Address): void {
    const key = address.toString();
    if (this.#touched.has(key)) return;
    this.#hold(TOUCH_BYTES);
    const before = this.#before!;
    const code = quiet(before.getCode(address));
    const account = quiet(before.getAccount(address));
    this.#touched.set(key, { address, account, code, storage: new Map() });
    if (!(code instanceof Promise)) this.#touchDelegate(code);
  }

  #hold(bytes: number): void {
    this.#held += bytes;
    this.#pauses?.hold(bytes);
  }

  /** A call of an account that delegates (EIP-7702) also depends on the account whose code runs. */
  #touchDelegate(code: Uint8Array): void {
    if (isDelegation(code)) this.#touch(new Address(code.slice(3)));
  }
}

/** When a run fails, these promises are never awaited: a rejection must not end the process. */
function quiet<T>(value: Awaitable<T>): Awaitable<T> {
  if (value instanceof Promise) value.catch(() => {});
  return value;
}
