import { Address } from '@ethereumjs/util';
import { BadAnswer, readBytes, readQuantity } from '../remote/wire.ts';
import type { Header } from './block.ts';

/** A block's header and hash, as another node reports them. */
export interface RemoteHeader {
  readonly header: Header;
  /** as reported, not computed: other chains may have header fields that Ethereum lacks */
  readonly hash: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a header from the result of `eth_getBlockByNumber`. Fields that other chains leave out are zero. Fields of
 * later hardforks are read only up to the last hardfork of Ethereum whose fields are all there.
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
