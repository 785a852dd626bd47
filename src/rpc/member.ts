import type { DevnetError } from '../errors.ts';
import type { Percentiles } from '../sequencer/feed/metrics.ts';

/** The state of the connection on which a node's chain depends. */
export interface ConnectionState {
  /** milliseconds since the last message */
  readonly heardMs: number;
  /** why this node's answers may be outdated, or why it makes no blocks: `/healthz` answers 503 with this text; `null` = no problem */
  readonly problem: string | null;
}

/** The status of a node that shares a log with others. */
export interface MemberStatus extends ConnectionState {
  readonly role: 'leader' | 'follower';
  /** what this node's chain has reached: the number of the leader, which grows with each new leader, and of the task in the log */
  readonly position: string;
  /** tasks of the log that this node hasn't executed yet; on the leader, tasks that aren't in the log yet */
  readonly waiting: number;
  /** time from the leader's writing of a task to the end of its execution on this node, milliseconds */
  readonly lagMs: Percentiles;
  /** how often the log lost tasks, so that followers must be restarted */
  readonly cuts: number;
  /** URL of the leader's JSON-RPC */
  readonly leader: string;
}

/** A node that shares a log with others: one leader makes the blocks, the followers execute what it logs. */
export interface Member {
  readonly status: () => MemberStatus;
  /** the position in the status */
  readonly position: string;
  /** whether this node is the leader */
  readonly isLeader: boolean;
  /** Waits some seconds until this node's chain has reached a position. @returns whether it has */
  waitUntilReached(position: string): Promise<boolean>;
  /** Returns why this node must not change the chain for now (another node may be the leader); `undefined` = it may change it. */
  haltReason(): DevnetError | undefined;
  /** Resolves when this node may change the chain again. */
  resumed(): Promise<void>;
  /** Makes a follower the leader. @throws DevnetError while another leader is alive, or if this node is the leader */
  promote(): Promise<void>;
}
