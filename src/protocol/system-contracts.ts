import { Address, hexToBytes } from '@ethereumjs/util';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  type GenesisContract,
  WITHDRAWAL_REQUESTS,
} from '../state/genesis-code.ts';
import { keccak256 } from '../state/keccak.ts';

/** A contract that the protocol calls at the start or the end of a block. */
export interface SystemContract {
  /** the EIP that defines it */
  readonly eip: number;
  readonly address: Address;
  /** hash of the code that the EIP specifies, 32 bytes */
  readonly codeHash: Uint8Array;
}

/** The caller of system calls (EIP-4788), and the emitter of transfer logs (EIP-7708). */
export const SYSTEM_ADDRESS = new Address(hexToBytes('0xfffffffffffffffffffffffffffffffffffffffe'));

export const BEACON_CONTRACT = systemContract(4788, BEACON_ROOTS);
export const HISTORY_CONTRACT = systemContract(2935, BLOCK_HASHES);
/** The contracts that return requests (EIP-7685), in the order of their request types, starting at 1. */
export const REQUEST_CONTRACTS: readonly SystemContract[] = [
  systemContract(7002, WITHDRAWAL_REQUESTS),
  systemContract(7251, CONSOLIDATION_REQUESTS),
  systemContract(8282, BUILDER_DEPOSITS),
  systemContract(8282, BUILDER_EXITS),
];
/** The slots that these contracts read at the end of a block: excess, count, head and tail of the queue. */
export const QUEUE_SLOTS = [0n, 1n, 2n, 3n];
/** All system contracts, in the order of `SYSTEM_CONTRACTS` in src/core/memory/layout.ts. */
export const SYSTEM_CONTRACTS = [BEACON_CONTRACT, HISTORY_CONTRACT, ...REQUEST_CONTRACTS];

function systemContract(eip: number, { address, code }: GenesisContract): SystemContract {
  return { eip, address: new Address(hexToBytes(address)), codeHash: keccak256(hexToBytes(code)) };
}
