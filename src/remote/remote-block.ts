import type { CachedEndpoint, FactRead } from './cached-endpoint.ts';
import { readBytes, readQuantity, readWord, writeBytes, writeQuantity } from './wire.ts';

/** An account at one block, as another node tells it. */
export interface RemoteAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/**
 * The state of another chain at one of its blocks, and the hashes of the blocks up to it. What is known is answered at once,
 * anything else as a promise.
 */
export class RemoteBlock {
  readonly number: bigint;
  readonly #endpoint: CachedEndpoint;

  constructor(deps: { endpoint: CachedEndpoint }) {
    this.number = deps.endpoint.block.number;
    this.#endpoint = deps.endpoint;
  }

  /** @throws DevnetError `remoteFailed`, `notCached` */
  account(address: Uint8Array): RemoteAccount | Promise<RemoteAccount> {
    const params = [writeBytes(address), writeQuantity(this.number)];
    const what = `the account ${params[0]}`;
    const fields = this.#endpoint.all([
      { method: 'eth_getBalance', params, what, read: readQuantity },
      { method: 'eth_getTransactionCount', params, what, read: readQuantity },
      { method: 'eth_getCode', params, what, read: readBytes },
    ]);
    const account = ([balance, nonce, code]: Awaited<typeof fields>) => ({ nonce, balance, code });
    return fields instanceof Promise ? fields.then(account) : account(fields);
  }

  /** @param slot 32 bytes @returns the value without leading zeros @throws as {@link account} */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const params = [writeBytes(address), writeBytes(slot), writeQuantity(this.number)];
    const what = `slot ${params[1]} of the account ${params[0]}`;
    return this.#endpoint.one({ method: 'eth_getStorageAt', params, what, read: readWord });
  }

  /** Hash of this block or an earlier one; `undefined` when there is none. Errors as {@link account}. */
  hashOf(number: bigint): Uint8Array | undefined | Promise<Uint8Array | undefined> {
    const hash: FactRead<Uint8Array | undefined> = {
      method: 'eth_getBlockByNumber',
      params: [writeQuantity(number), false],
      what: `the hash of block ${number}`,
      read: (block) =>
        block === null ? undefined : readBytes((block as { hash?: unknown }).hash, 'hash', 32),
    };
    return this.#endpoint.one(hash);
  }
}
