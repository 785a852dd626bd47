import type { Address } from '@ethereumjs/util';
import type { AccountState, Awaitable, StateView } from '../../state/view.ts';
import { finishLater, type Run } from './run.ts';
import type { StateTables } from './state-tables.ts';

/**
 * The state of a run for its listeners: read from the tables while the run is in progress, then from the state after the run. The tables
 * can be read only while the core is paused, so a listener that reads during the run must make the run wait.
 */
export class RunningState implements StateView {
  #tables: StateTables | undefined;
  readonly #after: StateView;

  /** @param after the state that contains the run's writes when the run has ended */
  constructor(tables: StateTables, after: StateView) {
    this.#tables = tables;
    this.#after = after;
  }

  /** Marks the run as ended. */
  end(): void {
    this.#tables = undefined;
  }

  getAccount(address: Address): Awaitable<AccountState | undefined> {
    return this.#tables
      ? this.#read((tables) => tables.readAccount(address))
      : this.#after.getAccount(address);
  }

  getCode(address: Address): Awaitable<Uint8Array> {
    return this.#tables ? this.#read((tables) => tables.readCode(address)) : this.#after.getCode(address);
  }

  getStorage(address: Address, slot: Uint8Array): Awaitable<Uint8Array> {
    return this.#tables
      ? this.#read((tables) => tables.readStorage(address, slot))
      : this.#after.getStorage(address, slot);
  }

  async #read<T>(read: (tables: StateTables) => Run<T>): Promise<T> {
    // Waits until the core's functions that called the listener have returned.
    await undefined;
    if (!this.#tables) throw new Error('the state of a run was read without having it wait');
    return finishLater(read(this.#tables), () => undefined);
  }
}
