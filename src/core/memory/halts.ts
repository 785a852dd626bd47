// The ways in which a run can end, and the reasons for which it can pause. The host's names for the ends are in src/engine/wasm/halts.ts.

/** the run continues */
export const NONE: i32 = 0;
/** STOP, RETURN, SELFDESTRUCT */
export const DONE: i32 = 1;
export const REVERTED: i32 = 2;
// Exceptional halts, which consume all gas.
export const OUT_OF_GAS: i32 = 3;
export const STACK_UNDERFLOW: i32 = 4;
export const STACK_OVERFLOW: i32 = 5;
export const INVALID_JUMP: i32 = 6;
export const INVALID_OPCODE: i32 = 7;
export const STATIC_STATE_CHANGE: i32 = 8;
export const CREATE_COLLISION: i32 = 9;
export const CODE_TOO_LARGE: i32 = 10;
export const INVALID_CODE: i32 = 11;
export const INIT_CODE_TOO_LARGE: i32 = 12;
export const VALUE_OVERFLOW: i32 = 13;
/** a precompile rejected its input; the host knows the reason */
export const PRECOMPILE_FAILED: i32 = 14;
/** the creator's nonce can't be incremented (EIP-2681) */
export const NONCE_OVERFLOW: i32 = 15;
/** RETURNDATACOPY beyond the end of the last call's return data (EIP-211) */
export const RETURN_DATA_OUT_OF_BOUNDS: i32 = 16;

// The run is paused, and continues where it was when the host calls run() again.
export const OUT_OF_FUEL: i32 = 32;
/** a part of the state isn't in the tables: see below and misses.ts */
export const MISSING: i32 = 33;
export const CALLS_PRECOMPILE: i32 = 34;
/** the host has to recover the signer of an authorization (EIP-7702) */
export const NEEDS_SIGNER: i32 = 36;
/** a frame's memory outgrows EVM_MEMORY: it moves to a larger segment once the host allows that; see evm-memory.ts */
export const OUTGROWS: i32 = 37;
/** a system contract is missing, has other code than its EIP's, or has requests: the host has to call it; see block.ts */
export const OTHER_CODE: i32 = 38;
/** the host has to recover the sender of a transaction */
export const NEEDS_SENDER: i32 = 39;
/** the host has to wait for a listener of steps; see steps.ts */
export const WAITS: i32 = 40;

// The kinds of missing state, for MISSING.
export const MISSING_ACCOUNT: u32 = 1;
export const MISSING_SLOT: u32 = 2;
/** the code of an account; only the hash is known */
export const MISSING_CODE: u32 = 3;
export const MISSING_BLOCK_HASH: u32 = 4;
/** a trie node, given by its hash */
export const MISSING_NODE: u32 = 5;
