/** Applies Keccak-f[1600] to the state at SPONGE. scripts/build/keccak.mjs generates this module when the core is compiled. */
export function permute(): void;
/** Applies Keccak-f[1600] to the two interleaved states at SPONGES. */
export function permutePair(): void;
