import { contentOf, isIntact, withChecksum } from '../checked-line.ts';

/** A request to the node that a chain is forked from, and what it answered: a fact about the fork block or an earlier one. */
export interface CacheEntry {
  readonly method: string;
  readonly params: readonly unknown[];
  readonly result: unknown;
  /** whether a Merkle proof (`eth_getProof`) showed it to be true */
  readonly proved?: boolean | undefined;
}

/** What entries are found by. */
export function keyOf(method: string, params: readonly unknown[]): string {
  return JSON.stringify([method, params]);
}

/** The line of an entry, with a checksum, without a newline. */
export function encodeEntry({ method, params, result, proved }: CacheEntry): string {
  return withChecksum(JSON.stringify({ method, params, result, ...(proved && { proved }) }));
}

/** The entry of a line; `undefined` where its checksum is wrong or it is none. */
export function decodeEntry(line: Buffer): CacheEntry | undefined {
  if (!isIntact(line)) return undefined;
  const content = contentOf(line) as Partial<CacheEntry>;
  const { method, params, result } = content;
  return typeof method === 'string' && Array.isArray(params) && result !== undefined
    ? (content as CacheEntry)
    : undefined;
}
