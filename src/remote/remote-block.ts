import type { Endpoint } from './endpoint.ts';
import { readBytes, readQuantity, readWord, writeBytes, writeQuantity } from './wire.ts';

/** The state of another chain at one of its blocks, and the hashes of the blocks up to it. */
export class RemoteBlock {
  readonly number: bigint;
  readonly #endpoint: Endpoint;

  constructor(number: bigint, deps: { endpoint: Endpoint }) {
    this.number = number;
    this.#endpoint = deps.endpoint;
  }

  /** @throws DevnetError `remoteFailed` */
  async account(address: Uint8Array): Promise<{ nonce: bigint; balance: bigint; code: Uint8Array }> {
    const params = [writeBytes(address), writeQuantity(this.number)];
    const [balance, nonce, code] = await this.#endpoint.all([
      { method: 'eth_getBalance', params, read: readQuantity },
      { method: 'eth_getTransactionCount', params, read: readQuantity },
      { method: 'eth_getCode', params, read: readBytes },
    ]);
    return { nonce, balance, code };
  }

  /** @param slot 32 bytes @returns the value without leading zeros @throws as {@link account} */
  async storage(address: Uint8Array, slot: Uint8Array): Promise<Uint8Array> {
    const params = [writeBytes(address), writeBytes(slot), writeQuantity(this.number)];
    const [value] = await this.#endpoint.all([{ method: 'eth_getStorageAt', params, read: readWord }]);
    return value;
  }

  /** Hash of this block or an earlier one; `undefined` when there is none. Errors as {@link account}. */
  async hashOf(number: bigint): Promise<Uint8Array | undefined> {
    const params = [writeQuantity(number), false];
    const read = (block: unknown) =>
      block === null ? undefined : readBytes((block as { hash?: unknown }).hash, 'hash', 32);
    const [hash] = await this.#endpoint.all([{ method: 'eth_getBlockByNumber', params, read }]);
    return hash;
  }
}
