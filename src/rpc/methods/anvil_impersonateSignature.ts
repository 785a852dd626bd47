import { anyOf, type Codec, invalid, optional } from '../codec/codec.ts';
import { address, data } from '../codec/values.ts';
import { defineMethod } from '../define-method.ts';

const SIGNATURE_BYTES = 65;

const signature: Codec<Uint8Array> = {
  decode: (value, path) => {
    const bytes = data.decode(value, path);
    return bytes.length === SIGNATURE_BYTES ? bytes : invalid(path, 'a signature of 65 bytes', value);
  },
};

/** anvil's form: one parameter, a list of the signature and the address. */
const pair: Codec<readonly unknown[]> = {
  decode: (value, path) =>
    Array.isArray(value) && value.length === 2 ? value : invalid(path, 'a signature and an address', value),
};

/**
 * Makes the ECRECOVER precompile return the given account for a signature of 65 bytes, whatever message it is checked against.
 * @returns null; true as Hardhat
 */
export const anvil_impersonateSignature = defineMethod({
  kind: 'dev',
  params: [
    anyOf('a signature of 65 bytes, or a list of it and an address', signature, pair),
    optional(address),
  ],
  handler: async ({ impersonateSignature, shapes, cause }, first, second) => {
    if (first instanceof Uint8Array)
      await impersonateSignature(cause, first, second ?? invalid('params[1]', 'a 20-byte address', second));
    else
      await impersonateSignature(
        cause,
        signature.decode(first[0], 'params[0][0]'),
        address.decode(first[1], 'params[0][1]'),
      );
    return shapes.done;
  },
});
