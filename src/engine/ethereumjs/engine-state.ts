import type { AccountFields, StateManagerInterface } from '@ethereumjs/common';
import { Account, type Address, EthereumJSErrorWithoutCode, equalsBytes } from '@ethereumjs/util';
import {
  EMPTY_BYTES,
  EMPTY_CODE_HASH,
  EMPTY_ROOT,
  MAX_BALANCE,
  NEW_ACCOUNT,
  stripZeros,
  ZERO_HASH,
} from '../../state/account.ts';
import { EMPTY_STATE } from '../../state/empty-state.ts';
import { hexKey } from '../../state/hex-key.ts';
import { Overlay } from '../../state/overlay.ts';

/** The overlay when no run is active. */
const IDLE = new Overlay(EMPTY_STATE);

/**
 * EthereumJS's state manager on top of an overlay. The overlay is replaced for each run, so that one EVM, which is expensive to create,
 * can run on many states one after another. The library's MerkleStateManager needs a trie, which the states of pending blocks, of forked
 * chains and with overrides don't have.
 */
export class EngineState implements StateManagerInterface {
  overlay: Overlay = IDLE;
  /** Receives the address of each account that is read; absent = no listener. */
  onRead: ((address: Address) => void) | undefined;
  #hidesCode = false;
  /** Accounts that the run created and that had no storage before: their slots aren't fetched from the forked chain. */
  readonly #created = new Set<string>();

  /**
   * The slot's value at the start of the transaction (EIP-2200). It is the value in the overlay's base, since each transaction has its own
   * overlay.
   */
  readonly originalStorageCache = {
    get: async (address: Address, slot: Uint8Array) =>
      this.#created.has(hexKey(address.bytes)) ? EMPTY_BYTES : this.overlay.base.getStorage(address, slot),
    clear: () => {},
  };

  /** Discards the overlay, so that an idle engine keeps no state in memory. */
  release(): void {
    this.overlay = IDLE;
    this.onRead = undefined;
    this.#hidesCode = false;
    this.#created.clear();
  }

  /**
   * Makes the next account that is read appear to have no code. The first account that `runTx` reads is the sender. The sender may have
   * code if the message is unsigned, and the library has no option to skip the check of EIP-3607.
   */
  hideCodeOnce(): void {
    this.#hidesCode = true;
  }

  async getAccount(address: Address): Promise<Account | undefined> {
    this.onRead?.(address);
    const codeHash = this.#hidesCode ? EMPTY_CODE_HASH : undefined;
    this.#hidesCode = false;
    const answer = this.overlay.getAccount(address);
    const account = answer instanceof Promise ? await answer : answer;
    // A copy, since the engine modifies the account.
    return (
      account &&
      new Account(account.nonce, account.balance, account.storageRoot, codeHash ?? account.codeHash)
    );
  }

  /** Writes nonce and balance. Ignores the code hash, which only {@link putCode} changes. */
  async putAccount(address: Address, account: Account | undefined): Promise<void> {
    if (!account) return this.deleteAccount(address);
    const answer = this.overlay.getAccount(address);
    const known = (answer instanceof Promise ? await answer : answer) ?? NEW_ACCOUNT;
    this.overlay.setAccount(address, {
      // As in geth, a call may come from an account with the highest nonce, which then wraps around to 0.
      nonce: BigInt.asUintN(64, account.nonce),
      // For the beneficiary of a SELFDESTRUCT and the coinbase: an amount that would exceed 256 bits is lost, as in `addBalance`.
      balance: account.balance > MAX_BALANCE ? known.balance : account.balance,
      codeHash: known.codeHash,
    });
  }

  async deleteAccount(address: Address): Promise<void> {
    this.overlay.setAccount(address, undefined);
  }

  /** The library calls this on SELFDESTRUCT to set the balance to 0. */
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
    if (this.#created.has(hexKey(address.bytes)))
      return this.overlay.writtenSlot(address, slot) ?? EMPTY_BYTES;
    return this.overlay.getStorage(address, slot);
  }

  /** Doesn't write a slot that already has the value: in the tries of a forked chain it would count as a difference. */
  async putStorage(address: Address, slot: Uint8Array, value: Uint8Array): Promise<void> {
    const known = await this.getStorage(address, slot);
    if (!equalsBytes(known, stripZeros(value))) this.overlay.setStorage(address, slot, value);
  }

  /**
   * The library clears the storage of each account that it creates. If the account has no storage, nothing is written, see {@link
   * putStorage}.
   */
  async clearStorage(address: Address): Promise<void> {
    const account = await this.overlay.getAccount(address);
    const isClear = !account || equalsBytes(account.storageRoot, EMPTY_ROOT);
    if (!isClear || this.overlay.wroteStorage(address)) this.overlay.clearStorage(address);
    else this.#created.add(hexKey(address.bytes));
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

  /**
   * Returns zero, since overlays have no root. The library reads it for receipts before Byzantium, where the workspace writes the real
   * root.
   */
  async getStateRoot(): Promise<Uint8Array> {
    return ZERO_HASH;
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
