import { contentOf, isIntact, withChecksum } from '../checked-line.ts';

/** A request to the node from which a chain is forked, and the result: immutable data about the fork block or an earlier block. */
export interface CacheEntry {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
  /** whether a Merkle proof (`eth_getProof`) has verified the result */
  readonly proved?: boolean | undefined;
}

/** The key by which entries are looked up. */
export function keyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params]);
}

/** Encodes an entry as a line with a checksum, without a newline. */
export function encodeEntry({ method, params, result, proved }: CacheEntry): string {
  return withChecksum(JSON.stringify({ method, params, result, ...(proved && { proved }) }));
}

/** Decodes a line; `undefined` if its checksum is wrong or it isn't an entry. */
export function decodeEntry(line: Buffer): CacheEntry | undefined {
  if (!isIntact(line)) return undefined;
  const content = contentOf(line) as Partial<CacheEntry>;
  const { method, params, result } = content;
  return typeof method === 'string' && Array.isArray(params) && result !== undefined
    ? (content as CacheEntry)
    : undefined;
}
