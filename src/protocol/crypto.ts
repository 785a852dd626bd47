import { createHash } from 'node:crypto';
import type { CustomCrypto } from '@ethereumjs/common';
import {
  Address,
  calculateSigRecovery,
  concatBytes,
  ecrecover as ecrecoverNoble,
  equalsBytes,
  hexToBytes,
  type KZG,
} from '@ethereumjs/util';
import { keccak256 } from '../state/keccak.ts';
import { rememberSignatures } from './known-signatures.ts';
import { kzg } from './kzg.ts';

/** Same signature as `ecrecover` of @ethereumjs/util: returns a public key of 64 bytes; throws if the signature has none. */
export type Ecrecover = NonNullable<CustomCrypto['ecrecover']>;

/** Signs a hash; ignores the options. Returns noble's 'recovered' format, 65 bytes: recovery id, r, s. */
export type Ecsign = NonNullable<CustomCrypto['ecsign']>;

/** Replacements for EthereumJS's JavaScript cryptography, in the form that `Common` accepts. */
export interface Crypto extends CustomCrypto {
  readonly keccak256: (data: Uint8Array) => Uint8Array;
  readonly ecrecover: Ecrecover;
  readonly sha256: (data: Uint8Array) => Uint8Array;
  readonly ecsign?: Ecsign;
  /** @returns the uncompressed public key, 65 bytes */
  readonly publicKeyOf?: (privateKey: Uint8Array) => Uint8Array;
  readonly kzg: KZG;
  readonly recover: Recover;
}

export type Backend = 'native' | 'wasm' | 'noble';

/** Recovers the public key of a compact signature; throws or returns null if there is none. @returns 65 bytes */
export type Recover = (hash: Uint8Array, signature: Uint8Array, recoveryId: 0 | 1) => Uint8Array | null;

/** Functions that a backend provides. For absent ones the callers have a fallback. */
type Secp256k1 = Pick<Crypto, 'recover' | 'ecsign' | 'publicKeyOf'>;

/** Fastest first: 44, 271 and 1,141 microseconds per recovery. */
const BACKENDS: readonly (readonly [Backend, () => Promise<Secp256k1>])[] = [
  ['native', loadNative],
  ['wasm', loadWasm],
  ['noble', async () => ({ recover: recoverNoble })],
];

/**
 * Picks the fastest implementation that works on this machine: the native addon has prebuilt binaries for three
 * platforms only. A candidate is chosen only if it recovers a known key.
 */
export async function chooseCrypto(): Promise<Crypto> {
  for (const [name] of BACKENDS) {
    try {
      return await loadCrypto(name);
    } catch {
      // Not installed, not built for this platform, or wrong: try the next one.
    }
  }
  throw new Error('no implementation of secp256k1 works on this machine');
}

/** Loads one implementation by name. @throws Error when it can't be loaded or fails its self-test */
export async function loadCrypto(name: Backend): Promise<Crypto> {
  const load = BACKENDS.find(([backend]) => backend === name)![1];
  const { ecsign, ...secp256k1 } = await load();
  const ecrecover = over(secp256k1.recover);
  if (!equalsBytes(ecrecover(TEST.hash, TEST.v, TEST.r, TEST.s), TEST.publicKey))
    throw new Error(`the ${name} implementation of secp256k1 gives wrong keys`);
  const signing = ecsign && { ecsign: rememberSignatures(ecsign) };
  return { keccak256, ecrecover, sha256, kzg, ...secp256k1, ...signing };
}

/** @param publicKey 64 bytes */
export function addressOf(publicKey: Uint8Array): Address {
  return new Address(keccak256(publicKey).subarray(12));
}

function sha256(data: Uint8Array): Uint8Array {
  return createHash('sha256').update(data).digest();
}

/** Loads only the native bindings: the package's main file silently falls back to JavaScript that is slower than noble's. */
async function loadNative(): Promise<Secp256k1> {
  interface Native {
    ecdsaRecover(signature: Uint8Array, id: number, hash: Uint8Array, compressed: boolean): Uint8Array;
    ecdsaSign(hash: Uint8Array, privateKey: Uint8Array): { signature: Uint8Array; recid: number };
    publicKeyCreate(privateKey: Uint8Array, compressed: boolean): Uint8Array;
  }
  // @ts-expect-error: the package has no types
  const { default: native } = (await import('secp256k1/bindings.js')) as { default: Native };
  return {
    recover: (hash, signature, id) => native.ecdsaRecover(signature, id, hash, false),
    ecsign: (hash, privateKey) => {
      const { signature, recid } = native.ecdsaSign(hash, privateKey);
      return concatBytes(Uint8Array.of(recid), signature);
    },
    publicKeyOf: (privateKey) => native.publicKeyCreate(privateKey, false),
  };
}

async function loadWasm(): Promise<Secp256k1> {
  const { recover, signRecoverable } = await import('tiny-secp256k1');
  return {
    recover: (hash, signature, id) => recover(hash, signature, id, false),
    ecsign: (hash, privateKey) => {
      const { signature, recoveryId } = signRecoverable(hash, privateKey);
      return concatBytes(Uint8Array.of(recoveryId), signature);
    },
  };
}

const recoverNoble: Recover = (hash, signature, id) =>
  concatBytes(
    Uint8Array.of(4),
    ecrecoverNoble(hash, BigInt(id), signature.subarray(0, 32), signature.subarray(32)),
  );

/** Adds the checks and padding of noble's `ecrecover`, so that all implementations reject the same input. */
function over(recover: Recover): Ecrecover {
  return (hash, v, r, s, chainId) => {
    const id = calculateSigRecovery(v, chainId);
    if (id !== 0n && id !== 1n) throw new Error('Invalid signature v value');
    if (hash.length !== 32 || r.length > 32 || s.length > 32)
      throw new Error('a message hash, r and s have 32 bytes each');
    const signature = new Uint8Array(64);
    signature.set(r, 32 - r.length);
    signature.set(s, 64 - s.length);
    const publicKey = recover(hash, signature, id === 0n ? 0 : 1);
    if (!publicKey) throw new Error('the signature gives no public key');
    return publicKey.subarray(1);
  };
}

/** The key 0x46..46 and the signing hash of the example in EIP-155. */
const TEST = {
  hash: hexToBytes('0xdaf5a779ae972f972197303d7b574746c7ef83eadac0f2791ad23db92e4c8e53'),
  v: 37n - 10n,
  r: hexToBytes('0x28ef61340bd939bc2195fe537567866003e1a15d3c71ff63e1590620aa636276'),
  s: hexToBytes('0x67cbe9d8997f761aecb703304b3800ccf555c9f3dc64214b297fb1966a3b6d83'),
  publicKey: hexToBytes(
    '0x4bc2a31265153f07e70e0bab08724e6b85e217f8cd628ceb62974247bb493382ce28cab79ad7119ee1ad3ebcdb98a16805211530ecc6cfefa1b88e6dff99232a',
  ),
};
