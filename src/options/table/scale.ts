import { flagOption, option, unrecorded } from '../option.ts';
import { text, whole } from '../value-types.ts';

/** A chain that several nodes share through a log in Redis. */
export const SCALE = unrecorded({
  /** URL of the Redis (`redis://` or `rediss://`) to which this chain's log is written, and from which other nodes follow. */
  redis: option({
    flags: '--redis <url>',
    help: 'write what changes the chain to this Redis, from which other nodes follow (docs/scale.md)',
    type: text,
  }),
  /**
   * Milliseconds without a response from Redis after which a follower reports that it may be outdated, and after which a leader that
   * couldn't renew its lease has stopped. All nodes of a chain use the same value. Default 5,000.
   */
  redisTimeout: option({
    flags: '--redis-timeout <ms>',
    help: "ms without an answer from Redis until followers report it and the leader's lease ends (5000)",
    type: whole(100, 600_000),
    default: 5_000,
  }),
  /** URL at which followers reach this node's JSON-RPC, to forward calls. Default: host and port of the listener. */
  advertise: option({
    flags: '--advertise <url>',
    help: 'URL at which followers reach this node (host and port of the listener)',
    type: text,
  }),
  /** Number of blocks between two snapshots; followers start from a snapshot. Default 300. */
  snapshotInterval: option({
    flags: '--snapshot-interval <blocks>',
    help: 'blocks between two snapshots, from which followers start (300)',
    type: whole(1, 1_000_000),
    default: 300,
  }),
  /** Directory in which to store snapshots instead of Redis; all nodes must share it. */
  snapshotDir: option({
    flags: '--snapshot-dir <dir>',
    help: 'keep the snapshots in this directory, which all nodes share, instead of Redis',
    type: text,
  }),
  /** Start a new chain even if Redis has the log of one. Default: continue the existing chain. */
  newLog: flagOption({
    flags: '--new-log',
    help: 'begin a new chain even if Redis has one with this id (default: go on with that one)',
  }),
});
