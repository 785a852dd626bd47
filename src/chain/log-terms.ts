import type { Receipt } from './block.ts';

/**
 * A short form of an address, or of a topic at its position, for finding blocks with logs. Different ones may have the
 * same term, so a block that is found may turn out to have no matching log.
 */
export type LogTerm = number;

/** For each part of a filter the terms of which a block must have one; no group for a part that takes anything. */
export type TermGroups = readonly (readonly LogTerm[])[];

/** Spreads the terms of the same topic at different positions over 32 bits (the golden ratio). */
const SPREAD = 0x9e3779b1;

/** @param position 0 for a log's address, 1 to 4 for its topics */
export function logTerm(bytes: Uint8Array, position: number): LogTerm {
  let term = Math.imul(position + 1, SPREAD);
  for (let at = 0; at < bytes.length; at += 4)
    term ^= (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;
  return term >>> 0;
}

/** The different terms of all logs in a block; none for a block without logs. */
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
