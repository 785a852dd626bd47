import type { AbiFunction } from 'viem';
import { abiCode, decoder } from '../abi/contracts.ts';
import { functionsOf } from '../contract/functions.tsx';
import type { Hex } from '../data/types.ts';
import { addressIn } from '../names/address-in.ts';
import { formReader } from '../names/form-reader.ts';
import { sourceOf } from '../names/source-of.ts';

/** A function and its key in the form: `transfer(address,uint256)`. */
interface Choice {
  readonly key: string;
  readonly item: AbiFunction;
}

/** The functions of the contract whose address or name was typed. */
export function functionsAt(to: string): Choice[] {
  const address = addressIn(to);
  return address ? functionsOf(address).map((item) => ({ key: keyOf(item), item })) : [];
}

function keyOf({ name, inputs }: AbiFunction): string {
  return `${name}(${inputs.map(({ type }) => type).join()})`;
}

/** Encodes the call data from the texts of the form. @throws Error that names the field which can't be read */
export function encode(key: string, args: readonly string[], to: string): Hex {
  const found = functionsAt(to).find((entry) => entry.key === key);
  if (!found || !abiCode.value) throw new Error(`no ABI is known for ${key} of ${to}`);
  return abiCode.value.encodeCall(found.item, args, formReader());
}

/** Decodes call data to a function and arguments as they would be typed into the form; `undefined` if no ABI fits the data. */
export function asTyped(to: Hex, input: Hex): { fn: string; args: string[] } | undefined {
  const decoded = decoder.value?.call(input, sourceOf(to));
  if (!decoded || decoded.broken) return undefined;
  const fn = `${decoded.name}(${decoded.args.map(({ type }) => type).join()})`;
  if (!functionsAt(to).some(({ key }) => key === fn)) return undefined;
  const plain = (_: string, it: unknown) => (typeof it === 'bigint' ? it.toString() : it);
  const args = decoded.args.map(({ value }) =>
    typeof value === 'object' ? JSON.stringify(value, plain) : String(value),
  );
  return { fn, args };
}
