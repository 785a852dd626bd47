// Signatures on secp256k1.
/** Half the order of secp256k1: EIP-2 rejects a larger s. */
export const HALF_ORDER: usize = memory.data<u64>([
  0xdfe92f46681b20a0, 0x5d576e7357a4501d, 0xffffffffffffffff, 0x7fffffffffffffff,
]);
