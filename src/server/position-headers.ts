import type { Passage } from '../rpc/passage.ts';

/**
 * Returns the headers that tell a client to which position of the log an answer corresponds. If a call was forwarded and its effects aren't
 * on this node yet, `devnet-position` is the leader's position, and `devnet-behind` this node's.
 * @param own this node's position
 */
export function positionHeaders(own: string, passage: Passage | undefined): Readonly<Record<string, string>> {
  const ahead = passage?.ahead;
  return ahead === undefined
    ? { 'devnet-position': own }
    : { 'devnet-position': ahead, 'devnet-behind': own };
}
