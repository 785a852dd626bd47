import { createRequire } from 'node:module';
import {
  type Address,
  bigIntToUnpaddedBytes,
  createAddressFromPrivateKey,
  type EOACode7702AuthorizationListBytesItem,
  eoaCode7702AuthorizationMessageToSign,
  hexToBytes,
  unpadBytes,
} from '@ethereumjs/util';
import { type Abi, encodeFunctionData } from 'viem';
import counter from '../../../fixtures/contracts/Counter.json' with { type: 'json' };
import dish from '../../../fixtures/contracts/Dish.json' with { type: 'json' };
import kitchen from '../../../fixtures/contracts/Kitchen.json' with { type: 'json' };
import recipe from '../../../fixtures/contracts/Recipe.json' with { type: 'json' };
import token from '../../../fixtures/contracts/Token.json' with { type: 'json' };
import { keccak256 } from '../../../src/state/keccak.ts';

export const CHAIN_ID = 31337n;
export const ETHER = 10n ** 18n;
export const GWEI = 10n ** 9n;

// The reference signs at 350 us, which is what most of a test's time would go to.
const native = createRequire(import.meta.url)('secp256k1') as {
  ecdsaSign(hash: Uint8Array, key: Uint8Array): { signature: Uint8Array; recid: number };
};

/** An account whose key is known. */
export interface Signer {
  readonly key: Uint8Array;
  readonly address: Address;
}

/** @returns the same account for the same name */
export function signer(name: string): Signer {
  const key = keccak256(new TextEncoder().encode(`key of ${name}`));
  return { key, address: createAddressFromPrivateKey(key) };
}

/** An EIP-7702 tuple as its authority signed it. */
export function authorize(
  { key }: Signer,
  fields: { chainId?: bigint; to: Uint8Array; nonce: bigint },
): EOACode7702AuthorizationListBytesItem {
  const unsigned: [Uint8Array, Uint8Array, Uint8Array] = [
    bigIntToUnpaddedBytes(fields.chainId ?? CHAIN_ID),
    fields.to,
    bigIntToUnpaddedBytes(fields.nonce),
  ];
  const { signature, recid } = native.ecdsaSign(
    keccak256(eoaCode7702AuthorizationMessageToSign(unsigned)),
    key,
  );
  return [
    ...unsigned,
    recid === 0 ? new Uint8Array() : Uint8Array.of(1),
    unpadBytes(signature.subarray(0, 32)),
    unpadBytes(signature.subarray(32)),
  ];
}

/** A compiled contract: its ABI, what deploys it (without arguments), and what stands on the chain then. */
interface Compiled {
  readonly abi: Abi;
  readonly initCode: Uint8Array;
  readonly code: Uint8Array;
}

function compiled(json: { abi: unknown; bytecode: string; deployedBytecode: string }): Compiled {
  const bytes = (hex: string) => hexToBytes(hex as `0x${string}`);
  return { abi: json.abi as Abi, initCode: bytes(json.bytecode), code: bytes(json.deployedBytecode) };
}

export const Counter = compiled(counter);
export const Dish = compiled(dish);
export const Kitchen = compiled(kitchen);
export const Recipe = compiled(recipe);
export const Token = compiled(token);

/** The data of a call, ABI-encoded. */
export function callData({ abi }: Compiled, functionName: string, ...args: readonly unknown[]): Uint8Array {
  return hexToBytes(encodeFunctionData({ abi, functionName, args }));
}
