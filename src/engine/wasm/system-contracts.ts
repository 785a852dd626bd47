import { hexToBytes } from '@ethereumjs/util';
import {
  BEACON_ROOTS,
  BLOCK_HASHES,
  BUILDER_DEPOSITS,
  BUILDER_EXITS,
  CONSOLIDATION_REQUESTS,
  type GenesisContract,
  WITHDRAWAL_REQUESTS,
} from '../../state/genesis-code.ts';
import { keccak256 } from '../../state/keccak.ts';

/** A contract that the protocol calls. */
export interface SystemContract {
  /** 20 bytes */
  readonly address: Uint8Array;
  /** of the code that its EIP gives */
  readonly codeHash: Uint8Array;
}

const systemContract = ({ address, code }: GenesisContract): SystemContract => ({
  address: hexToBytes(address),
  codeHash: keccak256(hexToBytes(code)),
});

/** EIP-4788 */
export const BEACON_CONTRACT = systemContract(BEACON_ROOTS);
/** EIP-2935 */
export const HISTORY_CONTRACT = systemContract(BLOCK_HASHES);
/** EIP-7002 */
export const WITHDRAWAL_CONTRACT = systemContract(WITHDRAWAL_REQUESTS);
/** EIP-7251 */
export const CONSOLIDATION_CONTRACT = systemContract(CONSOLIDATION_REQUESTS);

/** EIP-8282 */
export const BUILDER_DEPOSIT_CONTRACT = systemContract(BUILDER_DEPOSITS);
export const BUILDER_EXIT_CONTRACT = systemContract(BUILDER_EXITS);

/** In the order of `SYSTEM_CONTRACTS` in src/core/memory/layout.ts. */
export const SYSTEM_CONTRACTS = [
  BEACON_CONTRACT,
  HISTORY_CONTRACT,
  WITHDRAWAL_CONTRACT,
  CONSOLIDATION_CONTRACT,
  BUILDER_DEPOSIT_CONTRACT,
  BUILDER_EXIT_CONTRACT,
] as const;
