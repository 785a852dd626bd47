import type { Passage } from '../rpc/passage.ts';

/**
 * The headers that tell a client which position of the log an answer is of. Where a call was passed on, and what it did isn't
 * here yet, `devnet-position` is the leader's, and `devnet-behind` this node's own.
 * @param own this node's position
 */
export function positionHeaders(own: string, passage: Passage | undefined): Readonly<Record<string, string>> {
  const ahead = passage?.ahead;
  return ahead === undefined
    ? { 'devnet-position': own }
    : { 'devnet-position': ahead, 'devnet-behind': own };
}
