import type { Receipt } from './block.ts';

/**
 * A 32-bit hash of an address, or of a topic and its position, for finding blocks with logs. Collisions are possible, so a
 * found block may turn out to have no matching log.
 */
export type LogTerm = number;

/** One group per part of a filter: a block must have at least one term of each group. A part that accepts anything has no group. */
export type TermGroups = readonly (readonly LogTerm[])[];

/** 2^32 divided by the golden ratio: spreads the terms of the same topic at different positions over 32 bits. */
const SPREAD = 0x9e3779b1;

/** @param position 0 for a log's address, 1 to 4 for its topics */
export function logTerm(bytes: Uint8Array, position: number): LogTerm {
  let term = Math.imul(position + 1, SPREAD);
  for (let at = 0; at < bytes.length; at += 4)
    term ^= (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return term >>> 0;
}

/** The distinct terms of all logs in a block; empty for a block without logs. */
export function termsOf(receipts: readonly Pick<Receipt, 'logs' | 'encodings'>[]): readonly LogTerm[] {
  const terms = new Set<LogTerm>();
  for (const receipt of receipts) {
    if (receipt.encodings) {
      for (const term of receipt.encodings.logTerms) terms.add(term);
      continue;
    }
    for (const { address, topics } of receipt.logs) {
      terms.add(logTerm(address.bytes, 0));
      for (const [i, topic] of topics.entries()) terms.add(logTerm(topic, i + 1));
    }
  }
  return [...terms];
}
