/** Keccak-f[1600] on the state at SPONGE. This module is written when the core is compiled: scripts/build/keccak.mjs. */
export function permute(): void;
/** The same on the two states at SPONGES, side by side. */
export function permutePair(): void;
