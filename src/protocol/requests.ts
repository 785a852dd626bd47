import { createHash } from 'node:crypto';
import { concatBytes, equalsBytes, hexToBytes } from '@ethereumjs/util';
import { EMPTY_BYTES } from '../state/account.ts';
import { integerOf } from '../state/integers.ts';
import { type BloomBits, bloomBits, bloomHas } from './bloom.ts';
import { DEPOSIT_CONTRACT } from './genesis-config.ts';
import type { Log } from './types.ts';

/** keccak256('DepositEvent(bytes,bytes,bytes,bytes,bytes)') */
const DEPOSIT_TOPIC = hexToBytes('0x649bbc62d0e31342afea4e5cd82d4049e7e1ee912fc0889aa790803be39038c5');

export const MAINNET_CONTRACT = hexToBytes(DEPOSIT_CONTRACT);

/** The log fields of a receipt. */
export interface LoggingReceipt {
  readonly logs: readonly Log[];
  /** their bloom filter, 256 bytes */
  readonly logsBloom: Uint8Array;
}

/** The data of the deposit requests of a block (EIP-6110). @throws Error when a deposit's log is malformed */
export function depositRequests(
  receipts: Iterable<LoggingReceipt>,
  contract: Uint8Array = MAINNET_CONTRACT,
): Uint8Array {
  const bits = bitsOf(contract);
  const deposits: Uint8Array[] = [];
  for (const receipt of receipts) {
    // Checked first, since logs may have to be decoded, and few blocks have deposits.
    if (!bloomHas(receipt.logsBloom, bits)) continue;
    for (const { address, topics, data } of receipt.logs)
      if (equalsBytes(address.bytes, contract) && topics[0] && equalsBytes(topics[0], DEPOSIT_TOPIC))
        deposits.push(depositOf(data));
  }
  return deposits.length === 0 ? EMPTY_BYTES : concatBytes(...deposits);
}

const bitsOfContracts = new WeakMap<Uint8Array, BloomBits>();

function bitsOf(contract: Uint8Array): BloomBits {
  let bits = bitsOfContracts.get(contract);
  if (!bits) {
    bits = bloomBits(contract);
    bitsOfContracts.set(contract, bits);
  }
  return bits;
}

/** EIP-6110: extracts pubkey, withdrawal credentials, amount, signature and index from the event's ABI encoding. */
function depositOf(data: Uint8Array): Uint8Array {
  if (data.length !== 576) throw new Error('invalid deposit log: unsupported data layout');
  const sizes = [48, 32, 8, 96, 8];
  return concatBytes(
    ...sizes.map((size, i) => {
      const offset = Number(integerOf(data.subarray(32 * i, 32 * i + 32)));
      const length = Number(integerOf(data.subarray(offset, offset + 32)));
      if (length !== size) throw new Error('invalid deposit log: unsupported data layout');
      return data.subarray(offset + 32, offset + 32 + size);
    }),
  );
}

/** EIP-7685: sha256 over the sha256 of each request. */
export function requestsHash(requests: readonly Uint8Array[]): Uint8Array {
  return requests.length === 0 ? NO_REQUESTS : hashOfRequests(requests);
}

/** The requests hash of a block without requests, as in nearly every block. */
export const NO_REQUESTS = hashOfRequests([]);

function hashOfRequests(requests: readonly Uint8Array[]): Uint8Array {
  const outer = createHash('sha256');
  for (const request of requests) outer.update(createHash('sha256').update(request).digest());
  return new Uint8Array(outer.digest());
}
