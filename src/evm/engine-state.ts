import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, EthereumJSErrorWithoutCode } from '@ethereumjs/util';
import { MAX_BALANCE, NEW_ACCOUNT } from '../state/account.ts';
import { EMPTY_STATE } from '../state/empty-state.ts';
import { Overlay } from '../state/overlay.ts';

/** The overlay while no run is active. */
const IDLE = new Overlay(EMPTY_STATE);

/**
 * The engine's state manager on top of an overlay. The overlay is replaced from run to run, so that one EVM, which is
 * expensive to create, serves many states one after another.
 */
export class EngineState implements StateManagerInterface {
  overlay: Overlay = IDLE;

  /** The slot's value at the start of the transaction (EIP-2200): the base's, as each has its own overlay. */
  readonly originalStorageCache = {
    get: async (address: Address, slot: Uint8Array) => this.overlay.base.getStorage(address, slot),
    clear: () => {},
  };

  /** Drops the overlay, so that an idle engine keeps no state in memory. */
  release(): void {
    this.overlay = IDLE;
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const answer = this.overlay.getAccount(address);
    const account = answer instanceof Promise ? await answer : answer;
    // A copy, since the engine modifies the account.
    return account && new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
  }

  async putAccount(address: Address, account: Account | undefined): Promise<void> {
    if (account && account.balance > MAX_BALANCE)
      // The heir of a SELFDESTRUCT: the wei are lost, as in `addBalance`.
      account.balance = (await this.overlay.getAccount(address))?.balance ?? 0n;
    this.overlay.setAccount(address, account);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.overlay.setAccount(address, undefined);
  }

  /** SELFDESTRUCT sets the balance to 0 with it. */
  async modifyAccountFields(address: Address, fields: AccountFields): Promise<void> {
    const account = (await this.overlay.getAccount(address)) ?? NEW_ACCOUNT;
    this.overlay.setAccount(address, {
      nonce: fields.nonce ?? account.nonce,
      balance: fields.balance ?? account.balance,
      codeHash: fields.codeHash ?? account.codeHash,
    });
  }

  async getCode(address: Address): Promise<Uint8Array> {
    return this.overlay.getCode(address);
  }

  async getCodeSize(address: Address): Promise<number> {
    return (await this.overlay.getCode(address)).length;
  }

  async putCode(address: Address, code: Uint8Array): Promise<void> {
    await this.overlay.setCode(address, code);
  }

  async getStorage(address: Address, slot: Uint8Array): Promise<Uint8Array> {
    return this.overlay.getStorage(address, slot);
  }

  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    this.overlay.setStorage(address, slot, value);
  }

  async clearStorage(address: Address): Promise<void> {
    this.overlay.clearStorage(address);
  }

  async checkpoint(): Promise<void> {
    this.overlay.checkpoint();
  }

  async commit(): Promise<void> {
    this.overlay.commit();
  }

  async revert(): Promise<void> {
    this.overlay.revert();
  }

  // Tries have roots, overlays don't: nothing that runs a frame asks for one.
  async getStateRoot(): Promise<Uint8Array> {
    throw EthereumJSErrorWithoutCode('an overlay has no state root');
  }

  async setStateRoot(): Promise<void> {
    throw EthereumJSErrorWithoutCode('an overlay has no state root');
  }

  async hasStateRoot(): Promise<boolean> {
    return false;
  }

  clearCaches(): void {}

  shallowCopy(): StateManagerInterface {
    throw EthereumJSErrorWithoutCode('an overlay is not copied: make a child of it');
  }
}
