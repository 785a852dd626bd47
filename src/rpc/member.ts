import type { DevnetError } from '../errors.ts';
import type { Percentiles } from '../sequencer/feed/metrics.ts';

/** How well a node hears what its chain depends on. */
export interface Heard {
  /** milliseconds since it was heard last */
  readonly heardMs: number;
  /** why what this node shows may be old, or why it makes no blocks: `/healthz` answers 503 with it; `null` = neither */
  readonly problem: string | null;
}

/** What a node tells of its part in a log that several nodes share. */
export interface MemberStatus extends Heard {
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
  /** whether this node is the leader */
  readonly isLeader: boolean;
  /** Waits until this node's chain has reached a position, for some seconds. @returns whether it has */
  reached(position: string): Promise<boolean>;
  /** Why this node may change the chain no more, for now: another one may be the leader. `undefined` = it may. */
  halt(): DevnetError | undefined;
  /** Resolves when it may again. */
  goesOn(): Promise<void>;
  /** Makes a follower the leader. @throws DevnetError while another leader is heard of, or where this is the leader */
  promote(): Promise<void>;
}
