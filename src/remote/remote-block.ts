import type { CachedEndpoint, FactRead } from './cached-endpoint.ts';
import { readBytes, readQuantity, readWord, writeBytes, writeQuantity } from './wire.ts';

/** An account at one block, as reported by a remote node. */
export interface RemoteAccount {
  readonly nonce: bigint;
  /** wei */
  readonly balance: bigint;
  readonly code: Uint8Array;
}

/** Verifies results of `eth_getProof`. All methods throw BadAnswer if the proof is invalid. */
export interface Prover {
  account(answer: unknown, address: Uint8Array, code: Uint8Array): RemoteAccount;
  /** @returns the value without leading zeros */
  slot(answer: unknown, address: Uint8Array, slot: Uint8Array): Uint8Array;
}

/**
 * The state of another chain at one of its blocks, and the hashes of that block and its ancestors. Cached values are returned
 * synchronously, all others as promises.
 */
export class RemoteBlock {
  readonly number: bigint;
  readonly #endpoint: CachedEndpoint;
  readonly #prover: Prover | undefined;

  /** @param deps.prover given if accounts and slots require a Merkle proof */
  constructor(deps: { endpoint: CachedEndpoint; prover?: Prover | undefined }) {
    this.number = deps.endpoint.block.number;
    this.#endpoint = deps.endpoint;
    this.#prover = deps.prover;
  }

  /** @throws DevnetError `remoteFailed`, `notCached` */
  account(address: Uint8Array): RemoteAccount | Promise<RemoteAccount> {
    const reads = this.#accountReads(address);
    const [{ params, what }] = reads;
    const read = () => {
      const fields = this.#endpoint.all(reads);
      const account = ([balance, nonce, code]: Awaited<typeof fields>) => ({ nonce, balance, code });
      return fields instanceof Promise ? fields.then(account) : account(fields);
    };
    const prover = this.#prover;
    const isProved = (method: string) => this.#endpoint.isProved(method, params);
    if (!prover || reads.every(({ method }) => isProved(method))) return read();
    return this.#proveAccount(address, { params, what, prover }).then(read);
  }

  /** @param slot 32 bytes @returns the value without leading zeros @throws as {@link account} */
  storage(address: Uint8Array, slot: Uint8Array): Uint8Array | Promise<Uint8Array> {
    const slotRead = this.#slotRead(address, slot);
    const { method, params, what } = slotRead;
    const read = () => this.#endpoint.one(slotRead);
    const prover = this.#prover;
    if (!prover || this.#endpoint.isProved(method, params)) return read();
    const proof = this.#endpoint.fetch({
      method: 'eth_getProof',
      params: [params[0], [params[1]], params[2]],
      what,
      read: (answer) => prover.slot(answer, address, slot),
    });
    return proof
      .then((value) => this.#endpoint.add([{ method, params, result: word(value), proved: true }]))
      .then(read);
  }

  /**
   * Fetches an account and some of its slots in the background. Does nothing if values require proofs.
   * @returns number of values that are fetched, that is, neither cached nor in flight
   */
  prefetch(address: Uint8Array, slots: readonly Uint8Array[]): number {
    if (this.#prover) return 0;
    return this.#endpoint.prefetch([
      ...this.#accountReads(address),
      ...slots.map((slot) => this.#slotRead(address, slot)),
    ]);
  }

  /** Hash of this block or an earlier one; `undefined` if there is none. Throws like {@link account}. */
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

  #accountReads(address: Uint8Array) {
    const params: readonly [string, string] = [writeBytes(address), writeQuantity(this.number)];
    const what = `the account ${params[0]}`;
    return [
      { method: 'eth_getBalance', params, what, read: readQuantity },
      { method: 'eth_getTransactionCount', params, what, read: readQuantity },
      { method: 'eth_getCode', params, what, read: readBytes },
    ] as const;
  }

  #slotRead(address: Uint8Array, slot: Uint8Array) {
    const params = [writeBytes(address), writeBytes(slot), writeQuantity(this.number)] as const;
    const what = `slot ${params[1]} of the account ${params[0]}`;
    return { method: 'eth_getStorageAt', params, what, read: readWord };
  }

  async #proveAccount(
    address: Uint8Array,
    { params, what, prover }: { params: readonly [string, string]; what: string; prover: Prover },
  ): Promise<void> {
    const [code, proof] = await Promise.all([
      this.#endpoint.fetch({ method: 'eth_getCode', params, what, read: readBytes }),
      this.#endpoint.fetch({
        method: 'eth_getProof',
        params: [params[0], [], params[1]],
        what,
        read: (answer) => answer,
      }),
    ]);
    const { nonce, balance } = this.#endpoint.checked('eth_getProof', () =>
      prover.account(proof, address, code),
    );
    this.#endpoint.add([
      { method: 'eth_getBalance', params, result: writeQuantity(balance), proved: true },
      { method: 'eth_getTransactionCount', params, result: writeQuantity(nonce), proved: true },
      { method: 'eth_getCode', params, result: writeBytes(code), proved: true },
    ]);
  }
}

/** A slot's value in the format of JSON-RPC. */
function word(value: Uint8Array): string {
  return `0x${writeBytes(value).slice(2).padStart(64, '0')}`;
}
