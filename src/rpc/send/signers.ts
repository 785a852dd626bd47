import { randomBytes } from 'node:crypto';
import { Address, privateToAddress } from '@ethereumjs/util';
import type { DevAccount } from '../../accounts.ts';
import { DevnetError } from '../../errors.ts';
import type { Awaitable } from '../../state/view.ts';

/** The senders for which the node makes transactions: accounts whose keys it has, and impersonated senders. */
export class Signers {
  readonly #accounts = new Map<string, DevAccount>();
  /** passphrases by address, of accounts that were added with one */
  readonly #passphrases = new Map<string, string>();
  readonly #locked = new Set<string>();
  readonly #impersonated = new Set<string>();
  #impersonatesAll: boolean;

  /** @param options.impersonateAll whether every sender may be impersonated */
  constructor(options: { accounts: readonly DevAccount[]; impersonateAll: boolean }) {
    for (const account of options.accounts) this.#accounts.set(account.address.toString(), account);
    this.#impersonatesAll = options.impersonateAll;
  }

  /** The addresses whose keys the node has, in the order in which they were added. */
  get addresses(): readonly string[] {
    return [...this.#accounts.keys()];
  }

  /** @throws DevnetError `unknownAccount`; -32000 when the account is locked */
  account(address: Address): DevAccount {
    const account = this.find(address);
    if (!account) throw new DevnetError('unknownAccount', { address: address.toString() });
    return account;
  }

  /** Returns `undefined` for an account whose key the node doesn't have. @throws DevnetError -32000 if it is locked */
  find(address: Address): DevAccount | undefined {
    const key = address.toString();
    if (this.#locked.has(key)) throw new DevnetError('server', { reason: `account ${key} is locked` });
    return this.#accounts.get(key);
  }

  /** Adds a key. Its account is locked until it is unlocked with the passphrase. @returns the address */
  add(privateKey: Uint8Array, passphrase: string): Address {
    let address: Address;
    try {
      address = new Address(privateToAddress(privateKey));
    } catch {
      throw new DevnetError('invalidParams', { reason: 'params[0]: not a private key of 32 bytes' });
    }
    const key = address.toString();
    this.#accounts.set(key, { address, privateKey });
    this.#passphrases.set(key, passphrase);
    this.#locked.add(key);
    return address;
  }

  /** Adds a random key, for `personal_newAccount`. It needn't be reproducible, because no block depends on it. */
  create(passphrase: string): Address {
    return this.add(new Uint8Array(randomBytes(32)), passphrase);
  }

  lock(address: Address): boolean {
    const key = address.toString();
    if (!this.#accounts.has(key)) return false;
    this.#locked.add(key);
    return true;
  }

  /** @throws DevnetError `unknownAccount` for an account whose key the node doesn't have, -32000 for a wrong passphrase */
  unlock(address: Address, passphrase: string): void {
    const key = address.toString();
    if (!this.#accounts.has(key)) throw new DevnetError('unknownAccount', { address: key });
    if ((this.#passphrases.get(key) ?? passphrase) !== passphrase)
      throw new DevnetError('server', { reason: 'could not decrypt key with given password' });
    this.#locked.delete(key);
  }

  /** Runs `task` with the account unlocked, and locks it again if it was locked. @throws like {@link unlock} */
  async unlockedFor<T>(
    address: Address | undefined,
    passphrase: string,
    task: () => Awaitable<T>,
  ): Promise<T> {
    const wasLocked = address && this.#locked.has(address.toString());
    if (wasLocked) this.unlock(address, passphrase);
    try {
      return await task();
    } finally {
      if (wasLocked) this.lock(address);
    }
  }

  impersonate(address: Address): void {
    this.#impersonated.add(address.toString());
  }

  /** @returns whether it was impersonated */
  stopImpersonating(address: Address): boolean {
    return this.#impersonated.delete(address.toString());
  }

  impersonateAll(on: boolean): void {
    this.#impersonatesAll = on;
  }

  /** Returns the impersonated senders, which need no key. */
  record(): { readonly impersonated: readonly string[]; readonly all: boolean } {
    return { impersonated: [...this.#impersonated], all: this.#impersonatesAll };
  }

  restore({ impersonated, all }: ReturnType<Signers['record']>): void {
    for (const address of impersonated) this.#impersonated.add(address);
    this.#impersonatesAll = all;
  }

  isImpersonated(address: Address): boolean {
    return this.#impersonatesAll || this.#impersonated.has(address.toString());
  }
}
