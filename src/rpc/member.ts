import type { Percentiles } from '../sequencer/feed/metrics.ts';

/** What a node tells of its part in a log that several nodes share. */
export interface MemberStatus {
  readonly role: 'leader' | 'follower';
  /** number of the leader, which grows with each one, and of the task in the log: what this node's chain has reached */
  readonly position: string;
  /** tasks of the log that this node hasn't executed yet; of the leader, those that aren't in the log yet */
  readonly waiting: number;
  /** time from the leader's writing of a task to the end of its execution here, milliseconds */
  readonly lagMs: Percentiles;
  /** how often the log lost tasks, so that followers have to be started again */
  readonly cuts: number;
  /** address of the leader's JSON-RPC */
  readonly leader: string;
}

/** A node's part in a log that several nodes share: one leader makes the blocks, the others execute what it logs. */
export interface Member {
  readonly status: () => MemberStatus;
  /** as in the status */
  readonly position: string;
  /** Waits until this node's chain has reached a position, for some seconds. @returns whether it has */
  reached(position: string): Promise<boolean>;
  /** Makes a follower the leader. @throws DevnetError while another leader is heard of, or where this is the leader */
  promote(): Promise<void>;
}
