import type { Address } from '@ethereumjs/util';
import type { AccountState, Awaitable, StateView } from '../../state/view.ts';
import { finishLater, type Run } from './run.ts';
import type { StateTables } from './state-tables.ts';

/**
 * The state of a run for those who listen to it: while it goes on, as it is in the tables; then as the run has left it. The tables are
 * read only when the core stands still, so whoever reads while the run goes on has to make it wait.
 */
export class RunningState implements StateView {
  #tables: StateTables | undefined;
  readonly #after: StateView;

  /** @param after has what the run wrote, once it has ended */
  constructor(tables: StateTables, after: StateView) {
    this.#tables = tables;
    this.#after = after;
  }

  /** The run has ended. */
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
    // By then the functions of the core that called the listener have returned.
    await undefined;
    if (!this.#tables) throw new Error('the state of a run was read without having it wait');
    return finishLater(read(this.#tables), () => undefined);
  }
}
