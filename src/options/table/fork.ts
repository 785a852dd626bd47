import { flagOption, option, unrecorded } from '../option.ts';
import { hash, integer, lines, rate, size, text, texts, whole } from '../value-types.ts';

/** milliseconds */
const DAY = 86_400_000;

/**
 * The chain that this one is forked from, and how its node is asked. A recording has the fork block, and what was read of the
 * other chain, instead.
 */
export const FORK = unrecorded({
  /**
   * JSON-RPC of a node whose chain this one goes on from: `http(s)://` or `ws(s)://`, with `@block` at its end where it
   * isn't to be the newest. What isn't written here is read from there. Several: the first one's chain, and where one of them
   * fails, the next is asked.
   */
  forkUrl: option({
    flags: '-f, --fork-url <url>',
    aliases: ['--rpc-url'],
    help: 'go on from the chain of this node (http or ws; url@block for a block), also --rpc-url; repeated: nodes to ask where that one fails',
    type: texts,
  }),
  /** Block to go on from; negative for so many before the newest. Default: the newest. */
  forkBlockNumber: option({
    flags: '--fork-block-number <n>',
    help: 'block to go on from, negative for so many before the newest (the newest)',
    type: integer(-(2n ** 53n), 2n ** 53n),
  }),
  /**
   * Transaction of the other chain to go on right before: with the state after the transactions before it in its block. The chain
   * begins with the block before that one.
   */
  forkTransactionHash: option({
    flags: '--fork-transaction-hash <hash>',
    help: 'transaction to go on right before, after those before it in its block',
    type: hash,
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
  /** Most that the node at `forkUrl` is asked for: requests a second, or compute units a second as `'330cu'`. Default: no limit. */
  forkRateLimit: option({
    flags: '--fork-rate-limit <n>',
    help: 'requests a second to that node, or compute units as 330cu (no limit)',
    type: rate,
  }),
  /**
   * Folder that keeps what was fetched of a fork block, for other chains and later ones. Default: `devnet/fork` in the user's folder for
   * caches (`XDG_CACHE_HOME`).
   */
  forkCache: option({
    flags: '--fork-cache <dir>',
    help: "keep what is fetched in this folder (devnet/fork in the user's cache folder)",
    type: text,
  }),
  /** Neither read nor keep anything in the fork cache. */
  noForkCache: flagOption({
    flags: '--no-fork-cache',
    help: 'fetch all of it anew, and keep nothing of it',
  }),
  /** Bytes that the fork cache may take; the fork blocks that were not used for longest give way. Default 2 GiB. */
  forkCacheSize: option({
    flags: '--fork-cache-size <bytes>',
    help: 'most that the fork cache may take, as 500M or 4G (2G)',
    type: size,
    default: 2 ** 31,
  }),
  /** Ask no node: what isn't in the fork cache is an error that names it. */
  forkOffline: flagOption({
    flags: '--fork-offline',
    help: 'ask no node: what the fork cache lacks is an error',
  }),
  /** Check the fork block's hash, and each account and slot with a Merkle proof (`eth_getProof`), against a node that lies. */
  forkVerify: flagOption({
    flags: '--fork-verify',
    help: 'check what is fetched with Merkle proofs (eth_getProof)',
  }),
});
