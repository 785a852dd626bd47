import { Address, bytesToHex, equalsBytes } from '@ethereumjs/util';
import { HEADER_FIELDS, type HeaderField } from '../core/tables/fields.ts';
import { BadAnswer, readBytes, readQuantity } from '../remote/wire.ts';
import type { Header } from './block.ts';
import { hashHeader, headerOf } from './header.ts';

/** A block's header and hash, as another node reports them. */
export interface RemoteHeader {
  readonly header: Header;
  /** as reported, not computed: other chains may have header fields that Ethereum lacks */
  readonly hash: Uint8Array;
}

type Fields = Readonly<Record<string, unknown>>;

const rpcName = ({ rpc, name }: HeaderField) => rpc ?? name;

/** Members of an Ethereum block in `eth_getBlockByNumber`, besides its header fields. */
const BESIDES = ['hash', 'size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];
/** Fields of every Ethereum header. */
const FRONTIER = HEADER_FIELDS.filter(({ since }) => since === undefined).map(rpcName);
const ETHEREUM: ReadonlySet<string> = new Set([...BESIDES, ...HEADER_FIELDS.map(rpcName)]);
/** Required fields; other chains may omit the others. */
const REQUIRED = ['parentHash', 'number', 'gasLimit', 'gasUsed', 'timestamp'];

/**
 * Reads the header of the fork block, and checks its hash. Chains with other header fields compute their hashes differently:
 * their reported hash isn't checked.
 * @param isVerified whether the hash must be checked for such chains as well
 * @throws BadAnswer
 */
export function readForkHeader(value: unknown, isVerified: boolean): RemoteHeader {
  const read = readRemoteHeader(value);
  const members = Object.keys(value as Fields);
  const isEthereum =
    members.every((name) => ETHEREUM.has(name)) && FRONTIER.every((name) => members.includes(name));
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
 * Reads a header from the result of `eth_getBlockByNumber`. Fields that other chains omit are zero. Fields of later
 * hardforks are read only up to the last Ethereum hardfork of which all fields are present.
 * @throws BadAnswer
 */
export function readRemoteHeader(value: unknown): RemoteHeader {
  if (typeof value !== 'object' || value === null) throw new BadAnswer('the block', 'an object', value);
  const block = value as Fields;
  const has = (name: string) => block[name] !== undefined && block[name] !== null;
  const first = HEADER_FIELDS.find((field) => field.since !== undefined && !has(rpcName(field)))?.since;
  const end = HEADER_FIELDS.findIndex(({ since }) => first !== undefined && since === first);
  return {
    hash: readBytes(block.hash, 'hash', 32),
    header: headerOf((field, i) => {
      if (end >= 0 && i >= end) return undefined;
      const name = rpcName(field);
      const isLeftOut = !has(name) && !REQUIRED.includes(name);
      if (field.kind === 'quantity') return isLeftOut ? 0n : readQuantity(block[name], name);
      const length = field.kind === 'address' ? 20 : field.size;
      const bytes = isLeftOut ? new Uint8Array(length ?? 0) : readBytes(block[name], name, length);
      return field.kind === 'address' ? new Address(bytes) : bytes;
    }),
  };
}
