import { brotliCompressSync, constants } from 'node:zlib';

/**
 * Packs codes into a small file: with Brotli, a line of JSON with the size of each code in bytes, and then the codes.
 * @param {Record<string, string>} codes in hex, by name
 * @returns {Buffer} `unpackedCodes` of src/state/op-stack-code.ts reads it
 */
export function packedCodes(codes) {
  const bytes = Object.entries(codes).map(([name, hex]) => [name, Buffer.from(hex.slice(2), 'hex')]);
  const sizes = Object.fromEntries(bytes.map(([name, { length }]) => [name, length]));
  const all = Buffer.concat([Buffer.from(`${JSON.stringify(sizes)}\n`), ...bytes.map(([, code]) => code)]);
  // The window is larger than the whole: parts of the contracts are equal.
  return brotliCompressSync(all, {
    params: { [constants.BROTLI_PARAM_LGWIN]: 22, [constants.BROTLI_PARAM_SIZE_HINT]: all.length },
  });
}
