import { keccak_256 } from '@noble/hashes/sha3.js';
import { createKeccak, type IHasher } from 'hash-wasm';

/** One shared instance is safe, since each call completes before the next one starts. */
let hasher: IHasher | undefined;

// Not a top-level await, which would keep CommonJS from loading the package by `require`.
createKeccak(256).then(
  (loaded) => {
    hasher = loaded;
  },
  // Where WebAssembly can't run, the JavaScript implementation stays.
  () => {},
);

/**
 * Keccak-256, in WebAssembly as soon as that is loaded: on 32 bytes it is about nine times as fast as in JavaScript.
 * @returns 32 bytes
 */
export function keccak256(data: Uint8Array): Uint8Array {
  return hasher ? hasher.init().update(data).digest('binary') : keccak_256(data);
}
