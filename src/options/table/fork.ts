import { flagOption, option, unrecorded } from '../option.ts';
import { hash, integer, lines, rate, size, text, texts, whole } from '../value-types.ts';

/** milliseconds */
const DAY = 86_400_000;

/**
 * The chain to fork, and how its node is requested. None of these options is recorded: a recording contains the fork block and the data
 * read from the other chain.
 */
export const FORK = unrecorded({
  /**
   * JSON-RPC URL of a node whose chain to fork: `http(s)://` or `ws(s)://`, with `@block` at its end to fork at a block other than the
   * newest. Data that isn't on this chain is read from there. With several URLs, the first one's chain is forked, and if a node fails, the
   * next one is asked.
   */
  forkUrl: option({
    flags: '-f, --fork-url <url>',
    aliases: ['--rpc-url'],
    help: 'fork the chain of this node (http or ws; url@block for a block), also --rpc-url; repeat for fallback nodes',
    type: texts,
  }),
  /** Number of the block to fork at; a negative number counts back from the newest. Default: the newest. */
  forkBlockNumber: option({
    flags: '--fork-block-number <n>',
    help: 'block to fork at; a negative number counts back from the newest (the newest)',
    type: integer(-(2n ** 53n), 2n ** 53n),
  }),
  /**
   * Transaction of the other chain before which to fork: the state includes the transactions before it in its block. The first block of
   * this chain is the block before the transaction's block.
   */
  forkTransactionHash: option({
    flags: '--fork-transaction-hash <hash>',
    help: 'fork just before this transaction of a block',
    type: hash,
  }),
  /** HTTP headers for the node at `forkUrl`, as `Name: value`. */
  forkHeaders: option({
    flags: '--fork-header <line>',
    aliases: ['--fork-headers'],
    help: "HTTP header for the forked node, as 'Name: value'; may be repeated",
    type: lines,
    default: [],
  }),
  /** Chain id of the forked chain; saves a request to the node at `forkUrl`. */
  forkChainId: option({
    flags: '--fork-chain-id <id>',
    help: 'chain id of the forked chain, to save a request for it',
    type: integer(1n, BigInt(Number.MAX_SAFE_INTEGER)),
  }),
  /** Time limit of a request to the node at `forkUrl`, in milliseconds. Default 45,000. */
  forkTimeout: option({
    flags: '--timeout <ms>',
    help: 'time limit of a request to the forked node (45000)',
    type: whole(1, DAY),
    default: 45_000,
  }),
  /** Number of retries of a request to the node at `forkUrl` that wasn't answered. Default 5. */
  forkRetries: option({
    flags: '--retries <n>',
    help: 'retries of an unanswered request to the forked node (5)',
    type: whole(0, 1000),
    default: 5,
  }),
  /** Pause before the first retry, in milliseconds; it doubles before each further retry. Default 1,000. */
  forkRetryBackoff: option({
    flags: '--fork-retry-backoff <ms>',
    help: 'time before the first retry, doubled before each further one (1000)',
    type: whole(0, DAY),
    default: 1000,
  }),
  /** Rate limit for the node at `forkUrl`: requests per second, or compute units per second as `'330cu'`. Default: no limit. */
  forkRateLimit: option({
    flags: '--fork-rate-limit <n>',
    help: 'maximum requests a second to the forked node, or compute units as 330cu (no limit)',
    type: rate,
  }),
  /**
   * Folder that caches data fetched for a fork block, for other and later chains. Default: `devnet/fork` in the user's cache folder
   * (`XDG_CACHE_HOME`).
   */
  forkCache: option({
    flags: '--fork-cache <dir>',
    help: "keep what is fetched in this folder (devnet/fork in the user's cache folder)",
    type: text,
  }),
  /** Don't use the fork cache: neither read nor write it. */
  noForkCache: flagOption({
    flags: '--no-fork-cache',
    help: 'do not use the fork cache',
  }),
  /** Maximum size of the fork cache in bytes; the fork blocks that were not used for the longest time are removed. Default 2 GiB. */
  forkCacheSize: option({
    flags: '--fork-cache-size <bytes>',
    help: 'maximum size of the fork cache, as 500M or 4G (2G)',
    type: size,
    default: 2 ** 31,
  }),
  /** Send no requests to a node: data that isn't in the fork cache causes an error that names it. */
  forkOffline: flagOption({
    flags: '--fork-offline',
    help: 'send no requests: data missing in the fork cache is an error',
  }),
  /** Verify the fork block's hash, and each account and slot with a Merkle proof (`eth_getProof`), to detect false answers of the node. */
  forkVerify: flagOption({
    flags: '--fork-verify',
    help: 'check what is fetched with Merkle proofs (eth_getProof)',
  }),
});
