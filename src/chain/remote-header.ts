import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { BadAnswer, readBytes, readQuantity } from '../remote/wire.ts';
import type { Header } from './block.ts';
import { hashHeader } from './header.ts';

/** A block's header and hash, as another node reports them. */
export interface RemoteHeader {
  readonly header: Header;
  /** as reported, not computed: other chains may have header fields that Ethereum lacks */
  readonly hash: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

/** What a block of Ethereum has in `eth_getBlockByNumber`, besides the fields of its header. */
const BESIDES = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];
/** The fields of Ethereum's headers. */
const HEADER = [
  'parentHash',
  'sha3Uncles',
  'miner',
  'stateRoot',
  'transactionsRoot',
  'receiptsRoot',
  'logsBloom',
  'difficulty',
  'number',
  'gasLimit',
  'gasUsed',
  'timestamp',
  'extraData',
  'mixHash',
  'nonce',
  'baseFeePerGas',
  'withdrawalsRoot',
  'blobGasUsed',
  'excessBlobGas',
  'parentBeaconBlockRoot',
  'requestsHash',
  'blockAccessListHash',
  'slotNumber',
];
const ETHEREUM: ReadonlySet<string> = new Set([...BESIDES, ...HEADER]);

/**
 * Reads the header at which a chain is forked, whose hash has to be the header's. Chains that have other fields make their
 * hashes otherwise, and of those the hash is taken as it is reported.
 * @param isVerified whether none is taken as it is reported
 * @throws BadAnswer
 */
export function readForkHeader(value: unknown, isVerified: boolean): RemoteHeader {
  const read = readRemoteHeader(value);
  const members = Object.keys(value as Fields);
  const isEthereum =
    members.every((name) => ETHEREUM.has(name)) &&
    HEADER.slice(0, 15).every((name) => members.includes(name));
  if (!isEthereum && !isVerified) return read;
  const hash = hashHeader(read.header);
  if (!equalsBytes(hash, read.hash))
    throw new BadAnswer(
      'hash',
      `${bytesToHex(hash)}, which follows from the other fields`,
      bytesToHex(read.hash),
    );
  return read;
}

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
  const amsterdam = prague && has('blockAccessListHash') && has('slotNumber');
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
      ...(amsterdam && {
        blockAccessListHash: bytes('blockAccessListHash', 32),
        slotNumber: number('slotNumber'),
      }),
    },
  };
}
