import type { Flag } from './flags.ts';

/** Another chain to go on from, and how its node is asked. */
export const FORK_FLAGS: readonly Flag[] = [
  {
    flags: '-f, --fork-url <url>',
    option: 'forkUrl',
    kind: 'text',
    help: 'go on from the chain of this node (http or ws; url@block for a block), also --rpc-url',
    aliases: ['--rpc-url'],
  },
  {
    flags: '--fork-block-number <n>',
    option: 'forkBlockNumber',
    kind: 'integer',
    help: 'block to go on from, negative for so many before the newest (the newest)',
  },
  {
    flags: '--fork-header <line>',
    option: 'forkHeaders',
    kind: 'lines',
    help: "HTTP header for that node, as 'Name: value'; may be repeated",
    aliases: ['--fork-headers'],
  },
  {
    flags: '--fork-chain-id <id>',
    option: 'forkChainId',
    kind: 'integer',
    help: 'chain id of that chain, which is not asked for then',
  },
  {
    flags: '--timeout <ms>',
    option: 'forkTimeout',
    kind: 'number',
    help: 'longest that a request to that node may take (45000)',
  },
  {
    flags: '--retries <n>',
    option: 'forkRetries',
    kind: 'number',
    help: 'attempts after a request that was not answered (5)',
  },
  {
    flags: '--fork-retry-backoff <ms>',
    option: 'forkRetryBackoff',
    kind: 'number',
    help: 'time before the first of them, doubling (1000)',
  },
];
