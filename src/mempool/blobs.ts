import { bytesToHex } from '@ethereumjs/util';

/** The newest blobs of sent transactions by versioned hash (EIP-4844), in memory only: blocks don't contain them. */
export class Blobs {
  readonly #limit: number;
  readonly #blobs = new Map<string, Uint8Array>();

  /** @param options.most maximum number of blobs, 128 KiB each */
  constructor(options: { readonly most: number }) {
    this.#limit = options.most;
  }

  keep(versionedHash: Uint8Array, blob: Uint8Array): void {
    const key = bytesToHex(versionedHash);
    // Copied, because a view would keep the whole request in memory.
    const kept = this.#blobs.get(key) ?? new Uint8Array(blob);
    this.#blobs.delete(key);
    this.#blobs.set(key, kept);
    for (const oldest of this.#blobs.keys()) {
      if (this.#blobs.size <= this.#limit) break;
      this.#blobs.delete(oldest);
    }
  }

  get(versionedHash: Uint8Array): Uint8Array | undefined {
    return this.#blobs.get(bytesToHex(versionedHash));
  }
}
