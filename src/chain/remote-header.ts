import { Address } from '@ethereumjs/util';
import { BadAnswer, readBytes, readQuantity } from '../remote/wire.ts';
import type { Header } from './block.ts';

/** What another node tells of a block. */
export interface RemoteHeader {
  readonly header: Header;
  /** as the other node says: a chain may have header fields that aren't Ethereum's, so it isn't computed */
  readonly hash: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a block of `eth_getBlockByNumber`. Fields that other chains leave out are zero, and fields of later forks are
 * taken as far as a hardfork of Ethereum has them all.
 * @throws BadAnswer
 */
export function readRemoteHeader(value: unknown): RemoteHeader {
  if (typeof value !== 'object' || value === null) throw new BadAnswer('the block', 'an object', value);
  const block = value as Fields;
  const has = (name: string) => block[name] !== undefined && block[name] !== null;
  const bytes = (name: string, length?: number) => readBytes(block[name], name, length);
  const number = (name: string) => readQuantity(block[name], name);
  const orZeros = (name: string, length: number) =>
    has(name) ? bytes(name, length) : new Uint8Array(length);
  const london = has('baseFeePerGas');
  const shanghai = london && has('withdrawalsRoot');
  const cancun = shanghai && has('blobGasUsed') && has('excessBlobGas') && has('parentBeaconBlockRoot');
  const prague = cancun && has('requestsHash');
  return {
    hash: bytes('hash', 32),
    header: {
      parentHash: bytes('parentHash', 32),
      unclesHash: orZeros('sha3Uncles', 32),
      coinbase: new Address(orZeros('miner', 20)),
      stateRoot: orZeros('stateRoot', 32),
      transactionsRoot: orZeros('transactionsRoot', 32),
      receiptsRoot: orZeros('receiptsRoot', 32),
      logsBloom: orZeros('logsBloom', 256),
      difficulty: has('difficulty') ? number('difficulty') : 0n,
      number: number('number'),
      gasLimit: number('gasLimit'),
      gasUsed: number('gasUsed'),
      timestamp: number('timestamp'),
      extraData: has('extraData') ? bytes('extraData') : new Uint8Array(),
      mixHash: orZeros('mixHash', 32),
      nonce: orZeros('nonce', 8),
      ...(london && { baseFeePerGas: number('baseFeePerGas') }),
      ...(shanghai && { withdrawalsRoot: bytes('withdrawalsRoot', 32) }),
      ...(cancun && {
        blobGasUsed: number('blobGasUsed'),
        excessBlobGas: number('excessBlobGas'),
        parentBeaconBlockRoot: bytes('parentBeaconBlockRoot', 32),
      }),
      ...(prague && { requestsHash: bytes('requestsHash', 32) }),
    },
  };
}
