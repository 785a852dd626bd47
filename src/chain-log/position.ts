/** A position in the log. Written as `fence-task`, which is also the id of the stream entry that ends with the task. */
export interface Position {
  /** number of the leader that wrote the task; grows with each leader */
  readonly fence: number;
  /** number of the task among those of its leader, from 1; 0 = the entry with which the leader begins */
  readonly task: number;
}

/** The position before the first task. */
export const START: Position = { fence: 0, task: 0 };

export function textOf({ fence, task }: Position): string {
  return `${fence}-${task}`;
}

/** @returns `undefined` if the text isn't a position */
export function positionOf(text: string): Position | undefined {
  const [, fence, task] = /^(\d{1,15})-(\d{1,15})$/.exec(text) ?? [];
  return fence === undefined ? undefined : { fence: Number(fence), task: Number(task) };
}

/** Whether a position equals another one or comes after it in the log. */
export function hasReached(position: Position, other: Position): boolean {
  return position.fence > other.fence || (position.fence === other.fence && position.task >= other.task);
}

export function later(one: Position, other: Position): Position {
  return hasReached(one, other) ? one : other;
}

/** The last positions of the earlier leaders, oldest first. Their later tasks are lost, and aren't in the log. */
export type Ends = readonly Position[];

/** Whether a chain at `position` contains everything that a chain at `other` had. @param ends up to that of the previous leader */
export function includes(position: Position, other: Position, ends: Ends): boolean {
  if (position.fence === other.fence) return position.task >= other.task;
  if (hasReached(START, other)) return true;
  return ends.some(({ fence, task }) => fence === other.fence && task >= other.task);
}
