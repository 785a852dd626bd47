import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, EthereumJSErrorWithoutCode } from '@ethereumjs/util';
import { NEW_ACCOUNT } from '../state/account.ts';
import { EMPTY_STATE } from '../state/empty-state.ts';
import { Overlay } from '../state/overlay.ts';

/** Stands in while no run is on. */
const IDLE = new Overlay(EMPTY_STATE);

/**
 * The engine's state manager over an overlay. The overlay is exchanged from run to run, so that an EVM, costly to
 * build, serves many states one after another.
 */
export class EngineState implements StateManagerInterface {
  overlay: Overlay = IDLE;

  /** What a slot held when the transaction began (EIP-2200): a transaction runs in an overlay of its own. */
  readonly originalStorageCache = {
    get: async (address: Address, slot: Uint8Array) => this.overlay.base.getStorage(address, slot),
    clear: () => {},
  };

  /** Lets go of the overlay, so that an idle engine holds no state. */
  release(): void {
    this.overlay = IDLE;
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    const found = this.overlay.getAccount(address);
    const account = found instanceof Promise ? await found : found;
    // A copy, since the engine changes what it is given.
    return account && new Account(account.nonce, account.balance, account.storageRoot, account.codeHash);
  }

  async putAccount(address: Address, account: Account | undefined): Promise<void> {
    this.overlay.setAccount(address, account);
  }

  async deleteAccount(address: Address): Promise<void> {
    this.overlay.setAccount(address, undefined);
  }

  /** SELFDESTRUCT empties the balance with it. */
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

  // Roots belong to tries, not to overlays: nothing that runs a frame asks for them.
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
