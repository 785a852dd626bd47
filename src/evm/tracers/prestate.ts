import type { InterpreterStep } from '@ethereumjs/evm';
import { Address, bigIntToAddressBytes, generateAddress, generateAddress2 } from '@ethereumjs/util';
import { integerBytes, integerWord } from '../../state/integers.ts';
import type { Overlay } from '../../state/overlay.ts';
import type { AccountState, Awaitable, StateView } from '../../state/view.ts';
import type { Pauses } from '../../turns.ts';
import type { DevnetEVM } from '../devnet-evm.ts';
import type { TracedRun, Tracer } from '../engine.ts';
import { isDelegation } from '../validity.ts';

/** An account, with the slots of it that a run touched. */
export interface TouchedAccount {
  readonly account: AccountState | undefined;
  readonly code: Uint8Array;
  /** slot -> value without leading zeros */
  readonly storage: ReadonlyMap<string, Uint8Array>;
}

/** By `0x` address, in the order in which they were touched. */
export type TouchedState = ReadonlyMap<string, TouchedAccount>;

interface Touch {
  readonly address: Address;
  readonly account: Awaitable<AccountState | undefined>;
  readonly code: Awaitable<Uint8Array>;
  /** `0x` slot of 32 bytes */
  readonly storage: Map<string, Awaitable<Uint8Array>>;
}

const ADDRESS_MASK = (1n << 160n) - 1n;
/** Init code in bytes: far more than a block's gas can pay for. */
const MAX_INIT_CODE = 1n << 24n;
/** What a touched account or slot takes, in bytes: two states of it, and their texts. */
const TOUCH_BYTES = 1000;
const SLOAD = 0x54;
const SSTORE = 0x55;
const CREATE = 0xf0;
const CREATE2 = 0xf5;
/** BALANCE, EXTCODESIZE, EXTCODECOPY, EXTCODEHASH, SELFDESTRUCT: the address is on top of the stack */
const ADDRESS_FIRST = new Set([0x31, 0x3b, 0x3c, 0x3f, 0xff]);
/** CALL, CALLCODE, DELEGATECALL, STATICCALL: the address is second on the stack */
const ADDRESS_SECOND = new Set([0xf1, 0xf2, 0xf4, 0xfa]);

/**
 * Records the accounts and slots that a run touched, as geth's prestateTracer does: sender, recipient, coinbase,
 * authorities, and those that opcodes name. Values are read from the state before the transaction. Makes the run ten
 * times as slow.
 */
export class PrestateRecorder implements Tracer {
  readonly #touched = new Map<string, Touch>();
  #before: StateView | undefined;
  #after: Overlay | undefined;
  #pauses: Pauses | undefined;

  attach(evm: DevnetEVM, { message, env }: TracedRun): () => void {
    const { overlay } = evm.stateManager;
    this.#pauses = evm.turns;
    this.#before = overlay.base;
    this.#after = overlay;
    const { from, nonce, to } = message;
    this.#touch(from);
    this.#touch(to ?? new Address(generateAddress(from.bytes, integerBytes(nonce))));
    this.#touch(env.coinbase);
    return evm.watch({ step: (data) => this.#step(data, overlay) });
  }

  onAuthority(authority: Address): void {
    this.#touch(authority);
  }

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
    const after = this.#after!;
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
    this.#pauses?.hold(TOUCH_BYTES);
    const before = this.#before!;
    const code = quiet(before.getCode(address));
    const account = quiet(before.getAccount(address));
    this.#touched.set(key, { address, account, code, storage: new Map() });
    if (!(code instanceof Promise)) this.#touchDelegate(code);
  }

  /** A call also depends on the account whose code runs for a delegating one (EIP-7702). */
  #touchDelegate(code: Uint8Array): void {
    if (isDelegation(code)) this.#touch(new Address(code.slice(3)));
  }

  #step({ opcode, stack, address, memory }: InterpreterStep, now: StateView): Promise<void> | undefined {
    const { code } = opcode;
    const top = stack.at(-1);
    if (top === undefined && code !== CREATE) return undefined;
    if (code === SLOAD || code === SSTORE) {
      this.#touch(address);
      const { storage } = this.#touched.get(address.toString())!;
      const slot = integerWord(top!);
      const key = `0x${Buffer.from(slot).toString('hex')}`;
      if (storage.has(key)) return undefined;
      this.#pauses?.hold(TOUCH_BYTES);
      storage.set(key, quiet(this.#before!.getStorage(address, slot)));
    } else if (ADDRESS_FIRST.has(code)) {
      this.#touch(toAddress(top!));
    } else if (ADDRESS_SECOND.has(code) && stack.length >= 5) {
      this.#touch(toAddress(stack.at(-2)!));
    } else if (code === CREATE) {
      const creator = now.getAccount(address);
      const touch = (account: AccountState | undefined) =>
        this.#touch(new Address(generateAddress(address.bytes, integerBytes(account?.nonce ?? 0n))));
      if (creator instanceof Promise) return creator.then(touch);
      touch(creator);
    } else if (code === CREATE2 && stack.length >= 4) {
      const [offset, length, salt] = [stack.at(-2)!, stack.at(-3)!, stack.at(-4)!];
      // No transaction has the gas for more: the opcode fails.
      if (length > MAX_INIT_CODE) return undefined;
      // The step has the memory before it is expanded to the range that the opcode reads.
      const init = new Uint8Array(Number(length));
      init.set(memory.subarray(Number(offset), Number(offset + length)));
      const saltBytes = integerWord(salt);
      this.#touch(new Address(generateAddress2(address.bytes, saltBytes, init)));
    }
    return undefined;
  }
}

/** When a run fails, these promises are never awaited: a rejection must not end the process. */
function quiet<T>(value: Awaitable<T>): Awaitable<T> {
  if (value instanceof Promise) value.catch(() => {});
  return value;
}

function toAddress(word: bigint): Address {
  return new Address(bigIntToAddressBytes(word & ADDRESS_MASK));
}
