import { Address, hexToBytes, setLengthLeft } from '@ethereumjs/util';
import { integerWord } from '../state/integers.ts';
import type { Log } from './types.ts';

/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER_TOPIC = hexToBytes('0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef');
export const TRANSFER_ADDRESS = hexToBytes('0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee');

/** The log of `traceTransfers` in eth_simulateV1 for a transfer of ETH (execution-apis; address of ERC-7528). */
export function transferLog(from: Address, to: Address, value: bigint): Log {
  return {
    address: new Address(TRANSFER_ADDRESS),
    topics: [TRANSFER_TOPIC, setLengthLeft(from.bytes, 32), setLengthLeft(to.bytes, 32)],
    data: integerWord(value),
    transfer: true,
  };
}
