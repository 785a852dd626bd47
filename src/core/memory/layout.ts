// The layout of the linear memory, in bytes. The host imports this file, too.
//
//   0x0000_0400  constants of the module (written by the compiler)
//   0x0001_0000  TX: the current transaction; RESULT: its result; BLOCK: the open block
//   0x0001_4000  scratch words, buffers for encoding
//   0x0002_0000  HASHES: hashes of the last 256 blocks
//   0x0002_8000  SENDERS: cache of recovered senders
//   0x0004_0000  FRAMES: one record for each open call
//   0x0008_0000  FRAME_COUNTS: counters of these frames
//   0x0010_0000  STACKS: the frames' stacks, one after the other; see stacks.ts
//   0x0020_0000  EVM_MEMORY: the frames' memories, one after the other; see evm-memory.ts
//   0x0120_0000  HEAP: tables, tries, code, journal, logs, receipts; grows to the end of the memory
// be: stacks and memories that don't fit in their room lie in the heap.

// ---- the current transaction: written by decode() or by the host
export const TX: usize = 0x10000;
export const TX_TYPE: usize = TX;
/** 1 when the transaction has a recipient; 0 = it creates a contract */
export const TX_HAS_TO: usize = TX + 4;
export const TX_NONCE: usize = TX + 8;
export const TX_GAS: usize = TX + 16;
export const TX_CHAIN_ID: usize = TX + 24;
/** words, in wei per gas */
export const TX_PRIORITY_FEE: usize = TX + 32;
export const TX_MAX_FEE: usize = TX + 64;
export const TX_VALUE: usize = TX + 96;
/** address as a word; see words.ts */
export const TX_TO: usize = TX + 128;
export const TX_FROM: usize = TX + 160;
export const TX_MAX_BLOB_FEE: usize = TX + 192;
/** pointers and lengths: call data; payload of the access list's RLP; blob hashes (33 bytes each, with their RLP prefix) */
export const TX_DATA: usize = TX + 224;
export const TX_DATA_LENGTH: usize = TX + 228;
export const TX_ACCESS_LIST: usize = TX + 232;
export const TX_ACCESS_LIST_END: usize = TX + 236;
export const TX_BLOBS: usize = TX + 240;
export const TX_BLOB_COUNT: usize = TX + 244;
/** payload of the authorization list's RLP; number of its tuples */
export const TX_AUTHORIZATIONS: usize = TX + 248;
export const TX_AUTHORIZATIONS_END: usize = TX + 252;
export const TX_AUTHORIZATION_COUNT: usize = TX + 256;
/** bits of the rules that don't apply, see below */
export const TX_EXEMPT: usize = TX + 260;
/** the encoding: offset and length in the block's inputs; 0 for a call */
export const TX_RAW: usize = TX + 264;
export const TX_RAW_LENGTH: usize = TX + 268;
/** for the host's recovery of a signer: recovery id, r ++ s, signing hash, and the recovered public key (65 bytes) */
export const SIGNATURE_ID: usize = TX + 272;
export const SIGNATURE: usize = TX + 288;
export const SIGNING_HASH: usize = TX + 352;
export const PUBLIC_KEY: usize = TX + 384;
export const TX_HASH: usize = TX + 464;
/** computed words: gas price paid, the part of it for the coinbase, blob fee */
export const TX_GAS_PRICE: usize = TX + 496;
export const TX_TIP: usize = TX + 528;
export const TX_BLOB_FEE: usize = TX + 560;
/** for a deposit of the OP Stack: minted wei as a word, and the source hash of 32 bytes */
export const TX_MINT: usize = TX + 608;
export const TX_SOURCE: usize = TX + 640;

// Bits of TX_EXEMPT.
/** The nonce needn't match the account's. */
export const ANY_NONCE: u32 = 1;
/** Fees are checked only if the transaction offers some. */
export const ANY_FEES: u32 = 2;
/** The sender may have code. */
export const ANY_SENDER: u32 = 4;
/** The gas limit cap of EIP-7825 doesn't apply. */
export const ANY_GAS: u32 = 8;
/** The block's gas limits don't apply, and no receipt is added to the block: an eth_call. */
export const OUTSIDE_BLOCK: u32 = 16;
/** With OUTSIDE_BLOCK: a receipt is added to the block. The host has checked the block's gas limits. */
export const GETS_RECEIPT: u32 = 64;
/** A system call (EIP-4788 and others): no fees, no nonce, no intrinsic gas. */
export const SYSTEM: u32 = 32;
/** Offered fees may be below the base fee. */
export const ANY_BASE_FEE: u32 = 256;
/** ETH transfers create logs, which aren't part of receipts: `traceTransfers` of eth_simulateV1. */
export const TRANSFER_LOGS: u32 = 128;

// ---- the result of a run, and the reason why it is paused
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
/** the missing state: kind (halts.ts); the entry, or the address of a node's hash; the number of a block */
export const MISS_KIND: usize = RESULT + 40;
export const MISS_ENTRY: usize = RESULT + 44;
export const MISS_NUMBER: usize = RESULT + 48;
/** for an account or a slot if the tries contain differences only: 1 = it has the value of the other state */
export const MISS_ELSEWHERE: usize = RESULT + 48;
/** a precompile that the host has to run: its number, gas, input; the destination of the output in the caller's memory */
export const PRECOMPILE_NUMBER: usize = RESULT + 64;
export const PRECOMPILE_INPUT: usize = RESULT + 68;
export const PRECOMPILE_INPUT_LENGTH: usize = RESULT + 72;
export const PRECOMPILE_OUT: usize = RESULT + 76;
export const PRECOMPILE_OUT_LENGTH: usize = RESULT + 80;
export const PRECOMPILE_MARK: usize = RESULT + 84;
export const PRECOMPILE_GAS: usize = RESULT + 88;
/** 1 = called by the transaction itself, not by contract code */
export const PRECOMPILE_OUTERMOST: usize = RESULT + 96;
/** the account whose code calls the console contract */
export const CONSOLE_CALLER: usize = RESULT + 136;
/** PRECOMPILE_NUMBER for calls of the console address, which isn't a real precompile: the host prints the input, and the output is empty */
export const CONSOLE: u32 = 0xffffffff;
/** number of logs that the transaction emitted, including those of reverted frames */
export const RESULT_EMITTED_LOGS: usize = RESULT + 100;
/** state gas that the caller of a precompile was charged for the account that the call creates (EIP-8037) */
export const PRECOMPILE_ACCOUNT_CHARGE: usize = RESULT + 144;
/** state root after the transaction, if its receipt contains one: BLOCK_ROOTS_RECEIPTS */
export const RESULT_STATE_ROOT: usize = RESULT + 160;
/** gas that the transaction adds to the two counters of its block (EIP-7778, EIP-8037) */
export const RESULT_EXECUTION_GAS: usize = RESULT + 192;
export const RESULT_STATE_GAS: usize = RESULT + 200;
/** execution gas and state gas that the transaction used, before refunds and without the floor; refunded gas */
export const RESULT_EXECUTION_GAS_USED: usize = RESULT + 208;
export const RESULT_REFUND: usize = RESULT + 216;
/** mark in the logs before a precompile that contract code calls */
export const PRECOMPILE_LOG_MARK: usize = RESULT + 108;
/**
 * pointers and lengths of the receipt written by receipt-record.ts, in the encoding of the store and in the encoding for the receipts root;
 * pointer to the 256 bytes of its bloom filter
 */
export const RECORD_STORED: usize = RESULT + 112;
export const RECORD_STORED_LENGTH: usize = RESULT + 116;
export const RECORD_RECEIPT: usize = RESULT + 120;
export const RECORD_RECEIPT_LENGTH: usize = RESULT + 124;
export const RECORD_BLOOM: usize = RESULT + 128;
/** number of logs that logTerms() has counted */
export const RECORD_LOGS: usize = RESULT + 132;

// ---- the open block: written by the host
export const BLOCK: usize = 0x10800;
export const BLOCK_NUMBER: usize = BLOCK;
export const BLOCK_TIME: usize = BLOCK + 8;
export const BLOCK_GAS_LIMIT: usize = BLOCK + 16;
/** gas that the senders have paid for so far, as in the receipts. The header contains the larger of the two counters: see block.ts. */
export const BLOCK_GAS_USED: usize = BLOCK + 24;
export const BLOCK_BLOB_GAS_USED: usize = BLOCK + 32;
export const BLOCK_EXCESS_BLOB_GAS: usize = BLOCK + 40;
export const BLOCK_EXTRA_LENGTH: usize = BLOCK + 48;
/** 1 = the header has the field */
export const BLOCK_HAS_REQUESTS: usize = BLOCK + 52;
/** 1 = receipts contain the state root instead of a status, as before EIP-658 */
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
/** the two gas counters of EIP-8037; without that EIP the first one counts the paid gas, and the second one is 0 */
export const BLOCK_EXECUTION_GAS: usize = BLOCK + 808;
export const BLOCK_STATE_GAS: usize = BLOCK + 816;
/** EIP-7843 */
export const BLOCK_SLOT: usize = BLOCK + 824;
/** EIP-7928 */
export const BLOCK_ACCESS_LIST_HASH: usize = BLOCK + 832;

// ---- the rules: written by the host
export const RULES: usize = 0x10e00;
/** see ExecutorRules in src/engine/wasm/rules.ts */
export const RULES_MAX_CODE: usize = RULES + 8;
export const RULES_MAX_BLOBS: usize = RULES + 12;
export const RULES_CHAIN_ID: usize = RULES + 16;
/** 1 = the host must be asked for state that isn't in the tables, 0 = such state is empty */
export const RULES_LAZY: usize = RULES + 24;
export const RULES_MAX_BLOCK_BLOB_GAS: usize = RULES + 32;
/** 1 = the host wants to receive calls of the console address: CONSOLE */
export const RULES_CONSOLE: usize = RULES + 40;
/** 1 = the host listens to: calls, logs and self-destructs; touched accounts and slots. See events.ts */
export const RULES_CALLS: usize = RULES + 44;
export const RULES_TOUCHES: usize = RULES + 48;
/** 1 = steps are counted instead of reported: see counts.ts */
export const RULES_COUNTS: usize = RULES + 52;

// ---- the counters of the last run, see counts.ts: the blocks of codes; the opcodes that ran, 8 bytes each: block (an offset), program
// counter; the frames in the order in which they ended, 32 bytes each: block, depth, length of the call data, its first four bytes,
// gas used (8 bytes), 1 = it failed, 1 = it is a creation
export const COUNTED_BLOCKS: usize = RULES + 64;
export const COUNTED_RAN: usize = RULES + 68;
export const COUNTED_RAN_LENGTH: usize = RULES + 72;
export const COUNTED_ENDED: usize = RULES + 76;
export const COUNTED_ENDED_LENGTH: usize = RULES + 80;

// ---- constants that setup() computes
export const EMPTY_CODE_HASH: usize = 0x10f00;
export const EMPTY_TRIE_ROOT: usize = 0x10f20;
export const NO_UNCLES: usize = 0x10f40;

// ---- the step that is reported to the host; see steps.ts
export const STEP: usize = 0x10f80;
/** the byte in the code; 0 beyond its end */
export const STEP_OPCODE: usize = STEP;
export const STEP_PC: usize = STEP + 4;
/** number of frames below the current one */
export const STEP_DEPTH: usize = STEP + 8;
/** pointers: bottom of the stack, end of the stack, memory; size of the memory in bytes; all before the opcode */
export const STEP_STACK: usize = STEP + 12;
export const STEP_TOP: usize = STEP + 16;
export const STEP_MEMORY: usize = STEP + 20;
export const STEP_MEMORY_SIZE: usize = STEP + 24;
/** how the opcode ends its frame, if it can't run; see halts.ts */
export const STEP_FAULT: usize = STEP + 28;
/** gas: left before the opcode; cost of the opcode; gas that a call passes on in addition */
export const STEP_GAS: usize = STEP + 32;
export const STEP_COST: usize = STEP + 40;
export const STEP_PASSED_GAS: usize = STEP + 48;
/** the run's refund counter, including the opcode, and before it */
export const STEP_REFUND: usize = STEP + 56;
export const STEP_REFUND_BEFORE: usize = STEP + 64;
/** pointers: the slot that SLOAD or SSTORE accesses; the account whose storage the code uses, and the caller; the call value as a word */
export const STEP_SLOT: usize = STEP + 72;
export const STEP_SELF: usize = STEP + 76;
export const STEP_CALLER: usize = STEP + 80;
export const STEP_VALUE: usize = STEP + 84;
/** pointers and lengths: the code, the call data, the return data of the frame's last call */
export const STEP_CODE: usize = STEP + 88;
export const STEP_CODE_SIZE: usize = STEP + 92;
export const STEP_INPUT: usize = STEP + 96;
export const STEP_INPUT_SIZE: usize = STEP + 100;
export const STEP_RETURNED: usize = STEP + 104;
export const STEP_RETURNED_SIZE: usize = STEP + 108;
/** EIP-8037: the reservoir before the opcode, and the opcode's state gas, negative if state gas is returned */
export const STEP_RESERVOIR: usize = STEP + 112;
export const STEP_STATE_COST: usize = STEP + 120;

// ---- system contracts: written by the host. For each its address (a word) and its code hash: EIP-4788, EIP-2935,
// EIP-7002, EIP-7251, EIP-8282 (deposits, exits)
export const SYSTEM_CONTRACTS: usize = 0x11000;
export const SYSTEM_CONTRACT_SIZE: usize = 64;

// ---- written by the host for the hardfork of the block: see src/core/tables
/** the interpreter's checks for each opcode: see opcode-rows.ts */
export const OPCODE_ROWS: usize = 0x12000;
export const RULE_NUMBERS: usize = 0x12800;

// ---- scratch words: only for functions that call no other function of these files meanwhile
export const SCRATCH: usize = 0x14000;
export const SCRATCH_2: usize = 0x14020;
export const SCRATCH_3: usize = 0x14040;
/** an address as 20 bytes; a hash */
export const ADDRESS_BYTES: usize = 0x14060;
export const HASHED: usize = 0x14080;
/** long division */
export const DIVIDEND: usize = 0x14100;
export const DIVISOR: usize = 0x14180;
export const QUOTIENT: usize = 0x14200;
export const OPERAND: usize = 0x14280;
export const OPERAND_2: usize = 0x142c0;
export const NEGATED: usize = 0x14300;
/** keccak: one state, two interleaved states, and the state in every other round */
export const SPONGE: usize = 0x14400;
export const SPONGES: usize = 0x14500;
export const OTHER_SPONGE: usize = 0x14700;
/** buffer for encoding; trie nodes that wait to be hashed in pairs (8 of 1 KiB) */
export const VALUE_BUFFER: usize = 0x15000;
export const NODE_BUFFERS: usize = 0x16000;
export const NODE_BUFFER_SIZE: usize = 1024;
/** the hasher's jobs by the height of the node, waiting nodes by length */
export const JOB_HEADS: usize = 0x18000;
export const WAITING: usize = 0x18200;

/** ring buffer: block number (8 bytes, then 24 unused), hash */
export const HASHES: usize = 0x20000;
export const HASHES_SIZE: usize = 256 * 64;
/** see known-senders.ts: 1,024 entries */
export const SENDERS: usize = 0x28000;
export const SENDERS_SIZE: usize = 1024 * 64;

export const FRAMES: usize = 0x40000;
export const FRAME_SIZE: usize = 192;
/** maximum number of frames above the outermost one, which has depth 0 */
export const MAX_DEPTH: usize = 1024;

/** counters of each frame, 32 bytes: see counts.ts */
export const FRAME_COUNTS: usize = 0x80000;

export const STACKS: usize = 0x100000;
export const STACK_SIZE: usize = 1024 * 32;
/** the last four bytes before EVM_MEMORY contain a pointer to the next area for stacks */
export const STACKS_END: usize = 0x1ffffc;
export const EVM_MEMORY: usize = 0x200000;
export const EVM_MEMORY_END: usize = 0x1200000;
export const HEAP: usize = 0x1200000;
