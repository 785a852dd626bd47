import type { ForwardedRequest } from '../rpc/forwarded-request.ts';

/**
 * Returns the headers that tell a client to which position of the log an answer corresponds. If a call was forwarded and its effects aren't
 * on this node yet, `devnet-position` is the leader's position, and `devnet-behind` this node's.
 * @param own this node's position
 */
export function positionHeaders(
  own: string,
  forwarded: ForwardedRequest | undefined,
): Readonly<Record<string, string>> {
  const unreached = forwarded?.unreached;
  return unreached === undefined
    ? { 'devnet-position': own }
    : { 'devnet-position': unreached, 'devnet-behind': own };
}
