import { option } from '../option.ts';
import { integer, lines, text, whole } from '../value-types.ts';

/** milliseconds */
const DAY = 86_400_000;

/** The chain that this one is forked from, and how its node is asked. */
export const FORK = {
  /**
   * JSON-RPC of a node whose chain this one goes on from: `http(s)://` or `ws(s)://`, with `@block` at its end where it
   * isn't to be the newest. What isn't written here is read from there.
   */
  forkUrl: option({
    flags: '-f, --fork-url <url>',
    aliases: ['--rpc-url'],
    help: 'go on from the chain of this node (http or ws; url@block for a block), also --rpc-url',
    type: text,
  }),
  /** Block to go on from; negative for so many before the newest. Default: the newest. */
  forkBlockNumber: option({
    flags: '--fork-block-number <n>',
    help: 'block to go on from, negative for so many before the newest (the newest)',
    type: integer(-(2n ** 53n), 2n ** 53n),
  }),
  /** HTTP headers for the node at `forkUrl`, as `Name: value`. */
  forkHeaders: option({
    flags: '--fork-header <line>',
    aliases: ['--fork-headers'],
    help: "HTTP header for that node, as 'Name: value'; may be repeated",
    type: lines,
    default: [],
  }),
  /** Chain id of the forked chain, so that the node at `forkUrl` isn't asked for it. */
  forkChainId: option({
    flags: '--fork-chain-id <id>',
    help: 'chain id of that chain, so that its node is not asked for it',
    type: integer(1n, BigInt(Number.MAX_SAFE_INTEGER)),
  }),
  /** Milliseconds that one request to the node at `forkUrl` may take. Default 45,000. */
  forkTimeout: option({
    flags: '--timeout <ms>',
    help: 'longest that a request to that node may take (45000)',
    type: whole(1, DAY),
    default: 45_000,
  }),
  /** Further attempts after a request to the node at `forkUrl` wasn't answered. Default 5. */
  forkRetries: option({
    flags: '--retries <n>',
    help: 'attempts after a request that was not answered (5)',
    type: whole(0, 1000),
    default: 5,
  }),
  /** Milliseconds before the first further attempt, twice as long before each next one. Default 1,000. */
  forkRetryBackoff: option({
    flags: '--fork-retry-backoff <ms>',
    help: 'time before the first of them, doubling (1000)',
    type: whole(0, DAY),
    default: 1000,
  }),
};
