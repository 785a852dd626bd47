// Where things lie in the linear memory, in bytes. The host imports this file too.
//
//   0x0000_0400  constants of the module (written by the compiler)
//   0x0001_0000  TX: the transaction that runs; RESULT: what it came to; BLOCK: the open block
//   0x0001_4000  scratch words, buffers to encode in
//   0x0002_0000  HASHES: hashes of the last 256 blocks
//   0x0002_8000  SENDERS: senders of transactions that were recovered lately
//   0x0004_0000  FRAMES: one record for each call that is under way
//   0x0008_0000  FRAME_COUNTS: what is counted of them
//   0x0010_0000  STACKS: the frames' stacks, one behind the other; see stacks.ts
//   0x0020_0000  EVM_MEMORY: the frames' memories, one behind the other; see evm-memory.ts
//   0x0120_0000  HEAP: tables, tries, code, journal, logs, receipts; grows to the end of the memory
//
// A page that was never written costs no memory of the machine. But V8 collects garbage for each 64 MiB of linear memory that comes to
// be: stacks and memories that don't fit in their room lie in the heap.

// ---- the transaction: filled by decode() or by the host
export const TX: usize = 0x10000;
export const TX_TYPE: usize = TX;
/** 1 when the transaction has a recipient; 0 = it creates a contract */
export const TX_HAS_TO: usize = TX + 4;
export const TX_NONCE: usize = TX + 8;
export const TX_GAS: usize = TX + 16;
export const TX_CHAIN_ID: usize = TX + 24;
/** words: wei per gas */
export const TX_PRIORITY_FEE: usize = TX + 32;
export const TX_MAX_FEE: usize = TX + 64;
export const TX_VALUE: usize = TX + 96;
/** address as a word; see words.ts */
export const TX_TO: usize = TX + 128;
export const TX_FROM: usize = TX + 160;
export const TX_MAX_BLOB_FEE: usize = TX + 192;
/**
 * pointers and lengths: call data; payload of the access list's RLP; blob hashes (33 bytes each, with their
 * RLP prefix)
 */
export const TX_DATA: usize = TX + 224;
export const TX_DATA_LENGTH: usize = TX + 228;
export const TX_ACCESS_LIST: usize = TX + 232;
export const TX_ACCESS_LIST_END: usize = TX + 236;
export const TX_BLOBS: usize = TX + 240;
export const TX_BLOB_COUNT: usize = TX + 244;
/** payload of the authorization list's RLP, number of its tuples */
export const TX_AUTHORIZATIONS: usize = TX + 248;
export const TX_AUTHORIZATIONS_END: usize = TX + 252;
export const TX_AUTHORIZATION_COUNT: usize = TX + 256;
/** bits of the rules that don't apply, see below */
export const TX_EXEMPT: usize = TX + 260;
/** the encoding, as an offset and a length in the block's inputs; 0 for a call */
export const TX_RAW: usize = TX + 264;
export const TX_RAW_LENGTH: usize = TX + 268;
/**
 * for the host's recovery of a signer: recovery id, r ++ s, hash, and the public key that it found (65 bytes)
 */
export const SIGNATURE_ID: usize = TX + 272;
export const SIGNATURE: usize = TX + 288;
export const SIGNING_HASH: usize = TX + 352;
export const PUBLIC_KEY: usize = TX + 384;
export const TX_HASH: usize = TX + 464;
/** words, computed: price paid, part of it that goes to the coinbase, blob fee */
export const TX_GAS_PRICE: usize = TX + 496;
export const TX_TIP: usize = TX + 528;
export const TX_BLOB_FEE: usize = TX + 560;
/** of a deposit of the OP Stack: wei that it mints, as a word, and the 32 bytes that tell its source */
export const TX_MINT: usize = TX + 608;
export const TX_SOURCE: usize = TX + 640;

// Bits of TX_EXEMPT.
/** The nonce need not be the account's. */
export const ANY_NONCE: u32 = 1;
/** Fees are checked only when some are offered. */
export const ANY_FEES: u32 = 2;
/** The sender may have code. */
export const ANY_SENDER: u32 = 4;
/** EIP-7825 doesn't apply. */
export const ANY_GAS: u32 = 8;
/** The gas limits of the block don't apply, and the block doesn't get a receipt: an eth_call. */
export const OUTSIDE_BLOCK: u32 = 16;
/** With OUTSIDE_BLOCK: the block gets a receipt. The host has checked the block's gas limits. */
export const GETS_RECEIPT: u32 = 64;
/** A call by the protocol itself (EIP-4788 and others): no fees, no nonce, no intrinsic gas. */
export const SYSTEM: u32 = 32;
/** Fees that are offered may be below the base fee. */
export const ANY_BASE_FEE: u32 = 256;
/** Transfers of ETH leave logs, which no receipt has: `traceTransfers` of eth_simulateV1. */
export const TRANSFER_LOGS: u32 = 128;

// ---- what a run came to, and what it waits for
export const RESULT: usize = 0x10400;
/** see halts.ts */
export const RESULT_HALT: usize = RESULT;
export const RESULT_DATA: usize = RESULT + 4;
export const RESULT_DATA_LENGTH: usize = RESULT + 8;
export const RESULT_CREATED: usize = RESULT + 12;
export const RESULT_GAS_USED: usize = RESULT + 16;
/** before refunds */
export const RESULT_GAS_BEFORE_REFUND: usize = RESULT + 24;
export const RESULT_BLOB_GAS: usize = RESULT + 32;
/** what is missing: kind (misses.ts), the entry or where the hash of a node is, the number of a block */
export const MISS_KIND: usize = RESULT + 40;
export const MISS_ENTRY: usize = RESULT + 44;
export const MISS_NUMBER: usize = RESULT + 48;
/** of an account or a slot, where the tries hold differences: 1 = it is that of the other state */
export const MISS_ELSEWHERE: usize = RESULT + 48;
/**
 * a precompile that the host has to run: its number, gas, input; where the output goes in the caller's memory
 */
export const PRECOMPILE_NUMBER: usize = RESULT + 64;
export const PRECOMPILE_INPUT: usize = RESULT + 68;
export const PRECOMPILE_INPUT_LENGTH: usize = RESULT + 72;
export const PRECOMPILE_OUT: usize = RESULT + 76;
export const PRECOMPILE_OUT_LENGTH: usize = RESULT + 80;
export const PRECOMPILE_MARK: usize = RESULT + 84;
export const PRECOMPILE_GAS: usize = RESULT + 88;
/** 1 = called by the transaction itself, not by code */
export const PRECOMPILE_OUTERMOST: usize = RESULT + 96;
/** the account whose code calls the console contract */
export const CONSOLE_CALLER: usize = RESULT + 136;
/** PRECOMPILE_NUMBER of the console contract, which isn't one: the host prints its input, and it returns nothing */
export const CONSOLE: u32 = 0xffffffff;
/** logs that the transaction emitted, those of reverted frames included */
export const RESULT_EMITTED_LOGS: usize = RESULT + 100;
/** state gas that the caller of a precompile was charged for the account that the call brings into being (EIP-8037) */
export const PRECOMPILE_ACCOUNT_CHARGE: usize = RESULT + 144;
/** root of the state after the transaction, where its receipt has one: BLOCK_ROOTS_RECEIPTS */
export const RESULT_STATE_ROOT: usize = RESULT + 160;
/** what the transaction adds to the two counters of its block (EIP-7778, EIP-8037) */
export const RESULT_EXECUTION_GAS: usize = RESULT + 192;
export const RESULT_STATE_GAS: usize = RESULT + 200;
/** execution gas and state gas that the transaction used, before refunds and without the floor; what was refunded */
export const RESULT_EXECUTION_GAS_USED: usize = RESULT + 208;
export const RESULT_REFUND: usize = RESULT + 216;
/** the logs before a precompile that code calls */
export const PRECOMPILE_LOG_MARK: usize = RESULT + 108;
/**
 * pointers and lengths of what receipt-record.ts has written: the receipt as the store has it, and as the receipts root is made of
 * it; a pointer to the 256 bytes of its bloom filter
 */
export const RECORD_STORED: usize = RESULT + 112;
export const RECORD_STORED_LENGTH: usize = RESULT + 116;
export const RECORD_RECEIPT: usize = RESULT + 120;
export const RECORD_RECEIPT_LENGTH: usize = RESULT + 124;
export const RECORD_BLOOM: usize = RESULT + 128;
/** how many logs logTerms() has counted */
export const RECORD_LOGS: usize = RESULT + 132;

// ---- the open block: filled by the host
export const BLOCK: usize = 0x10800;
export const BLOCK_NUMBER: usize = BLOCK;
export const BLOCK_TIME: usize = BLOCK + 8;
export const BLOCK_GAS_LIMIT: usize = BLOCK + 16;
/** what the senders have paid for so far: of the receipts. The header has the larger one of the two counters: see block.ts. */
export const BLOCK_GAS_USED: usize = BLOCK + 24;
export const BLOCK_BLOB_GAS_USED: usize = BLOCK + 32;
export const BLOCK_EXCESS_BLOB_GAS: usize = BLOCK + 40;
export const BLOCK_EXTRA_LENGTH: usize = BLOCK + 48;
/** 1 = the header has the field */
export const BLOCK_HAS_REQUESTS: usize = BLOCK + 52;
/** 1 = its receipts have the root of the state in place of a status, as before EIP-658 */
export const BLOCK_ROOTS_RECEIPTS: usize = BLOCK + 56;
/** words */
export const BLOCK_COINBASE: usize = BLOCK + 64;
export const BLOCK_BASE_FEE: usize = BLOCK + 96;
export const BLOCK_BLOB_FEE: usize = BLOCK + 128;
export const BLOCK_RANDAO: usize = BLOCK + 160;
/** 32 bytes each */
export const BLOCK_PARENT: usize = BLOCK + 192;
export const BLOCK_BEACON_ROOT: usize = BLOCK + 224;
export const BLOCK_REQUESTS_HASH: usize = BLOCK + 256;
export const BLOCK_WITHDRAWALS_ROOT: usize = BLOCK + 288;
export const BLOCK_STATE_ROOT: usize = BLOCK + 320;
export const BLOCK_TRANSACTIONS_ROOT: usize = BLOCK + 352;
export const BLOCK_RECEIPTS_ROOT: usize = BLOCK + 384;
export const BLOCK_HASH: usize = BLOCK + 416;
export const BLOCK_EXTRA: usize = BLOCK + 448;
export const BLOCK_BLOOM: usize = BLOCK + 512;
/** word; 8 bytes */
export const BLOCK_DIFFICULTY: usize = BLOCK + 768;
export const BLOCK_NONCE: usize = BLOCK + 800;
/** the counters of EIP-8037; without that EIP the first one is the gas that was paid for, and the other one 0 */
export const BLOCK_EXECUTION_GAS: usize = BLOCK + 808;
export const BLOCK_STATE_GAS: usize = BLOCK + 816;
/** EIP-7843 */
export const BLOCK_SLOT: usize = BLOCK + 824;
/** EIP-7928 */
export const BLOCK_ACCESS_LIST_HASH: usize = BLOCK + 832;

// ---- the rules: filled by the host
export const RULES: usize = 0x10e00;
/** see ExecutorRules in src/engine/wasm/rules.ts */
export const RULES_MAX_CODE: usize = RULES + 8;
export const RULES_MAX_BLOBS: usize = RULES + 12;
export const RULES_CHAIN_ID: usize = RULES + 16;
/** 1 = what isn't in the tables must be asked of the host, 0 = it is empty */
export const RULES_LAZY: usize = RULES + 24;
export const RULES_MAX_BLOCK_BLOB_GAS: usize = RULES + 32;
/** 1 = the host wants to see what is sent to the console contract: CONSOLE */
export const RULES_CONSOLE: usize = RULES + 40;
/** 1 = the host listens: to calls, logs and self-destructions; to touched accounts and slots. See events.ts */
export const RULES_CALLS: usize = RULES + 44;
export const RULES_TOUCHES: usize = RULES + 48;
/** 1 = steps are counted instead of told: see counts.ts */
export const RULES_COUNTS: usize = RULES + 52;

// ---- where the counters of the run are that ended last; see counts.ts: the blocks of codes; the opcodes that ran, 8 bytes each: block (an
// offset), byte in the code; the frames in the order in which they ended, 32 bytes each: block, depth, length of the call data, its
// first four bytes, gas used (8 bytes), 1 = it failed, 1 = it is a creation
export const COUNTED_BLOCKS: usize = RULES + 64;
export const COUNTED_RAN: usize = RULES + 68;
export const COUNTED_RAN_LENGTH: usize = RULES + 72;
export const COUNTED_ENDED: usize = RULES + 76;
export const COUNTED_ENDED_LENGTH: usize = RULES + 80;

// ---- constants that setup() computes
export const EMPTY_CODE_HASH: usize = 0x10f00;
export const EMPTY_TRIE_ROOT: usize = 0x10f20;
export const NO_UNCLES: usize = 0x10f40;

// ---- the step that the host is told of; see steps.ts
export const STEP: usize = 0x10f80;
/** the byte in the code; 0 behind its end */
export const STEP_OPCODE: usize = STEP;
export const STEP_PC: usize = STEP + 4;
/** frames below the one that runs */
export const STEP_DEPTH: usize = STEP + 8;
/** pointers: bottom of the stack, first free place above it, memory and its size in bytes before the opcode */
export const STEP_STACK: usize = STEP + 12;
export const STEP_TOP: usize = STEP + 16;
export const STEP_MEMORY: usize = STEP + 20;
export const STEP_MEMORY_SIZE: usize = STEP + 24;
/** how the opcode ends its frame, where it can't begin; see halts.ts */
export const STEP_FAULT: usize = STEP + 28;
/** gas: what is left before the opcode; what that costs; what a call takes along besides */
export const STEP_GAS: usize = STEP + 32;
export const STEP_COST: usize = STEP + 40;
export const STEP_PASSED_GAS: usize = STEP + 48;
/** the refund of the run, with that of the opcode, and before it */
export const STEP_REFUND: usize = STEP + 56;
export const STEP_REFUND_BEFORE: usize = STEP + 64;
/** pointers: the slot that SLOAD or SSTORE access; accounts: whose state the code sees, and the caller; a word of wei */
export const STEP_SLOT: usize = STEP + 72;
export const STEP_SELF: usize = STEP + 76;
export const STEP_CALLER: usize = STEP + 80;
export const STEP_VALUE: usize = STEP + 84;
/** pointers and lengths: the code, the call data, what the last call of the frame has returned */
export const STEP_CODE: usize = STEP + 88;
export const STEP_CODE_SIZE: usize = STEP + 92;
export const STEP_INPUT: usize = STEP + 96;
export const STEP_INPUT_SIZE: usize = STEP + 100;
export const STEP_RETURNED: usize = STEP + 104;
export const STEP_RETURNED_SIZE: usize = STEP + 108;
/** EIP-8037: the reservoir before the opcode, and the state gas that it costs; below 0 where state gas comes back */
export const STEP_RESERVOIR: usize = STEP + 112;
export const STEP_STATE_COST: usize = STEP + 120;

// ---- contracts of the protocol: filled by the host. Of each its address (a word) and the hash of its code: EIP-4788, EIP-2935,
// EIP-7002, EIP-7251, EIP-8282 (deposits, exits)
export const SYSTEM_CONTRACTS: usize = 0x11000;
export const SYSTEM_CONTRACT_SIZE: usize = 64;

// ---- filled by the host, for the hardfork of the block: see src/core/tables
/** of each opcode what the interpreter checks before it runs it: see opcode-rows.ts */
export const OPCODE_ROWS: usize = 0x12000;
export const RULE_NUMBERS: usize = 0x12800;

// ---- scratch: a function that calls no other of these files may use the words
export const SCRATCH: usize = 0x14000;
export const SCRATCH_2: usize = 0x14020;
export const SCRATCH_3: usize = 0x14040;
/** an address in its 20 bytes; a hash */
export const ADDRESS_BYTES: usize = 0x14060;
export const HASHED: usize = 0x14080;
/** long division */
export const DIVIDEND: usize = 0x14100;
export const DIVISOR: usize = 0x14180;
export const QUOTIENT: usize = 0x14200;
export const OPERAND: usize = 0x14280;
export const OPERAND_2: usize = 0x142c0;
export const NEGATED: usize = 0x14300;
/** keccak: one state, two states side by side, and the state in every other round */
export const SPONGE: usize = 0x14400;
export const SPONGES: usize = 0x14500;
export const OTHER_SPONGE: usize = 0x14700;
/** account.ts and others encode here; trie nodes that wait for a partner to be hashed with (8 of 1 KiB) */
export const VALUE_BUFFER: usize = 0x15000;
export const NODE_BUFFERS: usize = 0x16000;
export const NODE_BUFFER_SIZE: usize = 1024;
/** jobs of the hasher by height of the node, nodes that wait by length */
export const JOB_HEADS: usize = 0x18000;
export const WAITING: usize = 0x18200;

/** ring: number of the block (8 bytes, then 24 free), hash */
export const HASHES: usize = 0x20000;
export const HASHES_SIZE: usize = 256 * 64;
/** see known-senders.ts: 1,024 entries */
export const SENDERS: usize = 0x28000;
export const SENDERS_SIZE: usize = 1024 * 64;

export const FRAMES: usize = 0x40000;
export const FRAME_SIZE: usize = 192;
/** frames that may run at once: the outermost has depth 0 */
export const MAX_DEPTH: usize = 1024;

/** what is counted of each frame, 32 bytes: see counts.ts */
export const FRAME_COUNTS: usize = 0x80000;

export const STACKS: usize = 0x100000;
export const STACK_SIZE: usize = 1024 * 32;
/** the last four bytes before EVM_MEMORY point to the next room for stacks */
export const STACKS_END: usize = 0x1ffffc;
export const EVM_MEMORY: usize = 0x200000;
export const EVM_MEMORY_END: usize = 0x1200000;
export const HEAP: usize = 0x1200000;
